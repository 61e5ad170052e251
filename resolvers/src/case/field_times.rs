//! When each field of a case was said last. A case of a list keeps the place of its request's 202: what it says does not replace what somebody has said
//! of the same field after that.

use std::collections::BTreeMap;

use cypher::{Key, Value};
use graph_schema::case::UpdateCase;
use graph_schema::json_text::JsonText;

use super::update::Changeable;
use crate::logical_time::Acknowledged;
use crate::queue::Decision;

/// The property of a case that has them: a JSON object of logical times by field.
const PROPERTY: &str = "fieldTimes";
pub(super) const METADATA: &str = "metadata";
pub(super) const CREATED_AT: &str = "createdAt";
const RESOLUTION: &str = "resolution";

/// The fields that an update says.
pub(super) fn said_by(update: &UpdateCase) -> impl Iterator<Item = String> {
    let resolution = update.fields.resolution.as_ref().map(|_| RESOLUTION.to_owned());
    resolution.into_iter().chain(update.custom_properties.names().map(str::to_owned))
}

/// The field that says what an actor is to the case.
pub(super) fn of_actor(actor: &str) -> String {
    format!("actor:{actor}")
}

/// Logical times by field. One that is not there was said when the case was made.
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

    fn of(&self, field: &str) -> Option<i64> {
        self.said.get(field).copied().or(self.made)
    }

    /// Whether what a field has gives way to what was acknowledged at that time.
    pub fn give_way(&self, field: &str, acknowledged: Acknowledged) -> bool {
        acknowledged.in_place_of(self.of(field), self.now).is_some()
    }

    /// The property with fields that are said by a write; none, where their times stay.
    pub fn with(&self, fields: impl IntoIterator<Item = String>, decision: &Decision<'_>) -> Option<(Key, Value)> {
        // As long as there was no request with a list, there is nothing that could come too late.
        self.now?;
        let mut said = self.said.clone();
        for field in fields {
            let before = self.of(&field);
            if let Some(time) = decision.entry.acknowledged().in_place_of(before, self.now)
                && before != Some(time)
            {
                said.insert(field, time);
            }
        }
        let text = (said != self.said).then(|| serde_json::to_string(&said).ok()).flatten()?;
        Some((PROPERTY.into(), text.into()))
    }

    /// What of an update is said at that time: what is there and was said later stays. Lists are added to, whichever came first.
    pub fn in_time(&self, given: &UpdateCase, before: Changeable<'_>, acknowledged: Acknowledged) -> UpdateCase {
        let is_in_time = |field: &str, stored: Option<&JsonText>, value: &JsonText| {
            let is_added = match stored {
                Some(stored) => stored.is_array() && value.is_array(),
                None => !self.said.contains_key(field),
            };
            is_added || self.give_way(field, acknowledged)
        };
        let mut update = given.clone();
        update.fields.resolution = update.fields.resolution.filter(|value| is_in_time(RESOLUTION, before.resolution.as_ref(), value));
        update.custom_properties = given.custom_properties.only(|name, value| is_in_time(name, before.custom_properties.get(name), value));
        update
    }
}
