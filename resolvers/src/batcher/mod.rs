//! Group commit: concurrent single-record writes become one transaction, and each caller is answered when its record is durable.
//!
//! Writes of one operation queue up while a transaction is under way; whatever waits then becomes the next one. There is no timer: a lone
//! write waits for nobody. All operations share one lane, because they lock the same nodes and more transactions would only wait for each
//! other. Where an operation can say what its writes touch, and the engine has room, transactions that share no node run beside each other.
//! A batch that fails on one row's account is split in halves until the bad row stands alone; a conflict is retried with jitter.

mod queue;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use cypher::Engine;
use rand::Rng;
use tokio::sync::{OwnedRwLockReadGuard, OwnedRwLockWriteGuard, RwLock, mpsc, oneshot};
use tokio::task::{Id, JoinError, JoinSet};

pub use queue::Touch;
use queue::{Batch, Queue, Waiting};

use crate::{Error, Result};

/// The most rows of one transaction.
pub const MAX_ROWS: usize = 500;
/// How often a conflict is retried. With the waits below that is some four seconds.
const RETRIES: u32 = 10;

/// The lane: transactions that know what they touch go side by side, any other goes alone.
pub type Lane = Arc<RwLock<()>>;

/// How transactions of an operation stand to others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Passage {
    /// Nothing else is under way: it may lock anything.
    Alone,
    /// Beside others of its operation that touch none of its nodes.
    SideBySide,
}

/// A kind of write that can be gathered.
pub trait Operation: Send + Sync + 'static {
    /// One caller's write.
    type Row: Send + Sync + 'static;
    /// What its caller learns when it is durable.
    type Answer: Send + 'static;

    /// How its transactions stand to others.
    const PASSAGE: Passage = Passage::Alone;

    /// For metrics and logs.
    fn name(&self) -> &'static str;

    /// What the write is about. Two writes with the same key never share a transaction, and rows are sorted by it.
    fn key(row: &Self::Row) -> &str;

    /// Nodes that the write locks as far as one can tell beforehand. It is advice: what it misses, the database's own locks keep apart.
    fn touches(_row: &Self::Row) -> &[Touch] {
        &[]
    }

    /// About how many bytes the row is.
    fn size(row: &Self::Row) -> usize;

    /// Writes the rows in one transaction, or in several; puts in the place of each row its answer as soon as it is durable. After an error the
    /// rows without an answer were not written, and may be tried again without the others.
    fn apply(
        &self,
        engine: &Engine,
        rows: &[&Self::Row],
        answers: &mut [Option<Self::Answer>],
    ) -> impl Future<Output = std::result::Result<(), cypher::Error>> + Send;
}

/// Gathers the writes of one operation. Cheap to clone.
pub struct Batcher<O: Operation> {
    queue: mpsc::UnboundedSender<Waiting<O>>,
}

impl<O: Operation> Clone for Batcher<O> {
    fn clone(&self) -> Self {
        Self { queue: self.queue.clone() }
    }
}

impl<O: Operation> Batcher<O> {
    /// Starts gathering; ends when the last clone is gone.
    pub fn start(operation: O, engine: Engine, lane: Lane) -> Self {
        let (queue, waiting) = mpsc::unbounded_channel();
        let most = match O::PASSAGE {
            Passage::Alone => 1,
            Passage::SideBySide => engine.writes_at_once(),
        };
        let writing = Arc::new(Writing { operation, engine });
        tokio::spawn(Driver { writing, lane, most, waiting, queue: Queue::new(), under_way: JoinSet::new() }.run());
        Self { queue }
    }

    /// Writes one row; returns when it is durable. Whoever stops waiting before it has begun takes it back. The raw error lets an operation tell a broken constraint from the rest.
    pub async fn try_write(&self, row: O::Row) -> std::result::Result<O::Answer, cypher::Error> {
        let gone = || cypher::Error::Unavailable { statement: "batch", detail: "shutting down".into() };
        let (answer, answered) = oneshot::channel();
        self.queue.send(Waiting { row, answer }).map_err(|_| gone())?;
        answered.await.map_err(|_| gone())?
    }

    /// Writes one row; returns when it is durable.
    pub async fn write(&self, row: O::Row) -> Result<O::Answer> {
        self.try_write(row).await.map_err(Error::from)
    }
}

struct Driver<O: Operation> {
    writing: Arc<Writing<O>>,
    lane: Lane,
    /// So many transactions at once.
    most: usize,
    waiting: mpsc::UnboundedReceiver<Waiting<O>>,
    queue: Queue<O>,
    under_way: JoinSet<()>,
}

/// A transaction's place in the lane, for as long as it is under way.
enum Place {
    Alone { _place: OwnedRwLockWriteGuard<()> },
    SideBySide { _place: OwnedRwLockReadGuard<()> },
}

impl<O: Operation> Driver<O> {
    async fn run(mut self) {
        let mut arrived = Vec::new();
        loop {
            self.begin_what_is_due().await;
            let room = (2 * MAX_ROWS).saturating_sub(self.queue.len());
            tokio::select! {
                count = self.waiting.recv_many(&mut arrived, room.max(1)), if room > 0 => {
                    if count == 0 {
                        return self.finish().await;
                    }
                    arrived.drain(..).for_each(|next| self.queue.push(next));
                }
                Some(ended) = self.under_way.join_next_with_id() => self.queue.landed(id_of(ended)),
            }
        }
    }

    /// The last clone is gone: writes what still waits.
    async fn finish(mut self) {
        loop {
            self.begin_what_is_due().await;
            match self.under_way.join_next_with_id().await {
                Some(ended) => self.queue.landed(id_of(ended)),
                None => return,
            }
        }
    }

    async fn begin_what_is_due(&mut self) {
        while self.under_way.len() < self.most && self.queue.is_due() {
            let place = match O::PASSAGE {
                Passage::Alone => Place::Alone { _place: Arc::clone(&self.lane).write_owned().await },
                Passage::SideBySide => Place::SideBySide { _place: Arc::clone(&self.lane).read_owned().await },
            };
            // While the place was taken some landed and more came.
            while let Some(ended) = self.under_way.try_join_next_with_id() {
                self.queue.landed(id_of(ended));
            }
            while self.queue.len() < 2 * MAX_ROWS {
                match self.waiting.try_recv() {
                    Ok(next) => self.queue.push(next),
                    Err(_) => break,
                }
            }
            let Batch { waiting, touches } = self.queue.next_batch();
            if waiting.is_empty() {
                return;
            }
            let writing = Arc::clone(&self.writing);
            let transaction = self.under_way.spawn(async move {
                writing.write(waiting).await;
                drop(place);
            });
            self.queue.departed(transaction.id(), touches);
        }
    }
}

fn id_of(ended: std::result::Result<(Id, ()), JoinError>) -> Id {
    // One that panicked has dropped its callers' channels, which tells them.
    ended.map_or_else(|error| error.id(), |(id, ())| id)
}

/// Writes batches.
struct Writing<O: Operation> {
    operation: O,
    engine: Engine,
}

impl<O: Operation> Writing<O> {
    async fn write(&self, batch: Vec<Waiting<O>>) {
        metrics::histogram!("amlgraph_batch_rows", "operation" => self.operation.name()).record(batch.len() as f64);
        let mut parts = vec![batch];
        while let Some(part) = parts.pop() {
            match self.attempt(part).await {
                Ok(()) => {}
                Err((error, mut left)) if error.is_of_a_row() && left.len() > 1 => {
                    let second = left.split_off(left.len() / 2);
                    parts.extend([second, left]);
                }
                Err((error, left)) => left.into_iter().for_each(|waiting| waiting.tell(Err(error.clone()))),
            }
        }
    }

    /// Tries until all are written; on an error returns those that are not.
    async fn attempt(&self, mut left: Vec<Waiting<O>>) -> std::result::Result<(), (cypher::Error, Vec<Waiting<O>>)> {
        let mut tried = 0;
        loop {
            let mut answers: Vec<_> = left.iter().map(|_| None).collect();
            let rows: Vec<&O::Row> = left.iter().map(|waiting| &waiting.row).collect();
            let outcome = self.operation.apply(&self.engine, &rows, &mut answers).await;
            let mut unwritten = Vec::new();
            for (waiting, answer) in left.into_iter().zip(answers) {
                match answer {
                    Some(answer) => waiting.tell(Ok(answer)),
                    None => unwritten.push(waiting),
                }
            }
            left = unwritten;
            match outcome {
                Ok(()) if left.is_empty() => return Ok(()),
                Ok(()) => {
                    let detail = "a row without an answer".to_owned();
                    return Err((cypher::Error::Rejected { statement: self.operation.name(), detail }, left));
                }
                Err(error) if error.is_conflict() && tried < RETRIES => {
                    tried += 1;
                    metrics::counter!("amlgraph_batch_retries_total", "operation" => self.operation.name()).increment(1);
                    let most = 5u64 << tried.min(7);
                    let wait = rand::rng().random_range(most / 2..=most);
                    tokio::time::sleep(Duration::from_millis(wait)).await;
                }
                Err(error) => return Err((error, left)),
            }
        }
    }
}
