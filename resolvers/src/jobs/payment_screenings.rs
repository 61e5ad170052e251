//! Payments that nobody waits for are screened (see [`crate::screening`]).

use std::time::Duration;

use super::{Job, JobContext, Next};
use crate::Result;
use crate::screening::Drained;

/// Screens some of the payments that wait. Whoever lets one wait wakes it.
pub struct PaymentScreenings;

impl Job for PaymentScreenings {
    const NAME: &'static str = "payment-screenings";
    const LEASE: Duration = Duration::from_secs(15);

    async fn run(&self, context: &JobContext) -> Result<Next> {
        Ok(match context.resolvers.inner.screen_pending_payments().await? {
            Drained::Some => Next::AtOnce,
            Drained::All | Drained::ListsAreLoading => Next::WhenWoken,
        })
    }
}
