//! What rules look at: actors, accounts and payments of a time, with an index that is built once.
//!
//! A caller hands in rows that name each other by place, in any order. The dataset sorts them by id and by time, so that no result hangs
//! on the order of loading. A payment's place is its index in the network, too.
//!
//! Two views of the same payments stand side by side. The *network* has each payment once, whoever reported it: patterns between accounts
//! are looked for there. An actor's *activity* has the payments that a record of its own side names it for: monitoring an actor looks at
//! nothing else.

mod build;
mod marks;
mod subset;

use analytics::{AccountIndex, Amount, CurrencyIndex, Network, PaymentIndex, Side, Timestamp};
use serde::Serialize;

pub use build::InvalidDataset;
pub use marks::{Mark, MarkIndex, Marked};

/// An actor of a dataset, counted from zero in the order of ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ActorIndex(pub u32);

impl ActorIndex {
    pub(crate) fn position(self) -> usize {
        self.0 as usize
    }
}

/// What an actor is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ActorKind {
    Individual,
    LegalEntity,
}

/// Somebody who owns accounts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Actor {
    /// The id of its record; no two actors share one.
    pub id: Box<str>,
    pub kind: ActorKind,
    /// Whether alerts are raised on it.
    pub monitored: bool,
    /// When the relation began, where that is known.
    pub since: Option<Timestamp>,
}

/// An account of one actor, or of nobody that is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// The id of its record; no two accounts share one.
    pub id: Box<str>,
    pub owner: Option<ActorIndex>,
    /// When it was opened, where that is known.
    pub opened: Option<Timestamp>,
}

/// The records of one payment: at least one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Records {
    Outbound(Box<str>),
    Inbound(Box<str>),
    Both { outbound: Box<str>, inbound: Box<str> },
}

impl Records {
    /// The id of the sender's record.
    pub fn outbound(&self) -> Option<&str> {
        match self {
            Self::Outbound(id) | Self::Both { outbound: id, .. } => Some(id),
            Self::Inbound(_) => None,
        }
    }

    /// The id of the receiver's record.
    pub fn inbound(&self) -> Option<&str> {
        match self {
            Self::Inbound(id) | Self::Both { inbound: id, .. } => Some(id),
            Self::Outbound(_) => None,
        }
    }

    /// The id that the payment is named by: the sender's record where there is one.
    pub fn leading(&self) -> &str {
        match self {
            Self::Outbound(id) | Self::Inbound(id) | Self::Both { outbound: id, .. } => id,
        }
    }
}

/// One payment, whoever reported it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payment {
    pub records: Records,
    pub from: AccountIndex,
    pub to: AccountIndex,
    pub at: Timestamp,
    pub amount: Amount,
    pub currency: CurrencyIndex,
    /// The actor that the outbound record names as the account's owner.
    pub sender: Option<ActorIndex>,
    /// The actor that the inbound record names as the account's owner.
    pub receiver: Option<ActorIndex>,
}

/// A payment as one actor has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Act {
    pub payment: PaymentIndex,
    /// Out where the actor sent it, in where it received it.
    pub side: Side,
    pub at: Timestamp,
}

/// Actors, accounts and payments. Nothing in it changes.
#[derive(Debug, Clone)]
pub struct Dataset {
    actors: Vec<Actor>,
    accounts: Vec<Account>,
    payments: Vec<Payment>,
    currencies: Vec<String>,
    network: Network,
    /// Where the acts of each actor begin, and where those of the last one end.
    starts: Vec<u32>,
    /// The acts of all actors, those of one in the order of time.
    acts: Vec<Act>,
    /// Since when its actors were observed, where that is earlier than its first payment.
    since: Option<Timestamp>,
    /// By actor, rule and anchor.
    marks: Vec<Marked>,
}

impl Dataset {
    /// The actors in the order of ids.
    pub fn actors(&self) -> &[Actor] {
        &self.actors
    }

    /// The accounts in the order of ids.
    pub fn accounts(&self) -> &[Account] {
        &self.accounts
    }

    /// The payments in the order of time, then of the id that each is named by.
    pub fn payments(&self) -> &[Payment] {
        &self.payments
    }

    /// The currencies' names, in their order.
    pub fn currencies(&self) -> &[String] {
        &self.currencies
    }

    /// All payments once each. Indices are those of [`Dataset::payments`].
    pub fn network(&self) -> &Network {
        &self.network
    }

    pub fn actor(&self, actor: ActorIndex) -> &Actor {
        &self.actors[actor.position()]
    }

    pub fn account(&self, account: AccountIndex) -> &Account {
        &self.accounts[account.0 as usize]
    }

    pub fn payment(&self, payment: PaymentIndex) -> &Payment {
        &self.payments[payment.position()]
    }

    pub fn currency(&self, currency: CurrencyIndex) -> &str {
        self.currencies.get(currency.0 as usize).map_or("", String::as_str)
    }

    /// The payments that an actor sent or received, in the order of time. A payment between its own accounts is there twice.
    pub fn activity(&self, actor: ActorIndex) -> &[Act] {
        let bounds = &self.starts[actor.position()..actor.position() + 2];
        &self.acts[bounds[0] as usize..bounds[1] as usize]
    }

    /// The time of the first payment, or since when there could have been one: what was before it is not known. `None` where there is neither.
    pub fn begin(&self) -> Option<Timestamp> {
        let first = self.payments.first().map(|payment| payment.at);
        first.into_iter().chain(self.since).min()
    }

    /// The same of actors who were observed since a time: that they had no payment is known.
    pub fn observed_since(self, since: Option<Timestamp>) -> Self {
        Self { since, ..self }
    }

    /// The owner of an account, where alerts are raised on it.
    pub fn monitored_owner(&self, account: AccountIndex) -> Option<ActorIndex> {
        self.account(account).owner.filter(|&owner| self.actor(owner).monitored)
    }

    /// Whether both accounts belong to the same known actor.
    pub fn one_owner(&self, one: AccountIndex, other: AccountIndex) -> bool {
        let owner = self.account(one).owner;
        one == other || owner.is_some() && owner == self.account(other).owner
    }

    /// The indices of all accounts, in their order.
    pub fn account_indices(&self) -> impl ExactSizeIterator<Item = AccountIndex> + use<> {
        (0..self.accounts.len() as u32).map(AccountIndex)
    }

    /// The indices of all actors that alerts are raised on, in their order.
    pub fn monitored(&self) -> impl Iterator<Item = ActorIndex> {
        (0..self.actors.len() as u32).map(ActorIndex).filter(|&actor| self.actor(actor).monitored)
    }
}
