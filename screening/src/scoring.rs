//! Which way of scoring names is used.

use std::str::FromStr;

use crate::name::Name;
use crate::ofac;
use crate::score::{self, Explained, Parts};

/// How names are scored, and from which score on they match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scoring {
    /// By what each part of a name says: the one that all figures are of.
    #[default]
    Standard,
    /// In the manner of OFAC's own search.
    Ofac,
}

impl Scoring {
    /// From here on two names are said to match.
    pub fn threshold(self) -> f32 {
        match self {
            Self::Standard => score::THRESHOLD,
            Self::Ofac => ofac::THRESHOLD,
        }
    }

    /// The score of two names.
    pub fn score(self, first: &Name, second: &Name) -> f32 {
        self.score_parts(&Parts::of(first), &Parts::of(second))
    }

    pub(crate) fn score_parts(self, first: &Parts, second: &Parts) -> f32 {
        match self {
            Self::Standard => score::score_parts(first, second),
            Self::Ofac => ofac::score_parts(first, second),
        }
    }

    pub(crate) fn explain_parts(self, first: &Parts, second: &Parts) -> Explained {
        match self {
            Self::Standard => score::explain_parts(first, second),
            Self::Ofac => ofac::explain_parts(first, second),
        }
    }
}

impl FromStr for Scoring {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "standard" => Ok(Self::Standard),
            "ofac" => Ok(Self::Ofac),
            _ => Err("must be standard or ofac".to_owned()),
        }
    }
}
