//! The shared loader: while statements are under way, keys of the same question collect; then one statement answers everyone who waits.
//!
//! It is shared by all requests, so that a list costs a constant number of statements and many small requests cost few. It holds facts, not
//! rights: what a caller may see is decided before it is asked. Nothing is kept: a result is shared by those who waited for it and forgotten.
//!
//! A list is never cut in two, whichever threads run: what a request names before it has nothing left to do but wait ([`Loader::gather`]) is
//! handed over together, and answers are handed out together, so that a request that goes on with the first of them finds all.

use std::collections::{HashMap, VecDeque};
use std::future::poll_fn;
use std::hash::{Hash, Hasher};
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Wake, Waker};
use std::time::{Duration, Instant};

use cypher::{Engine, Error, Params, Row, Statement, Value};
use tokio::sync::oneshot;
use tokio::task::unconstrained;

use crate::policy::Permit;

/// Statements under way at once: measured best with the database beside the service (two keep it busy, more only make batches smaller).
const IN_FLIGHT: usize = 2;
/// When the ones under way are slow, others may pass them, up to this many.
const IN_FLIGHT_WHEN_SLOW: usize = 8;
const SLOW: Duration = Duration::from_millis(20);
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

/// A key that somebody waits for.
struct Named {
    ask: Ask,
    id: Arc<str>,
    answer: oneshot::Sender<Answer>,
}

tokio::task_local! {
    /// What the request that is being polled has named so far.
    static NAMED: Arc<Mutex<Vec<Named>>>;
}

/// Gathers keys. Cheap to clone; all clones share.
#[derive(Clone)]
pub struct Loader {
    shared: Arc<Shared>,
}

struct Shared {
    engine: Engine,
    limit: Duration,
    state: Mutex<State>,
    /// Held while the answers of a statement are handed out.
    handing_out: Mutex<()>,
}

#[derive(Default)]
struct State {
    waiting: HashMap<Ask, Group>,
    /// Groups in the order in which their first key came.
    order: VecDeque<Ask>,
    running: Vec<(u64, Instant)>,
    next_runner: u64,
}

impl Loader {
    /// A loader whose statements may take `limit` each.
    pub fn new(engine: Engine, limit: Duration) -> Self {
        Self { shared: Arc::new(Shared { engine, limit, state: Mutex::default(), handing_out: Mutex::default() }) }
    }

    /// Runs a request whose keys belong together: those that it names before it waits come into one statement.
    ///
    /// A request that wakes itself does not wait yet. Sets of futures do that, each after two of its own that did so: a list of fifty objects
    /// takes 25 polls to name its keys.
    pub async fn gather<F: Future>(&self, request: F) -> F::Output {
        let named = Arc::default();
        let mut request = pin!(NAMED.scope(Arc::clone(&named), request));
        poll_fn(|context| {
            let noticed = Arc::new(Noticed { woken: AtomicBool::new(false), task: context.waker().clone() });
            let polled = request.as_mut().poll(&mut Context::from_waker(&Arc::clone(&noticed).into()));
            if polled.is_ready() || !noticed.woken.load(Ordering::Acquire) {
                self.shared.take_in(std::mem::take(&mut *locked(&named)));
            }
            polled
        })
        .await
    }

    /// The rows of one id.
    pub(crate) async fn load(&self, _permit: &Permit<'_>, ask: &Ask, id: &str) -> Answer {
        let (answer, answered) = oneshot::channel();
        let named = Named { ask: ask.clone(), id: Arc::from(id), answer };
        match NAMED.try_with(Arc::clone) {
            Ok(gathered) => locked(&gathered).push(named),
            Err(_) => self.shared.take_in(vec![named]),
        }
        // Without tokio's bound on how much a task does in one go, which would cut a list after 128 answers.
        let answer = unconstrained(answered).await;
        drop(locked(&self.shared.handing_out));
        answer.unwrap_or_else(|_| Err(Error::Unavailable { statement: ask.statement.label, detail: "the loader stopped".into() }))
    }
}

/// Notices that a task is woken while it is polled, and wakes it.
struct Noticed {
    woken: AtomicBool,
    task: Waker,
}

impl Wake for Noticed {
    fn wake(self: Arc<Self>) {
        self.woken.store(true, Ordering::Release);
        self.task.wake_by_ref();
    }
}

/// Nothing panics while these are held; a poisoned lock is as good as any.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl State {
    fn name(&mut self, Named { ask, id, answer }: Named) {
        if !self.waiting.contains_key(&ask) {
            self.order.push_back(ask.clone());
        }
        self.waiting.entry(ask).or_default().entry(id).or_default().push(answer);
    }

    /// A number for one more runner, if something waits and there is room for one.
    fn may_start(&mut self) -> Option<u64> {
        let slow = self.running.iter().all(|(_, since)| since.elapsed() > SLOW);
        let room = self.running.len() < IN_FLIGHT || (slow && self.running.len() < IN_FLIGHT_WHEN_SLOW);
        if !room || self.order.is_empty() {
            return None;
        }
        self.next_runner += 1;
        self.running.push((self.next_runner, Instant::now()));
        Some(self.next_runner)
    }

    /// The next statement's keys; when there are none the runner is done.
    fn next(&mut self, runner: u64) -> Option<(Ask, Group)> {
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
        // Whoever gave up need not be answered.
        group.retain(|_, waiting| {
            waiting.retain(|answer| !answer.is_closed());
            !waiting.is_empty()
        });
        if let Some(running) = self.running.iter_mut().find(|(number, _)| *number == runner) {
            running.1 = Instant::now();
        }
        Some((ask, group))
    }
}

impl Shared {
    fn take_in(self: &Arc<Self>, named: Vec<Named>) {
        if named.is_empty() {
            return;
        }
        let runner = {
            let mut state = locked(&self.state);
            named.into_iter().for_each(|named| state.name(named));
            state.may_start()
        };
        self.start(runner);
    }

    fn start(self: &Arc<Self>, runner: Option<u64>) {
        if let Some(runner) = runner {
            let shared = Arc::clone(self);
            tokio::spawn(async move { shared.run(runner).await });
        }
    }

    async fn run(self: Arc<Self>, runner: u64) {
        loop {
            let (taken, another) = {
                let mut state = locked(&self.state);
                (state.next(runner), state.may_start())
            };
            self.start(another);
            let Some((ask, group)) = taken else { return };
            if group.is_empty() {
                continue;
            }
            metrics::histogram!("amlgraph_loader_keys", "statement" => ask.statement.label).record(group.len() as f64);
            self.answer(&ask, group).await;
        }
    }

    async fn answer(&self, ask: &Ask, group: Group) {
        let mut params = Params::clone(&ask.params);
        params.0.push(("ids", Value::List(group.keys().map(|id| Value::from(&**id)).collect())));
        let answers: Vec<(Answer, Vec<oneshot::Sender<Answer>>)> = match self.engine.read(ask.statement, params, self.limit).await {
            Ok(rows) => {
                let mut by_id: HashMap<String, Vec<Row>> = HashMap::with_capacity(group.len());
                for row in rows {
                    by_id.entry(row.text("id")).or_default().push(row);
                }
                group.into_iter().map(|(id, waiting)| (Ok(by_id.remove(&*id).unwrap_or_default().into()), waiting)).collect()
            }
            Err(error) => group.into_values().map(|waiting| (Err(error.clone()), waiting)).collect(),
        };
        let _handing_out = locked(&self.handing_out);
        for (answer, waiting) in answers {
            for sender in waiting {
                let _ = sender.send(answer.clone());
            }
        }
    }
}
