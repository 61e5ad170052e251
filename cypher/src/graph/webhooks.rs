//! What is shown of webhooks, of events and of deliveries, and how events are sorted.

use graph_schema::date::Timestamp;
use graph_schema::delivery::DeliveryState;
use graph_schema::id::{CaseId, EventId, WebhookId};
use graph_schema::json_text::JsonText;
use graph_schema::webhook::{DisabledBecause, WebhookStatus};

use super::orders::{Sort, ascending};
use super::row::columns;

/// A webhook; its name is its caption.
#[derive(Debug, Clone, PartialEq)]
pub struct WebhookSummary {
    pub url: String,
    pub events: Vec<String>,
    pub status: WebhookStatus,
    pub created_at: Timestamp,
    pub tenant: String,
    /// Whether a listing has shown its secret.
    pub secret_shown: bool,
    pub former_secret_until: Option<Timestamp>,
    pub failing_since: Option<Timestamp>,
    pub disabled_because: Option<DisabledBecause>,
}

columns!(WebhookSummary {
    url: "{b}.url",
    events: "{b}.events",
    status: "{b}.status",
    created_at: "{b}.createdAt",
    tenant: "{b}.tenant",
    secret_shown: "{b}.secretShown",
    former_secret_until: "{b}.formerSecretUntil",
    failing_since: "{b}.failingSince",
    disabled_because: "{b}.disabledBecause",
});

/// An event; its name is its caption.
#[derive(Debug, Clone, PartialEq)]
pub struct EventSummary {
    pub case_id: Option<CaseId>,
    pub sequence: i64,
    pub created_at: Timestamp,
    /// The document's `data`.
    pub data: JsonText,
}

columns!(EventSummary { case_id: "{b}.caseId", sequence: "{b}.sequence", created_at: "{b}.createdAt", data: "{b}.data" });

/// An event on its way to a webhook.
#[derive(Debug, Clone, PartialEq)]
pub struct DeliverySummary {
    pub webhook_id: WebhookId,
    pub event_id: EventId,
    pub event_name: String,
    pub case_id: Option<CaseId>,
    pub sequence: i64,
    pub state: DeliveryState,
    pub created_at: Timestamp,
    pub finished_at: Option<Timestamp>,
    /// JSON texts, the oldest first.
    pub attempt_log: Vec<String>,
}

columns!(DeliverySummary {
    webhook_id: "{b}.webhookId",
    event_id: "{b}.eventId",
    event_name: "{b}.eventName",
    case_id: "{b}.caseId",
    sequence: "{b}.sequence",
    state: "{b}.state",
    created_at: "{b}.createdAt",
    finished_at: "{b}.finishedAt",
    attempt_log: "coalesce({b}.attemptLog, [])",
});

/// In the order in which they are told.
pub(super) const EVENT_SORTS: &[Sort] = &[Sort { name: "SEQUENCE", keys: &[ascending("{b}.sequence"), ascending("{b}.id")] }];
