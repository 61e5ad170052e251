//! Payments that belong to somebody else now follow the numbers that have changed hands (see [`crate::numbers`]).

use std::time::Duration;

use super::{Job, JobContext, Next};
use crate::{Result, numbers};

/// Moves some payments of each account that has such, in turns of a second: writes of the same accounts wait for one step at most.
pub struct PaymentMoves;

impl Job for PaymentMoves {
    const NAME: &'static str = crate::numbers::MOVES_JOB;
    const LEASE: Duration = Duration::from_secs(30);

    async fn run(&self, context: &JobContext) -> Result<Next> {
        let inner = &context.resolvers.inner;
        let accounts = numbers::to_move(&inner.engine).await?;
        if accounts.is_empty() {
            return Ok(Next::WhenWoken);
        }
        let (mut moved, mut failed) = (0, None);
        for account in accounts {
            match inner.move_payments(account).await {
                Ok(_) => moved += 1,
                Err(error) => {
                    tracing::warn!(%error, "payments of an account could not be moved now");
                    failed = Some(error);
                }
            }
        }
        match failed {
            // What can't be moved now must not keep the others; the job rests when nothing could.
            Some(error) if moved == 0 => Err(error),
            _ => Ok(Next::AtOnce),
        }
    }
}
