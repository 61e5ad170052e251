//! Entries while they are read, alike for all formats: values are cleaned as they come, and entries with one id are one.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use super::Entry;
use super::columns::{Problem, date};
use crate::countries::known;
use crate::evidence::{Facts, Identifier, Sex};

/// An entry to which names and facts are put as the file has them; what cannot be used is noted.
pub struct Draft<'a> {
    entry: Entry,
    notes: &'a mut Vec<Problem>,
}

impl<'a> Draft<'a> {
    pub fn new(id: &str, schema: &str, notes: &'a mut Vec<Problem>) -> Draft<'a> {
        let entry = Entry { id: id.to_owned(), schema: schema.to_owned(), names: Vec::new(), facts: Facts::default() };
        Draft { entry, notes }
    }

    /// A name with single spaces between its words, if there is one.
    pub fn name(&mut self, name: &str) {
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        if !name.is_empty() {
            self.entry.names.push(name);
        }
    }

    pub fn birth_date(&mut self, text: &str, line: u64, column: &str) {
        if !text.is_empty() {
            self.entry.facts.birth_dates.extend(date(text, line, column, self.notes));
        }
    }

    /// A country that is unknown would contradict the country of everybody who is asked about, so it is not used.
    pub fn country(&mut self, text: &str, line: u64, column: &str) {
        match known(text) {
            Some(code) => self.entry.facts.countries.push(code.to_owned()),
            None if text.is_empty() => {}
            None => {
                self.notes.push(Problem { line, column: column.into(), what: format!("`{text}` is no country that is known and is not used") });
            }
        }
    }

    pub fn identifier(&mut self, kind: &str, number: &str) {
        self.entry.facts.identifiers.extend(Identifier::known(kind, number));
    }

    pub fn sex(&mut self, text: &str) {
        self.entry.facts.sex = self.entry.facts.sex.or_else(|| Sex::parse(text));
    }

    pub fn has_name(&self) -> bool {
        !self.entry.names.is_empty()
    }

    pub fn finish(self) -> Entry {
        self.entry
    }
}

/// Entries in the order in which they first came.
#[derive(Default)]
pub struct Entries {
    items: Vec<Entry>,
    places: HashMap<String, usize>,
}

impl Entries {
    /// Puts an entry to the others, or what it tells to the one that has its id.
    pub fn add(&mut self, entry: Entry) {
        let Some(known) = self.get_mut(&entry.id) else {
            self.places.insert(entry.id.clone(), self.items.len());
            self.items.push(entry);
            return;
        };
        known.names.extend(entry.names);
        known.facts.birth_dates.extend(entry.facts.birth_dates);
        known.facts.countries.extend(entry.facts.countries);
        known.facts.identifiers.extend(entry.facts.identifiers);
        known.facts.sex = known.facts.sex.or(entry.facts.sex);
    }

    pub fn get_mut(&mut self, id: &str) -> Option<&mut Entry> {
        self.places.get(id).map(|place| &mut self.items[*place])
    }

    /// Those that were read; what an entry has several times is there once.
    pub fn end(mut self) -> Vec<Entry> {
        self.items.iter_mut().for_each(once);
        self.items
    }
}

/// What an entry has several times it has once, where it came first.
pub fn once(entry: &mut Entry) {
    keep_first(&mut entry.names);
    keep_first(&mut entry.facts.birth_dates);
    keep_first(&mut entry.facts.countries);
    keep_first(&mut entry.facts.identifiers);
}

fn keep_first<T: Clone + Eq + Hash>(values: &mut Vec<T>) {
    if values.len() > 1 {
        let mut seen = HashSet::with_capacity(values.len());
        values.retain(|value| seen.insert(value.clone()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_used_is_noted_with_its_place() {
        let mut notes = Vec::new();
        let mut draft = Draft::new("1", "Person", &mut notes);
        draft.birth_date("soon", 7, "dateOfBirth");
        draft.country("Atlantis", 8, "country");
        draft.country("", 9, "country");
        let entry = draft.finish();
        assert_eq!(entry.facts, Facts::default());
        let told: Vec<_> = notes.iter().map(ToString::to_string).collect();
        assert_eq!(told.len(), 2);
        assert!(told[0].starts_with("line 7, column `dateOfBirth`: `soon`"), "{told:?}");
        assert!(told[1].starts_with("line 8, column `country`: `Atlantis`"), "{told:?}");
    }

    #[test]
    fn entries_with_one_id_are_one_and_repeat_nothing() {
        let mut notes = Vec::new();
        let mut entries = Entries::default();
        for (names, sex) in [(["Ada  Quill", "A. Quill"], ""), (["A. Quill", "Ada Quilla"], "female")] {
            let mut draft = Draft::new("1", "Person", &mut notes);
            names.into_iter().for_each(|name| draft.name(name));
            draft.identifier("Passport", "X 1");
            draft.sex(sex);
            entries.add(draft.finish());
        }
        let items = entries.end();
        assert_eq!(items.len(), 1);
        assert_eq!(items[0].names, ["Ada Quill", "A. Quill", "Ada Quilla"]);
        assert_eq!(items[0].facts.identifiers.len(), 1);
        assert_eq!(items[0].facts.sex, Some(Sex::Female));
    }
}
