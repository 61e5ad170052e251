//! What is known of an actor.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};

use detection::Quantity;
use serde::{Serialize, Serializer};

/// What a factor looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Input {
    /// The country of nationality.
    Nationality,
    /// The country where the actor lives or has its seat.
    Domicile,
    /// The country where it is taxed.
    TaxResidency,
    /// Countries of those whom it pays and who pay it: where they live, and where their accounts are.
    CounterpartyCountries,
    /// Countries where those live who own it.
    OwnerCountries,
    /// `INDIVIDUAL` or `LEGAL_ENTITY`.
    ActorType,
    /// `CUSTOMER`, `EMPLOYEE`, `MERCHANT`, `PSP`.
    SubTypes,
    /// The type of the legal entity.
    LegalForm,
    /// Codes of industry classifications. A rule may name the beginning of a code.
    Industry,
    /// Assessments that say something, as `TYPE=value`. A rule may name the type alone.
    Assessments,
    /// Types of the products and accounts that it holds.
    Products,
    /// Days since the actor became a customer.
    RelationDays,
    /// Accounts that it holds.
    Accounts,
    /// Findings of detection about it in the last 365 days that stand.
    Findings,
    /// What it sent and received, as a multiple of the median of its segment.
    VolumeAgainstSegment,
    /// Actors that own it.
    Owners,
    /// Actors that it owns.
    Owned,
    /// The exposure of its network, from 0 to 1.
    Exposure,
}

/// What values of an input are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Any number of texts.
    Texts,
    /// A number that is zero or more.
    Number,
}

impl Input {
    /// All of them.
    pub const ALL: [Self; 18] = [
        Self::Nationality,
        Self::Domicile,
        Self::TaxResidency,
        Self::CounterpartyCountries,
        Self::OwnerCountries,
        Self::ActorType,
        Self::SubTypes,
        Self::LegalForm,
        Self::Industry,
        Self::Assessments,
        Self::Products,
        Self::RelationDays,
        Self::Accounts,
        Self::Findings,
        Self::VolumeAgainstSegment,
        Self::Owners,
        Self::Owned,
        Self::Exposure,
    ];

    /// As rules write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Nationality => "nationality",
            Self::Domicile => "domicile",
            Self::TaxResidency => "tax-residency",
            Self::CounterpartyCountries => "counterparty-countries",
            Self::OwnerCountries => "owner-countries",
            Self::ActorType => "actor-type",
            Self::SubTypes => "sub-types",
            Self::LegalForm => "legal-form",
            Self::Industry => "industry",
            Self::Assessments => "assessments",
            Self::Products => "products",
            Self::RelationDays => "relation-days",
            Self::Accounts => "accounts",
            Self::Findings => "findings",
            Self::VolumeAgainstSegment => "volume-against-segment",
            Self::Owners => "owners",
            Self::Owned => "owned",
            Self::Exposure => "exposure",
        }
    }

    pub fn kind(self) -> Kind {
        match self {
            Self::Nationality
            | Self::Domicile
            | Self::TaxResidency
            | Self::CounterpartyCountries
            | Self::OwnerCountries
            | Self::ActorType
            | Self::SubTypes
            | Self::LegalForm
            | Self::Industry
            | Self::Assessments
            | Self::Products => Kind::Texts,
            Self::RelationDays | Self::Accounts | Self::Findings | Self::VolumeAgainstSegment | Self::Owners | Self::Owned | Self::Exposure => {
                Kind::Number
            }
        }
    }

    /// Whether a text that a rule names stands for one that is known: the same text; of assessments the type before the `=`; of industries the beginning of the
    /// code.
    pub(crate) fn covers(self, named: &str, known: &str) -> bool {
        let more = match self {
            Self::Assessments => known.split_once('=').is_some_and(|(kind, _)| kind == named),
            Self::Industry => known.starts_with(named),
            _ => false,
        };
        more || named == known
    }
}

impl Serialize for Input {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// What is known of one actor. What is not known is absent, which a factor rates, too.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    texts: BTreeMap<Input, BTreeSet<String>>,
    numbers: BTreeMap<Input, Quantity>,
}

impl Facts {
    /// Adds texts of an input; empty ones are left out.
    pub fn add_texts<T: Into<String>>(&mut self, input: Input, texts: impl IntoIterator<Item = T>) {
        let texts = texts.into_iter().map(Into::into).filter(|text| !text.is_empty());
        self.texts.entry(input).or_default().extend(texts);
    }

    /// Sets the number of an input.
    pub fn set_number(&mut self, input: Input, number: Quantity) {
        self.numbers.insert(input, number);
    }

    /// The texts of an input, in their order.
    pub fn texts(&self, input: Input) -> impl Iterator<Item = &str> {
        self.texts.get(&input).into_iter().flatten().map(String::as_str)
    }

    /// Adds all texts to a hash: facts with the same texts add the same.
    pub fn hash_texts(&self, hasher: &mut impl Hasher) {
        // An input without texts is as one that nobody has named.
        self.texts.iter().filter(|(_, texts)| !texts.is_empty()).for_each(|texts| texts.hash(hasher));
    }

    /// The number of an input, where it is known.
    pub fn number(&self, input: Input) -> Option<Quantity> {
        self.numbers.get(&input).copied()
    }
}
