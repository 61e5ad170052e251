//! Readers that wait for events, and what tells them that some have come.
//!
//! One task of the process looks for all who wait, and is there only while somebody does. It looks a few times a second, as other instances may have
//! written, and at once where this process has given positions. It keeps the last set with an event of each name, so that a reader is woken by the
//! events that it wants and by no others.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use cypher::statements::change_feed as statements;
use cypher::{Engine, Error, Params};
use tokio::sync::{Notify, watch};
use tokio::time::Instant;

use super::events::{EventNames, LOOKED_UP, SETS};
use super::state::{LOOK, state};

/// How often the task looks for what other instances have written.
const LOOK_EVERY: Duration = Duration::from_millis(250);
/// From so many new sets on the task begins anew behind them, and those who wait look for themselves.
const MOST_NEW_SETS: i64 = 10 * SETS;

/// The result of a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waited {
    /// There may be events.
    Told,
    /// There are none up to this set.
    Nothing { until: i64 },
    /// The database could not be asked lately.
    Unknown,
}

/// Watches the feed for those who wait. Cheap to clone; all clones share.
#[derive(Clone, Default)]
pub struct EventWatch(pub Arc<Shared>);

pub struct Shared {
    pub seen: watch::Sender<Seen>,
    readers: Mutex<Readers>,
    /// Rung where this process has given positions.
    bell: Notify,
}

#[derive(Default)]
pub struct Readers {
    pub waiting: usize,
    /// Whether the task is there.
    are_served: bool,
}

/// What those who wait are told.
#[derive(Debug, Clone, Default)]
pub struct Seen {
    /// None before the task's first look.
    pub tail: Option<Tail>,
    /// The last look has failed.
    pub is_away: bool,
    /// The process stops.
    pub is_over: bool,
}

/// The sets that the task has looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tail {
    /// The last set before them.
    pub behind: i64,
    /// The last of them.
    pub until: i64,
    /// The last set that has an event of a name, among them.
    pub last: BTreeMap<String, i64>,
}

impl Default for Shared {
    fn default() -> Self {
        Self { seen: watch::Sender::new(Seen::default()), readers: Mutex::default(), bell: Notify::new() }
    }
}

impl EventWatch {
    /// Somebody begins to wait. The first one starts the task.
    pub(super) fn begin(&self, engine: &Engine) -> Waiter {
        let mut readers = self.0.readers();
        readers.waiting += 1;
        metrics::gauge!("amlgraph_event_polls_waiting").set(readers.waiting as f64);
        if !readers.are_served {
            readers.are_served = true;
            self.0.seen.send_modify(|seen| *seen = Seen { is_over: seen.is_over, ..Seen::default() });
            tokio::spawn(serve(Serving(Arc::clone(&self.0)), engine.clone()));
        }
        Waiter { seen: self.0.seen.subscribe(), shared: Arc::clone(&self.0) }
    }

    /// Says that sets have got their positions.
    pub(super) fn ring(&self) {
        self.0.bell.notify_one();
    }

    /// Nobody waits any longer.
    pub fn stop(&self) {
        self.0.seen.send_modify(|seen| seen.is_over = true);
    }
}

/// Somebody who waits, until this is dropped.
pub struct Waiter {
    pub seen: watch::Receiver<Seen>,
    pub shared: Arc<Shared>,
}

impl Waiter {
    /// Waits until there may be an event of some names behind a set, at most until the deadline.
    ///
    /// Nothing is missed between the caller's last read and this wait: a task that began after that read tells so.
    pub async fn wait(&mut self, set: i64, names: &EventNames, deadline: Instant) -> Waited {
        let told = self.seen.wait_for(|seen| seen.is_over || seen.tells(set, names));
        let _in_time = tokio::time::timeout_at(deadline, told).await.is_ok();
        let seen = self.seen.borrow();
        if seen.tells(set, names) {
            Waited::Told
        } else if seen.is_away {
            Waited::Unknown
        } else {
            Waited::Nothing { until: seen.tail.as_ref().map_or(set, |tail| tail.until.max(set)) }
        }
    }
}

impl Drop for Waiter {
    fn drop(&mut self) {
        let mut readers = self.shared.readers();
        readers.waiting -= 1;
        metrics::gauge!("amlgraph_event_polls_waiting").set(readers.waiting as f64);
    }
}

impl Seen {
    /// Whether there may be an event of some names behind a set. There may be one in sets that the task has not looked at.
    pub fn tells(&self, set: i64, names: &EventNames) -> bool {
        let is_wanted = |(name, last): (&String, &i64)| *last > set && names.include(name);
        self.tail.as_ref().is_some_and(|tail| tail.behind > set || tail.last.iter().any(is_wanted))
    }
}

impl Shared {
    pub fn readers(&self) -> MutexGuard<'_, Readers> {
        self.readers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the task is to go on. Where it is not, the next one who waits starts another.
    pub fn somebody_waits(&self) -> bool {
        let mut readers = self.readers();
        readers.are_served = readers.waiting > 0;
        readers.are_served
    }

    async fn look(&self, engine: &Engine) {
        let before = self.seen.borrow().tail.clone();
        let (tail, is_away) = match go_on(engine, before.clone()).await {
            Ok(tail) => (Some(tail), false),
            Err(error) => {
                tracing::debug!(%error, "events can't be looked for");
                (before, true)
            }
        };
        self.seen.send_if_modified(|seen| {
            let is_new = seen.tail != tail || seen.is_away != is_away;
            (seen.tail, seen.is_away) = (tail, is_away);
            is_new
        });
    }
}

/// The task's hold on what it serves. A task that panics leaves its place to another.
struct Serving(Arc<Shared>);

impl Drop for Serving {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.readers().are_served = false;
        }
    }
}

/// Looks for events while somebody waits for some.
async fn serve(serving: Serving, engine: Engine) {
    let shared = &serving.0;
    while shared.somebody_waits() {
        shared.look(&engine).await;
        // Rung or not, it is time to look again.
        let _ = tokio::time::timeout(LOOK_EVERY, shared.bell.notified()).await;
    }
}

/// Looks at the sets that are new. Where they are too many, or one is missing, the task begins anew, and all readers look for themselves.
async fn go_on(engine: &Engine, before: Option<Tail>) -> Result<Tail, Error> {
    let last = state(engine).await?.position;
    let anew = Tail { behind: last, until: last, last: BTreeMap::new() };
    let Some(mut tail) = before.filter(|tail| last - tail.until <= MOST_NEW_SETS) else { return Ok(anew) };
    while tail.until < last {
        let until = last.min(tail.until + SETS);
        let params = Params::none().with("from", tail.until + 1).with("until", until);
        let sets = engine.read_as(statements::EVENT_IDS, params, LOOK).await?;
        if sets.len() as i64 != until - tail.until {
            return Ok(anew);
        }
        let set_of: HashMap<&str, i64> = sets.iter().flat_map(|set| set.events.iter().map(|id| (id.as_str(), set.position))).collect();
        let ids: Vec<&str> = set_of.keys().copied().collect();
        for ids in ids.chunks(LOOKED_UP) {
            let found = engine.read_as(statements::EVENT_NAMES, Params::none().with("ids", ids.to_vec()), LOOK).await?;
            if found.len() != ids.len() {
                return Ok(anew);
            }
            for event in found {
                let set = set_of.get(event.id.as_str()).copied().unwrap_or(until);
                let newest = tail.last.entry(event.event_name).or_insert(set);
                *newest = set.max(*newest);
            }
        }
        tail.until = until;
    }
    Ok(tail)
}
