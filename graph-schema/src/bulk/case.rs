//! A case of a bulk list: what the create request says, and what the document says of bulk cases besides.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::case::{CaseActorRequest, CaseCommunicationRequest, CaseType, CaseUpdate, CreateCase, UpdateCase};
use crate::custom_property::WithCustomProperties;
use crate::date::Timestamp;
use crate::fault::Fault;
use crate::given::Input;
use crate::id::{ActorId, CaseId, CommunicationId, ObservationId, WorkflowId};
use crate::json_object::JsonObject;
use crate::json_text::{self, JsonText};

/// A case of a bulk list, with its custom properties.
pub type BulkCase = WithCustomProperties<BulkCaseFields>;

/// The documented fields of a case of a bulk list. A case that exists gains the actors, observations and communications that it does not have, and
/// takes over the resolution, custom properties and other fields that are given; its type and workflow stay.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = BulkCase)]
pub struct BulkCaseFields {
    /// A UUID.
    #[schema(value_type = String, format = Uuid)]
    pub id: CaseId,
    /// `ANALYSIS`, when absent.
    #[serde(skip_serializing_if = "Option::is_none", rename = "type")]
    pub kind: Option<CaseType>,
    /// A workflow for cases of the type; the default workflow of the type, when absent. One that is not there yet is waited for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workflow_id: Option<WorkflowId>,
    /// Now, when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created_at: Option<Timestamp>,
    /// Those that are not there yet are waited for.
    #[schema(max_items = 1000)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actors: Option<Vec<CaseActorRequest>>,
    /// Those that are not there yet are waited for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observation_ids: Option<Vec<ObservationId>>,
    /// Deprecated; an item of `actors` of the type `FOCAL` says the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub focal_actor_id: Option<ActorId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<JsonObject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub communications: Option<Vec<CaseCommunicationRequest>>,
    /// Those that are not there yet are waited for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub communication_ids: Option<Vec<CommunicationId>>,
    /// What came out: any JSON value. For a case that exists, an array is appended to an array, and null takes the resolution away.
    #[schema(value_type = JsonText, required = false)]
    #[serde(default, deserialize_with = "json_text::given", skip_serializing_if = "Option::is_none")]
    pub resolution: Option<JsonText>,
}

/// A case of a bulk list as the single operations take it.
#[derive(Debug, Clone, PartialEq)]
pub struct SingleCase {
    pub id: CaseId,
    pub create: CreateCase,
    pub communication_ids: Vec<CommunicationId>,
    pub update: UpdateCase,
}

impl Input for BulkCaseFields {
    fn check(&self, faults: &mut Vec<Fault>) {
        self.create().check(faults);
    }
}

impl BulkCaseFields {
    fn create(&self) -> CreateCase {
        CreateCase {
            id: Some(self.id.clone()),
            kind: self.kind,
            workflow_id: self.workflow_id.clone(),
            created_at: self.created_at,
            actors: self.actors.clone(),
            observation_ids: self.observation_ids.clone(),
            focal_actor_id: self.focal_actor_id.clone(),
            metadata: self.metadata.clone(),
            communications: self.communications.clone(),
        }
    }
}

impl BulkCase {
    /// The case in its single forms.
    pub fn into_single(self) -> SingleCase {
        let Self { fields, custom_properties } = self;
        let create = fields.create();
        let update = UpdateCase { fields: CaseUpdate { resolution: fields.resolution }, custom_properties };
        SingleCase { id: fields.id, create, communication_ids: fields.communication_ids.unwrap_or_default(), update }
    }
}
