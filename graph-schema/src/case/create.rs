//! The request that makes a case.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{CaseActorType, CaseType, check_custom_data};
use crate::{
    date::Timestamp,
    fault::Fault,
    given::Input,
    id::{ActorId, CaseId, CommunicationId, ObservationId, WorkflowId},
    json_object::JsonObject,
};

/// A case to be made.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateCase {
    /// A UUID; the same request again with the same id gets the same answer and makes nothing. One is made when absent.
    #[schema(value_type = Option<String>, format = Uuid)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<CaseId>,
    /// `ANALYSIS`, when absent.
    #[serde(skip_serializing_if = "Option::is_none", rename = "type")]
    pub kind: Option<CaseType>,
    /// A workflow for cases of the type. The default workflow of the type, when absent: `default-analysis` or `default-filing`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workflow_id: Option<WorkflowId>,
    /// Now, when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created_at: Option<Timestamp>,
    #[schema(max_items = 1000)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actors: Option<Vec<CaseActorRequest>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observation_ids: Option<Vec<ObservationId>>,
    /// Deprecated; an item of `actors` of the type `FOCAL` says the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub focal_actor_id: Option<ActorId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<JsonObject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub communications: Option<Vec<CaseCommunicationRequest>>,
}

/// An actor of a case to be made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CaseActorRequest {
    pub id: ActorId,
    /// `CONNECTION`, when absent.
    #[serde(skip_serializing_if = "Option::is_none", rename = "type")]
    pub kind: Option<CaseActorType>,
}

/// A communication of a case to be made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CaseCommunicationRequest {
    /// Such as email or SMS.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub communication_type: Option<String>,
    /// The communication is the case's own when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub communication_id: Option<CommunicationId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<JsonObject>,
    /// At most 10,000 characters of JSON.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub custom_data: Option<JsonObject>,
}

impl CreateCase {
    pub fn case_type(&self) -> CaseType {
        self.kind.unwrap_or_default()
    }

    /// Every actor that is named, once, with what it is to the case: what is said of it anywhere counts.
    pub fn case_actors(&self) -> Vec<(ActorId, CaseActorType)> {
        self.named_actors().into_iter().map(|(id, kind)| (id, kind.unwrap_or_default())).collect()
    }

    /// The same, with nothing where it is not said what an actor is to the case.
    pub fn named_actors(&self) -> Vec<(ActorId, Option<CaseActorType>)> {
        let focal = self.focal_actor_id.iter().map(|id| (id, Some(CaseActorType::Focal)));
        let listed = self.actors.iter().flatten().map(|actor| (&actor.id, actor.kind));
        let mut all: Vec<(ActorId, Option<CaseActorType>)> = Vec::new();
        let mut places: HashMap<&ActorId, usize> = HashMap::new();
        for (id, kind) in focal.chain(listed) {
            match places.get(id) {
                Some(&place) => all[place].1 = all[place].1.or(kind),
                None => {
                    places.insert(id, all.len());
                    all.push((id.clone(), kind));
                }
            }
        }
        all
    }
}

impl Input for CreateCase {
    fn check(&self, faults: &mut Vec<Fault>) {
        let mut types: HashMap<&ActorId, Option<CaseActorType>> = HashMap::new();
        if let Some(focal) = &self.focal_actor_id {
            types.insert(focal, Some(CaseActorType::Focal));
        }
        for (index, actor) in self.actors.iter().flatten().enumerate() {
            let known = types.entry(&actor.id).or_insert(actor.kind);
            match (&known, actor.kind) {
                (Some(known), Some(kind)) if *known != kind => {
                    faults.push(Fault::new(format!("actors[{index}].type"), "must be the same wherever the actor is named"));
                }
                (None, Some(kind)) => *known = Some(kind),
                _ => {}
            }
        }
        for (index, communication) in self.communications.iter().flatten().enumerate() {
            check_custom_data(&format!("communications[{index}].custom_data"), communication.custom_data.as_ref(), faults);
        }
    }
}
