//! Events become deliveries (see [`crate::delivery`]).

use std::time::Duration;

use super::{Job, JobContext, Next};
use crate::{Result, delivery};

/// When a run has found fewer events, the next one waits for others to come: for as long as somebody who is to be told of them does not notice, or
/// longer where nobody is.
const FEW: usize = 32;
const UNNOTICED: Duration = Duration::from_millis(15);
const UNHEARD: Duration = Duration::from_millis(100);

/// Makes deliveries of the events that wait, some at a time.
pub struct Events;

impl Job for Events {
    const NAME: &'static str = delivery::EVENTS_JOB;
    /// Short: nobody is to hear of things long after a crash.
    const LEASE: Duration = Duration::from_secs(10);

    async fn run(&self, context: &JobContext) -> Result<Next> {
        let inner = &context.resolvers.inner;
        let made = delivery::fan_out(inner).await?;
        if made.deliveries > 0 {
            inner.waker.wake(delivery::DELIVERIES_JOB);
        }
        Ok(match made.events {
            0 => Next::WhenWoken,
            few if few < FEW && !made.is_full => Next::InAMoment(if made.subscribers > 0 { UNNOTICED } else { UNHEARD }),
            _ => Next::AtOnce,
        })
    }
}
