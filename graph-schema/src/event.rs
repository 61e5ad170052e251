//! The events that somebody can be told of: the document's twelve.
//!
//! An [`Event`] is written as the document's `data`, field by field; [`Event::name`] is the name beside it. What is not known is `null`, so that
//! a receiver sees every field of the document's table.

use async_graphql::Enum;
use serde::{Deserialize, Serialize};

use crate::{
    id::{CaseId, ObservationId, RequestForDataId, StepId, TransactionId, UserId, WorkflowId},
    json_object::JsonObject,
    json_text::JsonText,
};

/// One event.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Event {
    CaseAssigned(CaseAssigned),
    CaseClosed(CaseClosed),
    CaseCreated(CaseCreated),
    CaseUpdated(CaseUpdated),
    CaseCreationFailed(CaseCreationFailed),
    CaseWorkflowActioned(CaseWorkflowActioned),
    CaseWorkflowTransitioned(CaseWorkflowTransitioned),
    CaseCommented(CaseCommented),
    CaseTransactionDecisionUpdated(CaseTransactionDecisionUpdated),
    CaseObservationsFeedbackUpdated(CaseObservationsFeedbackUpdated),
    CaseObservationsActioned(CaseObservationsActioned),
    RequestForDataCreated(RequestForDataCreated),
}

/// Every name there is, in the document's order.
pub const NAMES: [&str; 12] = [
    "case.assigned",
    "case.closed",
    "case.created",
    "case.updated",
    "case.creation_failed",
    "case.workflow.actioned",
    "case.workflow.transitioned",
    "case.commented",
    "case.transaction.decision.updated",
    "case.observations.feedback.updated",
    "case.observations.actioned",
    "request_for_data.created",
];

/// A case was given to somebody, or taken from them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CaseAssigned {
    pub id: CaseId,
    pub user_id: UserId,
    /// Nobody, when null.
    pub assigned_to_user_id: Option<UserId>,
    pub metadata: Option<JsonObject>,
}

/// A case is done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CaseClosed {
    pub id: CaseId,
    pub user_id: UserId,
    pub resolution: Option<JsonText>,
    pub disposition_narrative: Option<String>,
    pub comment: Option<String>,
    pub close_reason: Option<String>,
    pub metadata: Option<JsonObject>,
}

/// There is a new case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CaseCreated {
    pub id: CaseId,
    pub user_id: UserId,
    /// The process that the case goes through: its workflow.
    pub process_id: WorkflowId,
    pub metadata: Option<JsonObject>,
}

/// Something of a case has changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CaseUpdated {
    pub id: CaseId,
}

/// A case that was taken in the background could not be made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CaseCreationFailed {
    pub id: CaseId,
}

/// Somebody acted on a case's workflow.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CaseWorkflowActioned {
    pub id: CaseId,
    pub user_id: UserId,
    pub action_name: String,
    pub comment: Option<String>,
    pub metadata: Option<JsonObject>,
}

/// A case moved from one step to another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CaseWorkflowTransitioned {
    pub id: CaseId,
    pub workflow_id: WorkflowId,
    pub from_step_id: StepId,
    pub to_step_id: StepId,
    pub user_id: UserId,
    pub action_name: String,
}

/// Somebody commented on a case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CaseCommented {
    pub id: CaseId,
    pub user_id: UserId,
    pub comment: String,
    pub metadata: Option<JsonObject>,
}

/// Somebody decided about a transaction of a case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CaseTransactionDecisionUpdated {
    pub id: CaseId,
    pub transaction_id: TransactionId,
    pub user_id: UserId,
    /// Null where the decision was taken back.
    pub decision: Option<TransactionDecision>,
}

/// What is to become of a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Enum)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum TransactionDecision {
    /// It is not to be carried out.
    Block,
    /// It may go on.
    Release,
}

/// Somebody gave feedback on an observation of a case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CaseObservationsFeedbackUpdated {
    pub id: CaseId,
    pub user_id: UserId,
    pub observation_id: ObservationId,
    /// Null where the feedback was taken back.
    pub feedback: Option<String>,
}

/// Somebody acted on an observation of a case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CaseObservationsActioned {
    pub id: CaseId,
    pub observation_id: ObservationId,
    pub action_name: ObservationAction,
    pub user_id: UserId,
    pub comment: Option<String>,
    /// The case's own. The document gives two names for it; this is the one that tells it from the observation's.
    pub case_metadata: Option<JsonObject>,
    pub observation_metadata: Option<JsonObject>,
    pub observation_custom_data: Option<JsonObject>,
}

/// What can be done with an observation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Enum)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[graphql(name = "ObservationActionName")]
pub enum ObservationAction {
    /// It is known, and nothing to look into.
    Whitelist,
}

/// An internal system is asked for data on a case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RequestForDataCreated {
    pub rfd_id: RequestForDataId,
    #[serde(rename = "type")]
    pub kind: String,
    pub case_id: CaseId,
}

impl Event {
    /// The document's name for it; one of [`NAMES`].
    pub fn name(&self) -> &'static str {
        match self {
            Self::CaseAssigned(_) => "case.assigned",
            Self::CaseClosed(_) => "case.closed",
            Self::CaseCreated(_) => "case.created",
            Self::CaseUpdated(_) => "case.updated",
            Self::CaseCreationFailed(_) => "case.creation_failed",
            Self::CaseWorkflowActioned(_) => "case.workflow.actioned",
            Self::CaseWorkflowTransitioned(_) => "case.workflow.transitioned",
            Self::CaseCommented(_) => "case.commented",
            Self::CaseTransactionDecisionUpdated(_) => "case.transaction.decision.updated",
            Self::CaseObservationsFeedbackUpdated(_) => "case.observations.feedback.updated",
            Self::CaseObservationsActioned(_) => "case.observations.actioned",
            Self::RequestForDataCreated(_) => "request_for_data.created",
        }
    }

    /// The case in whose order of events it stands.
    pub fn case_id(&self) -> &CaseId {
        match self {
            Self::CaseAssigned(event) => &event.id,
            Self::CaseClosed(event) => &event.id,
            Self::CaseCreated(event) => &event.id,
            Self::CaseUpdated(event) => &event.id,
            Self::CaseCreationFailed(event) => &event.id,
            Self::CaseWorkflowActioned(event) => &event.id,
            Self::CaseWorkflowTransitioned(event) => &event.id,
            Self::CaseCommented(event) => &event.id,
            Self::CaseTransactionDecisionUpdated(event) => &event.id,
            Self::CaseObservationsFeedbackUpdated(event) => &event.id,
            Self::CaseObservationsActioned(event) => &event.id,
            Self::RequestForDataCreated(event) => &event.case_id,
        }
    }

    /// The document's `data`, as JSON text.
    pub fn data(&self) -> String {
        // Plain text in plain structs, and texts that were read as JSON: all of it can be written.
        serde_json::to_string(self).unwrap_or_else(|error| panic!("an event is always writable: {error}"))
    }
}
