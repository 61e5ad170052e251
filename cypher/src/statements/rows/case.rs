//! Rows about cases.

use std::sync::Arc;

use graph_schema::case::CaseType;
use graph_schema::workflow::StepState;
use serde::Deserialize;

use super::{CaseAssignee, LockedCaseObservation, LockedCaseTransaction, ObservedActor, SchemaRow};

/// `case/lock`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LockedCase {
    pub id: String,
    pub version: i64,
    pub event_sequence: i64,
    pub workflow: String,
    pub step: String,
    pub step_id: String,
    pub status: String,
    pub state: StepState,
    pub assignee: Option<String>,
    pub metadata: Option<String>,
    pub resolution: Option<String>,
    pub custom_properties: Option<String>,
    pub jurisdiction: Option<String>,
    /// Logical times by field, as JSON.
    pub field_times: Option<String>,
    /// When it was made.
    pub logical_time: Option<i64>,
    /// What the logical clock shows.
    pub clock: Option<i64>,
    pub moves: Vec<CaseMove>,
    pub requests: Vec<OpenRequest>,
    pub observations: Vec<LockedCaseObservation>,
    pub transactions: Vec<LockedCaseTransaction>,
    pub actors: Vec<LockedCaseActor>,
    pub users: Vec<CaseAssignee>,
    pub tags: Vec<String>,
    pub definitions: Vec<SchemaRow>,
}

/// A request for data on a case that nobody has answered yet.
#[derive(Debug, Clone, Deserialize)]
pub struct OpenRequest {
    pub id: String,
    /// The node of the step that the case was on before.
    pub step_before: String,
    /// The node of the step on which the case waits for the answer.
    pub waits_at: String,
}

/// A move that a case may make: the action, and the step it leads to.
#[derive(Debug, Clone, Deserialize)]
pub struct CaseMove {
    pub action: String,
    pub step: String,
    pub step_id: String,
    pub status: String,
    pub state: StepState,
}

/// `case/lock_actors`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LockedCaseActors {
    pub id: String,
    pub version: i64,
    pub event_sequence: i64,
    /// Logical times by field, as JSON.
    pub field_times: Option<String>,
    /// When it was made.
    pub logical_time: Option<i64>,
    /// What the logical clock shows.
    pub clock: Option<i64>,
    pub actors: Vec<LockedCaseActor>,
    pub requests: Vec<OpenRequest>,
    pub answered: Vec<AnsweredRequest>,
    pub definitions: Vec<SchemaRow>,
}

/// `case/lock_contents`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LockedCaseContents {
    pub id: String,
    pub version: i64,
    pub event_sequence: i64,
    pub kind: CaseType,
    pub workflow: String,
    pub created_at: i64,
    pub metadata: Option<String>,
    pub resolution: Option<String>,
    pub custom_properties: Option<String>,
    /// Logical times by field, as JSON.
    pub field_times: Option<String>,
    /// When it was made.
    pub logical_time: Option<i64>,
    /// What the logical clock shows.
    pub clock: Option<i64>,
    pub actors: Vec<LockedCaseActor>,
    pub observations: Vec<String>,
    pub communications: Vec<LockedCommunication>,
    pub requests: Vec<OpenRequest>,
    pub answered: Vec<AnsweredRequest>,
    pub definitions: Vec<SchemaRow>,
}

/// A communication as it is described.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LockedCommunication {
    pub id: String,
    /// Whether it is the case's.
    pub linked: bool,
    /// Whether anybody has described it.
    pub known: bool,
    /// When it was described as a whole: what it has not was said then, too.
    pub record_time: Option<i64>,
    pub communication_type: Option<String>,
    pub subject: Option<String>,
    pub content: Option<String>,
    pub metadata: Option<String>,
    pub custom_data: Option<String>,
    pub sender_id: Option<String>,
    pub receiver_id: Option<String>,
    pub created_at: Option<i64>,
    pub sent_at: Option<i64>,
    /// When it was described last.
    pub logical_time: Option<i64>,
    /// Those of its parties that are actors.
    pub senders: Vec<String>,
    pub receivers: Vec<String>,
}

/// A request for data that was completed, and what has completed it.
#[derive(Debug, Clone, Deserialize)]
pub struct AnsweredRequest {
    pub id: String,
    pub by: String,
}

#[derive(Debug, Clone, Deserialize)]
pub struct LockedCaseActor {
    pub id: String,
    pub link: CaseLink,
    pub decision: Option<String>,
    pub custom_data: Option<String>,
    pub custom_properties: Option<String>,
}

/// How a case is linked to an actor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum CaseLink {
    FocusesOn,
    Concerns,
}

/// `case/prepare`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PreparedCase {
    pub id: String,
    pub record: Option<String>,
    pub workflow: String,
    pub step: String,
    pub step_id: String,
    pub status: String,
    pub state: StepState,
    /// What the logical clock shows.
    pub clock: Option<i64>,
    /// Those that come with it and are there.
    pub communications: Vec<LockedCommunication>,
    /// Of the cases that it is to report on, those that are there and are analyses.
    pub analyses: Vec<String>,
    /// What it reports on already.
    pub reported: Vec<String>,
}

/// `case/prepare_alerts`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PreparedAlerts {
    pub id: String,
    /// Whether the case is there already.
    pub is_made: bool,
    pub step: String,
    pub step_id: String,
    pub status: String,
    pub state: StepState,
    /// Those that are there, by id.
    pub observations: Vec<PreparedAlert>,
}

/// An observation that a case is to be raised from.
#[derive(Debug, Clone, Deserialize)]
pub struct PreparedAlert {
    pub id: String,
    /// Whether its record has come.
    pub known: bool,
    /// Whether somebody has given feedback on it, acted on it or dismissed it.
    pub handled: bool,
    pub actors: Vec<ObservedActor>,
    /// Ids of the cases that were raised from it.
    pub cases: Vec<String>,
}

/// `case/lock_alerts`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LockedAlerts {
    pub id: String,
    pub version: i64,
    pub event_sequence: i64,
    pub step_id: String,
    pub status: String,
    pub state: StepState,
    pub assignee: Option<String>,
    /// What may be done now.
    pub actions: Vec<String>,
    /// Logical times by field, as JSON.
    pub field_times: Option<String>,
    /// When the case was made.
    pub logical_time: Option<i64>,
    /// What the logical clock shows.
    pub clock: Option<i64>,
    /// Those that are there, by id.
    pub observations: Vec<AlertToAdd>,
}

/// An observation that is to be added to a case: as [`PreparedAlert`].
#[derive(Debug, Clone, Deserialize)]
pub struct AlertToAdd {
    pub id: String,
    pub known: bool,
    pub handled: bool,
    pub actors: Vec<ObservedActor>,
    pub cases: Vec<String>,
    /// Those of its actors that are the case's.
    pub linked: Vec<String>,
}

/// `case/prepare_raised`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RaisedCase {
    pub id: String,
    pub record: Option<String>,
    pub step: String,
    pub step_id: String,
    pub status: String,
    pub state: StepState,
    pub actors: Vec<ObservedActor>,
}

/// `case/read`.
#[derive(Debug, Clone, Deserialize)]
pub struct CaseRow {
    pub id: String,
    pub fields: CaseFields,
    pub workflow: CaseWorkflow,
    pub actors: Vec<CaseActor>,
    pub observations: Vec<CaseObservation>,
    pub tags: Vec<CaseTag>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CaseFields {
    pub created_at: i64,
    pub updated_at: i64,
    #[serde(rename = "type")]
    pub kind: CaseType,
    pub source: Option<String>,
    pub jurisdiction: Option<String>,
    pub narrative: Option<String>,
    pub metadata: Option<String>,
    pub resolution: Option<String>,
    pub custom_properties: Option<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CaseWorkflow {
    pub id: String,
    pub name: String,
    #[serde(rename = "type")]
    pub kind: CaseType,
    pub version: i64,
    pub step_id: String,
    pub status: String,
    pub state: StepState,
}

#[derive(Debug, Clone, Deserialize)]
pub struct CaseActor {
    pub id: String,
    pub link: CaseLink,
    pub decision: Option<String>,
    pub custom_properties: Option<String>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct CaseObservation {
    pub id: String,
    pub feedback: Option<String>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct CaseTag {
    pub id: String,
    pub label: String,
}

/// `case/earlier`.
#[derive(Debug, Clone, Deserialize)]
pub struct EarlierCases {
    pub id: String,
    pub cases: Vec<EarlierCase>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct EarlierCase {
    pub id: Arc<str>,
    pub name: Arc<str>,
}
