//! A worker: looks what is due, claims it, and sees to it that it is done.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use queries::ReadCache;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::MissedTickBehavior;

use super::held::{Held, Hold};
use super::instance::Pool;
use super::record::{Due, Others, Records, Standing, Woken};
use super::{AnyJob, JobContext, Jobs, Kinds, Sharing, Waker};
use crate::Resolvers;

/// How often is looked for what nobody of this process was told of.
const LOOK: Duration = Duration::from_secs(1);
/// How long what jobs have left under way may take once the worker stops.
const LAST: Duration = Duration::from_secs(20);

/// Does jobs, each beside the others, one run of a job at a time.
pub struct Worker {
    jobs: Vec<Arc<dyn AnyJob>>,
    kinds: Kinds,
    names: Vec<&'static str>,
    records: Arc<Records>,
    context: JobContext,
    waker: Waker,
    under_way: JoinSet<&'static str>,
    busy: BTreeSet<&'static str>,
    /// Those that the last look found woken, and that could not be begun: another worker has them, or they rest.
    seen: BTreeSet<&'static str>,
    /// When jobs that all workers do began last.
    begun: BTreeMap<&'static str, Instant>,
    /// Closes when the process stops.
    stopping: watch::Sender<()>,
    database: Database,
}

/// What the last look came to; only a change is logged.
#[derive(PartialEq, Eq)]
enum Database {
    Answers,
    Away,
}

impl Worker {
    /// A worker for some jobs.
    pub fn new(resolvers: &Resolvers, jobs: Jobs) -> Self {
        let inner = &resolvers.inner;
        // By this id others know what this process writes. An embedded store has no other process.
        let process = inner.cache.as_ref().and_then(ReadCache::process).map(str::to_owned);
        let others = process.as_ref().and(inner.cache.clone()).map(Others::seen_by);
        Self {
            names: jobs.0.iter().map(|job| job.name()).collect(),
            jobs: jobs.0,
            kinds: Kinds::none(),
            records: Arc::new(Records { engine: inner.engine.clone(), holder: process.unwrap_or_else(|| inner.clock.id()), others }),
            context: JobContext { resolvers: resolvers.clone() },
            waker: inner.waker.clone(),
            under_way: JoinSet::new(),
            busy: BTreeSet::new(),
            seen: BTreeSet::new(),
            begun: BTreeMap::new(),
            stopping: watch::channel(()).0,
            database: Database::Answers,
        }
    }

    /// With jobs of which there may be any number.
    pub fn with_kinds(self, kinds: Kinds) -> Self {
        Self { kinds, ..self }
    }

    /// Works until `stop` is done, then lets runs under way come to an end and lets go of all leases. Dropped before, it leaves its leases to
    /// run out.
    pub async fn run(mut self, stop: impl Future<Output = ()>) {
        tracing::info!(holder = self.records.holder, jobs = ?self.names, "working in the background");
        let mut ticks = tokio::time::interval(LOOK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut stop = std::pin::pin!(stop);
        let pool = Pool::new(std::mem::take(&mut self.kinds), self.context.clone(), self.records.holder.clone(), self.stopping.subscribe());
        let pool = tokio::spawn(pool.run());
        loop {
            tokio::select! {
                biased;
                () = &mut stop => break,
                // What it was woken for meanwhile is begun at once.
                Some(ended) = self.under_way.join_next() => self.ended(ended),
                // What it is at will see that; there is another look when it has ended. What it could not begin is looked at every second.
                () = self.waker.rung() => if self.waker.woken().iter().all(|name| self.busy.contains(name) || self.seen.contains(name)) { continue },
                _ = ticks.tick() => {}
            }
            let woken = self.waker.woken();
            self.look().await;
            self.seen = &woken - &self.busy;
        }
        let Self { mut under_way, stopping, jobs, .. } = self;
        drop(stopping);
        while under_way.join_next().await.is_some() {}
        if let Err(error) = pool.await {
            tracing::error!(panicked = error.is_panic(), "the jobs under way have ended");
        }
        let ends = futures::future::join_all(jobs.iter().map(|job| job.stop()));
        if tokio::time::timeout(LAST, ends).await.is_err() {
            tracing::warn!("what jobs have left under way is broken off");
        }
        tracing::info!("stopped working in the background");
    }

    fn ended(&mut self, ended: Result<&'static str, tokio::task::JoinError>) {
        match ended {
            Ok(name) => drop(self.busy.remove(name)),
            // Panics of jobs are caught where they run, and nobody ends these tasks.
            Err(error) => tracing::error!(panicked = error.is_panic(), "a job's task ended"),
        }
    }

    async fn look(&mut self) {
        match self.standings().await {
            Ok(standings) => {
                if self.database == Database::Away {
                    tracing::info!("jobs can be seen again");
                    self.database = Database::Answers;
                }
                for (name, standing) in standings {
                    self.consider(name, standing).await;
                }
                metrics::counter!("amlgraph_job_looks_total").increment(1);
            }
            Err(error) => {
                if self.database == Database::Answers {
                    tracing::warn!(%error, "jobs can't be seen; tried again every second");
                    self.database = Database::Away;
                }
            }
        }
    }

    /// How all jobs stand. One without a node gets it.
    async fn standings(&self) -> Result<Vec<(&'static str, Standing)>, cypher::Error> {
        let found = self.records.look(&self.names, self.context.now()).await?;
        if found.len() == self.names.len() {
            return Ok(found);
        }
        self.records.enlist(&self.names, self.context.now()).await?;
        self.records.look(&self.names, self.context.now()).await
    }

    async fn consider(&mut self, name: &'static str, standing: Standing) {
        let now = self.context.now();
        let woken = if self.waker.is_woken(name) { Woken::Yes } else { Woken::No };
        let Some(job) = self.jobs.iter().find(|job| job.name() == name).cloned() else { return };
        let due = match job.sharing() {
            Sharing::OneWorker => standing.due(now, woken),
            Sharing::AllWorkers => standing.waits(woken),
        };
        self.measure(&*job, &standing, due, now.millis());
        if due != Due::Now || self.busy.contains(name) {
            return;
        }
        if job.sharing() == Sharing::AllWorkers {
            // Nothing in the graph makes it rest, after a failure or when it has as much as it can hold: unless it is woken it runs once a second.
            let rests = self.begun.get(name).is_some_and(|begun| begun.elapsed() < LOOK);
            if woken == Woken::No && rests {
                return;
            }
            self.begun.insert(name, Instant::now());
            self.begin(job, standing, Hold::None);
            return;
        }
        match self.records.claim(name, &standing, now, job.lease()).await {
            Ok(true) => self.begin(job, standing, Hold::Lease(Arc::clone(&self.records))),
            // Another worker was first; what this process was woken for is looked at again in a second.
            Ok(false) => {}
            Err(error) => tracing::warn!(job = name, %error, "could not be claimed"),
        }
    }

    fn begin(&mut self, job: Arc<dyn AnyJob>, standing: Standing, hold: Hold) {
        self.waker.begun(job.name());
        self.busy.insert(job.name());
        let held = Held { job, standing, hold, context: self.context.clone(), stopping: self.stopping.subscribe() };
        self.under_way.spawn(held.work());
    }

    /// What `/metrics` shows of a job, whichever process does it.
    fn measure(&self, job: &dyn AnyJob, standing: &Standing, due: Due, now: i64) {
        let name = job.name();
        let waits = match job.sharing() {
            // The graph knows nothing of its runs: what one has taken is not due any more, and may not be done yet.
            Sharing::AllWorkers => due != Due::Not || self.busy.contains(name),
            Sharing::OneWorker => {
                let age = (now - standing.succeeded_at).max(0) as f64 / 1000.0;
                metrics::gauge!("amlgraph_job_success_age_seconds", "job" => name).set(age);
                metrics::gauge!("amlgraph_job_failures", "job" => name).set(standing.failures as f64);
                due != Due::Not || standing.failures > 0
            }
        };
        metrics::gauge!("amlgraph_job_left", "job" => name).set(if waits { 1.0 } else { 0.0 });
    }
}
