//! What other weights would do to the scores of many actors.

use std::collections::BTreeMap;

use detection::Quantity;
use serde::Serialize;

use crate::facts::Facts;
use crate::rule::RiskRule;

/// From which score on an actor's risk is medium, and high.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bands {
    pub medium_from: Quantity,
    pub high_from: Quantity,
}

/// How many scores are in which band.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    pub low: usize,
    pub medium: usize,
    pub high: usize,
}

/// A weight of a factor that a rule does not have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidWeight {
    pub factor: String,
    /// The factors that there are.
    pub known: String,
}

impl std::fmt::Display for InvalidWeight {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "there is no factor {:?}; the rule has {}", self.factor, self.known)
    }
}

impl std::error::Error for InvalidWeight {}

/// How many scores are in which band as the rule is, and with some other weights.
pub fn what_if(rule: &RiskRule, actors: &[Facts], weights: &BTreeMap<String, Quantity>, bands: Bands) -> Result<[Counts; 2], InvalidWeight> {
    let mut changed = rule.clone();
    for (name, &weight) in weights {
        if !rule.factors.contains_key(name) {
            let known: Vec<&str> = rule.factors.keys().map(String::as_str).collect();
            return Err(InvalidWeight { factor: name.clone(), known: known.join(", ") });
        }
        changed = changed.with_weight(name, weight);
    }
    Ok([rule, &changed].map(|rule| counts(rule, actors, bands)))
}

fn counts(rule: &RiskRule, actors: &[Facts], bands: Bands) -> Counts {
    let mut counts = Counts::default();
    for facts in actors {
        let score = rule.evaluate(facts).score;
        let count = if score >= bands.high_from {
            &mut counts.high
        } else if score >= bands.medium_from {
            &mut counts.medium
        } else {
            &mut counts.low
        };
        *count += 1;
    }
    counts
}
