//! What another rule, or other weights, would say of many actors.

use std::collections::BTreeMap;

use analytics::ActorIndex;
use detection::Quantity;

use crate::population::Scores;
use crate::rule::{MOST_WEIGHT, RiskRule};

/// A weight that a rule can't have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InvalidWeight {
    /// There is no such factor; those that there are.
    Unknown { factor: String, known: String },
    /// It is not within its bounds.
    OutOfBounds { factor: String, weight: Quantity },
}

impl std::fmt::Display for InvalidWeight {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unknown { factor, known } => write!(f, "there is no factor {factor:?}; the rule has {known}"),
            Self::OutOfBounds { factor, weight } => write!(f, "the weight of {factor} is {weight}; it must be more than 0 and at most {MOST_WEIGHT}"),
        }
    }
}

impl std::error::Error for InvalidWeight {}

impl RiskRule {
    /// The same rule with other weights by the names of factors. All faults are told at once.
    pub fn with_weights(&self, weights: &BTreeMap<String, Quantity>) -> Result<Self, Vec<InvalidWeight>> {
        let (mut changed, mut faults) = (self.clone(), Vec::new());
        for (name, &weight) in weights {
            match changed.factors.get_mut(name) {
                Some(factor) if RiskRule::is_weight(weight) => factor.weight = weight,
                Some(_) => faults.push(InvalidWeight::OutOfBounds { factor: name.clone(), weight }),
                None => {
                    let known: Vec<&str> = self.factors.keys().map(String::as_str).collect();
                    faults.push(InvalidWeight::Unknown { factor: name.clone(), known: known.join(", ") });
                }
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
