//! Rows about jobs of which there may be any number.

use graph_schema::job::JobStatus;
use serde::Deserialize;

/// `job_instance/prepare`.
#[derive(Debug, Clone, Deserialize)]
pub struct PreparedJob {
    pub id: String,
    /// One with the same deduplication key that has not ended.
    pub open: Option<String>,
}

/// `job_instance/due`.
#[derive(Debug, Clone, Deserialize)]
pub struct DueJob {
    pub id: String,
    pub kind: String,
    pub runs: i64,
    pub cancelled: bool,
}

/// `job_instance/claim`.
#[derive(Debug, Clone, Deserialize)]
pub struct ClaimedJob {
    pub id: String,
    /// JSON text.
    pub payload: String,
    /// JSON text; null until something was saved.
    pub checkpoint: Option<String>,
    /// In a row, without anything saved between them.
    pub failures: i64,
    pub cancelled: bool,
}

/// `job_instance/renew`, `job_instance/save`.
#[derive(Debug, Clone, Deserialize)]
pub struct HeldJob {
    pub id: String,
    pub cancelled: bool,
}

/// `job_instance/lock`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LockedJob {
    pub id: String,
    pub kind: String,
    pub status: JobStatus,
    pub created_by: String,
    pub lease_until: i64,
    pub cancel_requested_at: Option<i64>,
}

/// `job_instance/list`, `job_instance/read`.
#[derive(Debug, Clone, Deserialize)]
pub struct ShownJob {
    pub job: JobInstanceRow,
}

/// What is shown of a job. Times are milliseconds since 1970.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct JobInstanceRow {
    pub id: String,
    pub kind: String,
    pub caption: String,
    pub status: JobStatus,
    /// JSON text.
    pub payload: String,
    pub done: i64,
    pub total: Option<i64>,
    pub priority: i64,
    pub created_at: i64,
    pub created_by: String,
    pub created_by_name: String,
    pub started_at: Option<i64>,
    pub saved_at: Option<i64>,
    pub ended_at: Option<i64>,
    pub attempts: i64,
    pub last_error: Option<String>,
    pub cancel_requested_at: Option<i64>,
    /// Who has asked for that, by id.
    pub cancelled_by: Option<String>,
    /// JSON text.
    pub result: Option<String>,
}
