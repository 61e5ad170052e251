//! Sending again what was told before, and trying a webhook out.

use std::sync::Arc;

use cypher::statements::rows::{FailedDeliveries, LockedDelivery, LockedWebhook};
use cypher::{Reading, Value, WriteStatement, map, statements};
use graph_schema::date::Timestamp;
use graph_schema::delivery::DeliveryState;
use graph_schema::id::{DeliveryId, EventId, WebhookId};
use graph_schema::webhook::WebhookStatus;
use serde_json::json;

use super::WEBHOOK;
use crate::delivery::DELIVERIES_JOB;
use crate::policy::{Action, Permit, Subject};
use crate::queue::{Amend, Amended, Amending, Decision, Rank, Write};
use crate::values::word;
use crate::{Answered, Caller, Error, IdempotencyKey, Inner, ObjectKind, Once, Replayed, Resolvers, Result, boxed};

/// The label of deliveries' nodes.
const DELIVERY: &str = "Delivery";
/// As many as `webhook/lock_failed` finds at once.
pub(super) const AT_A_TIME: usize = 1000;
/// How many steps one request takes: some seconds. Who wants more asks again.
pub(super) const STEPS: usize = 10;
/// What a webhook is tried out with. It is none of the document's events, so that nobody subscribes to it.
const TEST_EVENT: &str = "webhook.test";

/// What is sent again of what had failed, or sent at last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReplayedDeliveries {
    pub replayed: usize,
    /// Whether there may be more: who asks again gets the next.
    pub more: bool,
}

impl Resolvers {
    /// Sends a delivery again, whether it was delivered or not. One that waits is on its way already.
    #[boxed]
    pub async fn replay_delivery(&self, caller: &Caller, id: &DeliveryId, key: Option<IdempotencyKey>) -> Result<()> {
        let permit = self.inner.enter(caller, Action::Administer, Subject::One(DELIVERY, id.as_str()))?;
        let entry = self.inner.entry(&permit, DELIVERY, id.as_str(), "delivery.replayed");
        let once = Once { key, body: "" };
        self.inner.answer_once(&permit, once, "", &Amending::<ReplayOne>::NEW, Write::new(id.clone(), entry)).await?;
        self.inner.waker.wake(DELIVERIES_JOB);
        Ok(())
    }

    /// Sends again what has failed since a time, the oldest first: a thousand in each transaction, ten of them at most. Each transaction is a request of its own
    /// under the key: the same again is answered as before, and goes on where it was cut short.
    #[boxed]
    pub async fn replay_failed_deliveries(
        &self,
        caller: &Caller,
        id: &WebhookId,
        since: Timestamp,
        key: Option<IdempotencyKey>,
    ) -> Result<ReplayedDeliveries> {
        let permit = self.inner.enter(caller, Action::Administer, Subject::One(WEBHOOK, id.as_str()))?;
        let said = json!({"webhookId": id, "failedSince": since.millis()}).to_string();
        let keys = self.begin_list(caller, (Action::Administer, WEBHOOK), key, &said).await?;
        let mut replayed = 0;
        for step in 0..STEPS {
            let some = self.inner.replay_some(&permit, id, since, keys.of(step)).await?;
            replayed += some;
            if some < AT_A_TIME {
                return Ok(ReplayedDeliveries { replayed, more: false });
            }
        }
        Ok(ReplayedDeliveries { replayed, more: true })
    }

    /// Tells a webhook, and no other, of an event that says nothing but its id. Answers with the delivery's id.
    #[boxed]
    pub async fn send_test_event(&self, caller: &Caller, id: &WebhookId, key: Option<IdempotencyKey>) -> Result<DeliveryId> {
        let inner = &self.inner;
        let permit = inner.enter(caller, Action::Administer, Subject::One(WEBHOOK, id.as_str()))?;
        let delivery = DeliveryId::new(inner.clock.id());
        let test = Test { webhook: id.clone(), event: EventId::new(inner.clock.id()), delivery: delivery.clone() };
        let entry = inner.entry(&permit, WEBHOOK, id.as_str(), "webhook.tested");
        let sent = inner.answer_once(&permit, Once { key, body: "" }, delivery.as_str(), &Amending::<SendTest>::NEW, Write::new(test, entry)).await?;
        let Answered { text, replayed } = sent;
        if replayed == Replayed::No {
            inner.waker.wake(DELIVERIES_JOB);
        }
        Ok(DeliveryId::new(text))
    }
}

impl Inner {
    async fn replay_some(&self, permit: &Permit<'_>, id: &WebhookId, since: Timestamp, key: Option<IdempotencyKey>) -> Result<usize> {
        let said = json!({"failedSince": since.millis()}).to_string();
        let entry = self.entry(permit, WEBHOOK, id.as_str(), "webhook.deliveries_replayed").with_new_value(said.clone());
        let write = Write::new(Failed { webhook: id.clone(), since }, entry);
        let answered = self.answer_as_decided(permit, Once { key, body: &said }, &Amending::<ReplayFailed>::NEW, write).await?;
        let replayed = answered.text.parse::<usize>().map_err(|_| Error::Internal("a number of deliveries that is kept can't be read".to_owned()))?;
        if replayed > 0 && answered.replayed == Replayed::No {
            self.waker.wake(DELIVERIES_JOB);
        }
        Ok(replayed)
    }
}

/// Where the events of one case, or of none, wait on their way to a webhook.
pub(super) fn lane(webhook: &str, case: Option<&str>) -> [(&'static str, Value); 2] {
    let of = case.unwrap_or(NO_CASE);
    [("lane", format!("{webhook}/{of}").into()), ("laneName", format!("To {webhook} about {of}").into())]
}

/// In the place of a case, where there is none.
const NO_CASE: &str = "test";

/// The row that sends deliveries again.
fn again(webhook: &str, deliveries: impl Iterator<Item = (String, Option<String>)>, now: Timestamp) -> Value {
    let delivery = |(id, case): (String, Option<String>)| {
        let [lane, name] = lane(webhook, case.as_deref());
        map([("id", id.into()), lane, name, ("webhookId", webhook.into())])
    };
    let props = map([("state", word(&DeliveryState::Waiting)), ("attempts", 0.into()), ("finishedAt", Value::Null)]);
    map([("deliveries", Value::List(deliveries.map(delivery).collect())), ("props", props), ("now", now.millis().into())])
}

/// Sends a delivery again.
struct ReplayOne;

impl Amend for ReplayOne {
    type Row = DeliveryId;
    type Locked = LockedDelivery;
    type Stored = LockedDelivery;
    type Answer = ();

    const LOCK: Reading<LockedDelivery> = statements::webhook::LOCK_DELIVERY;
    const WRITE: WriteStatement = statements::webhook::REPLAY;
    const RANK: Rank = Rank::Administration;

    fn id(id: &DeliveryId) -> &str {
        id.as_str()
    }

    fn decide(id: &DeliveryId, stored: Option<LockedDelivery>, decision: Decision<'_>) -> Result<Amended<()>> {
        let stored = stored.ok_or_else(|| Error::not_found(ObjectKind::Delivery, id.as_str()))?;
        if stored.removed {
            return Err(Error::invalid("deliveryId", "is that of a delivery whose webhook was removed"));
        }
        if stored.state == DeliveryState::Waiting {
            return Ok(Amended::nothing(()));
        }
        let old = json!({"state": stored.state}).to_string();
        let write = again(&stored.webhook_id, [(stored.id, stored.case_id)].into_iter(), decision.now);
        Ok(Amended::by((), write).replacing(Some(old)))
    }
}

/// What has failed since a time on its way to a webhook.
struct Failed {
    webhook: WebhookId,
    since: Timestamp,
}

/// Sends some of it again.
struct ReplayFailed;

impl Amend for ReplayFailed {
    type Row = Failed;
    type Locked = FailedDeliveries;
    type Stored = FailedDeliveries;
    type Answer = Arc<str>;

    const LOCK: Reading<FailedDeliveries> = statements::webhook::LOCK_FAILED;
    const WRITE: WriteStatement = statements::webhook::REPLAY;
    const RANK: Rank = Rank::Administration;

    fn id(failed: &Failed) -> &str {
        failed.webhook.as_str()
    }

    fn lock_row(failed: &Failed, write_id: &str) -> Value {
        map([("id", Self::id(failed).into()), ("writeId", write_id.into()), ("since", failed.since.millis().into())])
    }

    fn size(_: &Failed) -> usize {
        // What it finds is not known before.
        AT_A_TIME * 300
    }

    fn decide(failed: &Failed, stored: Option<FailedDeliveries>, decision: Decision<'_>) -> Result<Amended<Arc<str>>> {
        let stored = stored.filter(|stored| !stored.removed);
        let found = stored.ok_or_else(|| Error::not_found(ObjectKind::Webhook, failed.webhook.as_str()))?.failed;
        let count: Arc<str> = Arc::from(found.len().to_string());
        if found.is_empty() {
            return Ok(Amended::nothing(count).kept());
        }
        Ok(Amended::by(count, again(failed.webhook.as_str(), found.into_iter(), decision.now)).kept())
    }
}

/// A webhook that is to be tried out.
struct Test {
    webhook: WebhookId,
    event: EventId,
    delivery: DeliveryId,
}

/// Sends it an event.
struct SendTest;

impl Amend for SendTest {
    type Row = Test;
    type Locked = LockedWebhook;
    type Stored = LockedWebhook;
    type Answer = ();

    const LOCK: Reading<LockedWebhook> = statements::webhook::LOCK;
    const WRITE: WriteStatement = statements::webhook::SEND_TEST;
    const RANK: Rank = Rank::Administration;

    fn id(test: &Test) -> &str {
        test.webhook.as_str()
    }

    fn decide(test: &Test, stored: Option<LockedWebhook>, decision: Decision<'_>) -> Result<Amended<()>> {
        let (webhook, now) = (test.webhook.as_str(), decision.now.millis());
        let stored = stored.filter(|stored| !stored.removed).ok_or_else(|| Error::not_found(ObjectKind::Webhook, webhook))?;
        if stored.status == WebhookStatus::Inactive {
            return Err(Error::invalid("webhookId", "is that of a webhook that is INACTIVE: nothing is delivered to it"));
        }
        let [lane, lane_name] = lane(webhook, None);
        Ok(Amended::by(
            (),
            map([
                ("id", webhook.into()),
                ("caseId", Value::Null),
                ("name", TEST_EVENT.into()),
                // One after another, as those of a case.
                ("sequence", now.into()),
                ("at", now.into()),
                ("data", json!({"id": webhook}).to_string().into()),
                ("eventId", test.event.as_str().into()),
                ("deliveryId", test.delivery.as_str().into()),
                ("deliveryName", format!("{TEST_EVENT} to {}", stored.name).into()),
                ("state", word(&DeliveryState::Waiting)),
                ("finishedAt", Value::Null),
                ("attemptLog", Value::List(Vec::new())),
                lane,
                lane_name,
            ]),
        ))
    }
}
