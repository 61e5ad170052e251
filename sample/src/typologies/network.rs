//! The generated network: actors, accounts, payments and the truth about them.

use std::fmt;

use chrono::NaiveDate;

/// An actor, which is also its place in [`Network::actors`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ActorId(pub u32);

/// An account, which is also its place in [`Network::accounts`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AccountId(pub u32);

/// A payment, which is also its place in [`Network::payments`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PaymentId(pub u32);

/// What an actor is before the law.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ActorKind {
    Individual,
    LegalEntity,
}

/// A customer of the bank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Actor {
    pub id: ActorId,
    pub kind: ActorKind,
    /// The first day as a customer.
    pub since: NaiveDate,
    /// The country of residence or registration, ISO 3166-1 alpha-2.
    pub domicile: &'static str,
}

/// An account at the bank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    pub id: AccountId,
    /// The customer; `None` for accounts of the bank itself, which stand for cash and for other banks.
    pub owner: Option<ActorId>,
    /// The first day on which the account can pay and be paid.
    pub opened: NaiveDate,
}

/// An exact amount of money: hundredths of a unit of a currency. All currencies of the network have two decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Cents(pub i64);

/// A currency of the network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Currency {
    Eur,
    Usd,
    Gbp,
    Chf,
}

/// A payment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payment {
    pub id: PaymentId,
    pub from: AccountId,
    pub to: AccountId,
    /// Milliseconds since 1970-01-01T00:00:00Z.
    pub at: i64,
    pub amount: Cents,
    pub currency: Currency,
}

/// A pattern of money laundering that the generator plants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Typology {
    Structuring,
    RapidPassThrough,
    FanIn,
    FanOut,
    GatherScatter,
    ScatterGather,
    StackedLayers,
    RoundTrip,
    DormantAwakened,
    VelocityBurst,
    RoundAmounts,
    NewAccountTurnover,
    HighRiskCountry,
    PepCounterparty,
    SanctionedCounterparty,
    MuleRing,
    LayeredOwnership,
}

/// One planted case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Planted {
    pub typology: Typology,
    /// The actors that the case is about: the hub of a fan, all members of a round trip.
    pub focal: Vec<ActorId>,
    /// The payments of the case, in the order of time.
    pub payments: Vec<PaymentId>,
    /// The day of the first payment, in UTC.
    pub first_day: NaiveDate,
    /// The day of the last payment, in UTC.
    pub last_day: NaiveDate,
}

/// Innocent payments that look like a typology.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LookAlike {
    pub kind: super::Innocent,
    /// The payments, in the order of time.
    pub payments: Vec<PaymentId>,
}

/// The network and the truth about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Network {
    pub actors: Vec<Actor>,
    pub accounts: Vec<Account>,
    /// All payments, in the order of time.
    pub payments: Vec<Payment>,
    /// What is known beside payments, each fact once.
    pub facts: Vec<super::Fact>,
    pub planted: Vec<Planted>,
    pub look_alikes: Vec<LookAlike>,
}

impl Typology {
    pub const ALL: [Self; 17] = [
        Self::Structuring,
        Self::RapidPassThrough,
        Self::FanIn,
        Self::FanOut,
        Self::GatherScatter,
        Self::ScatterGather,
        Self::StackedLayers,
        Self::RoundTrip,
        Self::DormantAwakened,
        Self::VelocityBurst,
        Self::RoundAmounts,
        Self::NewAccountTurnover,
        Self::HighRiskCountry,
        Self::PepCounterparty,
        Self::SanctionedCounterparty,
        Self::MuleRing,
        Self::LayeredOwnership,
    ];

    /// Whether payments alone tell its cases; those of the others are told by what is known beside ([`Network::facts`]).
    pub fn is_of_payments(self) -> bool {
        !matches!(self, Self::HighRiskCountry | Self::PepCounterparty | Self::SanctionedCounterparty | Self::MuleRing | Self::LayeredOwnership)
    }

    /// The name in files and tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Structuring => "structuring",
            Self::RapidPassThrough => "rapid-pass-through",
            Self::FanIn => "fan-in",
            Self::FanOut => "fan-out",
            Self::GatherScatter => "gather-scatter",
            Self::ScatterGather => "scatter-gather",
            Self::StackedLayers => "stacked-layers",
            Self::RoundTrip => "round-trip",
            Self::DormantAwakened => "dormant-awakened",
            Self::VelocityBurst => "velocity",
            Self::RoundAmounts => "round-amounts",
            Self::NewAccountTurnover => "new-account-turnover",
            Self::HighRiskCountry => "high-risk-country",
            Self::PepCounterparty => "pep-counterparty",
            Self::SanctionedCounterparty => "sanctioned-counterparty",
            Self::MuleRing => "mule-ring",
            Self::LayeredOwnership => "layered-ownership",
        }
    }
}

impl Currency {
    pub const ALL: [Self; 4] = [Self::Eur, Self::Usd, Self::Gbp, Self::Chf];

    /// The code of ISO 4217.
    pub fn code(self) -> &'static str {
        match self {
            Self::Eur => "EUR",
            Self::Usd => "USD",
            Self::Gbp => "GBP",
            Self::Chf => "CHF",
        }
    }
}

impl fmt::Display for ActorId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "actor-{:05}", self.0)
    }
}

impl fmt::Display for AccountId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "account-{:05}", self.0)
    }
}

impl fmt::Display for PaymentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "payment-{:07}", self.0)
    }
}

impl fmt::Display for Cents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:02}", self.0 / 100, self.0 % 100)
    }
}
