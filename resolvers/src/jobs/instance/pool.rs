//! A worker's jobs of which there may be any number: looks which are due, claims them, runs each until it is left or lost.

use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use cypher::statements::rows::{ClaimedJob, DueJob};
use futures::FutureExt;
use graph_schema::date::Timestamp;
use graph_schema::job::JobStatus;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::MissedTickBehavior;

use super::running::shown_reason;
use super::store::{InstanceStore, Left};
use super::{AnyKind, Claimed, Kinds, Running, Stopped};
use crate::jobs::JobContext;
use crate::jobs::lease::{self, LeaseEnd};
use crate::jobs::record::{millis, wait_after};

/// How often is looked for what nobody of this process was told of.
const LOOK: Duration = Duration::from_secs(1);
/// How often is looked whether somebody has cancelled what is under way.
const LOOK_FOR_CANCELLED: Duration = Duration::from_millis(400);
/// How long a run may go on once the process stops.
const LAST_STEP: Duration = Duration::from_secs(3);

pub(in crate::jobs) struct Pool {
    kinds: Vec<Arc<dyn AnyKind>>,
    store: Arc<InstanceStore>,
    context: JobContext,
    under_way: JoinSet<&'static str>,
    busy: BTreeMap<&'static str, usize>,
    stopping: watch::Receiver<()>,
    /// Whether the kinds have their nodes.
    is_enlisted: bool,
}

impl Pool {
    /// `stopping` closes when the process stops.
    pub fn new(kinds: Kinds, context: JobContext, holder: String, stopping: watch::Receiver<()>) -> Self {
        let store = Arc::new(InstanceStore { engine: context.engine().clone(), holder });
        Self { kinds: kinds.0, store, context, under_way: JoinSet::new(), busy: BTreeMap::new(), stopping, is_enlisted: false }
    }

    /// Works until the process stops, and lets go of what it has.
    pub async fn run(mut self) {
        if self.kinds.is_empty() {
            return;
        }
        let mut ticks = tokio::time::interval(LOOK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let waker = self.context.resolvers.inner.waker.clone();
        let mut stopping = self.stopping.clone();
        loop {
            tokio::select! {
                biased;
                // Nothing is ever sent: it changes when it closes.
                _ = stopping.changed() => break,
                Some(ended) = self.under_way.join_next() => self.ended(ended),
                () = waker.job_rung() => {}
                _ = ticks.tick() => {}
            }
            match self.look().await {
                Ok(()) => {}
                // The worker says that the database is away.
                Err(error) if error.is_outage() => tracing::debug!(%error, "jobs can't be seen"),
                Err(error) => tracing::warn!(%error, "which jobs are due could not be seen"),
            }
        }
        while self.under_way.join_next().await.is_some() {}
    }

    fn ended(&mut self, ended: Result<&'static str, tokio::task::JoinError>) {
        match ended {
            Ok(kind) => *self.busy.entry(kind).or_insert(1) -= 1,
            // Panics of jobs are caught where they run, and nobody ends these tasks.
            Err(error) => tracing::error!(panicked = error.is_panic(), "a job's task ended"),
        }
    }

    async fn look(&mut self) -> Result<(), cypher::Error> {
        if !self.is_enlisted {
            self.store.enlist(self.kinds.iter().map(|kind| kind.name()).collect()).await?;
            self.is_enlisted = true;
        }
        let kinds: Vec<(&'static str, usize)> = self.kinds.iter().map(|kind| (kind.name(), kind.at_once())).collect();
        for job in self.store.due(&kinds, self.context.now()).await? {
            let Some(kind) = self.kinds.iter().find(|kind| kind.name() == job.kind).cloned() else { continue };
            // One that is cancelled only ends.
            if job.cancelled || self.free(&*kind) {
                self.claim(kind, job).await?;
            }
        }
        Ok(())
    }

    fn free(&self, kind: &dyn AnyKind) -> bool {
        self.busy.get(kind.name()).is_none_or(|busy| *busy < kind.at_once())
    }

    async fn claim(&mut self, kind: Arc<dyn AnyKind>, job: DueJob) -> Result<(), cypher::Error> {
        let Some(claimed) = self.store.claim(&job, self.context.now(), kind.lease(), kind.at_once()).await? else { return Ok(()) };
        *self.busy.entry(kind.name()).or_default() += 1;
        let running = Running {
            id: job.id,
            runs: job.runs + 1,
            has_saved: AtomicBool::new(false),
            lease: kind.lease(),
            store: Arc::clone(&self.store),
            context: self.context.clone(),
        };
        self.under_way.spawn(Run { kind, running, stopping: self.stopping.clone() }.work(claimed));
        Ok(())
    }
}

/// A job that is being done.
struct Run {
    kind: Arc<dyn AnyKind>,
    running: Running,
    stopping: watch::Receiver<()>,
}

/// How a run came to its end.
enum Outcome {
    Done(String),
    Stopped(Stopped),
    Panicked,
    /// The process stops.
    BrokenOff,
}

impl Run {
    async fn work(self, claimed: ClaimedJob) -> &'static str {
        let (kind, began) = (self.kind.name(), Instant::now());
        let failures = claimed.failures;
        let outcome = if claimed.cancelled {
            Outcome::Stopped(Stopped::Cancelled)
        } else if failures >= self.kind.failures() {
            // Its workers have died at it, one after another.
            Outcome::Stopped(Stopped::ForEver("the processes that were at it have ended, one after another; see their logs".to_owned()))
        } else {
            self.outcome(Claimed { payload: claimed.payload, checkpoint: claimed.checkpoint }).await
        };
        metrics::histogram!("amlgraph_job_run_seconds", "kind" => kind).record(began.elapsed().as_secs_f64());
        let failures = if self.running.has_saved.load(Ordering::Relaxed) { 0 } else { failures };
        if let Some(left) = self.left(outcome, failures) {
            self.leave(left).await;
        }
        kind
    }

    async fn outcome(&self, claimed: Claimed) -> Outcome {
        let run = AssertUnwindSafe(self.kind.run(&claimed, &self.running)).catch_unwind();
        tokio::select! {
            biased;
            ended = run => match ended {
                Ok(Ok(result)) => Outcome::Done(result),
                Ok(Err(stopped)) => Outcome::Stopped(stopped),
                // The panic itself was logged where it happened.
                Err(_) => Outcome::Panicked,
            },
            stopped = self.keep_lease() => Outcome::Stopped(stopped),
            stopped = self.watch_for_cancelling() => Outcome::Stopped(stopped),
            () = lease::last_step_is_over(&self.stopping, LAST_STEP) => Outcome::BrokenOff,
        }
    }

    /// Returns when the lease is lost, or somebody wants the job cancelled.
    async fn keep_lease(&self) -> Stopped {
        match lease::keep(self.running.lease, || self.running.store.renew(&self.running)).await {
            LeaseEnd::Cancelled => Stopped::Cancelled,
            LeaseEnd::Taken | LeaseEnd::RanOut => Stopped::LeaseLost,
        }
    }

    async fn watch_for_cancelling(&self) -> Stopped {
        loop {
            tokio::time::sleep(LOOK_FOR_CANCELLED).await;
            // One that can't be asked now is asked again.
            if self.running.store.cancelled(vec![&self.running.id]).await.is_ok_and(|cancelled| !cancelled.is_empty()) {
                return Stopped::Cancelled;
            }
        }
    }

    /// What is to be noted; nothing where another has the job.
    fn left(&self, outcome: Outcome, failures: i64) -> Option<Left> {
        let (kind, id) = (self.kind.name(), self.running.id.as_str());
        let ended = |status, error, result| Some(Left::Ended { status, error, result });
        match outcome {
            Outcome::Done(result) => ended(JobStatus::Done, None, Some(result)),
            Outcome::Stopped(Stopped::Cancelled) => ended(JobStatus::Cancelled, None, None),
            Outcome::Stopped(Stopped::ForEver(reason)) => {
                // The reason may say what stands in a file, which is no log's business; the job has it.
                tracing::error!(kind, id, "a job has failed: `amlgraph jobs` says why");
                ended(JobStatus::Failed, Some(reason), None)
            }
            Outcome::Stopped(Stopped::LeaseLost) => {
                tracing::warn!(kind, id, "another worker has this job now: this one stops");
                count(kind, "LOST");
                None
            }
            Outcome::Stopped(Stopped::Failed(error)) => {
                tracing::warn!(kind, id, %error, "a job has failed for now");
                self.failed(shown_reason(&error), failures + 1)
            }
            Outcome::Panicked => {
                tracing::error!(kind, id, "a defect ended a run of a job");
                self.failed("a defect of the service ended it; see the log".to_owned(), failures + 1)
            }
            Outcome::BrokenOff => Some(Left::ToBeTried { at: self.running.context.now(), failures, error: None }),
        }
    }

    fn failed(&self, error: String, failures: i64) -> Option<Left> {
        let error = Some(error);
        if failures >= self.kind.failures() {
            return Some(Left::Ended { status: JobStatus::Failed, error, result: None });
        }
        let at = Timestamp(self.running.context.now().millis() + millis(wait_after(failures)));
        Some(Left::ToBeTried { at, failures, error })
    }

    async fn leave(&self, left: Left) {
        let (kind, id) = (self.kind.name(), self.running.id.as_str());
        let outcome = match &left {
            Left::Ended { status, .. } => status.as_str(),
            Left::ToBeTried { error: Some(_), .. } => "TRIED_AGAIN",
            Left::ToBeTried { error: None, .. } => "BROKEN_OFF",
        };
        match self.running.store.release(&self.running, left).await {
            Ok(true) => {
                count(kind, outcome);
                tracing::info!(kind, id, outcome, "a run of a job has ended");
            }
            Ok(false) => count(kind, "LOST"),
            Err(error) => tracing::warn!(kind, id, %error, "a job could not be let go; its lease runs out by itself"),
        }
    }
}

fn count(kind: &'static str, outcome: &'static str) {
    metrics::counter!("amlgraph_job_ends_total", "kind" => kind, "outcome" => outcome).increment(1);
}
