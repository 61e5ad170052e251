//! The shared loader: while statements are under way, keys of the same question collect; then one statement answers everyone who waits.
//!
//! It is shared by all requests, so that a list costs a constant number of statements and many small requests cost few. It holds facts, not
//! rights: what a caller may see is decided before it is asked. Nothing is kept: a result is shared by those who waited for it and forgotten.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use cypher::{Engine, Error, Params, Row, Statement, Value};
use tokio::sync::oneshot;

/// Statements under way at once: measured best with the database beside the service (two keep it busy, more only make batches smaller).
const IN_FLIGHT: usize = 2;
/// When the ones under way are slow, others may pass them, up to this many.
const IN_FLIGHT_WHEN_SLOW: usize = 8;
const SLOW: Duration = Duration::from_millis(20);
/// A caller is answered within this time, whatever the database does.
const PATIENCE: Duration = Duration::from_secs(9);
/// The most keys of one statement.
const MAX_KEYS: usize = 500;

/// A question: a statement that takes `$ids` and answers with rows that have an `id`, and its other parameters.
#[derive(Clone, Debug)]
pub struct Ask {
    statement: Statement,
    params: Arc<Params>,
    /// The parameters as text: floats have no hash.
    fingerprint: Arc<str>,
}

impl Ask {
    /// A question with parameters besides the ids.
    pub fn new(statement: Statement, params: Params) -> Self {
        let fingerprint = if params.0.is_empty() { Arc::from("") } else { Arc::from(format!("{params:?}")) };
        Self { statement, params: Arc::new(params), fingerprint }
    }
}

impl PartialEq for Ask {
    fn eq(&self, other: &Self) -> bool {
        self.statement.label == other.statement.label && self.fingerprint == other.fingerprint
    }
}
impl Eq for Ask {}
impl Hash for Ask {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.statement.label.hash(state);
        self.fingerprint.hash(state);
    }
}

/// The rows of one id, in the statement's order.
pub type Rows = Arc<[Row]>;
type Answer = Result<Rows, Error>;
type Group = HashMap<Arc<str>, Vec<oneshot::Sender<Answer>>>;

/// Gathers keys. Cheap to clone; all clones share.
#[derive(Clone)]
pub struct Loader {
    shared: Arc<Shared>,
}

struct Shared {
    engine: Engine,
    limit: Duration,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    waiting: HashMap<Ask, Group>,
    /// Groups in the order in which their first key came.
    order: std::collections::VecDeque<Ask>,
    running: Vec<(u64, Instant)>,
    next_runner: u64,
    /// A runner that has not taken its first group yet. There is one at most: two would push each other to another thread, where they would
    /// begin with whatever is there while a list is still naming its keys, and cut it into many statements.
    starting: Option<u64>,
}

impl Loader {
    /// A loader whose statements may take `limit` each.
    pub fn new(engine: Engine, limit: Duration) -> Self {
        Self { shared: Arc::new(Shared { engine, limit, state: Mutex::default() }) }
    }

    /// The rows of one id.
    pub async fn load(&self, ask: &Ask, id: &str) -> Answer {
        let (sender, receiver) = oneshot::channel();
        let runner = {
            let mut state = self.shared.state();
            if !state.waiting.contains_key(ask) {
                state.order.push_back(ask.clone());
            }
            state.waiting.entry(ask.clone()).or_default().entry(Arc::from(id)).or_default().push(sender);
            state.may_start()
        };
        if let Some(runner) = runner {
            let shared = Arc::clone(&self.shared);
            tokio::spawn(async move { shared.run(runner).await });
        }
        let unavailable = |detail: &str| Err(Error::Unavailable { statement: ask.statement.label, detail: detail.into() });
        match tokio::time::timeout(PATIENCE, receiver).await {
            Ok(answer) => answer.unwrap_or_else(|_| unavailable("the loader stopped")),
            Err(_) => unavailable("not read in time"),
        }
    }
}

impl State {
    /// A number for one more runner, if there is room for one.
    fn may_start(&mut self) -> Option<u64> {
        if self.starting.is_some() {
            return None;
        }
        let slow = self.running.iter().all(|(_, since)| since.elapsed() > SLOW);
        let room = self.running.len() < IN_FLIGHT || (slow && self.running.len() < IN_FLIGHT_WHEN_SLOW);
        if !room {
            return None;
        }
        self.next_runner += 1;
        self.running.push((self.next_runner, Instant::now()));
        self.starting = Some(self.next_runner);
        self.starting
    }

    /// The next statement's keys; when there are none the runner is done.
    fn next(&mut self, runner: u64) -> Option<(Ask, Group)> {
        if self.starting == Some(runner) {
            self.starting = None;
        }
        let Some(ask) = self.order.pop_front() else {
            self.running.retain(|(number, _)| *number != runner);
            return None;
        };
        let mut group = self.waiting.remove(&ask).unwrap_or_default();
        if group.len() > MAX_KEYS {
            let rest: Vec<Arc<str>> = group.keys().skip(MAX_KEYS).cloned().collect();
            let rest = rest.into_iter().filter_map(|key| group.remove_entry(&key)).collect();
            self.waiting.insert(ask.clone(), rest);
            self.order.push_back(ask.clone());
        }
        if let Some(running) = self.running.iter_mut().find(|(number, _)| *number == runner) {
            running.1 = Instant::now();
        }
        Some((ask, group))
    }
}

impl Shared {
    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        // Nothing panics while it is held; a poisoned lock is as good as any.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn start(self: &Arc<Self>, runner: u64) {
        let shared = Arc::clone(self);
        tokio::spawn(async move { shared.run(runner).await });
    }

    async fn run(self: Arc<Self>, runner: u64) {
        loop {
            let (taken, another) = {
                let mut state = self.state();
                let taken = state.next(runner);
                let another = if state.order.is_empty() { None } else { state.may_start() };
                (taken, another)
            };
            if let Some(another) = another {
                self.start(another);
            }
            let Some((ask, group)) = taken else { return };
            metrics::histogram!("amlgraph_loader_keys", "statement" => ask.statement.label).record(group.len() as f64);
            self.answer(&ask, group).await;
        }
    }

    async fn answer(&self, ask: &Ask, group: Group) {
        let mut params = Params::clone(&ask.params);
        params.0.push(("ids", Value::List(group.keys().map(|id| Value::from(&**id)).collect())));
        match self.engine.read(ask.statement, params, self.limit).await {
            Ok(rows) => {
                let mut by_id: HashMap<String, Vec<Row>> = HashMap::with_capacity(group.len());
                for row in rows {
                    by_id.entry(row.text("id")).or_default().push(row);
                }
                for (id, waiting) in group {
                    let rows: Rows = by_id.remove(&*id).unwrap_or_default().into();
                    for sender in waiting {
                        let _ = sender.send(Ok(Arc::clone(&rows)));
                    }
                }
            }
            Err(error) => {
                for sender in group.into_values().flatten() {
                    let _ = sender.send(Err(error.clone()));
                }
            }
        }
    }
}
