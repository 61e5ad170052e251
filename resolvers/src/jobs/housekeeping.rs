//! Housekeeping: forgetting what has served its time.

use std::time::Duration;

use super::{Job, JobContext, Next};
use crate::clock::millis;
use crate::idempotency::{self, Left};
use crate::{Result, bulk, change_feed, watchlist, webhook};

/// How often is cleaned up.
const PAUSE: Duration = Duration::from_secs(3600);

/// Forgets idempotency keys after their 24 hours, bulk requests and jobs after their 30 days, uploads that nobody imports, and what webhooks were told and the sets of the change feed after the times that are set, some at a time: a transaction that deletes a day's worth would keep writers waiting.
pub struct Housekeeping;

impl Job for Housekeeping {
    const NAME: &'static str = "housekeeping";
    const LEASE: Duration = Duration::from_secs(30);

    async fn run(&self, context: &JobContext) -> Result<Next> {
        let inner = &context.resolvers.inner;
        let changes_before = inner.clock.now().millis().saturating_sub(millis(inner.settings.changes_kept_for));
        let left = [
            idempotency::forget_some(inner).await?,
            bulk::forget_some(inner).await?,
            webhook::forget_some(inner).await?,
            if change_feed::forget_some(&inner.engine, changes_before).await? { Left::Perhaps } else { Left::Nothing },
            super::forget_some(inner).await?,
            watchlist::forget_some(inner).await?,
        ];
        Ok(if left.contains(&Left::Perhaps) { Next::AtOnce } else { Next::After(PAUSE) })
    }
}
