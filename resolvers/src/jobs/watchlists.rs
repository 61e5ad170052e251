//! What imports of watchlists leave is tidied up, whatever came of them (see [`crate::watchlist`]).

use std::time::Duration;

use super::{Job, JobContext, Next};
use crate::Result;

/// Looks which imports have ended since the last look.
pub struct Watchlists;

impl Job for Watchlists {
    const NAME: &'static str = "watchlists";
    const LEASE: Duration = Duration::from_secs(30);

    async fn run(&self, context: &JobContext) -> Result<Next> {
        context.resolvers.inner.tidy_up_imports().await?;
        Ok(Next::WhenWoken)
    }
}
