//! Jobs of which there may be any number: each is about something, has come so far, and ends.
//!
//! A [`JobKind`] is one serde struct, which is what such a job is about, and one function. Whoever starts one ([`start`]) leaves a
//! `(:JobInstance:OpenJob)`; workers of all processes take leases on them ([`pool`]), of each kind as many at a time as it says, those of the highest
//! priority first and of these the oldest. A run saves how far it is ([`Running::save`]), and whoever goes on after a crash begins there: a checkpoint is
//! taken from the run that has the lease alone, so that none goes back, and so is the end, so that a job ends once.
//!
//! A run that fails is tried again after a growing wait, others of its kind meanwhile; after [`JobKind::FAILURES`] in a row, or at once where it says
//! that it never can be done ([`Stopped::ForEver`]), the job has failed, with its reason. Somebody who cancels it ends it at its next await, within half a
//! second. What is shown of jobs is in [`show`].
//!
//! **To add a kind**: a file with the struct and its `impl JobKind`, its line in [`Kinds::standard`], an operation that starts it.

mod pool;
mod running;
mod show;
mod start;
pub(crate) mod store;

use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use serde::Serialize;
use serde::de::DeserializeOwned;

pub(super) use pool::Pool;
pub use running::{Progress, Running, Stopped};
pub(crate) use show::forget_some;
pub use show::{JobPage, JobPlace, JobQuery, ShownJob};
pub use start::Wanted;
pub(crate) use start::{DoneBy, row_of};

/// One kind of jobs. Its fields are the payload, kept as JSON: a field that is added later has a default.
pub trait JobKind: Serialize + DeserializeOwned + Send + Sync + 'static {
    /// What it is called, in the graph, in logs and in metrics. Never changed, never used again for something else.
    const KIND: &'static str;
    /// How long after its worker died another may take over.
    const LEASE: Duration = Duration::from_secs(10);
    /// How many may be under way at a time, in all processes.
    const AT_ONCE: usize = 1;
    /// After so many failures in a row, with nothing saved between them, a job has failed.
    const FAILURES: i64 = 8;
    /// How far it is, as it is saved.
    type Checkpoint: Serialize + DeserializeOwned + Default + Send + Sync;
    /// What it has come to, shown as JSON.
    type Result: Serialize + Send;

    /// Does it, from the checkpoint on that was saved last. It may be cut off at any await and run again from what it has saved, also (rarely: a
    /// machine that slept through its lease) while another is at it: what it does is to be safe to do twice.
    fn run(&self, checkpoint: Self::Checkpoint, running: &Running) -> impl Future<Output = Result<Self::Result, Stopped>> + Send;
}

/// The kinds that a worker does.
#[derive(Clone, Default)]
pub struct Kinds(Vec<Arc<dyn AnyKind>>);

impl Kinds {
    /// All kinds there are, but `bulk`, whose jobs are done in their order by a job of that name. A new one is added here.
    pub fn standard() -> Self {
        Self::none()
            .with::<crate::webhook::ReplayEvents>()
            .with::<crate::verification::VerifyTransfers>()
            .with::<crate::detection::Detect>()
            .with::<crate::detection::Backtest>()
            .with::<crate::risk::ScoreActors>()
            .with::<crate::risk::RiskBacktest>()
            .with::<crate::watchlist::ImportWatchlist>()
            .with::<crate::screening::ScreenPayments>()
            .with::<crate::screening::RescreenActors>()
            .with::<crate::screening::ScreenActors>()
    }

    pub fn none() -> Self {
        Self::default()
    }

    pub fn with<K: JobKind>(mut self) -> Self {
        self.0.push(Arc::new(Kind::<K>(std::marker::PhantomData)));
        self
    }

    /// Of each its name, its lease, how many are under way at a time, and after how many failures one has failed.
    pub(crate) fn terms(&self) -> Vec<(&'static str, Duration, usize, i64)> {
        self.0.iter().map(|kind| (kind.name(), kind.lease(), kind.at_once(), kind.failures())).collect()
    }
}

struct Kind<K>(std::marker::PhantomData<fn() -> K>);

/// A [`JobKind`] among others.
trait AnyKind: Send + Sync {
    fn name(&self) -> &'static str;
    fn lease(&self) -> Duration;
    fn at_once(&self) -> usize;
    fn failures(&self) -> i64;
    /// Answers with the result as JSON text.
    fn run<'a>(&'a self, claimed: &'a Claimed, running: &'a Running) -> BoxFuture<'a, Result<String, Stopped>>;
}

/// What a run begins with, as JSON text.
struct Claimed {
    payload: String,
    checkpoint: Option<String>,
}

impl<K: JobKind> AnyKind for Kind<K> {
    fn name(&self) -> &'static str {
        K::KIND
    }
    fn lease(&self) -> Duration {
        K::LEASE
    }
    fn at_once(&self) -> usize {
        K::AT_ONCE
    }
    fn failures(&self) -> i64 {
        K::FAILURES
    }
    fn run<'a>(&'a self, claimed: &'a Claimed, running: &'a Running) -> BoxFuture<'a, Result<String, Stopped>> {
        Box::pin(async move {
            let unreadable = |error: serde_json::Error| {
                tracing::error!(kind = K::KIND, category = ?error.classify(), line = error.line(), column = error.column(), "a job can't be read");
                Stopped::ForEver("was queued by another version of the service, and can't be read by this one".to_owned())
            };
            let job: K = serde_json::from_str(&claimed.payload).map_err(unreadable)?;
            let checkpoint = claimed.checkpoint.as_deref().map(serde_json::from_str).transpose().map_err(unreadable)?.unwrap_or_default();
            let result = job.run(checkpoint, running).await?;
            serde_json::to_string(&result).map_err(|error| Stopped::ForEver(error.to_string()))
        })
    }
}
