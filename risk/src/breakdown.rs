//! What a score is made of.
//!
//! A factor rates what is known from 0 to 1, and contributes its weight times the rating, rounded down to a ten-thousandth. The score is the sum of what
//! factors contribute: nothing is rounded behind that, so that it adds up exactly.

use analytics::PARTS;
use detection::Quantity;
use serde::Serialize;
use sha2::{Digest, Sha256};

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

/// What all factors but the exposure come to: what an actor is by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnPart {
    /// What they contribute.
    points: Quantity,
    /// Stands for the rule and for what each contributes and why.
    digest: [u8; 32],
}

impl OwnPart {
    /// The actor's own risk, from 0 to 1: the points as a part of the rule's `full`.
    pub(crate) fn risk(&self, rule: &RiskRule) -> Quantity {
        Quantity::share(self.points, rule.network.full).min(Quantity::ONE)
    }
}

/// A score without how it came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Summary {
    pub score: Quantity,
    digest: [u8; 32],
}

impl Summary {
    /// Stands for all that the score is made of: another one is another score. A day more of a relation is the same as long as it is rated the same.
    pub fn digest(&self) -> String {
        let parts: String = self.digest.as_chunks::<8>().0.iter().map(|part| format!("{:016x}", u64::from_be_bytes(*part))).collect();
        format!("breakdown:{parts}")
    }
}

impl RiskRule {
    /// What all factors but the exposure come to.
    pub(crate) fn own_part(&self, facts: &Facts) -> OwnPart {
        let parts: Vec<Contribution> = self.own_factors().map(|(name, factor)| factor.contribution(name, facts)).collect();
        OwnPart { points: parts.iter().map(|part| part.contribution).sum(), digest: self.own_digest(&parts) }
    }

    /// The score of an actor that is this by itself and has this exposure, in ten-thousandths.
    pub(crate) fn summary(&self, own: &OwnPart, exposure: u32) -> Summary {
        let exposed = exposed(exposure);
        let factors = self.factors.iter().filter(|(_, factor)| factor.input == Input::Exposure);
        let parts: Vec<Contribution> = factors.map(|(name, factor)| factor.contribution(name, &exposed)).collect();
        let score = parts.iter().map(|part| part.contribution).fold(own.points, Quantity::plus);
        Summary { score, digest: whole_digest(own.digest, &parts) }
    }

    /// What stands for all that a score is made of, as [`Summary::digest`] has it.
    pub fn digest(&self, breakdown: &Breakdown) -> String {
        let (of_exposure, own): (Vec<Contribution>, Vec<Contribution>) =
            breakdown.contributions.iter().cloned().partition(|part| part.input == Input::Exposure);
        Summary { score: breakdown.score, digest: whole_digest(self.own_digest(&own), &of_exposure) }.digest()
    }

    fn own_digest(&self, parts: &[Contribution]) -> [u8; 32] {
        let mut sha = Sha256::new();
        add(&mut sha, &self.key());
        parts.iter().for_each(|part| part.add_to(&mut sha));
        sha.finalize().into()
    }

    fn own_factors(&self) -> impl Iterator<Item = (&String, &Factor)> {
        self.factors.iter().filter(|(_, factor)| factor.input != Input::Exposure)
    }

    /// How numbers but the exposure are rated, in the order of the factors.
    pub(crate) fn number_ratings(&self, facts: &Facts) -> impl Iterator<Item = Quantity> {
        self.own_factors().filter(|(_, factor)| factor.input.kind() == Kind::Number).map(move |(_, factor)| factor.rate(facts).rating)
    }

    /// What the rule says of an actor.
    pub fn evaluate(&self, facts: &Facts) -> Breakdown {
        self.evaluate_by(|_| facts)
    }

    /// The same where it has this exposure, in ten-thousandths.
    pub(crate) fn evaluate_exposed(&self, facts: &Facts, exposure: u32) -> Breakdown {
        let exposed = exposed(exposure);
        self.evaluate_by(|input| if input == Input::Exposure { &exposed } else { facts })
    }

    fn evaluate_by<'a>(&self, facts_of: impl Fn(Input) -> &'a Facts) -> Breakdown {
        let part = |(name, factor): (&String, &Factor)| factor.contribution(name, facts_of(factor.input));
        let contributions: Vec<Contribution> = self.factors.iter().map(part).collect();
        let score = contributions.iter().map(|part| part.contribution).sum();
        Breakdown { contributions, score }
    }

    /// The actor's own risk, from 0 to 1: what all factors but the exposure contribute, as a part of `full`.
    pub fn own_risk(&self, facts: &Facts) -> Quantity {
        let points = self.own_factors().map(|(name, factor)| factor.contribution(name, facts).contribution).sum();
        Quantity::share(points, self.network.full).min(Quantity::ONE)
    }
}

/// An exposure in ten-thousandths as factors look at it: from 0 to 1.
fn exposed(exposure: u32) -> Facts {
    let mut facts = Facts::default();
    facts.set_number(Input::Exposure, Quantity::share(Quantity::count(exposure as usize), Quantity::count(PARTS as usize)));
    facts
}

fn whole_digest(own: [u8; 32], of_exposure: &[Contribution]) -> [u8; 32] {
    let mut sha = Sha256::new();
    sha.update(own);
    of_exposure.iter().for_each(|part| part.add_to(&mut sha));
    sha.finalize().into()
}

/// With its length in front, where one text ends and the next begins can't be moved.
fn add(sha: &mut Sha256, text: &str) {
    sha.update(text.len().to_be_bytes());
    sha.update(text);
}

impl Contribution {
    /// Adds what it contributes and why; what was known beside that decides nothing.
    fn add_to(&self, sha: &mut Sha256) {
        add(sha, &self.factor);
        [self.weight, self.rating, self.contribution].iter().for_each(|number| add(sha, &number.to_string()));
        add(sha, self.decisive.as_deref().unwrap_or_default());
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
