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
pub(super) struct ActorFacts {
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

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn facts(more: Value) -> ActorFacts {
        let mut record = json!({"id": "a", "type": "INDIVIDUAL", "asOfDate": "2024-01-01", "name": "Ada Quill", "dateOfBirth": "1952-12-03",
            "nationality": "MT", "gender": "FEMALE", "governmentIds": [{"id": "ZX 100200", "type": "PASSPORT"}]});
        for (field, value) in more.as_object().expect("an object") {
            record[field] = value.clone();
        }
        ActorFacts::of(&serde_json::from_str(&record.to_string()).expect("an actor"), &Placeholders::with(["Sundry Debtors"]))
    }

    #[test]
    fn what_says_who_somebody_is_changes_the_facts_and_nothing_else_does() {
        let first = facts(json!({}));
        for same in [
            json!({"asOfDate": "2024-02-01", "status": "TERMINATED", "customData": {"a": 1}, "emails": [{"address": "a@example.org"}]}),
            json!({"name": " Ada  Quill ", "displayName": "ADA QUILL", "firstName": "Ada", "lastName": "Quill"}),
            json!({"governmentIds": [{"id": "zx-100200", "type": "Passport"}, {"id": "N/A", "type": "PASSPORT"}]}),
            json!({"domicile": "MT", "addresses": [{"country": "mt"}, {"country": "Malta"}]}),
            json!({"displayName": "N/A"}),
            json!({"displayName": "sundry debtors"}),
        ] {
            assert_eq!(facts(same.clone()).text(), first.text(), "{same}");
        }
        for other in [
            json!({"type": "LEGAL_ENTITY"}),
            json!({"name": "Ada Quilla"}),
            json!({"displayName": "A. Quill"}),
            json!({"lastName": "Quill"}),
            json!({"dateOfBirth": "1952-12-04"}),
            json!({"nationality": "IT"}),
            json!({"domicile": "IT"}),
            json!({"addresses": [{"country": "IT"}]}),
            json!({"gender": "MALE"}),
            json!({"gender": "UNSPECIFIED"}),
            json!({"governmentIds": []}),
            json!({"governmentIds": [{"id": "ZX 100201", "type": "PASSPORT"}]}),
        ] {
            assert_ne!(facts(other.clone()).text(), first.text(), "{other}");
        }
    }

    #[test]
    fn what_is_kept_is_searched_for() {
        let kept = ActorFacts::read(&facts(json!({"firstName": "A.", "lastName": "Quill"})).text()).expect("facts");
        let party = kept.party().expect("a party");
        assert_eq!((party.name.as_str(), party.aliases.as_slice(), party.kind), ("Ada Quill", ["A. Quill".to_owned()].as_slice(), Kind::Person));
        assert_eq!(party.facts.birth_dates.iter().map(ToString::to_string).collect::<Vec<_>>(), ["1952-12-03"]);
        assert_eq!((party.facts.countries.as_slice(), party.facts.sex), (["mt".to_owned()].as_slice(), Some(Sex::Female)));
        assert_eq!(party.facts.identifiers, [Identifier::new("PASSPORT", "ZX100200")]);
        assert_eq!(facts(json!({"name": "NOTPROVIDED"})).party(), None);
        assert_eq!(ActorFacts::read("{}"), None);
    }
}
