//! What a case has, and how communications are described, for whoever adds to it what it may have already.

use std::collections::{BTreeMap, BTreeSet};

use cypher::statements::rows::{AnsweredRequest, LockedCaseContents, LockedCommunication, OpenRequest, SchemaRow};
use cypher::{Key, Value};
use graph_schema::case::CaseType;
use graph_schema::custom_property::CustomProperties;
use graph_schema::id::{ActorId, WorkflowId};
use graph_schema::json_text::JsonText;

use super::actors::CaseActor;
use super::field_times::FieldTimes;
use super::row::{described_row, lacks, says_already};
use super::stored::Counters;
use crate::queue::Decision;

/// A case that is there, and what it has of what was asked for.
pub(super) struct StoredContents {
    pub counters: Counters,
    pub kind: CaseType,
    pub workflow: WorkflowId,
    pub created_at: i64,
    pub metadata: Option<String>,
    pub resolution: Option<JsonText>,
    pub custom_properties: CustomProperties,
    pub times: FieldTimes,
    pub actors: BTreeMap<ActorId, CaseActor>,
    pub observations: BTreeSet<String>,
    /// Those that were asked for and are there, whoever's they are.
    pub communications: StoredCommunications,
    pub requests: Vec<OpenRequest>,
    pub answered: Vec<AnsweredRequest>,
    pub definitions: Vec<SchemaRow>,
}

impl From<LockedCaseContents> for StoredContents {
    fn from(row: LockedCaseContents) -> Self {
        Self {
            counters: Counters { version: row.version, event_sequence: row.event_sequence },
            kind: row.kind,
            workflow: WorkflowId::new(row.workflow),
            created_at: row.created_at,
            metadata: row.metadata,
            resolution: row.resolution.as_deref().and_then(JsonText::parse),
            custom_properties: row.custom_properties.as_deref().map(CustomProperties::of_text).unwrap_or_default(),
            times: FieldTimes::stored(row.field_times.as_deref(), row.logical_time, row.clock),
            actors: CaseActor::by_id(row.actors),
            observations: row.observations.into_iter().collect(),
            communications: StoredCommunications::of(row.communications, row.clock),
            requests: row.requests,
            answered: row.answered,
            definitions: row.definitions,
        }
    }
}

impl StoredContents {
    /// Those communications that are not the case's yet, each once.
    pub fn not_linked<'a>(&self, ids: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
        let ids: BTreeSet<&str> = ids.filter(|id| !self.communications.get(id).is_some_and(|stored| stored.linked)).collect();
        ids.into_iter().collect()
    }
}

/// Communications that were asked for and are there.
#[derive(Default)]
pub(super) struct StoredCommunications {
    by_id: BTreeMap<String, LockedCommunication>,
    /// What the logical clock shows.
    now: Option<i64>,
}

impl StoredCommunications {
    /// As they were read while the logical clock showed `now`.
    pub fn of(rows: Vec<LockedCommunication>, now: Option<i64>) -> Self {
        Self { by_id: rows.into_iter().map(|found| (found.id.clone(), found)).collect(), now }
    }

    pub fn get(&self, id: &str) -> Option<&LockedCommunication> {
        self.by_id.get(id)
    }

    /// Whether one is the case's and says all of this already.
    pub fn say(&self, id: &str, fields: &[(Key, Value)]) -> bool {
        self.get(id).is_some_and(|stored| stored.linked && says_already(stored, fields))
    }

    /// When one was described last.
    pub fn described_at(&self, id: &str) -> Option<i64> {
        self.get(id).and_then(|stored| stored.logical_time)
    }

    /// The time of what a write says of one; nothing, where what was acknowledged later has described it.
    pub fn time_of(&self, id: &str, decision: &Decision<'_>) -> Option<i64> {
        decision.entry.acknowledged().in_place_of(self.described_at(id), self.now)
    }

    /// What a write says of communications, in its order: what it says of one twice is put together. Of one that was described later only what it lacks,
    /// unless that was of the whole.
    pub fn described<'a>(&self, said: impl Iterator<Item = (&'a str, Vec<(Key, Value)>)>, decision: &Decision<'_>) -> Described {
        let mut together: BTreeMap<&str, Vec<(Key, Value)>> = BTreeMap::new();
        for (id, fields) in said {
            let before = together.entry(id).or_default();
            before.retain(|(name, _)| !fields.iter().any(|(other, _)| other == name));
            before.extend(fields);
        }
        let mut described = Described { rows: Vec::new(), changes_nothing: true };
        for (id, mut fields) in together {
            let (before, time) = (self.described_at(id), self.time_of(id, decision));
            if let (None, Some(stored)) = (time, self.get(id)) {
                let is_of_whole = decision.entry.acknowledged().in_place_of(stored.record_time, self.now).is_none();
                fields.retain(|(name, _)| !is_of_whole && lacks(stored, name));
            }
            let (is_there, time) = (self.say(id, &fields), time.or(before));
            if !is_there || time != before {
                described.rows.push(described_row(id, fields, time));
            }
            described.changes_nothing &= is_there;
        }
        described
    }
}

/// What is written of communications.
pub(super) struct Described {
    pub rows: Vec<Value>,
    /// All are the case's, and say so already; of some is noted that it was said again.
    pub changes_nothing: bool,
}
