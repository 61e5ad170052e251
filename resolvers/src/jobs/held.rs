//! One job that this process does, until it is done with it or its lease is lost.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::FutureExt;
use tokio::sync::watch;

use super::lease::{self, LeaseEnd};
use super::record::{Outcome, Records, Standing};
use super::{AnyJob, JobContext, Next};

/// How long a run may go on once the process stops. Runs are short steps; what is broken off is done the next time.
const LAST_STEP: Duration = Duration::from_secs(5);
/// A job that always has more to do is let go of so often, and behind failures at once: its successes are noted by that alone.
const KEPT_FOR: Duration = Duration::from_secs(60);

/// What keeps other workers from a job.
pub(super) enum Hold {
    Lease(Arc<Records>),
    /// Nothing: all do it.
    None,
}

/// A job that is being done.
pub(super) struct Held {
    pub job: Arc<dyn AnyJob>,
    pub standing: Standing,
    pub hold: Hold,
    pub context: JobContext,
    /// Closed when the process stops.
    pub stopping: watch::Receiver<()>,
}

impl Held {
    /// Works until nothing is left to do now, the lease is lost or the process stops; then lets go. Answers with the job's name.
    pub async fn work(self) -> &'static str {
        let name = self.job.name();
        let Hold::Lease(records) = &self.hold else {
            tokio::select! {
                biased;
                _ = self.steps() => {}
                () = lease::last_step_is_over(&self.stopping, LAST_STEP) => {}
            }
            return name;
        };
        let outcome = tokio::select! {
            biased;
            outcome = self.steps() => outcome,
            () = self.keep_lease(records) => {
                count(name, "lost");
                return name;
            }
            () = lease::last_step_is_over(&self.stopping, LAST_STEP) => Outcome::BrokenOff,
        };
        match records.release(name, &self.standing, outcome, self.context.now()).await {
            Ok(true) => tracing::debug!(job = name, ?outcome, "let go"),
            Ok(false) => tracing::warn!(job = name, "its lease was lost at the end"),
            Err(error) => tracing::warn!(job = name, %error, "could not be let go; its lease runs out by itself"),
        }
        name
    }

    async fn steps(&self) -> Outcome {
        let (name, began) = (self.job.name(), Instant::now());
        let is_kept = || matches!(self.hold, Hold::None) || (self.standing.failures == 0 && began.elapsed() < KEPT_FOR);
        loop {
            // This step sees all that it was woken for so far.
            self.context.resolvers.inner.waker.begun(name);
            let started = Instant::now();
            let ended = AssertUnwindSafe(self.job.run(&self.context)).catch_unwind().await;
            metrics::histogram!("amlgraph_job_seconds", "job" => name).record(started.elapsed().as_secs_f64());
            match ended {
                Ok(Ok(next)) => {
                    count(name, "done");
                    match next {
                        Next::AtOnce => {}
                        Next::InAMoment(moment) => self.pause(moment).await,
                        Next::After(_) | Next::WhenWoken => return Outcome::Done(next),
                    }
                    if self.stopping.has_changed().is_err() || !is_kept() {
                        return Outcome::Done(next);
                    }
                }
                Ok(Err(error)) => {
                    count(name, "failed");
                    tracing::warn!(job = name, %error, failures = self.standing.failures + 1, "failed; it is tried again after a wait");
                    return Outcome::Failed;
                }
                // The panic itself was logged where it happened.
                Err(_) => {
                    count(name, "failed");
                    tracing::error!(job = name, "a defect ended it; it is tried again after a wait");
                    return Outcome::Failed;
                }
            }
        }
    }

    /// Waits that long, or until the worker is stopping: nothing is ever sent, and it changes when it closes.
    async fn pause(&self, moment: Duration) {
        let mut stopping = self.stopping.clone();
        let _ = tokio::time::timeout(moment, stopping.changed()).await;
    }

    /// Renews the lease, and returns when it is lost: somebody else has it, or it could not be renewed in time.
    async fn keep_lease(&self, records: &Records) {
        let (name, lease) = (self.job.name(), self.job.lease());
        match lease::keep(lease, || records.renew(name, self.context.now(), lease)).await {
            LeaseEnd::Taken | LeaseEnd::Cancelled => tracing::warn!(job = name, "another worker has it now: this one stops"),
            LeaseEnd::RanOut => tracing::warn!(job = name, "the lease could not be renewed in time: this worker stops"),
        }
    }
}

fn count(job: &'static str, outcome: &'static str) {
    metrics::counter!("amlgraph_job_runs_total", "job" => job, "outcome" => outcome).increment(1);
}
