//! States that are looked at for all who watch them: one statement a look, and only while somebody watches.

use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use cypher::{Engine, Error};
use futures::FutureExt;
use futures::future::BoxFuture;
use tokio::sync::{Notify, watch};
use tokio::time::Instant;

/// How often is looked while something changes ...
const BUSY: Duration = Duration::from_millis(250);
/// ... and while nothing does.
pub const IDLE: Duration = Duration::from_secs(1);
/// Looks are never closer than this, however many come.
const APART: Duration = Duration::from_millis(100);
/// How many states one statement looks at.
const AT_A_TIME: usize = 1_000;

/// A kind of states.
pub trait Looked: Send + Sync + 'static {
    type State: Clone + PartialEq + Send + Sync + 'static;

    /// How some of them are now, by their ids. What is not there is left out.
    fn look(engine: &Engine, ids: Vec<String>) -> BoxFuture<'_, Result<HashMap<String, Self::State>, Error>>;
}

/// All states of a kind that somebody watches. Cheap to clone; all clones share.
pub struct States<K: Looked>(pub Arc<Watching<K>>);

pub struct Watching<K: Looked> {
    watched: Mutex<Watched<K>>,
    /// Rung where somebody comes.
    bell: Notify,
}

pub struct Watched<K: Looked> {
    by_id: HashMap<String, State<K>>,
    /// Whether the task is there.
    pub is_served: bool,
}

struct State<K: Looked> {
    watchers: usize,
    seen: watch::Sender<Seen<K::State>>,
}

/// What was seen of a state.
#[derive(Debug, Clone, PartialEq)]
enum Seen<S> {
    /// Nobody has looked yet.
    Nothing,
    /// It is not there.
    Gone,
    There(S),
}

impl<K: Looked> Default for States<K> {
    fn default() -> Self {
        let watched = Mutex::new(Watched { by_id: HashMap::new(), is_served: false });
        Self(Arc::new(Watching { watched, bell: Notify::new() }))
    }
}

impl<K: Looked> States<K> {
    /// Watches the state of an id. The first one who watches starts the task.
    pub fn watch(&self, engine: &Engine, id: &str) -> StateWatch<K> {
        let mut watched = self.0.locked();
        let state = watched.by_id.entry(id.to_owned()).or_insert_with(|| State { watchers: 0, seen: watch::Sender::new(Seen::Nothing) });
        state.watchers += 1;
        let seen = state.seen.subscribe();
        if !watched.is_served {
            watched.is_served = true;
            tokio::spawn(serve(Serving(Arc::clone(&self.0)), engine.clone()));
        }
        self.0.bell.notify_one();
        StateWatch { watching: Arc::clone(&self.0), id: id.to_owned(), seen, told: Seen::Nothing }
    }
}

/// Watches one state until it is dropped.
pub struct StateWatch<K: Looked> {
    watching: Arc<Watching<K>>,
    id: String,
    seen: watch::Receiver<Seen<K::State>>,
    told: Seen<K::State>,
}

impl<K: Looked> StateWatch<K> {
    /// The state as it is, when this is asked for the first time; later what it has changed to. Nothing where it is not there.
    pub async fn next(&mut self) -> Option<K::State> {
        loop {
            let seen = self.seen.borrow_and_update().clone();
            if seen != Seen::Nothing && seen != self.told {
                self.told = seen.clone();
                return if let Seen::There(state) = seen { Some(state) } else { None };
            }
            if self.seen.changed().await.is_err() {
                return None;
            }
        }
    }
}

impl<K: Looked> Drop for StateWatch<K> {
    fn drop(&mut self) {
        let mut watched = self.watching.locked();
        if let Some(state) = watched.by_id.get_mut(&self.id) {
            state.watchers -= 1;
            if state.watchers == 0 {
                watched.by_id.remove(&self.id);
            }
        }
    }
}

impl<K: Looked> Watching<K> {
    /// Nothing panics while it is held; a poisoned lock is as good as any.
    pub fn locked(&self) -> MutexGuard<'_, Watched<K>> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The ids that are watched. Where there are none the task ends, and the next one who watches starts another.
    fn ids(&self) -> Vec<String> {
        let mut watched = self.locked();
        watched.is_served = !watched.by_id.is_empty();
        watched.by_id.keys().cloned().collect()
    }

    /// Looks at states; says whether one has changed.
    async fn look(&self, engine: &Engine, ids: &[String]) -> Result<bool, Error> {
        let mut has_changed = false;
        for some in ids.chunks(AT_A_TIME) {
            let mut states = K::look(engine, some.to_vec()).await?;
            let watched = self.locked();
            for id in some {
                let Some(state) = watched.by_id.get(id) else { continue };
                let now = states.remove(id).map_or(Seen::Gone, Seen::There);
                has_changed |= state.seen.send_if_modified(|seen| {
                    let is_new = *seen != now;
                    *seen = now;
                    is_new
                });
            }
        }
        Ok(has_changed)
    }
}

/// The task's hold on what it serves. A task that panics leaves its place to another.
struct Serving<K: Looked>(Arc<Watching<K>>);

impl<K: Looked> Drop for Serving<K> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.locked().is_served = false;
        }
    }
}

/// Looks while somebody watches.
async fn serve<K: Looked>(serving: Serving<K>, engine: Engine) {
    let watching = &serving.0;
    let mut pace = IDLE;
    loop {
        let ids = watching.ids();
        if ids.is_empty() {
            return;
        }
        let begun = Instant::now();
        // Whatever it comes to, those who watch are looked for again.
        pace = match AssertUnwindSafe(watching.look(&engine, &ids)).catch_unwind().await {
            Ok(Ok(true)) => BUSY,
            Ok(Ok(false)) => (pace * 2).min(IDLE),
            Ok(Err(error)) => {
                if error.is_outage() {
                    tracing::debug!(%error, "what is watched can't be looked at");
                } else {
                    tracing::warn!(%error, "what is watched can't be looked at");
                }
                IDLE
            }
            Err(_) => {
                tracing::error!("looking at what is watched has panicked");
                IDLE
            }
        };
        // Rung or not, it is time to look again.
        let _ = tokio::time::timeout_at(begun + pace, watching.bell.notified()).await;
        tokio::time::sleep_until(begun + APART).await;
    }
}
