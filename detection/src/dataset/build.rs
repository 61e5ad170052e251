//! Sorts what was loaded and builds the index.

use analytics::{AccountIndex, CurrencyIndex, Network, PaymentIndex, Side, TooManyPayments};

use super::{Account, Act, Actor, ActorIndex, Dataset, Payment};

/// Rows that make no dataset. Places are those of the rows as they were handed in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidDataset {
    #[error("account {0} names an owner that is none of the actors")]
    Owner(usize),
    #[error("payment {0} names an account that is none of the accounts")]
    PaymentAccount(usize),
    #[error("payment {0} names a sender or a receiver that is none of the actors")]
    PaymentActor(usize),
    #[error("payment {0} names a currency that is none of the currencies")]
    PaymentCurrency(usize),
    #[error("a dataset holds at most 65535 currencies, not {0}")]
    TooManyCurrencies(usize),
    #[error("two actors have the id {0:?}")]
    ActorTwice(String),
    #[error("two accounts have the id {0:?}")]
    AccountTwice(String),
    #[error("a network holds at most {}, not {} payments", u32::MAX - 1, .0.0)]
    TooMany(TooManyPayments),
}

impl Dataset {
    /// Builds the dataset. Rows come in any order and name each other by their places; the dataset has indices of its own.
    pub fn new(
        mut actors: Vec<Actor>,
        mut accounts: Vec<Account>,
        mut payments: Vec<Payment>,
        mut currencies: Vec<String>,
    ) -> Result<Self, InvalidDataset> {
        check(&actors, &accounts, &payments, &currencies)?;
        let actor_places = sort(&mut actors, |actor| actor.id.clone());
        let account_places = sort(&mut accounts, |account| account.id.clone());
        let currency_places = sort(&mut currencies, String::clone);
        if let Some(twice) = actors.windows(2).find(|pair| pair[0].id == pair[1].id) {
            return Err(InvalidDataset::ActorTwice(twice[0].id.to_string()));
        }
        if let Some(twice) = accounts.windows(2).find(|pair| pair[0].id == pair[1].id) {
            return Err(InvalidDataset::AccountTwice(twice[0].id.to_string()));
        }
        let actor = |actor: ActorIndex| ActorIndex(actor_places[actor.position()]);
        for account in &mut accounts {
            account.owner = account.owner.map(actor);
        }
        for payment in &mut payments {
            payment.from = AccountIndex(account_places[payment.from.0 as usize]);
            payment.to = AccountIndex(account_places[payment.to.0 as usize]);
            payment.currency = CurrencyIndex(currency_places[payment.currency.0 as usize] as u16);
            payment.sender = payment.sender.map(actor);
            payment.receiver = payment.receiver.map(actor);
        }
        payments.sort_by(|one, other| (one.at, &one.records).cmp(&(other.at, &other.records)));
        Self::indexed(actors, accounts, payments, currencies).map_err(InvalidDataset::TooMany)
    }

    /// Builds the index of rows that are sorted and name each other rightly.
    pub(super) fn indexed(
        actors: Vec<Actor>,
        accounts: Vec<Account>,
        payments: Vec<Payment>,
        currencies: Vec<String>,
    ) -> Result<Self, TooManyPayments> {
        let network: Vec<analytics::Payment> = payments.iter().map(edge).collect();
        let network = Network::new(&network)?;
        let (starts, acts) = activities(actors.len(), &payments);
        Ok(Self { actors, accounts, payments, currencies, network, starts, acts, since: None, marks: Vec::new() })
    }
}

fn edge(payment: &Payment) -> analytics::Payment {
    let &Payment { from, to, at, amount, currency, .. } = payment;
    analytics::Payment { from, to, at, amount, currency }
}

fn check(actors: &[Actor], accounts: &[Account], payments: &[Payment], currencies: &[String]) -> Result<(), InvalidDataset> {
    if currencies.len() > usize::from(u16::MAX) {
        return Err(InvalidDataset::TooManyCurrencies(currencies.len()));
    }
    let is_actor = |actor: Option<ActorIndex>| actor.is_none_or(|actor| actor.position() < actors.len());
    let is_account = |account: AccountIndex| (account.0 as usize) < accounts.len();
    if let Some(place) = accounts.iter().position(|account| !is_actor(account.owner)) {
        return Err(InvalidDataset::Owner(place));
    }
    for (place, payment) in payments.iter().enumerate() {
        if !is_account(payment.from) || !is_account(payment.to) {
            return Err(InvalidDataset::PaymentAccount(place));
        }
        if !is_actor(payment.sender) || !is_actor(payment.receiver) {
            return Err(InvalidDataset::PaymentActor(place));
        }
        if payment.currency.0 as usize >= currencies.len() {
            return Err(InvalidDataset::PaymentCurrency(place));
        }
    }
    Ok(())
}

/// Sorts rows by a key; for each old place the new one.
fn sort<T, K: Ord>(rows: &mut Vec<T>, key: impl Fn(&T) -> K) -> Vec<u32> {
    let mut order: Vec<u32> = (0..rows.len() as u32).collect();
    order.sort_by_cached_key(|&place| key(&rows[place as usize]));
    let mut places = vec![0; rows.len()];
    for (new, &old) in order.iter().enumerate() {
        places[old as usize] = new as u32;
    }
    let mut sorted: Vec<(u32, T)> = places.iter().copied().zip(rows.drain(..)).collect();
    sorted.sort_by_key(|&(place, _)| place);
    rows.extend(sorted.into_iter().map(|(_, row)| row));
    places
}

/// A counting sort of the acts by actor, which keeps the order of time.
fn activities(actors: usize, payments: &[Payment]) -> (Vec<u32>, Vec<Act>) {
    let parties = |payment: &Payment| [(payment.sender, Side::Out), (payment.receiver, Side::In)];
    let mut starts = vec![0_u32; actors + 1];
    for (actor, _) in payments.iter().flat_map(parties) {
        if let Some(actor) = actor {
            starts[actor.position() + 1] += 1;
        }
    }
    for actor in 1..starts.len() {
        starts[actor] += starts[actor - 1];
    }
    let mut next = starts.clone();
    let Some(first) = payments.first() else { return (starts, Vec::new()) };
    let mut acts = vec![Act { payment: PaymentIndex(0), side: Side::Out, at: first.at }; starts.last().map_or(0, |&end| end as usize)];
    for (place, payment) in payments.iter().enumerate() {
        for (actor, side) in parties(payment) {
            if let Some(actor) = actor {
                let next = &mut next[actor.position()];
                acts[*next as usize] = Act { payment: PaymentIndex(place as u32), side, at: payment.at };
                *next += 1;
            }
        }
    }
    (starts, acts)
}
