//! The other side of a payment, or an actor, as it is searched for.

use ::screening::evidence::{Facts, PartialDate, Sex};
use ::screening::{Kind, is_placeholder};
use graph_schema::code::is_country;
use graph_schema::identity::{Placeholders, visible};
use graph_schema::transaction::{Counterparty, CounterpartyObject};
use serde::Serialize;

/// What somebody has to do with what is screened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartyRole {
    /// The other side of a payment.
    Counterparty,
    /// The actor itself.
    Actor,
}

/// Somebody who is searched for.
#[derive(Debug, Clone, PartialEq)]
pub struct Party {
    pub role: PartyRole,
    pub name: String,
    /// Further names.
    pub aliases: Vec<String>,
    pub kind: Kind,
    pub facts: Facts,
}

impl Party {
    /// The counterparty of a payment; nothing where it has no name, or one that names nobody. The country of its account says nothing of it.
    pub fn of(counterparty: &Counterparty, placeholders: &Placeholders) -> Option<Self> {
        let name = counterparty.name.as_deref().and_then(visible).filter(|name| !is_placeholder(name) && !placeholders.is_name(name))?;
        let kind = match counterparty.object {
            CounterpartyObject::Individual => Kind::Person,
            CounterpartyObject::LegalEntity => Kind::Organization,
            CounterpartyObject::Empty | CounterpartyObject::AccountInfo | CounterpartyObject::NamedEntity => Kind::Unknown,
        };
        let addresses = counterparty.postal_addresses.iter().flatten();
        let mut countries: Vec<String> = addresses.filter_map(|address| address.country.as_deref()).filter_map(country).collect();
        countries.sort();
        countries.dedup();
        let birth_dates = counterparty.birth_date.and_then(|date| PartialDate::parse(&date.to_string())).into_iter().collect();
        let facts = Facts { birth_dates, countries, ..Facts::default() };
        Some(Self { role: PartyRole::Counterparty, name: name.to_owned(), aliases: Vec::new(), kind, facts })
    }

    /// All names, the main one first.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.name).chain(&self.aliases).map(String::as_str)
    }
}

/// The code of a country as lists have it.
pub(super) fn country(text: &str) -> Option<String> {
    let code = text.trim().to_ascii_uppercase();
    is_country(&code).then(|| code.to_ascii_lowercase())
}

/// A party as an HTTP provider is told of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToldParty<'a> {
    role: &'static str,
    name: &'a str,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    aliases: &'a [String],
    /// `PERSON`, `ORGANIZATION` or `UNKNOWN`.
    kind: &'static str,
    birth_dates: Vec<String>,
    countries: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    sex: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    identifiers: Vec<ToldIdentifier<'a>>,
}

/// A number that an authority gave.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct ToldIdentifier<'a> {
    /// Empty where it is not known.
    kind: &'a str,
    number: &'a str,
}

impl<'a> From<&'a Party> for ToldParty<'a> {
    fn from(party: &'a Party) -> Self {
        let kind = match party.kind {
            Kind::Person => "PERSON",
            Kind::Organization => "ORGANIZATION",
            Kind::Thing | Kind::Unknown => "UNKNOWN",
        };
        let birth_dates = party.facts.birth_dates.iter().map(ToString::to_string).collect();
        let role = match party.role {
            PartyRole::Counterparty => "COUNTERPARTY",
            PartyRole::Actor => "ACTOR",
        };
        let sex = party.facts.sex.map(|sex| if sex == Sex::Female { "FEMALE" } else { "MALE" });
        let identifiers = party.facts.identifiers.iter().map(|one| ToldIdentifier { kind: &one.kind, number: &one.number }).collect();
        Self { role, name: &party.name, aliases: &party.aliases, kind, birth_dates, countries: &party.facts.countries, sex, identifiers }
    }
}
