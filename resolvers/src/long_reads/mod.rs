//! Long reads: all payments, all accounts, a page at a time, behind what somebody waits for.
//!
//! A [`RowStream`] is a row of pages, each a bounded read of its own: no transaction is kept open, a key is all that is needed to go on, and dropping the
//! stream ends it. While a page is worked on the next one is read, and no more than that. All pages of all streams of a process share one budget,
//! [`LongReads`]: one at a time, and each waits for a moment while others read. How many rows a page has follows the time that pages take.

pub(crate) mod pace;
mod stream;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use cypher::{AskedStatement, Engine, Error, LoadedRows, Params, Reading};
use serde::de::DeserializeOwned;
use tokio::sync::Semaphore;

use pace::Company;
pub(crate) use stream::Source;
pub use stream::{Page, RowStream, StreamedRow};

use crate::loader::Loader;

/// Pages that are read at a time, of all streams of the process.
const AT_ONCE: usize = 1;
/// How long a page waits for others who read to be done; then it has its turn, so that streams come to an end on the busiest instance.
const PATIENCE: Duration = Duration::from_millis(150);
/// So many times as long as the last page took, where that is more ...
const LEFT_TO_OTHERS: u32 = 4;
/// ... and no longer than this.
const LONGEST: Duration = Duration::from_secs(5);
/// How often it looks whether they are.
const LOOK: Duration = Duration::from_millis(5);

/// The budget of long reads. Cheap to clone; all clones share.
#[derive(Clone)]
pub(crate) struct LongReads(Arc<Shared>);

struct Shared {
    engine: Engine,
    places: Semaphore,
    /// Where others wait.
    loaders: [Loader; 2],
    /// Reads under way that went to no loader.
    others: Arc<AtomicUsize>,
    /// Milliseconds of the last page.
    last_took: AtomicU64,
}

/// Somebody reads who comes before long reads, until this is dropped.
pub(crate) struct Outranking(Arc<AtomicUsize>);

impl Drop for Outranking {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl LongReads {
    /// For an engine, behind what these loaders read.
    pub fn new(engine: Engine, loaders: [Loader; 2]) -> Self {
        Self(Arc::new(Shared { engine, places: Semaphore::new(AT_ONCE), loaders, others: Arc::default(), last_took: AtomicU64::new(0) }))
    }

    /// Notes a read that comes before long reads.
    pub fn outrank(&self) -> Outranking {
        self.0.others.fetch_add(1, Ordering::Relaxed);
        Outranking(Arc::clone(&self.0.others))
    }

    /// One bounded read of a long one, when it has its turn; and how long the database took for it.
    pub async fn read<R: DeserializeOwned>(&self, reading: Reading<R>, params: Params, limit: Duration) -> Result<(Vec<R>, Duration), Error> {
        self.in_turn(reading.label(), self.0.engine.read_as(reading, params, limit)).await
    }

    /// The same of a statement that came as data, within its own limits of time and rows.
    pub async fn read_loaded(&self, asked: AskedStatement) -> Result<LoadedRows, Error> {
        let label = asked.label();
        Ok(self.in_turn(label, self.0.engine.read_loaded(asked)).await?.0)
    }

    /// Reads when it has its turn; and how long the database took for it.
    async fn in_turn<T>(&self, label: &'static str, reading: impl Future<Output = Result<T, Error>>) -> Result<(T, Duration), Error> {
        // It is never closed.
        let _place = self.0.places.acquire().await;
        self.let_others_go_first().await;
        let began = Instant::now();
        let rows = reading.await?;
        metrics::counter!("amlgraph_long_read_pages_total", "statement" => label).increment(1);
        let took = began.elapsed();
        self.0.last_took.store(u64::try_from(took.as_millis()).unwrap_or(u64::MAX), Ordering::Relaxed);
        Ok((rows, took))
    }

    /// Whether others read now.
    fn company(&self) -> Company {
        if self.is_outranked() { Company::Others } else { Company::Alone }
    }

    async fn let_others_go_first(&self) {
        let began = Instant::now();
        // The longer the last page took, the longer is left to others.
        let patience = PATIENCE.max(Duration::from_millis(self.0.last_took.load(Ordering::Relaxed)) * LEFT_TO_OTHERS).min(LONGEST);
        while self.is_outranked() && began.elapsed() < patience {
            tokio::time::sleep(LOOK).await;
        }
        metrics::histogram!("amlgraph_long_read_wait_seconds").record(began.elapsed().as_secs_f64());
    }

    fn is_outranked(&self) -> bool {
        self.0.others.load(Ordering::Relaxed) > 0 || self.0.loaders.iter().any(Loader::is_busy)
    }
}
