//! A lane that this process holds, with what stands first in it.

use std::time::{Duration, Instant};

use cypher::statements::rows::{HeadDelivery, LaneHead, LaneWebhook};
use graph_schema::date::Timestamp;

use super::send::Message;
use crate::webhook::Vault;
use crate::{Error, Result};

/// The lease of a lane: nobody else delivers what is in it until then.
#[derive(Debug, Clone)]
pub struct Lease {
    /// What stands in the lane: nobody else's, and of this claim alone.
    pub holder: String,
    /// By this machine's own clock, from before it was asked for.
    pub good_until: Instant,
}

impl Lease {
    /// Whether it is good for so long.
    pub fn is_good_for(&self, span: Duration) -> bool {
        Instant::now() + span < self.good_until
    }
}

/// A lane that is held.
#[derive(Debug, Clone)]
pub struct HeldLane {
    pub id: String,
    pub webhook_id: String,
    pub delivery_id: String,
    pub lease: Lease,
    /// Since when somebody could have taken it.
    pub due_at: Timestamp,
    /// Attempts that have failed, since it was last sent again.
    pub failures: i64,
    pub message: Message,
}

/// What is to be done with a lane that was claimed.
pub(super) enum Found {
    /// Its first is to be delivered.
    Held(Box<HeldLane>),
    /// Nothing waits in it.
    Empty,
    /// Its webhook is not active: it waits until it is.
    Parked,
    /// Its webhook was removed: what waits in it is cancelled.
    Orphaned,
}

impl HeldLane {
    /// From what the graph says of it.
    pub(super) fn found(head: LaneHead, lease: Lease, due_at: Timestamp, vault: Option<&Vault>, now: Timestamp) -> Result<Found> {
        let LaneHead { id, webhook, delivery } = head;
        if webhook.removed_at.is_some() {
            return Ok(Found::Orphaned);
        }
        let Some(delivery) = delivery else { return Ok(Found::Empty) };
        if webhook.status != "ACTIVE" {
            return Ok(Found::Parked);
        }
        let HeadDelivery { id: delivery_id, failures, event_id, event_name, created_at, data } = delivery;
        let secrets = secrets(&webhook, vault, now)?;
        let message = Message { url: webhook.url, event_id, event_name, created_at, data, secrets };
        Ok(Found::Held(Box::new(Self { id, webhook_id: webhook.id, delivery_id, lease, due_at, failures, message })))
    }
}

/// What signs for a webhook now.
fn secrets(webhook: &LaneWebhook, vault: Option<&Vault>, now: Timestamp) -> Result<Vec<crate::webhook::WebhookSecret>> {
    let vault = vault.ok_or_else(|| Error::Misconfigured("webhooks.key is not set: nothing can be delivered".to_owned()))?;
    let former = webhook.former_secret.as_deref().filter(|_| webhook.former_secret_until.is_some_and(|until| until > now.millis()));
    let sealed = webhook.secret.as_deref().into_iter().chain(former);
    sealed.map(|sealed| vault.open(sealed, &webhook.id)).collect()
}
