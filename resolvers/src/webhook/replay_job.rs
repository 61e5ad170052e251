//! Sending a webhook all events that it was not told of, however many, as a job.

use graph_schema::date::Timestamp;
use graph_schema::id::WebhookId;
use serde::{Deserialize, Serialize};

use super::WEBHOOK;
use super::replay_events::Told;
use crate::jobs::{JobKind, Progress, Running, Stopped, Wanted};
use crate::policy::{Action, Permit, Subject};
use crate::{Caller, Error, IdempotencyKey, Once, Resolvers, Result, boxed};

/// The events of a span of time, for one webhook.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReplayEvents {
    webhook_id: WebhookId,
    since: Timestamp,
    /// Not those that happen after it was asked for.
    until: Timestamp,
}

/// Up to where it is done.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct ReplayedUntil {
    /// When the last event happened that was sent.
    last: Option<Timestamp>,
    sent: u64,
}

/// What it has come to.
#[derive(Serialize)]
pub struct Replayed {
    /// So many events were sent.
    replayed: u64,
}

impl JobKind for ReplayEvents {
    const KIND: &'static str = "replay-events";
    const AT_ONCE: usize = 2;
    type Checkpoint = ReplayedUntil;
    type Result = Replayed;

    async fn run(&self, mut done: ReplayedUntil, running: &Running) -> std::result::Result<Replayed, Stopped> {
        let inner = &running.context().resolvers().inner;
        inner.deal_with_events_that_wait().await?;
        loop {
            let from = done.last.unwrap_or(self.since);
            let told = inner.tell_untold(&Permit::of_service(), &self.webhook_id, (from, self.until)).await;
            let Told { count, last } = match told {
                Err(Error::NotFound { .. }) => return Err(Stopped::ForEver("there is no such webhook, or it was removed".to_owned())),
                told => told?,
            };
            done.sent += count as u64;
            done.last = last.or(done.last);
            if !Told::is_full(count) {
                return Ok(Replayed { replayed: done.sent });
            }
            running.save(&done, Progress { done: done.sent, total: None }).await?;
        }
    }
}

impl Resolvers {
    /// Starts the job; answers with its id. One that has not ended for the same webhook and time is the same.
    #[boxed]
    pub async fn start_replaying_events(
        &self,
        caller: &Caller,
        id: &WebhookId,
        since: Timestamp,
        key: Option<IdempotencyKey>,
    ) -> Result<std::sync::Arc<str>> {
        let inner = &self.inner;
        let permit = inner.enter(caller, Action::Administer, Subject::One(WEBHOOK, id.as_str()))?;
        let job = ReplayEvents { webhook_id: id.clone(), since, until: inner.clock.now() };
        let wanted = Wanted {
            name: format!("Events for webhook {}", id.as_str()),
            deduplication_key: Some(format!("{}/{}", id.as_str(), since.millis())),
            ..Wanted::default()
        };
        let said = format!("{}/{}", id.as_str(), since.millis());
        Ok(inner.start_job(&permit, &job, wanted, Once { key, body: &said }).await?.text)
    }
}
