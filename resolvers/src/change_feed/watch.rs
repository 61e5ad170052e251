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
pub(super) enum Waited {
    /// There may be events.
    Told,
    /// There are none up to this set.
    Nothing { until: i64 },
    /// The database could not be asked lately.
    Unknown,
}

/// Watches the feed for those who wait. Cheap to clone; all clones share.
#[derive(Clone, Default)]
pub(crate) struct EventWatch(Arc<Shared>);

struct Shared {
    seen: watch::Sender<Seen>,
    readers: Mutex<Readers>,
    /// Rung where this process has given positions.
    bell: Notify,
}

#[derive(Default)]
struct Readers {
    waiting: usize,
    /// Whether the task is there.
    are_served: bool,
}

/// What those who wait are told.
#[derive(Debug, Clone, Default)]
struct Seen {
    /// None before the task's first look.
    tail: Option<Tail>,
    /// The last look has failed.
    is_away: bool,
    /// The process stops.
    is_over: bool,
}

/// The sets that the task has looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Tail {
    /// The last set before them.
    behind: i64,
    /// The last of them.
    until: i64,
    /// The last set that has an event of a name, among them.
    last: BTreeMap<String, i64>,
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
    pub(super) fn stop(&self) {
        self.0.seen.send_modify(|seen| seen.is_over = true);
    }
}

/// Somebody who waits, until this is dropped.
pub(super) struct Waiter {
    seen: watch::Receiver<Seen>,
    shared: Arc<Shared>,
}

impl Waiter {
    /// Waits until there may be an event of some names behind a set, at most until the deadline.
    ///
    /// Nothing is missed between the caller's last read and this wait: a task that began after that read tells so.
    pub(super) async fn wait(&mut self, set: i64, names: &EventNames, deadline: Instant) -> Waited {
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
    fn tells(&self, set: i64, names: &EventNames) -> bool {
        let is_wanted = |(name, last): (&String, &i64)| *last > set && names.include(name);
        self.tail.as_ref().is_some_and(|tail| tail.behind > set || tail.last.iter().any(is_wanted))
    }
}

impl Shared {
    fn readers(&self) -> MutexGuard<'_, Readers> {
        self.readers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the task is to go on. Where it is not, the next one who waits starts another.
    fn somebody_waits(&self) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(behind: i64, last: &[(&str, i64)]) -> Seen {
        let last = last.iter().map(|(name, set)| ((*name).to_owned(), *set)).collect();
        Seen { tail: Some(Tail { behind, until: 20, last }), ..Seen::default() }
    }

    #[test]
    fn a_reader_is_told_of_the_names_that_it_wants_behind_its_set() {
        let only_b = EventNames::These(vec!["b".to_owned()]);
        let table = [
            (seen(10, &[]), 10, &EventNames::All, false),
            (seen(10, &[]), 9, &EventNames::All, true),
            (seen(10, &[("a", 15)]), 14, &EventNames::All, true),
            (seen(10, &[("a", 15)]), 15, &EventNames::All, false),
            (seen(10, &[("a", 15)]), 14, &only_b, false),
            (seen(10, &[("a", 11), ("b", 15)]), 14, &only_b, true),
            (Seen::default(), 0, &EventNames::All, false),
        ];
        for (seen, set, names, told) in table {
            assert_eq!(seen.tells(set, names), told, "{seen:?} behind {set}, {names:?}");
        }
    }

    /// A watch that is told by a test, and whose task is not started.
    fn watched() -> (EventWatch, Waiter) {
        let watch = EventWatch::default();
        let shared = Arc::clone(&watch.0);
        shared.readers().waiting += 1;
        let waiter = Waiter { seen: shared.seen.subscribe(), shared };
        (watch, waiter)
    }

    #[tokio::test]
    async fn a_wait_ends_with_events_with_its_time_and_with_the_process() {
        let (watch, mut waiter) = watched();
        let never = Instant::now() + Duration::from_secs(3600);
        assert_eq!(waiter.wait(7, &EventNames::All, Instant::now()).await, Waited::Nothing { until: 7 }, "nobody has looked");
        watch.0.seen.send_modify(|now| *now = seen(10, &[("a", 15)]));
        assert_eq!(waiter.wait(12, &EventNames::All, never).await, Waited::Told);
        assert_eq!(waiter.wait(15, &EventNames::All, Instant::now()).await, Waited::Nothing { until: 20 }, "all up to there was looked at");
        watch.0.seen.send_modify(|now| now.is_away = true);
        assert_eq!(waiter.wait(15, &EventNames::All, Instant::now()).await, Waited::Unknown);
        watch.0.seen.send_modify(|now| now.is_away = false);
        watch.stop();
        assert_eq!(waiter.wait(15, &EventNames::All, never).await, Waited::Nothing { until: 20 });
        drop(waiter);
        assert_eq!(watch.0.readers().waiting, 0);
        assert!(!watch.0.somebody_waits());
    }
}
