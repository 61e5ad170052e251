//! Bulk requests are processed (see [`crate::bulk`]).

use std::time::Duration;

use super::{Job, JobContext, Next};
use crate::Result;

/// Processes what was taken, part by part, and tries again what waits.
pub struct Bulk;

impl Job for Bulk {
    const NAME: &'static str = crate::bulk::JOB;
    /// Short: nobody's records are to lie about for long after a crash.
    const LEASE: Duration = Duration::from_secs(10);

    async fn run(&self, context: &JobContext) -> Result<Next> {
        context.resolvers.inner.process_bulk().await
    }
}
