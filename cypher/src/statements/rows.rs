//! What the statements answer with, by area: a field for each column that a statement's header names.
//!
//! A map or list within a row is a struct too, of that map's fields or that list's items. `Option` is what may be null.

use std::sync::Arc;

use graph_schema::audit::LogType;
use graph_schema::transaction::Direction;
use serde::Deserialize;

mod bulk;
mod case;
mod case_count;
mod case_work;
mod change_feed;
mod credential;
mod delivery;
mod detection;
mod job_instance;
mod live;
mod numbers;
mod observation;
mod read_cache;
mod risk;
mod screening;
mod stream;
mod watchlist;
mod webhook;

pub use bulk::{
    BulkPartRow, BulkProgress, CaseLinksRow, CaseStatusRow, DueItem, DueRow, EarlierItem, LockedBulkRequest, PendingItems, PresentRow, SenderRow,
    TickRow, TroubledItems, WaitingItem,
};
pub use case::{
    AlertToAdd, AnsweredRequest, CaseActor, CaseFields, CaseLink, CaseMove, CaseObservation, CaseRow, CaseTag, CaseWorkflow, EarlierCase,
    EarlierCases, LockedAlerts, LockedCase, LockedCaseActor, LockedCaseActors, LockedCaseContents, LockedCommunication, OpenRequest, PreparedAlert,
    PreparedAlerts, PreparedCase, RaisedCase,
};
pub use case_count::{CaseCell, CaseCounting, CaseCounts, UncountedCase, UncountedCaseRow};
pub use case_work::{CaseAssignee, LockedAnswer, LockedCaseObservation, LockedCaseTransaction, RequestRow, RequestSchemaRow};
pub use change_feed::{ChangeFeedState, ChangeSetRow, NamedEvent, SequencedRow, SetEvents, ToldEvent, UnsequencedRow};
pub use credential::{ClientRow, CredentialRow, KeyRow, LockedCredential, PrincipalRow};
pub use delivery::{BacklogRow, CancelledRow, ClaimedLane, HeadDelivery, LaneHead, LaneWebhook, PendingEvent, PendingEvents, Subscriber, TakenEvent};
pub use detection::{
    AddedRule, DetectionRunRow, EarlierFinding, FeedbackOutcome, FormerPayment, KnownRun, LockedRule, LockedSnooze, MonitoredActor, OpenCase,
    OpenCases, OpenedAccount, OutcomeRow, OwnedGroup, RunJobRow, ShownRun, SnoozeRow, SnoozedRule, StandingFinding, TuningRow,
};
pub use job_instance::{ClaimedJob, DueJob, HeldJob, JobInstanceRow, LockedJob, PreparedJob, ShownJob};
pub use live::{AssigneeRow, FirstEntry, LiveEntry, LiveLook, WebhookDeliveries};
pub use numbers::{LeftPayment, LockedMove, MovingRow, NumberHolder, NumberRow, PlacedPayment, SeenHolder};
pub use observation::{
    DismissedObservation, EvidenceActor, EvidencePayment, EvidenceRow, KnownObservation, LockedObservation, MissingRow, ObservationFields,
    ObservationLink, ObservationRow, ObservedActor,
};
pub use read_cache::{CacheNoteRow, CacheWriterRow};
pub use risk::{DatedAssessment, HeldAccount, Holder, OwnedActor, OwningActor, RiskFactsRow, ScoredActorRow, StoredScore, TransferEnd};
pub use screening::{
    AccountPayment, ClearanceRow, ClearedEntry, LockedClearance, PendingPayments, PendingScreening, RecordedActorRow, ScreenedActorRow, ScreeningRow,
};
pub use stream::{CheckedPair, FlowRow, FlowTally, PaymentRow, RollUp, RollUpRow, SenderTransfers, TransferTally};
pub use watchlist::{
    AbandonedImport, BegunImport, FormerEntry, ImportingWatchlist, KeyedEntry, ListedEntry, LockedWatchlist, StreamedEntry, WatchlistEntryRow,
    WatchlistRow, WatchlistState, WatchlistUpload, WatchlistVersionRow,
};
pub use webhook::{DeliveryStatisticsRow, FailedDeliveries, LockedDelivery, LockedWebhook, UntoldEvent, UntoldEvents, WakingWebhook, WokenRow};

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
    pub logical_time: Option<i64>,
    pub now: Option<i64>,
    pub numbers: Vec<String>,
}

/// `account/lock_roles`: a row for each role that an actor has on an account or had, or one without.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LockedRole {
    pub id: String,
    pub now: Option<i64>,
    pub link: Option<RoleLink>,
    pub role: Option<String>,
    pub as_of_date: Option<String>,
    pub logical_time: Option<i64>,
    pub removed_time: Option<i64>,
    pub since: Option<i64>,
    pub until: Option<i64>,
}

/// Whether an actor has a role on an account, or had it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum RoleLink {
    HasRole,
    HadRole,
}

/// `account/lock_hinted`.
#[derive(Debug, Clone, Deserialize)]
pub struct HintedAccount {
    pub id: String,
    /// Whether it has a record.
    pub recorded: bool,
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
    pub logical_time: Option<i64>,
    pub now: Option<i64>,
    /// None where the record came when actors were not screened.
    pub screened_facts: Option<String>,
}

/// `channel_location/lock`.
#[derive(Debug, Clone, Deserialize)]
pub struct LockedLocation {
    pub id: String,
    pub record: Option<String>,
}

/// `workflow/lock`.
#[derive(Debug, Clone, Deserialize)]
pub struct LockedWorkflow {
    pub id: String,
    /// Null for one that is new.
    pub version: Option<i64>,
    pub record: Option<String>,
}

/// What a custom property must be like: `custom_property/read`, `case/lock`, `case/lock_actors`.
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

/// `idempotency/forget` and `forget_key`.
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
    /// Who had the last lease; empty where it was given back.
    pub holder: Option<String>,
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
#[serde(rename_all = "camelCase")]
pub struct FoundMember {
    pub id: String,
    pub actor: Option<String>,
    pub group: Option<String>,
    pub removed_time: Option<i64>,
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
    pub name: String,
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

/// `transaction/lock`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LockedPayment {
    pub id: String,
    pub record: String,
    pub logical_time: Option<i64>,
    pub now: Option<i64>,
    /// True for one that is in a roll-up; else null.
    pub counted: Option<bool>,
    pub direction: Direction,
    pub currency: String,
    pub units: i64,
    pub nanos: i64,
    pub standard_units: i64,
    pub standard_nanos: i64,
    pub created_at: i64,
    pub recorded_at: i64,
    pub numbers: Option<Vec<String>>,
    pub from: Option<String>,
    pub to: Option<String>,
    pub device: Option<String>,
    pub ip: Option<String>,
}

/// `transaction/times`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TimeRow {
    pub id: String,
    pub logical_time: Option<i64>,
}

/// `transaction/lock_awaited`.
#[derive(Debug, Clone, Deserialize)]
pub struct AwaitedPayment {
    pub id: String,
    pub now: Option<i64>,
}

/// `transaction/record`, `transaction/record_by_number`, `transaction/record_one_sided`, `actor/record_newer`: which of the rows were recorded.
#[derive(Debug, Clone, Deserialize)]
pub struct Recorded {
    /// Ids of their audit entries.
    pub written: Vec<String>,
}
