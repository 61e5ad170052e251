//! Changes get their positions in the feed (see [`crate::change_feed`]).

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::{Job, JobContext, Next};
use crate::Result;
use crate::change_feed::{self, Sequenced};

/// Between two steps more changes gather, which cost the database about as much as one.
const GATHERED_FOR: Duration = Duration::from_millis(50);
/// How long after the last change the job is kept: taking it anew for each costs more than to look.
const KEPT_FOR: Duration = Duration::from_secs(1);

/// Gives changes their positions, as long as some come.
#[derive(Default)]
pub struct ChangeFeed {
    last_found: Mutex<Option<Instant>>,
}

impl Job for ChangeFeed {
    const NAME: &'static str = change_feed::JOB;
    /// Short: readers of the feed wait while nobody does it.
    const LEASE: Duration = Duration::from_secs(10);

    async fn run(&self, context: &JobContext) -> Result<Next> {
        let sequenced = change_feed::sequence_some(&context.resolvers.inner).await?;
        let mut last_found = self.last_found.lock().unwrap_or_else(PoisonError::into_inner);
        if sequenced != Sequenced::Nothing {
            *last_found = Some(Instant::now());
        }
        Ok(match sequenced {
            Sequenced::Full => Next::AtOnce,
            Sequenced::Some => Next::InAMoment(GATHERED_FOR),
            Sequenced::Nothing if last_found.is_some_and(|found| found.elapsed() < KEPT_FOR) => Next::InAMoment(GATHERED_FOR),
            Sequenced::Nothing => Next::WhenWoken,
        })
    }
}
