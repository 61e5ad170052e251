//! Entries of what changes nothing: reads, refusals, sign-ins. They are gathered and written in the background, many at once, beside the queue of
//! writes: they lock no node of anybody's.
//!
//! Nothing is dropped: who has something to tell while the buffer is full waits, and while the database is away what was gathered is tried again.
//! Refusals of somebody who was not recognised are alike where only their number differs, and become one entry, every few seconds at the most: whoever
//! guesses keys must neither fill the store nor keep it busy.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use cypher::{Engine, Value, statements};
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use crate::queue::Trail;

/// Entries that wait at most.
const BUFFER: usize = 10_000;
/// Entries of one statement.
const AT_ONCE: usize = 500;
/// How long entries are gathered after the first: nobody waits for them.
const GATHERED_FOR: Duration = Duration::from_millis(100);
/// How long after refusals of strangers were written the next ones are, unless somebody waits for all that was told.
pub const STRANGERS_EVERY: Duration = Duration::from_secs(5);
/// How long after a failed attempt the next one is made.
const AGAIN: Duration = Duration::from_millis(500);

enum Told {
    Entry(Value),
    TellWhenWritten(oneshot::Sender<()>),
}

/// Somebody who was not let in: how, from where, why.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Stranger {
    pub action: &'static str,
    pub means: &'static str,
    /// The address, or the network of addresses that are one's own.
    pub from: String,
    pub reason: &'static str,
}

/// Gathers entries. Cheap to clone; all clones share.
#[derive(Clone)]
pub struct Gatherer {
    told: mpsc::Sender<Told>,
    strangers: Strangers,
}

/// Refusals of strangers since the last statement, and how many there were of each.
type Strangers = Arc<Mutex<HashMap<Stranger, i64>>>;

/// Makes an entry of what strangers were refused.
pub(crate) type StrangerEntry = Arc<dyn Fn(&Stranger, i64) -> Value + Send + Sync>;

/// The most different strangers that are told apart between two statements.
const MOST_STRANGERS: usize = 1_000;

impl Gatherer {
    pub fn start(engine: Engine, stranger_entry: StrangerEntry) -> Self {
        let (told, arriving) = mpsc::channel(BUFFER);
        let strangers = Strangers::default();
        tokio::spawn(run(engine, arriving, Arc::clone(&strangers), stranger_entry));
        Self { told, strangers }
    }

    /// Hands an entry over; waits while there is no room.
    pub async fn tell(&self, entry: Value) {
        // The other side ends only with the process.
        let _ = self.told.send(Told::Entry(entry)).await;
    }

    /// Counts the refusal of a stranger.
    pub fn refuse(&self, stranger: Stranger) {
        let mut strangers = self.strangers.lock().unwrap_or_else(PoisonError::into_inner);
        let stranger = if strangers.len() < MOST_STRANGERS || strangers.contains_key(&stranger) {
            stranger
        } else {
            Stranger { from: "many".to_owned(), ..stranger }
        };
        *strangers.entry(stranger).or_default() += 1;
    }

    /// Waits until all that was told before is written.
    pub async fn idle(&self) {
        let (told, written) = oneshot::channel();
        if self.told.send(Told::TellWhenWritten(told)).await.is_ok() {
            let _ = written.await;
        }
    }
}

async fn run(engine: Engine, mut arriving: mpsc::Receiver<Told>, strangers: Strangers, stranger_entry: StrangerEntry) {
    let mut told = Vec::new();
    let mut strangers_due = Instant::now();
    while gather(&mut arriving, &mut told).await {
        let (mut entries, mut watching) = (Vec::new(), Vec::new());
        for told in told.drain(..) {
            match told {
                Told::Entry(entry) => entries.push(entry),
                Told::TellWhenWritten(watcher) => watching.push(watcher),
            }
        }
        if !watching.is_empty() || strangers_due <= Instant::now() {
            let refused = std::mem::take(&mut *strangers.lock().unwrap_or_else(PoisonError::into_inner));
            if !refused.is_empty() {
                strangers_due = Instant::now() + STRANGERS_EVERY;
            }
            entries.extend(refused.iter().map(|(stranger, times)| stranger_entry(stranger, *times)));
        }
        write(&engine, entries).await;
        for watcher in watching {
            // Whoever has stopped waiting does not want to know.
            let _ = watcher.send(());
        }
    }
}

/// Takes what is told within a moment; false once nobody is left who could tell more.
async fn gather(arriving: &mut mpsc::Receiver<Told>, told: &mut Vec<Told>) -> bool {
    let waited = tokio::time::timeout(GATHERED_FOR, arriving.recv_many(told, AT_ONCE)).await;
    if matches!(waited, Ok(0)) {
        return false;
    }
    if waited.is_ok() && told.len() < AT_ONCE && !told.iter().any(|told| matches!(told, Told::TellWhenWritten(_))) {
        tokio::time::sleep(GATHERED_FOR).await;
        while told.len() < AT_ONCE
            && let Ok(more) = arriving.try_recv()
        {
            told.push(more);
        }
    }
    true
}

async fn write(engine: &Engine, entries: Vec<Value>) {
    let mut batches = vec![entries];
    while let Some(mut entries) = batches.pop() {
        if entries.is_empty() {
            continue;
        }
        let trail = Trail { entries: entries.clone(), ..Trail::default() };
        match engine.write(statements::trail::APPEND, trail.without_changes()).await {
            Ok(_) => {}
            // A single one locks nothing that others have: where it takes too long the database is slow.
            Err(error) if error.is_outage() || error.is_conflict() || (entries.len() == 1 && matches!(error, cypher::Error::TimeLimit { .. })) => {
                tracing::warn!(%error, entries = entries.len(), "audit entries could not be written; they are tried again");
                tokio::time::sleep(AGAIN).await;
                batches.push(entries);
            }
            // One of them may be there already, its answer lost, or too much for the database.
            Err(error) if entries.len() > 1 => {
                tracing::debug!(%error, "audit entries are written in halves");
                let second = entries.split_off(entries.len() / 2);
                batches.extend([second, entries]);
            }
            Err(cypher::Error::Constraint { .. }) => {}
            Err(error) => tracing::error!(%error, "an audit entry could not be written"),
        }
    }
}
