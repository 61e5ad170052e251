//! What kernels say of the sender or the receiver of a payment.

use std::collections::BTreeSet;
use std::time::Duration;

use analytics::{
    AccountIndex, Activity, Amount, Hub, Network, Party, Passed, Payment, Side, dormancies, gather_scatters, pass_throughs, velocities,
    velocities_before,
};
use proptest::prelude::*;

use crate::networks::{loaded, lookback, network, reordered, restored, shuffled, span};

/// The payments in and out that a payment closes, by the definition that gather-scatter and pass-through share.
fn through<'a>(payments: &'a [Payment], closing: &Payment, millis: i64, counts: impl Fn(&Payment) -> bool) -> (Vec<&'a Payment>, Vec<&'a Payment>) {
    if closing.from == closing.to {
        return (Vec::new(), Vec::new());
    }
    let others: Vec<&Payment> = payments.iter().filter(|payment| payment.from != payment.to && counts(payment)).collect();
    let gathered = |payment: &Payment| payment.to == closing.from && (1..=millis).contains(&(closing.at.millis() - payment.at.millis()));
    let into: Vec<&Payment> = others.iter().copied().filter(|payment| gathered(payment)).collect();
    let Some(begin) = into.iter().map(|payment| payment.at).min() else { return (Vec::new(), Vec::new()) };
    let out = others.into_iter().filter(|payment| payment.from == closing.from && begin < payment.at && payment.at <= closing.at).collect();
    (into, out)
}

fn all_hubs(payments: &[Payment], millis: i64) -> Vec<Hub> {
    let hub = |closing| {
        let (into, out) = through(payments, closing, millis, |_| true);
        let senders: BTreeSet<AccountIndex> = into.iter().map(|payment| payment.from).collect();
        let receivers: BTreeSet<AccountIndex> = out.iter().map(|payment| payment.to).collect();
        Hub { senders: senders.len() as u32, payments_in: into.len() as u32, receivers: receivers.len() as u32, payments_out: out.len() as u32 }
    };
    payments.iter().map(hub).collect()
}

fn all_passed(payments: &[Payment], millis: i64) -> Vec<Passed> {
    let passed = |closing: &Payment| {
        let (into, out) = through(payments, closing, millis, |payment| payment.currency == closing.currency);
        let sum = |payments: &[&Payment]| payments.iter().map(|payment| payment.amount).sum::<Amount>();
        Passed { received: sum(&into), payments_in: into.len() as u32, sent: sum(&out), payments_out: out.len() as u32 }
    };
    payments.iter().map(passed).collect()
}

const PARTIES: [Party; 2] = [Party::Sender, Party::Receiver];
const SIDES: [Side; 2] = [Side::Out, Side::In];

fn party(payment: &Payment, party: Party) -> AccountIndex {
    match party {
        Party::Sender => payment.from,
        Party::Receiver => payment.to,
    }
}

/// The activity of an account in the times from `first` to `last` milliseconds before a payment, the first left out.
fn all_activities(payments: &[Payment], whose: Party, side: Side, first: i64, last: i64) -> Vec<Activity> {
    let activity = |payment: &Payment| {
        let account = party(payment, whose);
        let ends = |other: &Payment| if side == Side::Out { (other.from, other.to) } else { (other.to, other.from) };
        let counts = |other: &&Payment| ends(other).0 == account && (last..first).contains(&(payment.at.millis() - other.at.millis()));
        let counted: Vec<&Payment> = payments.iter().filter(counts).collect();
        let accounts: BTreeSet<AccountIndex> = counted.iter().map(|other| ends(other).1).filter(|&other| other != account).collect();
        let amount = counted.iter().filter(|other| other.currency == payment.currency).map(|other| other.amount).sum();
        Activity { payments: counted.len() as u32, accounts: accounts.len() as u32, amount }
    };
    payments.iter().map(activity).collect()
}

fn all_idle(payments: &[Payment], whose: Party) -> Vec<Option<Duration>> {
    let idle = |payment: &Payment| {
        let account = party(payment, whose);
        let touches = |other: &&Payment| (other.from == account || other.to == account) && other.at < payment.at;
        let last = payments.iter().filter(touches).map(|other| other.at).max()?;
        Some(Duration::from_millis((payment.at.millis() - last.millis()) as u64))
    };
    payments.iter().map(idle).collect()
}

fn found_hubs(network: &Network, millis: u64) -> Vec<Hub> {
    let found = gather_scatters(network, span(millis));
    loaded(network, |payment| found.hub(payment))
}

fn found_passed(network: &Network, millis: u64) -> Vec<Passed> {
    let found = pass_throughs(network, span(millis));
    loaded(network, |payment| found.passed(payment))
}

fn found_idle(network: &Network, party: Party) -> Vec<Option<Duration>> {
    let found = dormancies(network, party);
    loaded(network, |payment| found.idle(payment))
}

proptest! {
    #[test]
    fn hubs_are_those_of_the_definition((payments, places) in shuffled(24), millis in 0..14_u64) {
        let expected = all_hubs(&payments, millis as i64);
        prop_assert_eq!(&found_hubs(&network(&payments), millis), &expected);
        prop_assert_eq!(restored(found_hubs(&network(&reordered(&payments, &places)), millis), &places), expected);
    }

    #[test]
    fn what_passes_through_is_that_of_the_definition((payments, places) in shuffled(24), millis in 0..14_u64) {
        let expected = all_passed(&payments, millis as i64);
        prop_assert_eq!(&found_passed(&network(&payments), millis), &expected);
        prop_assert_eq!(restored(found_passed(&network(&reordered(&payments, &places)), millis), &places), expected);
    }

    #[test]
    fn velocity_is_that_of_the_definition((payments, places) in shuffled(24), millis in 0..8_u64, history in 0..8_u64) {
        for (party, side) in PARTIES.into_iter().flat_map(|party| SIDES.map(|side| (party, side))) {
            let recent = all_activities(&payments, party, side, millis as i64, 0);
            let earlier = all_activities(&payments, party, side, (millis + history) as i64, millis as i64);
            let network = network(&payments);
            let found = velocities(&network, party, side, lookback(millis));
            prop_assert_eq!(&loaded(&network, |payment| found.activity(payment)), &recent);
            let found = velocities_before(&network, party, side, lookback(millis), lookback(history));
            prop_assert_eq!(loaded(&network, |payment| found.activity(payment)), earlier);
            let other = crate::networks::network(&reordered(&payments, &places));
            let found = velocities(&other, party, side, lookback(millis));
            prop_assert_eq!(restored(loaded(&other, |payment| found.activity(payment)), &places), recent);
        }
    }

    #[test]
    fn idle_times_are_those_of_the_definition((payments, places) in shuffled(24)) {
        for party in PARTIES {
            let expected = all_idle(&payments, party);
            prop_assert_eq!(&found_idle(&network(&payments), party), &expected);
            prop_assert_eq!(restored(found_idle(&network(&reordered(&payments, &places)), party), &places), expected);
        }
    }
}
