//! Group commit: concurrent single-record writes become one transaction, and each caller is answered when its record is durable.
//!
//! Writes of one operation queue up while a transaction is under way; whatever waits then becomes the next one. There is no timer: a lone
//! write waits for nobody. All operations share one lane, because they lock the same nodes and more lanes would only wait for each other.
//! A batch that fails on one row's account is split in halves until the bad row stands alone; a conflict is retried with jitter.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use cypher::Engine;
use rand::Rng;
use tokio::sync::{Mutex, mpsc, oneshot};

use crate::{Error, Result};

/// The most rows of one transaction.
pub const MAX_ROWS: usize = 500;
/// The most bytes of one transaction's rows.
const MAX_BYTES: usize = 1 << 20;
/// How often a conflict is retried. With the waits below that is some four seconds.
const RETRIES: u32 = 10;

/// A caller is answered within this time, whatever the database does: what still waits then is dropped, what is under way has an unknown end.
const PATIENCE: Duration = Duration::from_secs(9);

/// One lane: its holder is the one transaction under way.
pub type Lane = Arc<Mutex<()>>;

/// A kind of write that can be gathered.
pub trait Operation: Send + Sync + 'static {
    /// One caller's write.
    type Row: Send + Sync + 'static;
    /// What its caller learns when it is durable.
    type Answer: Send + 'static;

    /// For metrics and logs.
    fn name(&self) -> &'static str;

    /// What the write is about. Two writes with the same key never share a transaction, and rows are sorted by it.
    fn key(row: &Self::Row) -> &str;

    /// About how many bytes the row is.
    fn size(row: &Self::Row) -> usize;

    /// Writes the rows in one transaction, or nothing; answers in their order.
    fn apply(&self, engine: &Engine, rows: &[Self::Row]) -> impl Future<Output = std::result::Result<Vec<Self::Answer>, cypher::Error>> + Send;
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

struct Waiting<O: Operation> {
    row: O::Row,
    answer: oneshot::Sender<std::result::Result<O::Answer, cypher::Error>>,
}

impl<O: Operation> Batcher<O> {
    /// Starts gathering; ends when the last clone is gone.
    pub fn start(operation: O, engine: Engine, lane: Lane) -> Self {
        let (queue, waiting) = mpsc::unbounded_channel();
        tokio::spawn(Driver { operation, engine, lane, waiting, pending: VecDeque::new() }.run());
        Self { queue }
    }

    /// Writes one row; returns when it is durable. The raw error lets an operation tell a broken constraint from the rest.
    pub async fn try_write(&self, row: O::Row) -> std::result::Result<O::Answer, cypher::Error> {
        let gone = || cypher::Error::Unavailable { statement: "batch", detail: "shutting down".into() };
        let (answer, answered) = oneshot::channel();
        self.queue.send(Waiting { row, answer }).map_err(|_| gone())?;
        match tokio::time::timeout(PATIENCE, answered).await {
            Ok(answer) => answer.map_err(|_| gone())?,
            Err(_) => Err(cypher::Error::Unavailable { statement: "batch", detail: "not written in time".into() }),
        }
    }

    /// Writes one row; returns when it is durable.
    pub async fn write(&self, row: O::Row) -> Result<O::Answer> {
        self.try_write(row).await.map_err(Error::from)
    }
}

struct Driver<O: Operation> {
    operation: O,
    engine: Engine,
    lane: Lane,
    waiting: mpsc::UnboundedReceiver<Waiting<O>>,
    pending: VecDeque<Waiting<O>>,
}

impl<O: Operation> Driver<O> {
    async fn run(mut self) {
        loop {
            if self.pending.is_empty() {
                match self.waiting.recv().await {
                    Some(first) => self.pending.push_back(first),
                    None => return,
                }
            }
            let turn = Arc::clone(&self.lane).lock_owned().await;
            while self.pending.len() < 2 * MAX_ROWS {
                match self.waiting.try_recv() {
                    Ok(next) => self.pending.push_back(next),
                    Err(_) => break,
                }
            }
            let batch = self.next_batch();
            metrics::histogram!("amlgraph_batch_rows", "operation" => self.operation.name()).record(batch.len() as f64);
            self.write(batch).await;
            drop(turn);
        }
    }

    /// Takes from the front what fits in one transaction; a write whose key is already in it stays for the next.
    fn next_batch(&mut self) -> Vec<Waiting<O>> {
        let mut batch: Vec<Waiting<O>> = Vec::new();
        let mut later = VecDeque::new();
        let mut keys = HashSet::new();
        let mut bytes = 0;
        while let Some(next) = self.pending.pop_front() {
            let size = O::size(&next.row);
            if !batch.is_empty() && (batch.len() == MAX_ROWS || bytes + size > MAX_BYTES) {
                later.push_back(next);
                break;
            }
            // Nobody waits any more: the client hung up before anything was done.
            if next.answer.is_closed() {
                continue;
            }
            if keys.insert(O::key(&next.row).to_owned()) {
                bytes += size;
                batch.push(next);
            } else {
                later.push_back(next);
            }
        }
        later.append(&mut self.pending);
        self.pending = later;
        batch.sort_by(|a, b| O::key(&a.row).cmp(O::key(&b.row)));
        batch
    }

    async fn write(&self, batch: Vec<Waiting<O>>) {
        let (rows, mut callers): (Vec<_>, Vec<_>) = batch.into_iter().map(|waiting| (waiting.row, Some(waiting.answer))).unzip();
        let whole = 0..rows.len();
        let mut parts = Vec::from([whole]);
        while let Some(part) = parts.pop() {
            if part.is_empty() {
                continue;
            }
            match self.attempt(&rows[part.clone()]).await {
                Ok(answers) => {
                    for (caller, answer) in callers[part].iter_mut().zip(answers) {
                        answer_to(caller, Ok(answer));
                    }
                }
                Err(error) if error.is_of_a_row() && part.len() > 1 => {
                    let middle = part.start + part.len() / 2;
                    parts.push(middle..part.end);
                    parts.push(part.start..middle);
                }
                Err(error) => {
                    for caller in &mut callers[part] {
                        answer_to(caller, Err(error.clone()));
                    }
                }
            }
        }
    }

    async fn attempt(&self, rows: &[O::Row]) -> std::result::Result<Vec<O::Answer>, cypher::Error> {
        let mut tried = 0;
        loop {
            match self.operation.apply(&self.engine, rows).await {
                Err(error) if error.is_conflict() && tried < RETRIES => {
                    tried += 1;
                    metrics::counter!("amlgraph_batch_retries_total", "operation" => self.operation.name()).increment(1);
                    let most = 5u64 << tried.min(7);
                    let wait = rand::rng().random_range(most / 2..=most);
                    tokio::time::sleep(Duration::from_millis(wait)).await;
                }
                outcome => return outcome,
            }
        }
    }
}

type Caller<A> = Option<oneshot::Sender<std::result::Result<A, cypher::Error>>>;

fn answer_to<A>(caller: &mut Caller<A>, answer: std::result::Result<A, cypher::Error>) {
    if let Some(caller) = caller.take() {
        // A client that hung up does not want to know.
        let _ = caller.send(answer);
    }
}
