//! What rests for a webhook is looked at again (see [`crate::webhook`], `lanes`).

use std::time::Duration;

use super::{Job, JobContext, Next};
use crate::idempotency::Left;
use crate::{Result, webhook};

/// Makes lanes due whose webhook has become active or was removed, some at a time.
pub struct WebhookLanes;

impl Job for WebhookLanes {
    const NAME: &'static str = webhook::LANES_JOB;
    /// Short: what rests is not to rest for long after a crash.
    const LEASE: Duration = Duration::from_secs(10);

    async fn run(&self, context: &JobContext) -> Result<Next> {
        Ok(match webhook::wake_some(&context.resolvers.inner).await? {
            Left::Perhaps => Next::AtOnce,
            Left::Nothing => Next::WhenWoken,
        })
    }
}
