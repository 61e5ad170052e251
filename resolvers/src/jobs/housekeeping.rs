//! Housekeeping: forgetting what has served its time.

use std::time::Duration;

use super::{Job, JobContext, Next};
use crate::{Result, idempotency};

/// How often is cleaned up.
const PAUSE: Duration = Duration::from_secs(3600);

/// Forgets idempotency keys after their 24 hours, some at a time: a transaction that deletes a day's worth would keep writers waiting.
pub struct Housekeeping;

impl Job for Housekeeping {
    const NAME: &'static str = "housekeeping";
    const LEASE: Duration = Duration::from_secs(30);

    async fn run(&self, context: &JobContext) -> Result<Next> {
        Ok(match idempotency::forget_some(&context.resolvers.inner).await? {
            idempotency::Left::Perhaps => Next::AtOnce,
            idempotency::Left::Nothing => Next::After(PAUSE),
        })
    }
}
