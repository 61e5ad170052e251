//! What actors are screened by: the part of a record that says who somebody is.
//!
//! It is kept with the actor as JSON text. A record that says the same of it is not screened again, and whoever screens all actors reads nothing else.

use ::screening::evidence::{Facts, Identifier, PartialDate, Sex};
use ::screening::{Kind, is_placeholder};
use graph_schema::actor::{ActorRecord, ActorType, Gender};
use graph_schema::identity::{Placeholders, visible};
use serde::{Deserialize, Serialize};

use super::party::{Party, PartyRole, country};

/// Who an actor is, as far as lists can tell. Each list is sorted and has each value once, but for the names: the main one is first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ActorFacts {
    kind: ActorType,
    names: Vec<String>,
    /// `1952-12-03`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    birth_dates: Vec<String>,
    /// Codes of ISO 3166 in small letters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    countries: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sex: Option<Gender>,
    /// Kind (which may be empty) and number.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    identifiers: Vec<(String, String)>,
}

impl ActorFacts {
    /// What a record says. The day on which a company was registered is left out: lists tell when people were born, and of companies nothing like it.
    pub fn of(record: &ActorRecord, placeholders: &Placeholders) -> Self {
        let is_person = record.kind == ActorType::Individual;
        let birth_date = record.date_of_birth.filter(|_| is_person).map(|date| date.to_string());
        let addresses = record.addresses.iter().flatten().filter_map(|address| address.country.as_deref()).filter_map(country);
        let own = [record.nationality.as_ref().map(|code| code.as_str()), record.domicile.as_ref().map(|code| code.as_str())];
        let numbers = record.government_ids.iter().flatten();
        let numbers = numbers.filter_map(|id| Identifier::known(id.kind.as_deref().unwrap_or_default(), id.id.as_deref()?));
        Self {
            kind: record.kind,
            names: names(record, placeholders),
            birth_dates: birth_date.into_iter().collect(),
            countries: in_order(own.into_iter().flatten().map(str::to_ascii_lowercase).chain(addresses).collect()),
            sex: record.gender.filter(|gender| is_person && matches!(gender, Gender::Female | Gender::Male)),
            identifiers: in_order(numbers.map(|identifier| (identifier.kind, identifier.number)).collect()),
        }
    }

    /// What was kept; nothing where another version of the service kept it otherwise.
    pub fn read(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    /// As it is kept: the same facts are the same text.
    pub fn text(&self) -> String {
        // They are texts and lists of texts.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The main name; nothing where no name names anybody.
    pub fn name(&self) -> Option<&str> {
        self.names.first().map(String::as_str)
    }

    /// The actor as it is searched for; nothing where no name names anybody.
    pub fn party(&self) -> Option<Party> {
        let (name, others) = self.names.split_first()?;
        let sex = self.sex.and_then(|gender| match gender {
            Gender::Female => Some(Sex::Female),
            Gender::Male => Some(Sex::Male),
            Gender::Other | Gender::Unspecified => None,
        });
        let identifier = |(kind, number): &(String, String)| Identifier { kind: kind.clone(), number: number.clone() };
        Some(Party {
            role: PartyRole::Actor,
            name: name.clone(),
            aliases: others.to_vec(),
            kind: if self.kind == ActorType::Individual { Kind::Person } else { Kind::Organization },
            facts: Facts {
                birth_dates: self.birth_dates.iter().filter_map(|date| PartialDate::parse(date)).collect(),
                countries: self.countries.clone(),
                sex,
                identifiers: self.identifiers.iter().map(identifier).collect(),
            },
        })
    }
}

/// The full name, what is displayed, and the parts together: each that names somebody, once.
fn names(record: &ActorRecord, placeholders: &Placeholders) -> Vec<String> {
    let parts = [&record.first_name, &record.middle_name, &record.last_name];
    let parts: Vec<&str> = parts.into_iter().flatten().filter_map(|part| visible(part)).collect();
    let together = parts.join(" ");
    let whole = [record.name.as_deref(), record.display_name.as_deref(), Some(together.as_str())];
    let mut names: Vec<String> = Vec::new();
    for name in whole.into_iter().flatten().filter_map(visible) {
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        let is_known = names.iter().any(|known| known.to_lowercase() == name.to_lowercase());
        if !is_known && !is_placeholder(&name) && !placeholders.is_name(&name) {
            names.push(name);
        }
    }
    names
}

fn in_order<T: Ord>(mut values: Vec<T>) -> Vec<T> {
    values.sort();
    values.dedup();
    values
}
