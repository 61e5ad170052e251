//! Tests beside a rule: a small network, a day, and what the rule finds there.
//!
//! ```toml
//! says = "Eight strangers pay one person within two days"
//! kind = "positive"                 # or "look-alike"; or "boundary" with `parameter` and `side` ("fires" or "silent")
//! day = 2026-03-10                  # UTC
//! payments = """
//! id,from,to,at,amount,currency
//! p1,a,hub,2026-03-09T10:00,900.00,EUR
//! """
//! finds = [{ actor = "hub", payments = ["p1"] }]       # or finds_nothing = true
//! ```
//!
//! Times are UTC, `2026-03-09T10:00` and whatever RFC 3339 says. An account that is not listed in `accounts` (`id,owner,opened`) belongs to
//! the actor of the same id; an actor that is not listed in `actors` (`id,kind,monitored`) is a monitored individual. An owner `-` is
//! nobody. A column `records` in `payments` says which records came: `both` (unless said), `outbound`, or `inbound`.
//!
//! A rule that is a statement reads more of the graph than payments. `links` (`from,link,to`, and `since,until` where it matters when something was
//! known) says it, as [`LinkKind`] has it.

mod links;
mod read;
mod tables;

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;

use crate::dataset::Dataset;
use crate::day::Day;
use crate::detect::join;
use crate::kernels::Scope;
use crate::lint::{MarkError, Marker};
use crate::matches::History;
use crate::quantity::Quantity;
use crate::rule::{InvalidSetting, Rule, Search, Settings};

pub use links::{Link, LinkKind};

/// One test of a rule.
#[derive(Debug, Clone)]
pub struct Scenario {
    /// The file's name without its ending.
    pub name: String,
    /// The file below the pack's folder.
    pub file: String,
    pub says: String,
    pub kind: ScenarioKind,
    pub day: Day,
    /// Values of parameters that stand for the defaults here.
    pub parameters: BTreeMap<String, Quantity>,
    pub dataset: Dataset,
    /// What the graph has beside, in the order of the file.
    pub links: Vec<Link>,
    /// What is found, by actor; empty where nothing is.
    pub expected: Vec<Found>,
}

impl PartialEq for Scenario {
    /// Scenarios of one file and text are equal; a dataset follows from the text.
    fn eq(&self, other: &Self) -> bool {
        let parts = |scenario: &Self| (scenario.file.clone(), scenario.kind.clone(), scenario.day, scenario.parameters.clone());
        parts(self) == parts(other)
            && self.expected == other.expected
            && self.links == other.links
            && self.dataset.payments() == other.dataset.payments()
    }
}

/// What a test shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum ScenarioKind {
    /// What the rule is for.
    Positive,
    /// Innocent payments that look like it.
    LookAlike,
    /// One side of a parameter's default.
    Boundary { parameter: String, side: BoundarySide },
}

/// Whether the rule fires right at the limit, or is silent right beyond it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum BoundarySide {
    Fires,
    Silent,
}

impl ScenarioKind {
    /// Whether the rule finds something in such a test.
    pub fn fires(&self) -> bool {
        match self {
            Self::Positive => true,
            Self::LookAlike => false,
            Self::Boundary { side, .. } => *side == BoundarySide::Fires,
        }
    }
}

/// A finding as tests name it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Found {
    pub actor: String,
    /// The ids of all payments that count, in the order of ids; empty where a test does not name them.
    pub payments: Vec<String>,
}

/// A test that could not be run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ScenarioError {
    #[error(transparent)]
    Setting(#[from] InvalidSetting),
    #[error(transparent)]
    Mark(#[from] MarkError),
}

impl Scenario {
    /// Runs the rule with its defaults, but for some values, and but for what the test itself says.
    pub fn run(&self, rule: &Rule, changed: Option<(&str, Quantity)>, marker: &dyn Marker) -> Result<Vec<Found>, ScenarioError> {
        let mut settings = Settings::of(rule);
        for (name, value) in changed.into_iter().chain(self.parameters.iter().map(|(name, &value)| (name.as_str(), value))) {
            settings.set(rule, name, value)?;
        }
        let dataset = match rule.search {
            Search::Kernel(_) => Cow::Borrowed(&self.dataset),
            Search::Statement(_) => Cow::Owned(self.dataset.clone().with_marks(&marker.marks(rule, self, &settings)?)),
        };
        let scope = Scope { dataset: &dataset, day: self.day, settings: &settings, history: History::Measured };
        let matches = rule.search(&scope);
        let groups = join(&dataset, matches.iter().filter(|found| rule.decide(found, &settings)));
        let mut found: Vec<Found> = groups
            .iter()
            .map(|group| {
                let actor = dataset.actor(group.leading.actor).id.to_string();
                let payments = group.payments.iter().map(|&payment| dataset.payment(payment).records.leading().to_owned());
                let mut payments: Vec<String> = payments.collect();
                payments.sort();
                Found { actor, payments }
            })
            .collect();
        found.sort();
        Ok(found)
    }

    /// What is found and should not be, and the other way round; empty where the test passes.
    pub fn differences(&self, found: &[Found]) -> Vec<String> {
        let mut left: Vec<&Found> = found.iter().collect();
        let mut differences = Vec::new();
        for expected in &self.expected {
            let is_it = |found: &&Found| found.actor == expected.actor && (expected.payments.is_empty() || found.payments == expected.payments);
            match left.iter().position(is_it) {
                Some(place) => drop(left.remove(place)),
                None => differences.push(format!("does not find {expected}")),
            }
        }
        differences.extend(left.into_iter().map(|found| format!("finds {found}")));
        differences
    }
}

impl std::fmt::Display for Found {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.payments.is_empty() {
            true => write!(f, "actor {}", self.actor),
            false => write!(f, "actor {} by {}", self.actor, self.payments.join(", ")),
        }
    }
}
