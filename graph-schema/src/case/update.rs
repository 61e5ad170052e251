//! The requests that change a case and its actors.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{CaseActorType, MAX_CASE_ACTORS, check_custom_data};
use crate::{
    bulk::BulkActor,
    custom_property::{CustomProperties, WithCustomProperties},
    date::Timestamp,
    fault::Fault,
    given::Input,
    id::{ActorId, CommunicationId},
    json_object::JsonObject,
    json_text::{self, JsonText},
};

/// A change of a case: its resolution and custom properties. Arrays are appended to, null takes a field away, all else is replaced.
pub type UpdateCase = WithCustomProperties<CaseUpdate>;

/// The documented field of a change of a case.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = UpdateCase)]
pub struct CaseUpdate {
    /// What came out: any JSON value. Null takes the resolution away.
    #[schema(value_type = JsonText, required = false)]
    #[serde(default, deserialize_with = "json_text::given", skip_serializing_if = "Option::is_none")]
    pub resolution: Option<JsonText>,
}

/// A change of a case in the earlier form: communications that belong to it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EarlierCaseUpdate {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub communication_ids: Option<Vec<CommunicationId>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub communications: Option<Vec<EarlierCommunication>>,
}

/// A communication in the earlier form.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EarlierCommunication {
    pub id: CommunicationId,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sent_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sender_id: Option<String>,
}

/// An actor to be added to a case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AddCaseActor {
    /// The actor, with the names of the bulk list of actors.
    pub actor: BulkActor,
    /// `CONNECTION`, when absent.
    #[serde(skip_serializing_if = "Option::is_none", rename = "type")]
    pub kind: Option<CaseActorType>,
    /// At most 10,000 characters of JSON.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub custom_data: Option<JsonObject>,
}

/// Custom properties of one of a case's actors. A request carries an array of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CaseActorUpdate {
    pub actor_id: ActorId,
    /// Arrays are appended to, null takes a property away, all else is replaced.
    pub properties: CustomProperties,
}

impl EarlierCaseUpdate {
    /// Every communication that is named, once, in the order of the request.
    pub fn all_ids(&self) -> Vec<CommunicationId> {
        let mut all: Vec<CommunicationId> = Vec::new();
        let described = self.communications.iter().flatten().map(|communication| &communication.id);
        for id in self.communication_ids.iter().flatten().chain(described) {
            if !all.contains(id) {
                all.push(id.clone());
            }
        }
        all
    }
}

impl Input for CaseUpdate {}
impl Input for EarlierCaseUpdate {}

impl Input for AddCaseActor {
    fn check(&self, faults: &mut Vec<Fault>) {
        check_custom_data("custom_data", self.custom_data.as_ref(), faults);
    }
}

impl Input for CaseActorUpdate {
    const MAX_ITEMS: usize = MAX_CASE_ACTORS;
}
