//! What a score is made of.
//!
//! A factor rates what is known from 0 to 1, and contributes its weight times the rating, rounded down to a ten-thousandth. The score is the sum of what
//! factors contribute: nothing is rounded behind that, so that it adds up exactly.

use detection::Quantity;
use serde::Serialize;

use crate::facts::{Facts, Input, Kind};
use crate::rule::{Factor, Ratings, RiskRule};

/// So many texts of an input are told at most.
const MOST_TOLD: usize = 20;

/// A score, factor by factor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Breakdown {
    /// In the order of the factors' names, those that contribute nothing among them.
    pub contributions: Vec<Contribution>,
    /// Their sum.
    pub score: Quantity,
}

/// What one factor contributes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Contribution {
    /// The name of the factor in its rule.
    pub factor: String,
    pub input: Input,
    /// What was known.
    pub known: Known,
    /// Of several texts the one that was rated highest.
    pub decisive: Option<String>,
    /// From 0 to 1.
    pub rating: Quantity,
    pub weight: Quantity,
    pub contribution: Quantity,
}

/// What was known of an input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Known {
    Nothing,
    /// The first ones of them, by the alphabet.
    Texts(Vec<String>),
    Number(Quantity),
}

impl RiskRule {
    /// What the rule says of an actor.
    pub fn evaluate(&self, facts: &Facts) -> Breakdown {
        let contributions: Vec<Contribution> = self.factors.iter().map(|(name, factor)| factor.contribution(name, facts)).collect();
        let score = contributions.iter().map(|part| part.contribution).sum();
        Breakdown { contributions, score }
    }

    /// The actor's own risk, from 0 to 1: what all factors but the exposure contribute, as a part of `full`.
    pub fn own_risk(&self, facts: &Facts) -> Quantity {
        let own = self.factors.iter().filter(|(_, factor)| factor.input != Input::Exposure);
        let points = own.map(|(name, factor)| factor.contribution(name, facts).contribution).sum();
        Quantity::share(points, self.network.full).min(Quantity::ONE)
    }
}

impl Factor {
    fn contribution(&self, name: &str, facts: &Facts) -> Contribution {
        let Rated { known, decisive, rating } = self.rate(facts);
        let contribution = self.weight.times(rating).rounded_down(Quantity::TEN_THOUSANDTH);
        Contribution { factor: name.to_owned(), input: self.input, known, decisive, rating, weight: self.weight, contribution }
    }

    fn rate(&self, facts: &Facts) -> Rated {
        match self.input.kind() {
            Kind::Texts => self.rate_texts(facts),
            Kind::Number => match facts.number(self.input) {
                Some(number) => Rated { known: Known::Number(number), decisive: None, rating: self.ratings.of_number(number) },
                None => self.nothing_known(),
            },
        }
    }

    fn rate_texts(&self, facts: &Facts) -> Rated {
        let rated = facts.texts(self.input).map(|text| (self.ratings.of_text(self.input, text), text));
        // Of equal ones the first.
        let highest = rated.reduce(|highest, next| if next.0 > highest.0 { next } else { highest });
        match highest {
            Some((rating, text)) => {
                let texts = facts.texts(self.input).take(MOST_TOLD).map(str::to_owned).collect();
                Rated { known: Known::Texts(texts), decisive: Some(text.to_owned()), rating }
            }
            None => self.nothing_known(),
        }
    }

    fn nothing_known(&self) -> Rated {
        Rated { known: Known::Nothing, decisive: None, rating: self.absent }
    }
}

struct Rated {
    known: Known,
    decisive: Option<String>,
    rating: Quantity,
}

impl Ratings {
    /// The rating of a text: of what covers it that which says most of it.
    fn of_text(&self, input: Input, text: &str) -> Quantity {
        let Self::Values { values, other } = self else { return Quantity::ZERO };
        let named = values.iter().flat_map(|rated| rated.any.iter().map(|named| (named, rated.rating)));
        let covering = named.filter(|(named, _)| input.covers(named, text)).max_by_key(|(named, _)| named.len());
        covering.map_or(*other, |(_, rating)| rating)
    }

    /// The rating of a number.
    fn of_number(&self, number: Quantity) -> Quantity {
        match self {
            Self::Values { .. } => Quantity::ZERO,
            Self::Bands(bands) => bands.iter().take_while(|band| band.from <= number).last().map_or(Quantity::ZERO, |band| band.rating),
            Self::Full(full) => Quantity::share(number, *full).clamp(Quantity::ZERO, Quantity::ONE),
        }
    }
}
