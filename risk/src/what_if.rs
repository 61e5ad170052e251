//! What another rule, or other weights, would say of many actors.

use std::collections::BTreeMap;

use analytics::ActorIndex;
use detection::Quantity;

use crate::population::Scores;
use crate::rule::{Factor, MOST_WEIGHT, RiskRule};

/// A weight that a rule can't have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InvalidWeight {
    /// There is no such factor; those that there are.
    Unknown { factor: String, known: String },
    /// It is not within its bounds.
    OutOfBounds { factor: String, weight: Quantity },
    /// It is no whole number of steps from the one that the rule has.
    OffStep { factor: String, weight: Quantity, step: Quantity, from: Quantity },
}

impl InvalidWeight {
    /// The name of the factor.
    pub fn factor(&self) -> &str {
        match self {
            Self::Unknown { factor, .. } | Self::OutOfBounds { factor, .. } | Self::OffStep { factor, .. } => factor,
        }
    }

    /// What would be right, as it stands behind the name.
    pub fn must(&self) -> String {
        match self {
            Self::Unknown { known, .. } => format!("must be a factor of the rule: {known}"),
            Self::OutOfBounds { weight, .. } => format!("must be more than 0 and at most {MOST_WEIGHT}, not {weight}"),
            Self::OffStep { weight, step, from, .. } => format!("must be a whole number of steps of {step} from {from}, not {weight}"),
        }
    }
}

impl std::fmt::Display for InvalidWeight {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.factor(), self.must())
    }
}

impl std::error::Error for InvalidWeight {}

impl RiskRule {
    /// The factor of a name.
    pub fn factor(&self, name: &str) -> Result<&Factor, InvalidWeight> {
        self.factors.get(name).ok_or_else(|| {
            let known: Vec<&str> = self.factors.keys().map(String::as_str).collect();
            InvalidWeight::Unknown { factor: name.to_owned(), known: known.join(", ") }
        })
    }

    /// Whether people may set or try a weight: it is within its bounds, and a whole number of steps from the one that the rule has. A rule that was tuned takes
    /// the same weights as the one in its file, as it is on a step itself.
    pub fn check(&self, name: &str, weight: Quantity) -> Result<(), InvalidWeight> {
        let known = self.within_bounds(name, weight)?;
        if known.is_on_a_step(weight) {
            return Ok(());
        }
        Err(InvalidWeight::OffStep { factor: name.to_owned(), weight, step: known.step, from: known.weight })
    }

    /// The factor, where the weight is within its bounds.
    fn within_bounds(&self, name: &str, weight: Quantity) -> Result<&Factor, InvalidWeight> {
        let factor = self.factor(name)?;
        if Self::is_weight(weight) { Ok(factor) } else { Err(InvalidWeight::OutOfBounds { factor: name.to_owned(), weight }) }
    }

    /// The same rule with other weights by the names of factors, which may lie between steps: what was kept of them is read as it was kept. All faults are
    /// told at once.
    pub fn with_weights(&self, weights: &BTreeMap<String, Quantity>) -> Result<Self, Vec<InvalidWeight>> {
        let (mut changed, mut faults) = (self.clone(), Vec::new());
        for (name, &weight) in weights {
            match self.within_bounds(name, weight) {
                Ok(known) => drop(changed.factors.insert(name.clone(), Factor { weight, ..known.clone() })),
                Err(fault) => faults.push(fault),
            }
        }
        if faults.is_empty() { Ok(changed) } else { Err(faults) }
    }
}

/// How the scores of other rules compare with the live ones.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Comparison {
    pub scored: usize,
    /// How many scores of the other rules are in which band.
    pub bands: BTreeMap<&'static str, usize>,
    /// Whose band is another, in the order of the actors.
    pub moved: Vec<BandMove>,
}

/// An actor whose band is another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BandMove {
    pub actor: ActorIndex,
    pub live: Quantity,
    pub other: Quantity,
}

/// Compares scores with the live ones, of the actors that count. Somebody whom no live rule scores has no other band.
pub fn compare(
    counted: &[ActorIndex],
    live: impl Fn(ActorIndex) -> Option<Quantity>,
    other: &Scores,
    band: impl Fn(Quantity) -> &'static str,
) -> Comparison {
    let mut comparison = Comparison::default();
    for &actor in counted {
        let Some(other) = other.summary(actor).map(|summary| summary.score) else { continue };
        comparison.scored += 1;
        *comparison.bands.entry(band(other)).or_default() += 1;
        if let Some(live) = live(actor).filter(|live| band(*live) != band(other)) {
            comparison.moved.push(BandMove { actor, live, other });
        }
    }
    comparison
}
