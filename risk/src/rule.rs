//! Risk rules as they stand in a pack: which factors count, with which weights, and why.

mod read;

use std::collections::BTreeMap;

use detection::{Quantity, Status, Version};
use serde::Serialize;

use crate::facts::Input;

/// The most points of one factor.
pub(crate) const MOST_WEIGHT: usize = 1_000_000;

/// A risk rule. A value of this type is free of faults, except for what its tests show.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RiskRule {
    /// Small letters, digits and hyphens; the name of its folder.
    pub id: String,
    pub version: Version,
    pub status: Status,
    /// Who answers for it.
    pub owner: String,
    pub name: String,
    pub rationale: String,
    /// Whom it scores. Of live rules one scores a type of actor.
    pub scores: Vec<ActorType>,
    pub network: NetworkShares,
    pub factors: BTreeMap<String, Factor>,
}

impl RiskRule {
    /// The id and the version: what tells it from all other rules and from its own other versions.
    pub fn key(&self) -> String {
        format!("{} {}", self.id, self.version)
    }

    /// Whether it scores actors of a type.
    pub fn is_for(&self, kind: ActorType) -> bool {
        self.scores.contains(&kind)
    }

    /// Whether a factor may have this weight.
    pub fn is_weight(weight: Quantity) -> bool {
        weight > Quantity::ZERO && weight <= Quantity::count(MOST_WEIGHT)
    }

    /// The same rule with another weight of a factor; nothing changes where there is no such factor.
    pub fn with_weight(&self, factor: &str, weight: Quantity) -> Self {
        let mut changed = self.clone();
        if let Some(factor) = changed.factors.get_mut(factor) {
            factor.weight = weight;
        }
        changed
    }
}

/// The type of an actor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ActorType {
    Individual,
    LegalEntity,
}

impl ActorType {
    pub const ALL: [Self; 2] = [Self::Individual, Self::LegalEntity];

    /// The type of this name.
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }

    /// As records write it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Individual => "INDIVIDUAL",
            Self::LegalEntity => "LEGAL_ENTITY",
        }
    }
}

/// How the risk of others counts for an actor's exposure: see `analytics::ExposureGraph`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct NetworkShares {
    /// How much what is one link further away counts, of what is nearer.
    pub damping: Quantity,
    /// The share of all whom an actor pays, divided by what it pays them.
    pub payments: Quantity,
    /// The share of an actor that it owns whole, or of which nobody says how much.
    pub ownership: Quantity,
    /// The share of an actor with whom it shares an identity.
    pub identities: Quantity,
    /// From so many points on, of all factors but the exposure, an actor's own risk is one.
    pub full: Quantity,
}

/// One factor: what it looks at, and with which weight that counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Factor {
    pub input: Input,
    /// The points that a rating of one contributes.
    pub weight: Quantity,
    /// The smallest change of the weight that matters; every one of them changes what some test expects.
    pub step: Quantity,
    /// The rating where nothing is known.
    pub absent: Quantity,
    pub ratings: Ratings,
    pub says: String,
}

impl Factor {
    /// Whether a weight is a whole number of steps away from the one that the rule has.
    pub fn is_on_a_step(&self, weight: Quantity) -> bool {
        weight.minus(self.weight).is_multiple_of(self.step)
    }
}

/// How values are rated, from 0 to 1.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Ratings {
    /// Of several texts the one with the highest rating counts; a text that nobody names has the rating `other`.
    Values { values: Vec<RatedTexts>, other: Quantity },
    /// The rating of the last band that the number reaches; below the first one it is zero. Ascending.
    Bands(Vec<Band>),
    /// Linear from zero on; from this number on it is one.
    Full(Quantity),
}

/// Texts with one rating.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RatedTexts {
    pub rating: Quantity,
    pub any: Vec<String>,
}

/// From which number on a rating is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Band {
    pub from: Quantity,
    pub rating: Quantity,
}
