//! Rules as they stand in a pack: what they look for, with which parameters, and why.

mod read;
mod settings;

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use crate::kernels::Kernel;
use crate::quantity::Quantity;

pub use settings::{InvalidSetting, Settings};

/// A rule of a pack. A value of this type is free of faults, except for what its tests show.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Rule {
    /// Small letters, digits and hyphens; the name of its folder.
    pub id: String,
    pub version: Version,
    pub status: Status,
    /// Who answers for it.
    pub owner: String,
    pub name: String,
    pub typology: String,
    pub red_flags: Vec<RedFlag>,
    pub rationale: String,
    /// Innocent behaviour that it is known to report.
    pub false_positives: Vec<String>,
    pub severity: Severity,
    /// The lines of business that it is for; empty for all.
    pub lines: Vec<String>,
    pub score: Score,
    pub parameters: BTreeMap<String, Parameter>,
    pub search: Search,
}

impl Rule {
    /// The id and the version: what tells it from all other rules and from its own other versions.
    pub fn key(&self) -> String {
        format!("{} {}", self.id, self.version)
    }

    /// Whether the rule is for a line of business.
    pub fn is_for(&self, line: &str) -> bool {
        self.lines.is_empty() || self.lines.iter().any(|known| known == line)
    }

    /// The parameters that matches are compared with, by name.
    pub fn thresholds(&self) -> impl Iterator<Item = (&str, &Parameter, &Threshold)> {
        self.parameters.iter().filter_map(|(name, parameter)| match &parameter.role {
            Role::Threshold(threshold) => Some((name.as_str(), parameter, threshold)),
            Role::Pass => None,
        })
    }
}

/// How matches are looked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Search {
    /// An algorithm on the network.
    Kernel(Kernel),
    /// Marks that a statement makes, which whoever has a database runs.
    Statement(String),
}

/// A semantic version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(into = "String")]
pub struct Version {
    pub major: u32,
    pub minor: u32,
    pub patch: u32,
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

impl From<Version> for String {
    fn from(version: Version) -> Self {
        version.to_string()
    }
}

/// A text that is no semantic version.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no version such as 1.4.0")]
pub struct InvalidVersion(pub String);

impl FromStr for Version {
    type Err = InvalidVersion;

    fn from_str(text: &str) -> Result<Self, InvalidVersion> {
        let invalid = || InvalidVersion(text.to_owned());
        let number = |part: &str| {
            let written_plainly = part == "0" || !part.starts_with(['0', '+']);
            part.parse::<u32>().ok().filter(|_| written_plainly).ok_or_else(invalid)
        };
        let parts: Vec<&str> = text.split('.').collect();
        let [major, minor, patch] = parts.as_slice() else { return Err(invalid()) };
        Ok(Self { major: number(major)?, minor: number(minor)?, patch: number(patch)? })
    }
}

/// Whether a rule's findings count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Findings are alerts.
    Live,
    /// Findings are counted and raise nothing.
    Shadow,
    /// The rule does not run.
    Off,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Low,
    Medium,
    High,
}

/// A red flag that the rule answers, in own words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RedFlag {
    pub says: String,
    /// The publication that names it.
    pub source: String,
}

/// A number that an institution sets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Parameter {
    #[serde(flatten)]
    pub role: Role,
    pub unit: Unit,
    /// The bounds of its values, both included.
    pub min: Quantity,
    pub max: Quantity,
    /// The smallest change that matters; every one of them changes what some test finds.
    pub step: Quantity,
    pub default: Quantity,
    pub says: String,
}

impl Parameter {
    /// Whether a value is some steps from the default: the tests show what one step changes, and say nothing of less.
    pub fn is_on_a_step(&self, value: Quantity) -> bool {
        value.minus(self.default).is_multiple_of(self.step)
    }
}

/// Where a parameter counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Role {
    /// In the search: another value is another pass over the network.
    Pass,
    /// Behind the search: any number of values costs one pass.
    Threshold(Threshold),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Threshold {
    /// The measure of the match that is compared.
    pub measure: String,
    pub compare: Compare,
}

/// How a measure passes a limit. A limit of zero is a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Compare {
    AtLeast,
    MoreThan,
    AtMost,
    LessThan,
}

impl Compare {
    pub fn passes(self, measured: Quantity, limit: Quantity) -> bool {
        match self {
            Self::AtLeast => measured >= limit,
            Self::MoreThan => measured > limit,
            Self::AtMost => measured <= limit,
            Self::LessThan => measured < limit,
        }
    }

    /// As it stands in a sentence before the limit.
    pub fn words(self) -> &'static str {
        match self {
            Self::AtLeast => "at least",
            Self::MoreThan => "more than",
            Self::AtMost => "at most",
            Self::LessThan => "less than",
        }
    }
}

/// What a number counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    Hours,
    Days,
    Payments,
    Accounts,
    Actors,
    /// Links of the graph behind one another.
    Links,
    /// Units of the match's currency.
    Amount,
    /// A part of one.
    Share,
    /// A multiple.
    Times,
}

impl Unit {
    pub fn word(self) -> &'static str {
        match self {
            Self::Hours => "hours",
            Self::Days => "days",
            Self::Payments => "payments",
            Self::Accounts => "accounts",
            Self::Actors => "actors",
            Self::Links => "links",
            Self::Amount => "amount",
            Self::Share => "share",
            Self::Times => "times",
        }
    }
}

/// How a score from 0 to 1 is made of what was measured.
///
/// Each part maps its measure linearly from the threshold (nothing) to `full` (all); beyond that it stays. The score is
/// `base + (1 − base) · mean of the parts`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Score {
    /// The score of a match that only just passes; from 0 to 1.
    pub base: Quantity,
    /// By the threshold's name, the measure's value from which on its part is complete.
    pub full: BTreeMap<String, Quantity>,
}
