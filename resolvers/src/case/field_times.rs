//! When each field of a case was said last. A case of a list keeps the place of its request's 202: what it says does not replace what somebody has said
//! of the same field after that.

use std::collections::BTreeMap;

use cypher::{Key, Value};
use graph_schema::case::UpdateCase;
use graph_schema::json_text::JsonText;

use super::extend::Repeats;
use super::update::Changeable;
use crate::logical_time::Acknowledged;
use crate::queue::Decision;

/// The property of a case that has them: a JSON object of logical times by field.
const PROPERTY: &str = "fieldTimes";
const METADATA: &str = "metadata";
const CREATED_AT: &str = "createdAt";
const RESOLUTION: &str = "resolution";

/// A field that a write says, and whether the case has something in it.
pub(super) struct Said {
    pub field: String,
    pub is_there: bool,
}

impl Said {
    /// The fields that an update says of a case that is so, and those of them that it sets as a whole: all but a list that goes behind another one, or where
    /// nothing is.
    pub fn by<'a>(update: &'a UpdateCase, before: Changeable<'a>) -> impl Iterator<Item = Self> + 'a {
        let resolution = update.fields.resolution.as_ref().map(|given| (RESOLUTION, given, before.resolution.as_ref()));
        let custom = update.custom_properties.iter().map(move |(name, given)| (name, given, before.custom_properties.get(name)));
        resolution.into_iter().chain(custom).flat_map(|(name, given, stored)| {
            let is_replaced = !given.is_array() || stored.is_some_and(|stored| !stored.is_array());
            [Some(Self { field: name.to_owned(), is_there: stored.is_some() }), is_replaced.then(|| Self::replaced(name))].into_iter().flatten()
        })
    }

    pub fn resolution(stored: Option<&JsonText>) -> Self {
        Self { field: RESOLUTION.to_owned(), is_there: stored.is_some() }
    }

    /// What an actor is to the case.
    pub fn actor(actor: &str, is_there: bool) -> Self {
        Self { field: format!("actor:{actor}"), is_there }
    }

    /// A field was set as a whole: what was acknowledged before that is added to no list in it any more.
    pub fn replaced(field: &str) -> Self {
        Self { field: format!("replaced:{field}"), is_there: false }
    }

    /// The resolution as a whole.
    pub fn replaced_resolution() -> Self {
        Self::replaced(RESOLUTION)
    }

    pub fn metadata(is_there: bool) -> Self {
        Self { field: METADATA.to_owned(), is_there }
    }

    /// A case has been created at some time, whoever says when.
    pub fn created_at() -> Self {
        Self { field: CREATED_AT.to_owned(), is_there: true }
    }
}

/// Logical times by field. What a case has in a field that is not among them was said when it was made.
#[derive(Debug, Clone, Default)]
pub(crate) struct FieldTimes {
    made: Option<i64>,
    said: BTreeMap<String, i64>,
    /// What the logical clock shows.
    now: Option<i64>,
}

impl FieldTimes {
    /// As a case has them that was made at a logical time, read while the logical clock shows `now`.
    pub fn stored(text: Option<&str>, made: Option<i64>, now: Option<i64>) -> Self {
        let said = text.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
        Self { made, said, now }
    }

    fn of(&self, said: &Said) -> Option<i64> {
        self.said.get(&said.field).copied().or(self.made.filter(|_| said.is_there))
    }

    /// Whether what a field has, if anything, gives way to what was acknowledged at that time.
    pub fn give_way(&self, said: &Said, acknowledged: Acknowledged) -> bool {
        acknowledged.in_place_of(self.of(said), self.now).is_some()
    }

    /// The property with fields that are said by a write; none, where their times stay.
    pub fn with(&self, fields: impl IntoIterator<Item = Said>, decision: &Decision<'_>) -> Option<(Key, Value)> {
        // As long as there was no request with a list, there is nothing that could come too late.
        self.now?;
        let mut times = self.said.clone();
        for said in fields {
            let before = self.of(&said);
            if let Some(time) = decision.entry.acknowledged().in_place_of(before, self.now)
                && before != Some(time)
            {
                times.insert(said.field, time);
            }
        }
        let text = (times != self.said).then(|| serde_json::to_string(&times).ok()).flatten()?;
        Some((PROPERTY.into(), text.into()))
    }

    /// What of an update is said at that time: what is there and was said later stays. Lists are added to, whichever came first; but not to one that somebody
    /// has set as a whole after that time.
    pub fn in_time(&self, given: &UpdateCase, before: Changeable<'_>, acknowledged: Acknowledged, repeats: Repeats) -> UpdateCase {
        let is_in_time = |said: Said, stored: Option<&JsonText>, value: &JsonText| {
            let is_added = stored.is_some_and(|stored| stored.is_array() && value.is_array());
            let is_before_the_whole = || !self.give_way(&Said::replaced(&said.field), acknowledged);
            if is_added { repeats == Repeats::Nothing && !is_before_the_whole() } else { self.give_way(&said, acknowledged) }
        };
        let mut update = given.clone();
        let stored = before.resolution.as_ref();
        update.fields.resolution = update.fields.resolution.filter(|value| is_in_time(Said::resolution(stored), stored, value));
        update.custom_properties = given.custom_properties.only(|name, value| {
            let stored = before.custom_properties.get(name);
            is_in_time(Said { field: name.to_owned(), is_there: stored.is_some() }, stored, value)
        });
        update
    }
}
