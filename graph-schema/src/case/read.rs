//! A case as it is read.

use async_graphql::SimpleObject;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{CaseActorType, CaseType};
use crate::{
    custom_property::WithCustomProperties,
    date::Timestamp,
    id::{ActorId, CaseId, ObservationId, StepId, TagId, WorkflowId},
    json_object::JsonObject,
    json_text::JsonText,
    workflow::StepState,
};

/// A case with its custom properties.
pub type CaseRecord = WithCustomProperties<CaseFields>;
/// An actor of a case with the custom properties that it has there.
pub type CaseActorRecord = WithCustomProperties<CaseActorFields>;

/// The documented fields of a case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = CaseRecord)]
pub struct CaseFields {
    pub id: CaseId,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub workflow: CaseWorkflowRecord,
    pub actors: Vec<CaseActorRecord>,
    pub observations: Vec<CaseObservationRecord>,
    pub tags: Vec<CaseTagRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<JsonObject>,
    /// What came out; nobody has said so when absent.
    #[schema(value_type = JsonText, required = false)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolution: Option<JsonText>,
    /// By what way the case came: `API`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jurisdiction: Option<String>,
    #[serde(rename = "type")]
    pub kind: CaseType,
    /// What was written when the case was closed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub narrative: Option<String>,
}

/// A case as it is listed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CaseListItem {
    pub id: CaseId,
    pub workflow: CaseListWorkflow,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    #[serde(rename = "type")]
    pub kind: CaseType,
    pub tags: Vec<CaseTagRecord>,
}

/// Where a listed case stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CaseListWorkflow {
    pub id: WorkflowId,
    pub step_id: StepId,
    /// The step's status, such as `IN_PROGRESS`.
    pub status: String,
    pub state: StepState,
}

/// Where a case stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(deny_unknown_fields)]
#[graphql(name = "CaseWorkflow")]
pub struct CaseWorkflowRecord {
    /// The workflow's id, such as `default-analysis`.
    pub id: WorkflowId,
    /// The workflow's name for people.
    pub name: String,
    /// The step's status, such as `IN_PROGRESS`.
    pub status: String,
    /// Whether the case's step leaves something to do.
    pub state: StepState,
    /// For which cases the workflow is.
    #[serde(rename = "type")]
    #[graphql(name = "type")]
    pub kind: CaseType,
    /// The step on which the case is, by its name within the workflow.
    pub step_id: StepId,
    /// The version of the workflow's definition. A later definition has a higher one.
    pub version: i64,
}

/// The documented fields of a case's actor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = CaseActorRecord)]
pub struct CaseActorFields {
    pub id: ActorId,
    #[serde(rename = "type")]
    pub kind: CaseActorType,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<String>,
}

/// An observation from which a case was raised.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CaseObservationRecord {
    pub id: ObservationId,
    /// What was said of it last; nothing was when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub feedback: Option<String>,
}

/// A label of cases. All cases with the tag share one label.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CaseTagRecord {
    /// The id by which filters find the cases with this tag.
    pub id: TagId,
    /// The tag's text for people.
    pub label: String,
}
