//! Work in the background: what has to be done and nobody waits for.
//!
//! A [`Job`] is a piece of such work with a name. Any number of [`Worker`]s, in any number of processes, share the jobs of a store: each job
//! has a node, `(:Job {id: NAME})`, and who wants to do it takes a lease there first, in a transaction that locks the node. A lease is made
//! longer while the work goes on. A worker that dies lets it run out, and another takes over; one that finds its lease lost drops what it is
//! at. A worker that is told to stop lets go of its leases.
//!
//! When a job is due says what its last run ended with, [`Next`]. What a commit leaves for a job is told to the [`Waker`] of the process, whose
//! worker runs the job at once. All workers look every second what is due, all jobs in one statement (`cypher/statements/job/look.cypher`),
//! so that work is found whichever process brought it. A run that fails is logged and tried again after a growing wait.
//!
//! **To add a job**:
//! 1. A file here with a struct and its `impl Job`, and its line in [`Jobs::standard`].
//! 2. Its work in the graph: a label of its own on the nodes that wait (`:Pending`), which a run takes away in the transaction that does
//!    the work. A run takes a bounded number of them and answers [`Next::AtOnce`] while it found all it could take, [`Next::WhenWoken`] once it
//!    found fewer (or nothing, where [`Next::InAMoment`] lets more gather before the next look). It may be cut off at any await and run again,
//!    also (rarely: a machine that slept through its lease) while another is at it.
//! 3. A branch for that label in `look.cypher`, and `waker.wake(NAME)` behind the commit that brings such nodes.
//!
//! What all workers are to do beside each other says so ([`Sharing`]): it runs without a lease when it is woken, and
//! else once a second while something waits for it; after a failure, too.
//!
//! Work that somebody has asked for, of which there may be any number at a time, is an [`instance`].
//!
//! A job that only depends on time answers [`Next::After`] and needs 1 alone; [`housekeeping`] is one. Times are the [`Clock`](crate::Clock)'s,
//! never the database's, so machines that share a store must agree on the time to within a fraction of a lease.

mod actor_screenings;
mod bulk;
mod case_counts;
mod change_feed;
mod deliveries;
mod events;
mod held;
mod housekeeping;
pub(crate) mod instance;
mod lease;
mod payment_moves;
mod payment_screenings;
pub(crate) mod record;
mod stray_files;
mod waker;
mod watchlists;
mod webhook_lanes;
mod worker;

use std::sync::Arc;
use std::time::Duration;

use cypher::Engine;
use futures::future::BoxFuture;
use graph_schema::date::Timestamp;

pub use actor_screenings::ActorScreenings;
pub use bulk::Bulk;
pub use case_counts::CaseCounts;
pub use change_feed::ChangeFeed;
pub use deliveries::Deliveries;
pub use events::Events;
pub use housekeeping::Housekeeping;
pub(crate) use instance::{DoneBy, forget_some, row_of};
pub use instance::{JobKind, JobPage, JobPlace, JobQuery, Kinds, Progress, Running, ShownJob, Stopped, Wanted};
pub use payment_moves::PaymentMoves;
pub use payment_screenings::PaymentScreenings;
pub use stray_files::StrayFiles;
pub use waker::Waker;
pub use watchlists::Watchlists;
pub use webhook_lanes::WebhookLanes;
pub use worker::Worker;

use crate::{Resolvers, Result};

/// One kind of work in the background.
pub trait Job: Send + Sync + 'static {
    /// What it is called, in the graph, in logs and in metrics. Never changed, never used again for something else.
    const NAME: &'static str;
    /// How long after its worker died another may take over. The lease is made longer every third of it while a run goes on.
    const LEASE: Duration;
    /// Who does it.
    const SHARING: Sharing = Sharing::OneWorker;

    /// One step: some of what there is to do, bounded in size. An error is logged, and the job tried again after a wait.
    fn run(&self, context: &JobContext) -> impl Future<Output = Result<Next>> + Send;

    /// The worker stops: what runs have left under way comes to an end, soon.
    fn stop(&self) -> impl Future<Output = ()> + Send {
        std::future::ready(())
    }
}

/// By how many workers a job is done at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sharing {
    /// By whoever has its lease.
    OneWorker,
    /// By all, each of whom takes a part of what waits: what keeps them apart there is the job's own affair. It needs no lease.
    AllWorkers,
}

/// When a job is due again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// There is more to do.
    AtOnce,
    /// There may be more, which will be more in so short a while: each run costs the database the same for one as for many.
    InAMoment(Duration),
    /// When there is something to do: somebody woke it, or a look found that work waits for it.
    WhenWoken,
    /// After a wait, or sooner when it is woken.
    After(Duration),
}

/// What a job works with.
#[derive(Clone)]
pub struct JobContext {
    pub(crate) resolvers: Resolvers,
}

impl JobContext {
    /// The store. What a job writes of its own bookkeeping goes here directly; what a user could have written goes through the operations.
    pub fn engine(&self) -> &Engine {
        &self.resolvers.inner.engine
    }

    /// The time.
    pub fn now(&self) -> Timestamp {
        self.resolvers.inner.clock.now()
    }

    /// The operations.
    pub fn resolvers(&self) -> &Resolvers {
        &self.resolvers
    }
}

/// The jobs that a worker does.
#[derive(Clone, Default)]
pub struct Jobs(Vec<Arc<dyn AnyJob>>);

impl Jobs {
    /// All jobs there are. A new one is added here.
    pub fn standard() -> Self {
        Self::none()
            .with(Housekeeping)
            .with(PaymentMoves)
            .with(Bulk)
            .with(StrayFiles)
            .with(WebhookLanes)
            .with(Watchlists)
            .with(ActorScreenings)
            .with(PaymentScreenings)
            .with(CaseCounts)
            .with(Events)
            .with(ChangeFeed::default())
            .with(Deliveries::default())
    }

    pub fn none() -> Self {
        Self::default()
    }

    pub fn with(mut self, job: impl Job) -> Self {
        self.0.push(Arc::new(job));
        self
    }

    /// The name and the lease of each.
    pub(crate) fn names_and_leases(&self) -> Vec<(&'static str, Duration)> {
        self.0.iter().map(|job| (job.name(), job.lease())).collect()
    }
}

/// A [`Job`] among others.
trait AnyJob: Send + Sync {
    fn name(&self) -> &'static str;
    fn lease(&self) -> Duration;
    fn sharing(&self) -> Sharing;
    fn run<'a>(&'a self, context: &'a JobContext) -> BoxFuture<'a, Result<Next>>;
    fn stop(&self) -> BoxFuture<'_, ()>;
}

impl<J: Job> AnyJob for J {
    fn name(&self) -> &'static str {
        J::NAME
    }
    fn lease(&self) -> Duration {
        J::LEASE
    }
    fn sharing(&self) -> Sharing {
        J::SHARING
    }
    fn run<'a>(&'a self, context: &'a JobContext) -> BoxFuture<'a, Result<Next>> {
        Box::pin(Job::run(self, context))
    }
    fn stop(&self) -> BoxFuture<'_, ()> {
        Box::pin(Job::stop(self))
    }
}
