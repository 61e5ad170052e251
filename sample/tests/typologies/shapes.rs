//! What each typology claims, checked on the payments alone.

use std::collections::{BTreeMap, BTreeSet};

use sample::typologies::{AccountId, ActorId, Assessment, Cents, Network, Payment, Planted, Typology};

use super::relations::Facts;

const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;

pub type Checked = Result<(), String>;

/// A network and the payments of each account, in the order of time.
pub struct Index<'a> {
    network: &'a Network,
    of_account: Vec<Vec<&'a Payment>>,
    facts: Facts<'a>,
}

pub fn ensure(holds: bool, fault: &str) -> Checked {
    if holds { Ok(()) } else { Err(fault.to_owned()) }
}

pub fn sum(payments: &[&Payment]) -> i64 {
    payments.iter().map(|payment| payment.amount.0).sum()
}

fn accounts(payments: &[&Payment], end: impl Fn(&Payment) -> AccountId) -> BTreeSet<AccountId> {
    payments.iter().map(|payment| end(payment)).collect()
}

impl<'a> Index<'a> {
    pub fn new(network: &'a Network) -> Self {
        let mut of_account = vec![Vec::new(); network.accounts.len()];
        for payment in &network.payments {
            of_account[payment.from.0 as usize].push(payment);
            of_account[payment.to.0 as usize].push(payment);
        }
        Self { network, of_account, facts: Facts::of(network) }
    }

    pub fn check(&self, planted: &Planted) -> Checked {
        let payments: Vec<&Payment> = planted.payments.iter().map(|id| &self.network.payments[id.0 as usize]).collect();
        ensure(payments.iter().all(|payment| payment.currency == payments[0].currency), "more than one currency")?;
        ensure(!planted.focal.is_empty(), "no focal actor")?;
        let focal = |account| self.owner(account).is_some_and(|owner| planted.focal.contains(&owner));
        ensure(planted.focal.iter().all(|actor| payments.iter().any(|payment| self.names(payment, *actor))), "a focal actor takes no part")?;
        let into: Vec<&Payment> = payments.iter().copied().filter(|payment| focal(payment.to)).collect();
        let out: Vec<&Payment> = payments.iter().copied().filter(|payment| focal(payment.from)).collect();
        let span = payments[payments.len() - 1].at - payments[0].at;
        match planted.typology {
            Typology::Structuring => structuring(&payments, span),
            Typology::RapidPassThrough => pass_through(&into, &out, span),
            Typology::FanIn => fan(&payments, &into, |payment| payment.from, span),
            Typology::FanOut => fan(&payments, &out, |payment| payment.to, span),
            Typology::GatherScatter => gather_scatter(&into, &out, span),
            Typology::ScatterGather => scatter_gather(&payments, span),
            Typology::StackedLayers => stacked_layers(&payments),
            Typology::RoundTrip => round_trip(&payments, span),
            Typology::DormantAwakened => self.dormant(&payments, &into, &out, planted.focal[0]),
            Typology::VelocityBurst => self.burst(&payments, planted.focal[0], span),
            Typology::RoundAmounts => round_amounts(&payments, span),
            Typology::NewAccountTurnover => self.new_account(&payments, &into, &out, planted.focal[0]),
            Typology::HighRiskCountry => self.facts.one_country(&payments),
            Typology::PepCounterparty => self.facts.one_counterparty(&payments, Assessment::Pep),
            Typology::SanctionedCounterparty => self.facts.one_counterparty(&payments, Assessment::Sanctions),
            Typology::MuleRing => self.facts.ring(&planted.focal, &into, &out),
            Typology::LayeredOwnership => self.facts.far_apart(&payments),
        }
    }

    fn owner(&self, account: AccountId) -> Option<ActorId> {
        self.network.accounts[account.0 as usize].owner
    }

    fn names(&self, payment: &Payment, actor: ActorId) -> bool {
        [payment.from, payment.to].into_iter().any(|account| self.owner(account) == Some(actor))
    }

    /// The account of a case's subject that its payments name.
    fn account(&self, payments: &[&Payment], actor: ActorId) -> AccountId {
        let accounts = payments.iter().flat_map(|payment| [payment.from, payment.to]);
        accounts.into_iter().find(|&account| self.owner(account) == Some(actor)).unwrap()
    }

    fn dormant(&self, payments: &[&Payment], into: &[&Payment], out: &[&Payment], actor: ActorId) -> Checked {
        let account = self.account(payments, actor);
        let first = payments[0];
        let before = self.of_account[account.0 as usize].iter().take_while(|payment| payment.at < first.at).last();
        let opened = self.network.accounts[account.0 as usize].opened.and_hms_opt(0, 0, 0).unwrap().and_utc().timestamp_millis();
        let idle = first.at - before.map_or(opened, |payment| payment.at);
        ensure(idle >= 90 * DAY, "the account was not idle for 90 days")?;
        ensure((800_000..=9_000_000).contains(&sum(into)), "8,000 to 90,000 come in")?;
        ensure(sum(out) * 100 >= sum(into) * 84, "less than 84 % goes out")?;
        ensure(out[0].at > into[into.len() - 1].at, "something goes out before all is in")
    }

    fn burst(&self, payments: &[&Payment], actor: ActorId, span: i64) -> Checked {
        ensure((18..=45).contains(&payments.len()) && span <= 2 * DAY, "18 to 45 payments in two days")?;
        let account = self.account(payments, actor);
        let is_out = payments[0].from == account;
        ensure(payments.iter().all(|payment| (payment.from == account) == is_out), "one direction")?;
        let others = accounts(payments, |payment| if is_out { payment.to } else { payment.from });
        ensure((1..=10).contains(&others.len()), "at most 10 parties")?;
        let days = (payments[0].at - self.network.payments[0].at) / DAY;
        ensure(days >= 59, "no history")?;
        let alike = |payment: &&&Payment| payment.at < payments[0].at && (payment.from == account) == is_out;
        let before = self.of_account[account.0 as usize].iter().filter(alike).count() as i64;
        ensure(payments.len() as i64 * days >= 5 * 2 * before, "less than five times the usual number a day")
    }

    fn new_account(&self, payments: &[&Payment], into: &[&Payment], out: &[&Payment], actor: ActorId) -> Checked {
        let account = self.account(payments, actor);
        let opened = self.network.accounts[account.0 as usize].opened.and_hms_opt(0, 0, 0).unwrap().and_utc().timestamp_millis();
        ensure(payments[payments.len() - 1].at - opened <= 30 * DAY, "the account is older than 30 days")?;
        ensure((2_500_000..=25_000_000).contains(&sum(into)), "25,000 to 250,000 come in")?;
        ensure(sum(out) * 100 >= sum(into) * 74 && sum(out) <= sum(into), "75 % to 98 % goes out")?;
        let mut balance = 0;
        for payment in payments {
            balance += if payment.to == account { payment.amount.0 } else { -payment.amount.0 };
            ensure(balance >= 0, "more goes out than has come in")?;
        }
        Ok(())
    }
}

fn structuring(payments: &[&Payment], span: i64) -> Checked {
    ensure((4..=12).contains(&payments.len()) && span <= 7 * DAY, "4 to 12 payments in a week")?;
    ensure(payments.iter().all(|payment| (800_000..1_000_000).contains(&payment.amount.0)), "80 % to 100 % of the threshold")?;
    let (payers, payees) = (accounts(payments, |payment| payment.from), accounts(payments, |payment| payment.to));
    ensure(payers.len() == 1 || payees.len() == 1, "one account pays or is paid")
}

fn pass_through(into: &[&Payment], out: &[&Payment], span: i64) -> Checked {
    ensure((1..=3).contains(&into.len()) && !out.is_empty() && span <= 3 * DAY, "1 to 3 rounds in 3 days")?;
    ensure(sum(out) * 100 >= sum(into) * 87 && sum(out) <= sum(into), "88 % to 99 % goes on")?;
    for payment in out {
        let before = into.iter().rev().find(|other| other.at < payment.at);
        ensure(before.is_some_and(|other| payment.at - other.at <= 20 * HOUR + 1), "something goes on after 20 hours")?;
    }
    Ok(())
}

fn fan(payments: &[&Payment], spokes: &[&Payment], end: impl Fn(&Payment) -> AccountId, span: i64) -> Checked {
    ensure(payments.len() == spokes.len() && span <= 7 * DAY, "all payments are of the hub, within a week")?;
    let others = accounts(spokes, end);
    ensure((8..=30).contains(&others.len()) && others.len() == spokes.len(), "8 to 30 accounts, one payment each")
}

fn gather_scatter(into: &[&Payment], out: &[&Payment], span: i64) -> Checked {
    let (payers, payees) = (accounts(into, |payment| payment.from), accounts(out, |payment| payment.to));
    ensure((4..=16).contains(&payers.len()) && (4..=16).contains(&payees.len()), "4 to 16 on both sides")?;
    ensure(payers.is_disjoint(&payees), "an account on both sides")?;
    ensure(into[into.len() - 1].at < out[0].at && span <= 5 * DAY, "first in, then out, within 5 days")?;
    ensure(sum(out) * 100 >= sum(into) * 84 && sum(out) <= sum(into), "85 % to 98 % is scattered")
}

fn scatter_gather(payments: &[&Payment], span: i64) -> Checked {
    let both: BTreeSet<AccountId> =
        accounts(payments, |payment| payment.from).intersection(&accounts(payments, |payment| payment.to)).copied().collect();
    ensure((4..=14).contains(&both.len()) && payments.len() == 2 * both.len() && span <= 4 * DAY, "4 to 14 intermediaries in 4 days")?;
    let (scatter, gather): (Vec<&Payment>, Vec<&Payment>) = payments.iter().partition(|payment| both.contains(&payment.to));
    ensure(accounts(&scatter, |payment| payment.from).len() == 1 && accounts(&gather, |payment| payment.to).len() == 1, "one source, one sink")?;
    for leg in gather {
        let before = scatter.iter().find(|other| other.to == leg.from);
        let is_passed = |before: &&Payment| before.at < leg.at && leg.amount <= before.amount && leg.amount.0 * 100 >= before.amount.0 * 87;
        ensure(before.is_some_and(is_passed), "an intermediary passes on too early or too little")?;
    }
    Ok(())
}

fn stacked_layers(payments: &[&Payment]) -> Checked {
    // A layer is as far from the first layer as its payments say.
    let mut layer: BTreeMap<AccountId, usize> = BTreeMap::new();
    for payment in payments {
        let above = *layer.entry(payment.from).or_insert(0);
        let below = *layer.entry(payment.to).or_insert(above + 1);
        ensure(below == above + 1, "a payment skips a layer")?;
    }
    let last = layer.values().max().copied().unwrap_or(0);
    ensure((2..=4).contains(&last), "3 to 5 layers")?;
    for (&account, &of) in &layer {
        let payers = accounts(&payments.iter().copied().filter(|payment| payment.to == account).collect::<Vec<_>>(), |payment| payment.from);
        let payees = accounts(&payments.iter().copied().filter(|payment| payment.from == account).collect::<Vec<_>>(), |payment| payment.to);
        ensure(of == 0 || payers.len() >= 2, "an account is paid by one alone")?;
        ensure(of == last || payees.len() >= 2, "an account pays one alone")?;
    }
    let layer = &layer;
    let time = |step: usize| payments.iter().filter(move |payment| layer[&payment.from] == step).map(|payment| payment.at);
    for step in 1..last {
        ensure(time(step - 1).max() < time(step).min(), "a step begins before the one before has ended")?;
        ensure(time(step).max().unwrap() - time(step - 1).max().unwrap() <= 40 * HOUR + 1, "a step takes more than 40 hours")?;
    }
    Ok(())
}

fn round_trip(payments: &[&Payment], span: i64) -> Checked {
    ensure((3..=6).contains(&payments.len()) && span <= 10 * DAY, "3 to 6 payments in 10 days")?;
    ensure(accounts(payments, |payment| payment.from).len() == payments.len(), "an account pays twice")?;
    ensure(payments[payments.len() - 1].to == payments[0].from, "the money does not come back")?;
    for hop in payments.windows(2) {
        ensure(hop[0].to == hop[1].from && hop[0].at < hop[1].at, "the money does not move on")?;
        let Cents(passed) = hop[1].amount;
        ensure(passed <= hop[0].amount.0 && passed * 100 >= hop[0].amount.0 * 91, "92 % to 100 % is passed on")?;
    }
    Ok(())
}

fn round_amounts(payments: &[&Payment], span: i64) -> Checked {
    ensure((7..=16).contains(&payments.len()) && span <= 20 * DAY, "7 to 16 payments in 20 days")?;
    ensure(payments.iter().all(|payment| payment.amount.0 % 50_000 == 0), "whole multiples of 500")
}
