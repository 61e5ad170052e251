//! Keeping a lease while a run goes on, and how long a run may go on once the process stops: the same for every job.

use std::time::{Duration, Instant};

use tokio::sync::watch;

/// What renewing a lease came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Renewed {
    Yes,
    /// It is still held, and somebody wants the job cancelled.
    Cancelled,
    /// Somebody else has it.
    Lost,
}

/// Why a lease is kept no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LeaseEnd {
    Cancelled,
    /// Somebody else has it.
    Taken,
    /// It could not be renewed in time.
    RanOut,
}

/// Renews a lease every third of it, and returns when it is to be kept no more.
pub(super) async fn keep<F: Future<Output = Result<Renewed, cypher::Error>>>(lease: Duration, renew: impl Fn() -> F) -> LeaseEnd {
    let mut good_until = Instant::now() + lease;
    loop {
        tokio::time::sleep(lease / 3).await;
        let asked = Instant::now();
        match tokio::time::timeout_at(good_until.into(), renew()).await {
            Ok(Ok(Renewed::Yes)) => good_until = asked + lease,
            Ok(Ok(Renewed::Cancelled)) => return LeaseEnd::Cancelled,
            Ok(Ok(Renewed::Lost)) => return LeaseEnd::Taken,
            Ok(Err(error)) if Instant::now() < good_until => tracing::debug!(%error, "the lease could not be renewed yet"),
            Ok(Err(_)) | Err(_) => return LeaseEnd::RanOut,
        }
    }
}

/// Returns so long after the process was told to stop, which closes `stopping`.
pub(super) async fn last_step_is_over(stopping: &watch::Receiver<()>, last_step: Duration) {
    // Nothing is ever sent: it changes when it closes.
    let _ = stopping.clone().changed().await;
    tokio::time::sleep(last_step).await;
}
