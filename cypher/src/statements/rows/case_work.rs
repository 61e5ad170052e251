//! What the statements about people's work on cases answer with, and those about requests for data.

use graph_schema::event::{ObservationAction, TransactionDecision};
use graph_schema::request_for_data::RequestStatus;
use serde::Deserialize;

/// An observation that a case was raised from, for `case/lock`.
#[derive(Debug, Clone, Deserialize)]
pub struct LockedCaseObservation {
    pub id: String,
    /// What was said of it last.
    pub feedback: Option<String>,
    /// What was done with it.
    pub action: Option<ObservationAction>,
    pub metadata: Option<String>,
    pub custom_data: Option<String>,
}

/// A transaction that somebody has named to a case, for `case/lock`.
#[derive(Debug, Clone, Deserialize)]
pub struct LockedCaseTransaction {
    pub id: String,
    /// Whether it is one of the case's.
    pub of_case: bool,
    pub decision: Option<TransactionDecision>,
}

/// A user to whom a case is to be assigned, for `case/lock`.
#[derive(Debug, Clone, Deserialize)]
pub struct CaseAssignee {
    pub id: String,
    /// Null for a placeholder.
    pub enabled: Option<bool>,
}

/// `request_for_data/read`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RequestRow {
    pub id: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub case_id: String,
    pub status: RequestStatus,
    pub request: String,
    pub created_at: i64,
    pub due_at: i64,
    pub reason: Option<String>,
}

/// `request_for_data/lock_answer`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LockedAnswer {
    pub id: String,
    pub version: i64,
    pub event_sequence: i64,
    /// That of the request; none where it is not the case's.
    pub statuses: Vec<RequestStatus>,
    /// By what it was answered.
    pub answered: Vec<String>,
    /// Those that were asked for and are the case's.
    pub actors: Vec<String>,
    pub communications: Vec<String>,
    pub files: Vec<String>,
}

/// `request_for_data/read_schema`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RequestSchemaRow {
    pub id: String,
    pub schema: String,
    pub created_at: i64,
    /// Seconds.
    pub due_within: Option<i64>,
}
