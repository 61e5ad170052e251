//! Matches: what a search shows before any threshold is compared.

use std::collections::BTreeMap;

use analytics::{AccountIndex, Amount, CurrencyIndex, PaymentIndex};

use crate::dataset::{ActorIndex, Dataset, MarkIndex};
use crate::day::Window;
use crate::quantity::Quantity;
use crate::rule::{Rule, Settings};

/// Numbers by their names.
pub type Values = BTreeMap<Box<str>, Quantity>;

/// Makes [`Values`] of names and numbers.
pub(crate) fn values<const N: usize>(values: [(&str, Quantity); N]) -> Values {
    values.into_iter().map(|(name, value)| (name.into(), value)).collect()
}

/// What a match is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Anchor {
    Account(AccountIndex),
    Actor(ActorIndex),
    /// What a mark is about, such as a country or a phone.
    Mark(MarkIndex),
}

impl Anchor {
    /// The id of the account or actor, or of what the mark is about.
    pub fn id(self, dataset: &Dataset) -> &str {
        match self {
            Self::Account(account) => &dataset.account(account).id,
            Self::Actor(actor) => &dataset.actor(actor).id,
            Self::Mark(mark) => &dataset.mark(mark).anchor,
        }
    }
}

/// One match within one currency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    /// Whom the alert is about.
    pub actor: ActorIndex,
    pub anchor: Anchor,
    pub currency: CurrencyIndex,
    /// All payments that count, in the order of time; at least one is of the business day.
    pub payments: Vec<PaymentIndex>,
    /// What thresholds are compared with.
    pub measures: Values,
    /// Baselines that the measures rest on. They are no elements of the evidence: a replay is given them.
    pub history: Values,
    pub window: Window,
}

impl Match {
    /// The sum of the payments.
    pub fn amount(&self, dataset: &Dataset) -> Amount {
        self.payments.iter().map(|&payment| dataset.payment(payment).amount).sum()
    }
}

impl Rule {
    /// Whether a match passes all thresholds. A measure that the match does not have passes none.
    pub fn decide(&self, found: &Match, settings: &Settings) -> bool {
        self.thresholds().all(|(name, _, threshold)| {
            let measured = found.measures.get(threshold.measure.as_str());
            measured.is_some_and(|&measured| threshold.compare.passes(measured, settings.value(name)))
        })
    }
}

/// Baselines of one anchor, by ids, so that they outlive the dataset that they were measured in.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub struct Baseline {
    /// The id of the account or actor, or of what the mark is about.
    pub anchor: Box<str>,
    pub currency: String,
    pub values: Values,
}

impl Baseline {
    /// The baselines that a match rests on.
    pub fn of(found: &Match, dataset: &Dataset) -> Self {
        let anchor = found.anchor.id(dataset).into();
        Self { anchor, currency: dataset.currency(found.currency).to_owned(), values: found.history.clone() }
    }
}

/// Where baselines come from.
#[derive(Debug, Clone, Copy)]
pub enum History<'a> {
    /// They are measured in the dataset.
    Measured,
    /// They are given: the dataset has the elements alone.
    Given(&'a [Baseline]),
}

impl History<'_> {
    /// The baselines of an anchor: measured, or given. `None` where others are given: then there is no match.
    pub(crate) fn values(self, dataset: &Dataset, anchor: Anchor, currency: CurrencyIndex, measure: impl FnOnce() -> Values) -> Option<Values> {
        match self {
            Self::Measured => Some(measure()),
            Self::Given(baselines) => {
                let (anchor, currency) = (anchor.id(dataset), dataset.currency(currency));
                let given = baselines.iter().find(|baseline| &*baseline.anchor == anchor && baseline.currency == currency);
                given.map(|baseline| baseline.values.clone())
            }
        }
    }
}
