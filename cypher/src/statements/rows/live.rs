//! Rows about what is followed live.

use serde::Deserialize;

/// `live/look`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LiveLook {
    /// Of the last set of changes.
    pub position: i64,
    /// Of the last that is kept no more.
    pub forgotten: i64,
    /// The id of a credential that has ended; else empty.
    pub shut_out: String,
    /// The id of a user whose groups these are; else empty. The row in which both are empty has the positions.
    pub user: String,
    pub groups: Vec<String>,
}

/// `live/entries`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LiveEntry {
    pub id: String,
    pub action: String,
    pub object_id: Option<String>,
    pub case_id: Option<String>,
    pub user_id: Option<String>,
    pub request_id: Option<String>,
    /// Epoch milliseconds.
    pub timestamp: i64,
    /// Why nothing was replaced.
    pub notes: Option<String>,
    pub action_result: Option<String>,
}

/// `live/first_entries`.
#[derive(Debug, Clone, Deserialize)]
pub struct FirstEntry {
    pub id: String,
    pub entry: Option<String>,
}

/// `live/assignees`.
#[derive(Debug, Clone, Deserialize)]
pub struct AssigneeRow {
    pub id: String,
    pub assignee: Option<String>,
}

/// `live/deliveries`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WebhookDeliveries {
    pub id: String,
    pub status: String,
    /// Epoch milliseconds.
    pub failing_since: Option<i64>,
    pub waiting: i64,
    pub failed: i64,
}
