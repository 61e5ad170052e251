//! What a case has, and how communications are described, for whoever adds to it what it may have already.

use std::collections::{BTreeMap, BTreeSet};

use cypher::statements::rows::{AnsweredRequest, LockedCaseContents, LockedCommunication, OpenRequest, SchemaRow};
use cypher::{Key, Value};
use graph_schema::case::CaseType;
use graph_schema::custom_property::CustomProperties;
use graph_schema::id::{ActorId, CommunicationId, WorkflowId};
use graph_schema::json_text::JsonText;

use super::actors::CaseActor;
use super::row::{described_row, says_already};
use super::stored::Counters;

/// A case that is there, and what it has of what was asked for.
pub(super) struct StoredContents {
    pub counters: Counters,
    pub kind: CaseType,
    pub workflow: WorkflowId,
    pub created_at: i64,
    pub metadata: Option<String>,
    pub resolution: Option<JsonText>,
    pub custom_properties: CustomProperties,
    pub actors: BTreeMap<ActorId, CaseActor>,
    pub observations: BTreeSet<String>,
    /// Those that were asked for and are there, whoever's they are.
    communications: BTreeMap<String, LockedCommunication>,
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
            actors: CaseActor::by_id(row.actors),
            observations: row.observations.into_iter().collect(),
            communications: row.communications.into_iter().map(|found| (found.id.clone(), found)).collect(),
            requests: row.requests,
            answered: row.answered,
            definitions: row.definitions,
        }
    }
}

impl StoredContents {
    /// A communication by its id, where it is there.
    pub fn communication(&self, id: &CommunicationId) -> Option<&LockedCommunication> {
        self.communications.get(id.as_str())
    }

    /// The same by the text of its id.
    pub fn communication_of(&self, id: &str) -> Option<&LockedCommunication> {
        self.communications.get(id)
    }

    /// Whether a communication is the case's and says all of this already.
    pub fn has_communication(&self, id: &str, fields: &[(Key, Value)]) -> bool {
        self.communications.get(id).is_some_and(|stored| stored.linked && says_already(stored, fields))
    }

    /// Those communications that are not the case's yet, each once.
    pub fn not_linked<'a>(&self, ids: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
        let ids: BTreeSet<&str> = ids.filter(|id| !self.communications.get(*id).is_some_and(|stored| stored.linked)).collect();
        ids.into_iter().collect()
    }

    /// Rows for those communications that are not the case's yet, or are described otherwise now.
    pub fn newly_described<'a>(&self, described: impl Iterator<Item = (&'a str, Vec<(Key, Value)>)>) -> Vec<Value> {
        described.filter(|(id, fields)| !self.has_communication(id, fields)).map(|(id, fields)| described_row(id, fields)).collect()
    }
}
