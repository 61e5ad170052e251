//! Webhooks: who is told of events, and what is to be seen of that. How events get to them is in [`crate::delivery`].
//!
//! - `registry`: making, changing and removing them, and their secrets. `read`: listing and reading them, and how deliveries to them stand.
//! - `secret`: how secrets are kept. They leave the service in three ways: to whom made or changed the webhook, in one listing, and as signatures.
//! - `replay`: sending again what was not delivered, and trying a webhook out. `lanes`: what rests is looked at again when its webhook is made active.
//! - `forget`: what was delivered, and what was not, goes after a time.
//!
//! All of it is for administrators, as credentials are: a listing shows secrets, and addresses and answers may have in them what is not for others.

pub(crate) mod address;
mod forget;
mod lanes;
mod read;
pub(crate) mod registry;
mod replay;
mod replay_events;
mod replay_job;
pub(crate) mod secret;

use std::sync::Arc;
use std::time::Duration;

use cypher::statements::rows::DeliveryStatisticsRow;
use graph_schema::delivery::DeliveryState;
use graph_schema::webhook::WebhookRecord;

pub(crate) use forget::forget_some;
pub(crate) use lanes::wake_some;
pub use replay::ReplayedDeliveries;
pub(crate) use replay_job::ReplayEvents;
pub use secret::{Vault, VaultKey, WebhookSecret};

use crate::delivery::address::Reach;
use crate::{Error, Inner, Replayed, Result};

/// The label of their nodes.
const WEBHOOK: &str = "Webhook";
/// The job that looks at lanes again.
pub(crate) const LANES_JOB: &str = "webhook-lanes";
/// How many there may be: who makes them in a loop is to find out.
pub const MOST: i64 = 20_000;
/// Whose they are; a store has one.
pub const TENANT: &str = "default";

/// How webhooks are kept and delivered to.
#[derive(Debug, Clone)]
pub struct WebhookSettings {
    /// By what their secrets are sealed. Without one no webhook can be made.
    pub key: Option<VaultKey>,
    /// Where they may lead.
    pub reach: Reach,
    /// How long is waited between one attempt and the next; after the last of them a delivery has failed.
    pub retry_schedule: Vec<Duration>,
    /// How long an attempt may take.
    pub timeout: Duration,
    /// How long is kept what was delivered, and what was not.
    pub keep_for: Duration,
}

impl Default for WebhookSettings {
    fn default() -> Self {
        const MINUTE: u64 = 60;
        const HOUR: u64 = 60 * MINUTE;
        let waits = [5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
        Self {
            key: None,
            reach: Reach::default(),
            retry_schedule: waits.map(Duration::from_secs).into(),
            timeout: Duration::from_secs(15),
            keep_for: Duration::from_secs(30 * 24 * HOUR),
        }
    }
}

/// A webhook as a write has left it, and whether that was answered before.
#[derive(Debug, Clone)]
pub struct AnsweredWebhook {
    pub webhook: WebhookRecord,
    pub replayed: Replayed,
}

/// How deliveries to a webhook stand, and how long their attempts took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DeliveryCounts {
    pub delivered: i64,
    pub failed: i64,
    pub waiting: i64,
    pub cancelled: i64,
    /// None where nothing was tried.
    pub median_millis: Option<i64>,
    pub p95_millis: Option<i64>,
}

impl DeliveryCounts {
    /// The share of delivered ones among those that were delivered or given up.
    pub fn success_ratio(&self) -> Option<f64> {
        let ended = self.delivered + self.failed;
        (ended > 0).then(|| self.delivered as f64 / ended as f64)
    }

    fn of(row: &DeliveryStatisticsRow) -> Self {
        let count = |state| row.states.iter().find(|(of, _)| *of == state).map_or(0, |(_, count)| *count);
        Self {
            delivered: count(DeliveryState::Delivered),
            failed: count(DeliveryState::Failed),
            waiting: count(DeliveryState::Waiting),
            cancelled: count(DeliveryState::Cancelled),
            median_millis: row.middle,
            p95_millis: row.slow,
        }
    }
}

impl Inner {
    /// What seals secrets; refused where the settings have no key for it.
    pub(crate) fn vault(&self) -> Result<&Arc<Vault>> {
        self.vault.as_ref().ok_or_else(|| Error::Misconfigured(NO_KEY.to_owned()))
    }
}

const NO_KEY: &str = "the secrets of webhooks can't be kept: there is no key to seal them by; who runs the service sets AMLGRAPH_WEBHOOKS__KEY to the \
     base64 of 32 random bytes, the same on all instances";
