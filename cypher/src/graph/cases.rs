//! What is shown of cases and of what belongs to them: their workflows, comments, files, communications, requests for data.

use std::sync::Arc;

use graph_schema::case::{CaseTagRecord, CaseType, GatheredBy};
use graph_schema::date::Timestamp;
use graph_schema::edge::{CaseActorFields, CaseDecisionFields, CaseObservationFields, CaseTransactionFields};
use graph_schema::event::ObservationAction;
use graph_schema::id::{CaseId, ObservationId, StepId, WorkflowId};
use graph_schema::json_object::JsonObject;
use graph_schema::request_for_data::RequestStatus;
use graph_schema::workflow::StepState;

use super::orders::{Sort, ascending, descending};
use super::row::{Columns, FromValue, columns};
use crate::Value;

/// What a list shows of a case.
#[derive(Debug, Clone, PartialEq)]
pub struct CaseSummary {
    pub version: i64,
    pub kind: CaseType,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub workflow_id: WorkflowId,
    pub step_id: StepId,
    pub status: String,
    pub state: StepState,
    /// Why it was closed last.
    pub close_reason: Option<String>,
    /// Who made it, by id; nobody knows of some that an older program made.
    pub created_by: Option<Arc<str>>,
    pub step_since: Timestamp,
    pub due_at: Option<Timestamp>,
    /// Null while it is open.
    pub closed_at: Option<Timestamp>,
    /// The highest band of the actors that it focuses on: 3 is the highest, 0 none.
    pub risk: i64,
    /// When the service came to have it.
    pub recorded_at: Timestamp,
    /// Of a case in which detection gathers findings.
    pub gathered_by: Option<GatheredBy>,
}

columns!(CaseSummary {
    version: "{b}.version",
    kind: "{b}.type",
    created_at: "{b}.createdAt",
    updated_at: "{b}.updatedAt",
    workflow_id: "{b}.workflowId",
    step_id: "{b}.stepId",
    status: "{b}.status",
    state: "{b}.state",
    close_reason: "{b}.closeReason",
    created_by: "{b}.createdBy",
    step_since: "coalesce({b}.stepSince, {b}.createdAt)",
    due_at: "{b}.dueAt",
    closed_at: "{b}.closedAt",
    risk: "coalesce({b}.riskOrder, 0)",
    recorded_at: "coalesce({b}.recordedAt, {b}.createdAt)",
    gathered_by: "{b}.gatheredBy",
});

columns!(CaseActorFields { kind: "type({r})", decision: "{r}.decision", custom_properties: "{r}.customProperties", custom_data: "{r}.customData" });
columns!(CaseObservationFields { feedback: "{r}.feedback", action: "{r}.action" });
columns!(CaseDecisionFields { decision: "{r}.decision", decided_by: "{r}.by", decided_at: "{r}.at", comment: "{r}.comment" });

/// The same in one column: a list in the order of the columns.
impl FromValue for CaseDecisionFields {
    fn from_value(value: &Value) -> Option<Self> {
        Self::read(value.as_list()).ok()
    }
}

columns!(CaseTagRecord { id: "{b}.id", label: "{b}.label" });

/// Actors that a case focuses on come first.
pub(super) const FOCAL_FIRST: &[Sort] = &[Sort { name: "TYPE", keys: &[descending("type({r})"), ascending("{b}.id")] }];

/// Payments that an observation of a case cites, and those whose owner or counterparty is an actor of the case: those about which one may decide in it, as
/// `case/lock` finds them.
pub(super) const TRANSACTIONS_OF_CASE: &str = "({n})-[:RAISED_FROM|FOCUSES_ON|CONCERNS]->({i})-[:CITES|OWNED_BY|INVOLVES]-({b}:Transaction)";
/// Each of them once. The case is carried along, as the columns ask about both.
pub(super) const ONCE_IN_CASE: &str = "DISTINCT {n}, {b}";

// Asked of the rows of a page alone, from the payment on: a case may have a great many of both. There is one decision at most, which the next one replaces.
columns!(CaseTransactionFields {
    observation_ids: "[({b})<-[:CITES]-(x:Observation)<-[:RAISED_FROM]-({n}) | x.id]",
    decided: "head([({b})<-[x:DECIDED_ON]-({n}) | [x.decision, x.by, x.at, x.comment]])",
});

/// What people recognise a case by: an actor that it focuses on, or the rule of an observation that it was raised from.
#[derive(Debug, Clone, PartialEq)]
pub struct CaseTitlePart {
    pub is_actor: bool,
    pub name: String,
}

// What an observation has no behaviour of is called by its caption; actors have no behaviour.
columns!(CaseTitlePart { is_actor: "type({r}) = 'FOCUSES_ON'", name: "coalesce({b}.behaviorName, {b}.name)" });

/// A step of a workflow.
#[derive(Debug, Clone, PartialEq)]
pub struct StepSummary {
    pub step_id: StepId,
    pub label: String,
    pub status: String,
    pub state: StepState,
    /// Seconds.
    pub due_within: Option<i64>,
}

columns!(StepSummary { step_id: "{b}.stepId", label: "{b}.label", status: "{b}.status", state: "{b}.state", due_within: "{b}.dueWithin" });

/// What somebody thinks of an observation of a case.
#[derive(Debug, Clone, PartialEq)]
pub struct FeedbackSummary {
    pub feedback: String,
    pub user_id: Arc<str>,
    pub created_at: Timestamp,
    pub case_id: CaseId,
    pub observation_id: ObservationId,
}

columns!(FeedbackSummary {
    feedback: "{b}.feedback",
    user_id: "{b}.userId",
    created_at: "{b}.createdAt",
    case_id: "{b}.caseId",
    observation_id: "{b}.observationId",
});

/// What somebody did with an observation of a case.
#[derive(Debug, Clone, PartialEq)]
pub struct ObservationActionSummary {
    pub action: ObservationAction,
    pub user_id: Arc<str>,
    pub created_at: Timestamp,
    pub comment: Option<String>,
}

columns!(ObservationActionSummary { action: "{b}.action", user_id: "{b}.userId", created_at: "{b}.createdAt", comment: "{b}.comment" });

/// What somebody said of a case.
#[derive(Debug, Clone, PartialEq)]
pub struct CommentSummary {
    pub text: String,
    pub user_id: Arc<str>,
    pub created_at: Timestamp,
}

columns!(CommentSummary { text: "{b}.text", user_id: "{b}.userId", created_at: "{b}.createdAt" });

/// What somebody wrote to somebody; others may only have named it.
#[derive(Debug, Clone, PartialEq)]
pub struct CommunicationSummary {
    pub known: bool,
    pub kind: Option<String>,
    pub subject: Option<String>,
    pub content: Option<String>,
    pub sender_id: Option<String>,
    pub receiver_id: Option<String>,
    pub created_at: Option<Timestamp>,
    pub sent_at: Option<Timestamp>,
    pub recorded_at: Option<Timestamp>,
    pub metadata: Option<JsonObject>,
    pub custom_data: Option<JsonObject>,
}

columns!(CommunicationSummary {
    known: "NOT {b}:Placeholder",
    kind: "{b}.communicationType",
    subject: "{b}.subject",
    content: "{b}.content",
    sender_id: "{b}.senderId",
    receiver_id: "{b}.receiverId",
    created_at: "{b}.createdAt",
    sent_at: "{b}.sentAt",
    recorded_at: "{b}.recordedAt",
    metadata: "{b}.metadata",
    custom_data: "{b}.customData",
});

/// A file of a case.
#[derive(Debug, Clone, PartialEq)]
pub struct FileSummary {
    pub given_name: String,
    pub media_type: String,
    pub size: i64,
    pub sha256: String,
    pub uploaded_at: Timestamp,
    pub uploaded_by: String,
}

columns!(FileSummary {
    given_name: "{b}.givenName",
    media_type: "{b}.mediaType",
    size: "{b}.size",
    sha256: "{b}.sha256",
    uploaded_at: "{b}.uploadedAt",
    uploaded_by: "{b}.uploadedBy",
});

/// What a system is asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct RequestSummary {
    pub kind: String,
    pub status: RequestStatus,
    pub request: JsonObject,
    pub created_at: Timestamp,
    pub due_at: Timestamp,
    pub requested_by: String,
    pub ended_at: Option<Timestamp>,
    pub ended_by: Option<String>,
    pub reason: Option<String>,
}

columns!(RequestSummary {
    kind: "{b}.type",
    status: "{b}.status",
    request: "{b}.request",
    created_at: "{b}.createdAt",
    due_at: "{b}.dueAt",
    requested_by: "{b}.requestedBy",
    ended_at: "{b}.endedAt",
    ended_by: "{b}.endedBy",
    reason: "{b}.reason",
});

/// The shape of requests for data of one type.
#[derive(Debug, Clone, PartialEq)]
pub struct RequestSchemaSummary {
    pub schema: JsonObject,
    pub created_at: Timestamp,
    /// Seconds.
    pub due_within: Option<i64>,
}

columns!(RequestSchemaSummary { schema: "{b}.schema", created_at: "{b}.createdAt", due_within: "{b}.dueWithin" });

/// What is shown of a workflow besides its steps.
#[derive(Debug, Clone, PartialEq)]
pub struct WorkflowSummary {
    pub kind: CaseType,
    pub version: i64,
    pub hidden: bool,
    /// Those that are there from the start have none: their time is kept as 0.
    pub created_at: Option<Timestamp>,
}

columns!(WorkflowSummary {
    kind: "{b}.type",
    version: "{b}.version",
    hidden: "{b}.hidden",
    created_at: "CASE WHEN {b}.createdAt = 0 THEN null ELSE {b}.createdAt END",
});
