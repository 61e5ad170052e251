//! The work that nobody waits for. So far: forgetting what has served its time. Any number of workers may run beside each other.

use std::time::Duration;

use resolvers::Resolvers;
use tokio::time::{MissedTickBehavior, interval};

/// How often is cleaned up.
const HOUSEKEEPING: Duration = Duration::from_secs(3600);

/// Works until it is dropped. Every step may be broken off: what is not done is done the next time.
pub async fn run(resolvers: Resolvers) {
    let mut ticks = interval(HOUSEKEEPING);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        match resolvers.housekeeping().await {
            Ok(()) => tracing::debug!("housekeeping done"),
            Err(error) => tracing::warn!(?error, "housekeeping failed; it is tried again in an hour"),
        }
    }
}
