//! Rows about webhooks.

use graph_schema::delivery::DeliveryState;
use graph_schema::webhook::{DisabledBecause, WebhookStatus};
use serde::Deserialize;

/// `webhook/lock`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LockedWebhook {
    pub id: String,
    pub removed: bool,
    pub name: String,
    pub url: String,
    pub events: Vec<String>,
    pub status: WebhookStatus,
    pub created_at: i64,
    pub tenant: String,
    /// Sealed; null once it is removed.
    pub secret: Option<String>,
    pub secret_shown: bool,
    pub disabled_because: Option<DisabledBecause>,
}

/// `webhook/lock_delivery`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LockedDelivery {
    pub id: String,
    pub state: DeliveryState,
    pub webhook_id: String,
    /// Null of an event that is of no case.
    pub case_id: Option<String>,
    /// Whether the webhook was removed.
    pub removed: bool,
}

/// `webhook/lock_failed`.
#[derive(Debug, Clone, Deserialize)]
pub struct FailedDeliveries {
    pub id: String,
    pub removed: bool,
    /// Each with its case, where it has one.
    pub failed: Vec<(String, Option<String>)>,
}

/// `webhook/lock_untold`.
#[derive(Debug, Clone, Deserialize)]
pub struct UntoldEvents {
    pub id: String,
    pub removed: bool,
    pub untold: Vec<UntoldEvent>,
}

/// An event that a webhook was not told of.
#[derive(Debug, Clone, Deserialize)]
pub struct UntoldEvent {
    pub id: String,
    pub name: String,
    pub case_id: String,
    pub sequence: i64,
    pub created_at: i64,
}

/// `webhook/statistics`.
#[derive(Debug, Clone, Deserialize)]
pub struct DeliveryStatisticsRow {
    pub id: String,
    /// How many deliveries stand so; none of those that do not occur.
    pub states: Vec<(DeliveryState, i64)>,
    /// Milliseconds; null without attempts.
    pub middle: Option<i64>,
    /// Milliseconds; null without attempts.
    pub slow: Option<i64>,
}

/// `webhook/waking`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WakingWebhook {
    pub id: String,
    pub waking_id: String,
}

/// `webhook/wake_lanes`.
#[derive(Debug, Clone, Deserialize)]
pub struct WokenRow {
    pub seen: i64,
    /// Null where none was seen.
    pub last: Option<String>,
}
