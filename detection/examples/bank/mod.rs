//! A generated network as a dataset.

use std::error::Error;

use analytics::{AccountIndex, Amount, CurrencyIndex, Timestamp};
use chrono::NaiveDate;
use detection::{Account, Actor, ActorIndex, ActorKind, Dataset, Day, Payment, Records};
use sample::typologies::{self as generated, Currency};

const DAY_MS: i64 = 86_400_000;
const BILLIONTHS_A_CENT: i128 = 10_000_000;

/// All of a network, in the view of the bank: who is a customer is monitored.
pub fn dataset(network: &generated::Network) -> Result<Dataset, Box<dyn Error>> {
    Ok(Dataset::new(actors(network)?, accounts(network)?, payments(network)?, currencies())?)
}

/// The days in UTC from the first payment to the last.
pub fn days(network: &generated::Network) -> Result<Vec<Day>, Box<dyn Error>> {
    let (Some(first), Some(last)) = (network.payments.first(), network.payments.last()) else { return Ok(Vec::new()) };
    let day = |day: i64| {
        let (start, end) = (Timestamp::from_millis(day * DAY_MS)?, Timestamp::from_millis((day + 1) * DAY_MS)?);
        Day::new(start, end)
    };
    let days = (first.at / DAY_MS..=last.at / DAY_MS).map(day).collect::<Option<Vec<_>>>();
    days.ok_or_else(|| "a day is too far away".into())
}

/// Each customer's side has a record of the payment; the bank's own accounts report nothing.
pub fn records(network: &generated::Network, payment: &generated::Payment) -> Records {
    let is_customer = |account: generated::AccountId| network.accounts[account.0 as usize].owner.is_some();
    let (outbound, inbound) = (format!("{}-out", payment.id).into(), format!("{}-in", payment.id).into());
    match (is_customer(payment.from), is_customer(payment.to)) {
        (true, true) => Records::Both { outbound, inbound },
        (true, false) => Records::Outbound(outbound),
        (false, _) => Records::Inbound(inbound),
    }
}

fn midnight(date: NaiveDate) -> Result<Timestamp, &'static str> {
    Timestamp::from_millis(date.and_time(chrono::NaiveTime::MIN).and_utc().timestamp_millis()).ok_or("a day is too far away")
}

fn actors(network: &generated::Network) -> Result<Vec<Actor>, Box<dyn Error>> {
    let actor = |actor: &generated::Actor| {
        let kind = match actor.kind {
            generated::ActorKind::Individual => ActorKind::Individual,
            generated::ActorKind::LegalEntity => ActorKind::LegalEntity,
        };
        Ok(Actor { id: actor.id.to_string().into(), kind, monitored: true, since: Some(midnight(actor.since)?) })
    };
    network.actors.iter().map(actor).collect()
}

fn accounts(network: &generated::Network) -> Result<Vec<Account>, Box<dyn Error>> {
    let account = |account: &generated::Account| {
        let owner = account.owner.map(|owner| ActorIndex(owner.0));
        Ok(Account { id: account.id.to_string().into(), owner, opened: Some(midnight(account.opened)?) })
    };
    network.accounts.iter().map(account).collect()
}

fn payments(network: &generated::Network) -> Result<Vec<Payment>, Box<dyn Error>> {
    let owner = |account: generated::AccountId| network.accounts[account.0 as usize].owner.map(|owner| ActorIndex(owner.0));
    let payment = |payment: &generated::Payment| {
        Ok(Payment {
            records: records(network, payment),
            from: AccountIndex(payment.from.0),
            to: AccountIndex(payment.to.0),
            at: Timestamp::from_millis(payment.at).ok_or("a payment is too far away")?,
            amount: Amount(i128::from(payment.amount.0) * BILLIONTHS_A_CENT),
            currency: CurrencyIndex(Currency::ALL.iter().position(|&currency| currency == payment.currency).unwrap_or_default() as u16),
            sender: owner(payment.from),
            receiver: owner(payment.to),
        })
    };
    network.payments.iter().map(payment).collect()
}

fn currencies() -> Vec<String> {
    Currency::ALL.map(|currency| currency.code().to_owned()).to_vec()
}
