//! Rows about bulk requests and their items.

use std::sync::Arc;

use graph_schema::bulk::{BulkItemState, BulkList};
use graph_schema::job::JobStatus;
use serde::Deserialize;

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
    pub logical_time: Option<i64>,
    pub received_at: i64,
    pub sender: SenderRow,
    /// Who has cancelled the request's job.
    pub cancelled_by: Option<String>,
}

/// Who sent a bulk request: a column of `bulk/next_part` and `bulk/waiting`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SenderRow {
    pub id: String,
    pub name: String,
    pub role: String,
    pub means: String,
    pub ip: Option<String>,
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
    /// Who has sent it.
    pub sender: String,
}

/// `bulk/tick`.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct TickRow {
    pub time: i64,
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
    pub logical_time: Option<i64>,
    pub sender: SenderRow,
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

/// `bulk/case_links`.
#[derive(Debug, Clone, Deserialize)]
pub struct CaseLinksRow {
    pub id: String,
    pub actors: Vec<String>,
    pub observations: Vec<String>,
    pub communications: Vec<String>,
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
#[serde(rename_all = "camelCase")]
pub struct BulkProgress {
    pub id: String,
    /// Epoch milliseconds.
    pub received_at: Option<i64>,
    /// Of the request's job; none where an older program took the request.
    pub status: Option<JobStatus>,
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
