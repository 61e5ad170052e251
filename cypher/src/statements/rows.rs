//! What the statements answer with, by area: a field for each column that a statement's header names.
//!
//! A map or list within a row is a struct too, of that map's fields or that list's items. `Option` is what may be null.

use std::sync::Arc;

use graph_schema::audit::LogType;
use graph_schema::bulk::{BulkItemState, BulkList};
use graph_schema::case::CaseType;
use graph_schema::transaction::Direction;
use graph_schema::workflow::StepState;
use serde::Deserialize;

mod case_work;
mod delivery;
mod observation;
mod webhook;

pub use case_work::{LockedCaseObservation, LockedCaseTransaction, RequestRow, RequestSchemaRow};
pub use delivery::{BacklogRow, CancelledRow, ClaimedLane, HeadDelivery, LaneHead, LaneWebhook, PendingEvent, Subscriber, TakenEvent};
pub use observation::{KnownObservation, LockedObservation, MissingRow, ObservationFields, ObservationLink, ObservationRow, ObservedActor};
pub use webhook::{FailedDeliveries, LockedDelivery, LockedWebhook, WokenRow};

/// What is there, by its id alone.
#[derive(Debug, Clone, Deserialize)]
pub struct IdRow {
    pub id: String,
}

/// A record as it was given.
#[derive(Debug, Clone, Deserialize)]
pub struct RecordRow {
    pub id: String,
    /// Null for a placeholder.
    pub record: Option<Arc<str>>,
}

/// A count, in the one row of an answer.
#[derive(Debug, Clone, Deserialize)]
pub struct TotalRow {
    pub total: i64,
}

/// `account/lock`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LockedAccount {
    pub id: String,
    pub as_of_date: Option<String>,
    pub record: Option<String>,
    pub version: Option<String>,
    pub numbers: Vec<String>,
}

/// `account/lock_roles`.
#[derive(Debug, Clone, Deserialize)]
pub struct LockedRoles {
    pub id: String,
    pub roles: i64,
}

/// `account/make_external`.
#[derive(Debug, Clone, Deserialize)]
pub struct ExternalAccount {
    pub id: String,
    pub leaving: bool,
}

/// `actor/lock`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LockedActor {
    pub id: String,
    pub as_of_date: Option<String>,
    pub record: Option<String>,
    pub version: Option<String>,
}

/// `bulk/lock`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LockedBulkRequest {
    pub id: String,
    pub body_hash: Option<String>,
}

/// `bulk/next_part`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BulkPartRow {
    pub id: String,
    pub list: BulkList,
    pub body: Arc<str>,
    pub first: i64,
    pub received_at: i64,
    pub user_id: String,
    pub user_name: String,
    pub user_role: String,
    pub means: String,
    #[serde(rename = "userIP")]
    pub user_ip: Option<String>,
    pub request_id: Arc<str>,
}

/// `bulk/due` and `bulk/waiting_sizes`.
#[derive(Debug, Clone, Deserialize)]
pub struct DueItem {
    pub id: String,
    pub size: i64,
}

/// `bulk/before`.
#[derive(Debug, Clone, Deserialize)]
pub struct EarlierItem {
    pub list: BulkList,
    pub subject: String,
    pub id: String,
}

/// `bulk/recorded`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RecordedRow {
    pub kind: String,
    pub id: String,
    pub recorded_at: Option<i64>,
}

/// `bulk/waiting`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WaitingItem {
    pub id: String,
    pub list: BulkList,
    pub body: Arc<str>,
    pub attempts: i64,
    pub created_at: i64,
    pub user_id: String,
    pub user_name: String,
    pub user_role: String,
    pub means: String,
    #[serde(rename = "userIP")]
    pub user_ip: Option<String>,
    pub request_id: Arc<str>,
}

/// `bulk/next_due`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DueRow {
    pub due_at: i64,
}

/// `bulk/present`.
#[derive(Debug, Clone, Deserialize)]
pub struct PresentRow {
    pub kind: String,
    pub id: String,
}

/// `bulk/case_status`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CaseStatusRow {
    pub item: String,
    pub state: BulkItemState,
    pub missing: Vec<String>,
    pub attempts: i64,
    pub created_at: i64,
    pub processed_at: Option<i64>,
    pub due_at: Option<i64>,
}

/// `bulk/progress`.
#[derive(Debug, Clone, Deserialize)]
pub struct BulkProgress {
    pub id: String,
    pub pending: Vec<PendingItems>,
    pub troubled: Vec<TroubledItems>,
}

/// Items of a list that were not looked at yet.
#[derive(Debug, Clone, Deserialize)]
pub struct PendingItems {
    pub list: BulkList,
    pub items: i64,
}

/// Items of a list that wait or have failed.
#[derive(Debug, Clone, Deserialize)]
pub struct TroubledItems {
    pub list: BulkList,
    pub state: BulkItemState,
    pub items: i64,
}

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
    pub moves: Vec<CaseMove>,
    pub requests: Vec<OpenRequest>,
    pub observations: Vec<LockedCaseObservation>,
    pub transactions: Vec<LockedCaseTransaction>,
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
    pub actors: Vec<LockedCaseActor>,
    pub requests: Vec<OpenRequest>,
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

/// `channel_location/lock`.
#[derive(Debug, Clone, Deserialize)]
pub struct LockedLocation {
    pub id: String,
    pub record: Option<String>,
}

/// `credential/find_key`.
#[derive(Debug, Clone, Deserialize)]
pub struct KeyRow {
    pub id: String,
    pub role: String,
    pub name: String,
}

/// `credential/find_client`.
#[derive(Debug, Clone, Deserialize)]
pub struct ClientRow {
    pub id: String,
    pub role: String,
    pub name: String,
    pub hash: String,
}

/// `credential/list_keys`, `credential/list_clients`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CredentialRow {
    pub id: String,
    pub name: String,
    pub role: String,
    pub created_at: i64,
    pub revoked_at: Option<i64>,
}

/// `credential/lock_key`, `credential/lock_client`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LockedCredential {
    pub id: String,
    pub revoked_at: Option<i64>,
}

/// `workflow/lock`.
#[derive(Debug, Clone, Deserialize)]
pub struct LockedWorkflow {
    pub id: String,
    /// Null for one that is new.
    pub version: Option<i64>,
    pub record: Option<String>,
}

/// `custom_property/read`.
#[derive(Debug, Clone, Deserialize)]
pub struct SchemaRow {
    pub id: String,
    pub schema: String,
}

/// `custom_property/lock`, `request_for_data/lock_schema`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DatedSchemaRow {
    pub id: String,
    pub schema: String,
    pub created_at: i64,
}

/// `file/own_store`.
#[derive(Debug, Clone, Deserialize)]
pub struct OwnStoreRow {
    pub prefix: String,
}

/// `file/read`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileRow {
    pub id: String,
    pub name: String,
    pub media_type: String,
    pub size: i64,
    pub key: String,
}

/// `idempotency/find`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AnsweredRow {
    pub id: String,
    pub body_hash: String,
    pub answer: Arc<str>,
    pub created_at: i64,
}

/// `idempotency/forget`.
#[derive(Debug, Clone, Deserialize)]
pub struct ForgottenRow {
    pub forgotten: i64,
}

/// `job/look`.
#[derive(Debug, Clone, Deserialize)]
pub struct JobRow {
    pub id: String,
    /// Null: work waits for it.
    pub state: Option<JobState>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct JobState {
    pub runs: i64,
    pub due_at: i64,
    pub rest_until: i64,
    pub lease_until: i64,
    pub failures: i64,
    pub succeeded_at: i64,
}

/// `segmentation/prepare_category`, `segmentation/prepare_group`.
#[derive(Debug, Clone, Deserialize)]
pub struct PreparedSegment {
    /// Of the name.
    pub id: String,
    /// Whose name it is.
    pub holder: Option<String>,
    /// Whether that is there which it is to belong to.
    pub ready: bool,
}

/// `segmentation/lock_category`, `segmentation/lock_group`.
#[derive(Debug, Clone, Deserialize)]
pub struct LockedSegment {
    pub id: String,
    /// Null where it is not there, and then so is its name.
    pub subject: Option<String>,
    pub name: Option<String>,
    pub description: Option<String>,
    pub holder: Option<String>,
}

/// `segmentation/find_member`.
#[derive(Debug, Clone, Deserialize)]
pub struct FoundMember {
    pub id: String,
    pub actor: Option<String>,
    pub group: Option<String>,
}

/// `segmentation/lock_owner`.
#[derive(Debug, Clone, Deserialize)]
pub struct LockedOwner {
    pub id: String,
    pub group: Option<String>,
    pub actor: Option<String>,
    pub owns: bool,
}

/// `user/prepare`.
#[derive(Debug, Clone, Deserialize)]
pub struct PreparedUser {
    /// Of the name.
    pub id: String,
    /// Whose name it is.
    pub holder: Option<String>,
    pub user: Option<String>,
}

/// `user/lock`. All but the id is null where there is no such user.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LockedUser {
    pub id: String,
    pub user: Option<String>,
    pub username: Option<String>,
    pub first_name: Option<String>,
    pub last_name: Option<String>,
    pub enabled: Option<bool>,
    pub groups: Option<Vec<String>>,
    pub holder: Option<String>,
}

/// `user/find`.
#[derive(Debug, Clone, Deserialize)]
pub struct UserRow {
    pub id: String,
    pub username: String,
    pub enabled: bool,
    pub groups: Vec<String>,
}

/// `trail/entries`.
#[derive(Debug, Clone, Deserialize)]
pub struct EntryRow {
    pub entry: AuditEntry,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AuditEntry {
    pub id: String,
    pub timestamp: i64,
    pub action: String,
    pub domain: String,
    pub log_type: LogType,
    pub object_type: String,
    pub object_id: Option<String>,
    pub case_id: Option<String>,
    pub user_id: Option<String>,
    pub user_name: Option<String>,
    pub user_role: Option<String>,
    pub means: Option<String>,
    #[serde(rename = "userIP")]
    pub user_ip: Option<String>,
    pub request_id: Option<String>,
    pub notes: Option<String>,
    pub old_value: Option<String>,
    pub new_value: Option<String>,
    pub action_result: String,
}

/// `identifier/read`.
#[derive(Debug, Clone, Deserialize)]
pub struct NumberRow {
    pub id: String,
    pub name: Option<String>,
    pub holders: Vec<NumberHolder>,
    pub named: Vec<String>,
    pub moving: bool,
}

#[derive(Debug, Clone, Deserialize)]
pub struct NumberHolder {
    pub account: String,
    pub source: NumberSource,
}

/// Why an account has a number: its own record names it, or payments do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum NumberSource {
    Record,
    Payment,
}

/// `payment_move/list`.
#[derive(Debug, Clone, Deserialize)]
pub struct MovingRow {
    pub account: String,
}

/// `payment_move/lock`.
#[derive(Debug, Clone, Deserialize)]
pub struct LockedMove {
    pub id: String,
    pub external: bool,
}

/// `payment_move/left`, `payment_move/left_of_external`.
#[derive(Debug, Clone, Deserialize)]
pub struct LeftPayment {
    pub id: String,
    pub numbers: Option<Vec<String>>,
}

/// `payment_move/places`.
#[derive(Debug, Clone, Deserialize)]
pub struct PlacedPayment {
    pub id: String,
    pub numbers: Option<Vec<String>>,
    pub place: Option<String>,
}

/// `transaction/lock`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LockedPayment {
    pub id: String,
    pub record: String,
    /// True for one that is in a roll-up; else null.
    pub counted: Option<bool>,
    pub direction: Direction,
    pub currency: String,
    pub units: i64,
    pub nanos: i64,
    pub standard_units: i64,
    pub standard_nanos: i64,
    pub created_at: i64,
    pub numbers: Option<Vec<String>>,
    pub from: Option<String>,
    pub to: Option<String>,
    pub device: Option<String>,
    pub ip: Option<String>,
}

/// `transaction/record`, `transaction/record_one_sided`.
#[derive(Debug, Clone, Deserialize)]
pub struct RecordedPayments {
    pub ids: Vec<String>,
}
