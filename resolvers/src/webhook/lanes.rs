//! Lanes that rest are looked at again, once their webhook is active or removed.
//!
//! Nothing is delivered for a webhook that is not active: its lanes rest, until something makes them due. There may be one for each case, so that
//! this is not done where the webhook is changed, but in steps, by a job that a crash does not make forget it: the webhook is a `WakingWebhook` until all are done.

use cypher::statements::rows::WakingWebhook;
use cypher::{Params, statements};

use crate::conflicts::despite_conflicts;
use crate::delivery::DELIVERIES_JOB;
use crate::idempotency::Left;
use crate::{Inner, Result};

/// How many lanes one transaction makes due: who delivers waits for it.
const AT_A_TIME: i64 = 1000;
/// How many webhooks one step looks at.
const WEBHOOKS: i64 = 20;

/// Makes some lanes due, of each webhook that waits for it.
pub(crate) async fn wake_some(inner: &Inner) -> Result<Left> {
    let params = Params::none().with("most", WEBHOOKS);
    let waking = inner.engine.write_as(statements::webhook::WAKING, params).await?;
    for webhook in &waking {
        wake_lanes(inner, webhook).await?;
        inner.waker.wake(DELIVERIES_JOB);
    }
    Ok(if waking.is_empty() { Left::Nothing } else { Left::Perhaps })
}

/// Each lane is looked at once: a receiver that can't keep up has lanes put off again that were made due just now.
async fn wake_lanes(inner: &Inner, webhook: &WakingWebhook) -> Result<()> {
    // The ids of a webhook's lanes begin with its own and a slash, which 0 comes next to.
    let (mut after, end) = (format!("{}/", webhook.id), format!("{}0", webhook.id));
    loop {
        let params = Params::none().with("after", after.as_str()).with("end", end.as_str());
        let params = params.with("now", inner.clock.now().millis()).with("most", AT_A_TIME);
        let woken = despite_conflicts(|| inner.engine.write_as(statements::webhook::WAKE_LANES, params.clone())).await?;
        let row = statements::webhook::WAKE_LANES.first(woken)?;
        match row.last {
            Some(last) if row.seen == AT_A_TIME => after = last,
            _ => break,
        }
    }
    let woken = Params::none().with("id", webhook.id.as_str()).with("wakingId", webhook.waking_id.as_str());
    let woken = woken.with("now", inner.clock.now().millis());
    inner.engine.write(statements::webhook::WOKEN, woken).await?;
    Ok(())
}
