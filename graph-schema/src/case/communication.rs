//! Communications: what somebody wrote to somebody, attached to a case.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::check_custom_data;
use crate::{
    bulk::BulkCommunication,
    fault::Fault,
    given::Input,
    id::{ActorId, CommunicationId},
    identity::is_said,
    json_object::JsonObject,
};

/// A communication to be added to a case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CommunicationRecord {
    /// A UUID. What came before under the same id is replaced, field by field.
    #[schema(value_type = String, format = Uuid)]
    pub id: CommunicationId,
    /// Such as email or SMS.
    #[schema(min_length = 1)]
    #[serde(rename = "type")]
    pub kind: String,
    #[schema(min_length = 1, max_length = 256)]
    pub receiver_id: String,
    #[schema(min_length = 1, max_length = 256)]
    pub sender_id: String,
    pub subject: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// At most 10,000 characters of JSON.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub custom_data: Option<JsonObject>,
    /// Keys `sender_identifiable_as_actor` and `receiver_identifiable_as_actor` (text or truth value) say that the ids are actors'.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<JsonObject>,
}

/// Key of the metadata by which the sender is an actor.
const SENDER: &str = "sender_identifiable_as_actor";
/// The same of the receiver.
const RECEIVER: &str = "receiver_identifiable_as_actor";

impl CommunicationRecord {
    /// The actor who sent it, where it is one.
    pub fn sending_actor(&self) -> Option<ActorId> {
        self.actor(SENDER, &self.sender_id)
    }

    /// The actor who received it, where it is one.
    pub fn receiving_actor(&self) -> Option<ActorId> {
        self.actor(RECEIVER, &self.receiver_id)
    }

    /// What it says of itself, without who wrote it and to whom.
    pub fn described(&self) -> BulkCommunication {
        BulkCommunication {
            id: self.id.clone(),
            kind: self.kind.clone(),
            subject: self.subject.clone(),
            content: self.content.clone(),
            custom_data: self.custom_data.clone(),
            metadata: self.metadata.clone(),
        }
    }

    fn actor(&self, key: &str, id: &str) -> Option<ActorId> {
        is_said(self.metadata.as_ref(), key).then(|| ActorId::new(id))
    }
}

impl Input for CommunicationRecord {
    fn check(&self, faults: &mut Vec<Fault>) {
        check_custom_data("custom_data", self.custom_data.as_ref(), faults);
        for (name, key, id) in [("sender_id", SENDER, &self.sender_id), ("receiver_id", RECEIVER, &self.receiver_id)] {
            if is_said(self.metadata.as_ref(), key)
                && let Err(problem) = ActorId::parse(id)
            {
                faults.push(Fault::new(name, format!("is an actor's id, and {problem}")));
            }
        }
    }
}
