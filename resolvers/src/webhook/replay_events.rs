//! Sending events to a webhook that it was not told of when they happened, because it was not active, or was not there.
//!
//! All events are kept for a time, whoever was told of them. What a webhook has a delivery of, it was told of, or will be; of what has failed see
//! [`super::replay`].

use cypher::statements::rows::{UntoldEvent, UntoldEvents};
use cypher::{Reading, Value, WriteStatement, map, statements};
use graph_schema::date::Timestamp;
use graph_schema::id::WebhookId;
use serde_json::json;

use super::WEBHOOK;
use super::replay::{AT_A_TIME, ReplayedDeliveries, STEPS, lane};
use crate::delivery::{DELIVERIES_JOB, fan_out};
use crate::policy::{Action, Permit, Subject};
use crate::queue::{Amend, Amended, Amending, Decision, Rank, Write};
use crate::{Caller, Clock, Error, Inner, ObjectKind, Resolvers, Result, boxed};

/// How many batches of events that wait are dealt with first: nobody waits for more, as the job does the same meanwhile.
const MOST_BATCHES: usize = 100;

impl Resolvers {
    /// Sends the events since a time that a webhook wants to be told of and was not, the oldest first: a thousand in each transaction, ten of them at
    /// most.
    #[boxed]
    pub async fn replay_events(&self, caller: &Caller, id: &WebhookId, since: Timestamp) -> Result<ReplayedDeliveries> {
        let inner = &self.inner;
        let permit = inner.enter(caller, Action::Administer, Subject::One(WEBHOOK, id.as_str()))?;
        inner.deal_with_events_that_wait().await?;
        let to = inner.clock.now();
        let (mut from, mut replayed) = (since, 0);
        for _ in 0..STEPS {
            let told = inner.tell_untold(&permit, id, (from, to)).await?;
            replayed += told.count;
            match told.last {
                Some(last) if Told::is_full(told.count) => from = last,
                _ => return Ok(ReplayedDeliveries { replayed, more: false }),
            }
        }
        Ok(ReplayedDeliveries { replayed, more: true })
    }
}

impl Inner {
    /// Tells a webhook of some of the events of a span that it was not told of, the oldest first.
    pub(super) async fn tell_untold(&self, permit: &Permit<'_>, id: &WebhookId, (from, to): (Timestamp, Timestamp)) -> Result<Told> {
        let said = json!({"eventsSince": from.millis()}).to_string();
        let entry = self.entry(permit, WEBHOOK, id.as_str(), "webhook.events_replayed").with_new_value(said);
        let span = Span { webhook: id.clone(), from, to, clock: self.clock.clone() };
        let told = self.queue.write(&Amending::<TellEvents>::NEW, Write::new(span, entry)).await?;
        self.waker.wake(DELIVERIES_JOB);
        Ok(told)
    }

    /// Makes the deliveries of what has happened before: only then is it known who is told of it.
    pub(super) async fn deal_with_events_that_wait(&self) -> Result<()> {
        for _ in 0..MOST_BATCHES {
            if fan_out(self).await?.events == 0 {
                break;
            }
        }
        Ok(())
    }
}

/// The events of a span of time, for one webhook.
struct Span {
    webhook: WebhookId,
    from: Timestamp,
    to: Timestamp,
    /// Gives deliveries their ids.
    clock: std::sync::Arc<dyn Clock>,
}

/// How many events a webhook is told of, and when the last of them happened.
pub(super) struct Told {
    pub count: usize,
    pub last: Option<Timestamp>,
}

impl Told {
    /// Whether so many are as many as it is told of at once: there may be more.
    pub fn is_full(count: usize) -> bool {
        count == AT_A_TIME
    }
}

/// Tells a webhook of events that it was not told of.
struct TellEvents;

impl Amend for TellEvents {
    type Row = Span;
    type Locked = UntoldEvents;
    type Stored = UntoldEvents;
    type Answer = Told;

    const LOCK: Reading<UntoldEvents> = statements::webhook::LOCK_UNTOLD;
    const WRITE: WriteStatement = statements::webhook::TELL_EVENTS;
    const RANK: Rank = Rank::Administration;

    fn id(span: &Span) -> &str {
        span.webhook.as_str()
    }

    fn lock_row(span: &Span, write_id: &str) -> Value {
        map([("id", Self::id(span).into()), ("writeId", write_id.into()), ("from", span.from.millis().into()), ("to", span.to.millis().into())])
    }

    fn size(_: &Span) -> usize {
        // What it finds is not known before.
        AT_A_TIME * 500
    }

    fn decide(span: &Span, stored: Option<UntoldEvents>, decision: Decision<'_>) -> Result<Amended<Told>> {
        let stored = stored.filter(|stored| !stored.removed);
        let mut untold = stored.ok_or_else(|| Error::not_found(ObjectKind::Webhook, span.webhook.as_str()))?.untold;
        let told = Told { count: untold.len(), last: untold.last().map(|event| Timestamp(event.created_at)) };
        if untold.is_empty() {
            return Ok(Amended::nothing(told));
        }
        // Lanes are locked in one order everywhere.
        untold.sort_by(|one, other| (&one.case_id, one.sequence, &one.id).cmp(&(&other.case_id, other.sequence, &other.id)));
        let delivery = |event: UntoldEvent| {
            let [lane, lane_name] = lane(span.webhook.as_str(), Some(&event.case_id));
            map([
                ("id", span.clock.id().into()),
                ("name", event.name.into()),
                ("eventId", event.id.into()),
                ("caseId", event.case_id.into()),
                ("sequence", event.sequence.into()),
                lane,
                lane_name,
            ])
        };
        let deliveries = Value::List(untold.into_iter().map(delivery).collect());
        let row = [("id", span.webhook.as_str().into()), ("now", decision.now.millis().into()), ("deliveries", deliveries)];
        Ok(Amended::by(told, map(row)))
    }
}
