//! What the statements about deliveries answer with.

use std::sync::Arc;

use serde::Deserialize;

/// `delivery/pending`.
#[derive(Debug, Clone, Deserialize)]
pub struct PendingEvents {
    pub events: Vec<PendingEvent>,
    pub subscribers: Vec<Subscriber>,
}

/// An event that waits, for `delivery/pending`.
#[derive(Debug, Clone, Deserialize)]
pub struct PendingEvent {
    pub id: String,
    pub case_id: String,
    pub sequence: i64,
    pub event_name: String,
}

/// `delivery/take_events`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TakenEvent {
    pub id: String,
    pub event_name: String,
    pub case_id: String,
    pub sequence: i64,
}

/// A webhook that is told of events of some names, for `delivery/pending`.
#[derive(Debug, Clone, Deserialize)]
pub struct Subscriber {
    pub id: String,
    pub events: Vec<String>,
}

/// `delivery/claim`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ClaimedLane {
    pub id: String,
    /// Not where it was put off, or somebody else was faster.
    pub taken: bool,
    /// Since when it was due.
    pub due_at: Option<i64>,
}

/// `delivery/heads`.
#[derive(Debug, Clone, Deserialize)]
pub struct LaneHead {
    pub id: String,
    pub webhook: LaneWebhook,
    pub delivery: Option<HeadDelivery>,
}

/// Where a lane leads to.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LaneWebhook {
    pub id: String,
    pub url: String,
    pub status: String,
    pub secret: Option<String>,
    pub former_secret: Option<String>,
    pub former_secret_until: Option<i64>,
    pub removed_at: Option<i64>,
}

/// What stands first in a lane.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HeadDelivery {
    pub id: String,
    pub failures: i64,
    pub event_id: String,
    pub event_name: String,
    pub created_at: i64,
    pub data: Arc<str>,
}

/// `delivery/cancel`.
#[derive(Debug, Clone, Deserialize)]
pub struct CancelledRow {
    pub cancelled: i64,
}

/// `delivery/backlog`.
#[derive(Debug, Clone, Deserialize)]
pub struct BacklogRow {
    pub waiting: i64,
    pub oldest: Option<i64>,
}
