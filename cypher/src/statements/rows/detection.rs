//! What detection goes by, and what it has left behind.

use graph_schema::detection::ProcessType;
use graph_schema::job::JobStatus;
use serde::Deserialize;

use super::{ObservedActor, PaymentRow};

/// `detection/versions`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct FormerPayment {
    /// The version's.
    pub id: String,
    /// The payment that it was.
    pub payment: PaymentRow,
}

/// `detection/actors`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MonitoredActor {
    pub id: String,
    /// False for one whose own record has not come.
    pub recorded: bool,
    #[serde(rename = "type")]
    pub kind: Option<String>,
    pub status: Option<String>,
    /// `YYYY-MM-DD`.
    pub customer_since: Option<String>,
    /// An ISO 3166 code.
    pub domicile: Option<String>,
    /// JSON text.
    pub custom_data: Option<String>,
    /// The type of the latest one.
    pub exclusion: Option<String>,
    /// Names of the groups that it is a member of.
    pub groups: Vec<String>,
    pub snoozes: Vec<SnoozedRule>,
}

/// A rule that is not to alert about somebody, up to a moment.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct SnoozedRule {
    pub rule: String,
    /// Epoch milliseconds.
    pub until: i64,
}

/// `detection/accounts`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OpenedAccount {
    pub id: String,
    /// `YYYY-MM-DD`.
    pub opened_date: Option<String>,
}

/// `detection/groups`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct OwnedGroup {
    pub id: String,
    pub name: String,
    pub members: Vec<String>,
    pub owners: Vec<String>,
}

/// `detection/findings`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EarlierFinding {
    /// Which of the rows that were asked about cites a payment of it.
    pub place: i64,
    pub id: String,
    /// The ids of the actors that it is about.
    pub primary: Vec<String>,
    pub transaction_ids: Option<Vec<String>>,
    /// `YYYY-MM-DD`.
    pub business_date: Option<String>,
    /// Its window; epoch milliseconds.
    pub start: Option<i64>,
    pub until: Option<i64>,
    /// Up to when the run knew that found it last; epoch milliseconds.
    pub detected_at: Option<i64>,
    pub below_the_line: bool,
}

/// `detection/standing`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StandingFinding {
    pub id: String,
    pub score: Option<f64>,
    /// Epoch milliseconds.
    pub observed_at: i64,
    pub transaction_ids: Option<Vec<String>>,
    pub below_the_line: bool,
    /// Whether somebody has given feedback on it, acted on it, dismissed it or made a case of it.
    pub handled: bool,
    pub actors: Vec<ObservedActor>,
}

/// `detection/open_cases`.
#[derive(Debug, Clone, Deserialize)]
pub struct OpenCases {
    /// The actor's.
    pub id: String,
    /// The oldest first.
    pub cases: Vec<OpenCase>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OpenCase {
    pub id: String,
    /// Epoch milliseconds.
    pub created_at: i64,
}

/// `detection/outcomes`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct OutcomeRow {
    /// `YYYY-MM-DD`.
    pub day: String,
    /// A rule's id.
    pub rule: String,
    /// Empty where the findings do not say it.
    pub version: String,
    /// The line of business; empty where the findings do not say it.
    pub line: String,
    pub outcome: FeedbackOutcome,
    /// Findings.
    pub total: i64,
}

/// What the feedback says that was given last on a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum FeedbackOutcome {
    TruePositive,
    FalsePositive,
    /// Neither.
    Other,
    /// No feedback was given.
    Without,
}

/// `detection/list_runs`.
#[derive(Debug, Clone, Deserialize)]
pub struct ShownRun {
    pub run: DetectionRunRow,
    pub job: Option<RunJobRow>,
}

/// `detection/read_run`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KnownRun {
    pub id: String,
    pub known_up_to: Option<i64>,
}

/// What a run is.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DetectionRunRow {
    pub id: String,
    /// `YYYY-MM-DD`.
    pub close_of_business_date: String,
    pub line_of_business: String,
    pub process_type: ProcessType,
    /// Epoch milliseconds.
    pub requested_at: i64,
    pub requested_by: String,
    pub requested_by_name: String,
    pub job_id: Option<String>,
    /// Epoch milliseconds; null until it has begun.
    pub known_up_to: Option<i64>,
}

/// How the job stands that did a run last.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunJobRow {
    pub status: JobStatus,
    pub done: i64,
    pub total: Option<i64>,
    pub started_at: Option<i64>,
    pub ended_at: Option<i64>,
    pub last_error: Option<String>,
    /// JSON text.
    pub result: Option<String>,
}

/// `detection/added_rules`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AddedRule {
    pub id: String,
    pub rule_id: String,
    /// The text of its `rule.toml`.
    pub rule: String,
    /// Epoch milliseconds.
    pub added_at: i64,
    pub added_by: String,
    pub added_by_name: String,
}

/// `detection/lock_rule` and `risk/lock_rule`.
#[derive(Debug, Clone, Deserialize)]
pub struct LockedRule {
    pub id: String,
    /// The text of its `rule.toml`; nothing where it is new.
    pub rule: Option<String>,
    /// JSON text: the texts of its other files, by their paths.
    pub tests: Option<String>,
}

/// `detection/tunings` and `risk/tunings`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TuningRow {
    pub id: String,
    pub rule_id: String,
    /// The version whose parameters they are.
    pub version: String,
    /// The versions whose status it is.
    pub versions: Vec<String>,
    pub status: Option<String>,
    /// JSON text: values by the names of parameters, null for the default.
    pub parameters: String,
    pub reason: String,
    /// Epoch milliseconds.
    pub tuned_at: i64,
    pub tuned_by: String,
    pub tuned_by_name: String,
}

/// `detection/list_snoozes`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SnoozeRow {
    pub id: String,
    pub actor_id: String,
    pub rule_id: String,
    /// Epoch milliseconds, as are the other times.
    pub until: i64,
    pub reason: String,
    pub snoozed_at: i64,
    pub snoozed_by: String,
    /// Absent of one that was made before names were kept.
    pub snoozed_by_name: Option<String>,
    pub ended_at: Option<i64>,
    pub ended_by: Option<String>,
    pub ended_by_name: Option<String>,
    pub end_reason: Option<String>,
}

/// `detection/lock_snooze`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LockedSnooze {
    pub id: String,
    /// Epoch milliseconds.
    pub until: i64,
    pub ended_at: Option<i64>,
}
