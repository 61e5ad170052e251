//! The shared loader: while statements are under way, keys of the same question collect; then one statement answers everyone who waits.
//!
//! It is shared by all requests, so that a list costs a constant number of statements and many small requests cost few. It holds facts, not
//! rights: what a caller may see is decided before it is asked. A result is shared by those who waited for it; that of a walk is kept in the read cache,
//! where there is one.
//!
//! A list is never cut in two, whichever threads run: what a request names before it has nothing left to do but wait ([`Loader::gather`]) is
//! handed over together, and answers are handed out together, so that a request that goes on with the first of them finds all.
//!
//! A statement that takes too long is asked again in parts, so that the key that makes it slow is refused alone.

pub(crate) mod query;
pub(crate) mod waiting;

use std::future::poll_fn;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Wake, Waker};
use std::time::Duration;

use cypher::graph::{Found, Walk};
use cypher::{Engine, Error, Params, Reading};
use futures::StreamExt;
use futures::future::BoxFuture;
use queries::ReadCache;
use tokio::sync::oneshot;
use tokio::task::unconstrained;

use crate::policy::Permit;
pub(crate) use query::{Loaded, LoadedRow, LoaderQuery};
use waiting::{Answer, Asker, Group, PendingKey, SLOW, Started, Waiter, Waiting};

/// Of the time that one key may take, several together get this part: then they are asked in parts, and the last of them all alone.
const PART_OF_TIME: u32 = 2;
/// Into so many parts.
const PARTS: usize = 8;
/// Parts that are asked for at once: a database that is slow for all must not be asked eight times as much.
const PARTS_AT_ONCE: usize = 2;

/// What the request that is being polled has named so far.
struct Gathering {
    request: u64,
    named: Mutex<Vec<PendingKey>>,
}

tokio::task_local! {
    static GATHERING: Arc<Gathering>;
}

/// Gathers keys. Cheap to clone; all clones share.
#[derive(Clone)]
pub struct Loader {
    shared: Arc<Shared>,
}

struct Shared {
    engine: Engine,
    limit: Duration,
    /// What walks find is kept here.
    cache: Option<ReadCache>,
    waiting: Mutex<Waiting>,
    requests: AtomicU64,
    /// Held while the answers of a statement are handed out.
    handing_out: Mutex<()>,
}

impl Loader {
    /// A loader that may take `limit` for a key.
    pub fn new(engine: Engine, limit: Duration) -> Self {
        Self::keeping(engine, limit, None)
    }

    /// The same that keeps what walks find.
    pub(crate) fn keeping(engine: Engine, limit: Duration, cache: Option<ReadCache>) -> Self {
        let (waiting, requests, handing_out) = Default::default();
        Self { shared: Arc::new(Shared { engine, limit, cache, waiting, requests, handing_out }) }
    }

    /// Runs a request whose keys belong together: those that it names before it waits come into one statement.
    ///
    /// A request that wakes itself does not wait yet. Sets of futures do that, each after two of its own that did so: a list of fifty objects
    /// takes 25 polls to name its keys.
    pub async fn gather<F: Future>(&self, request: F) -> F::Output {
        let gathering = Arc::new(Gathering { request: self.shared.next_request(), named: Mutex::default() });
        let mut request = pin!(GATHERING.scope(Arc::clone(&gathering), request));
        poll_fn(|context| {
            let noticed = Arc::new(Noticed { woken: AtomicBool::new(false), task: context.waker().clone() });
            let polled = request.as_mut().poll(&mut Context::from_waker(&Arc::clone(&noticed).into()));
            if polled.is_ready() || !noticed.woken.load(Ordering::Acquire) {
                self.shared.take_in(std::mem::take(&mut *locked(&gathering.named)));
            }
            polled
        })
        .await
    }

    /// Whether another than this caller waits for an answer.
    pub(crate) fn has_others_than(&self, caller: &str) -> bool {
        locked(&self.shared.waiting).has_others_than(number_of(caller))
    }

    /// Whether anybody waits for an answer.
    pub(crate) fn is_busy(&self) -> bool {
        locked(&self.shared.waiting).is_busy()
    }

    /// The rows of one id, in the statement's order.
    pub(crate) async fn rows<R: LoadedRow>(&self, permit: &Permit<'_>, reading: Reading<R>, params: Params, id: &str) -> Result<Arc<Vec<R>>, Error> {
        let other = || Error::rejected(reading.label(), "answered as something else");
        match self.load(permit, &LoaderQuery::rows(reading, params), id).await? {
            Loaded::Rows(rows) => rows.downcast().map_err(|_| other()),
            Loaded::Found(_) => Err(other()),
        }
    }

    /// What is found at one id; nothing when there is no such node.
    pub(crate) async fn walk(&self, permit: &Permit<'_>, walk: &Arc<Walk>, id: &str) -> Result<Option<Arc<Found>>, Error> {
        let query = LoaderQuery::walk(Arc::clone(walk));
        match self.load(permit, &query, id).await? {
            Loaded::Found(found) => Ok(found),
            Loaded::Rows(_) => Err(Error::rejected(query.label(), "answered as rows")),
        }
    }

    async fn load(&self, permit: &Permit<'_>, query: &LoaderQuery, id: &str) -> Answer {
        query.note(id);
        let (answer, answered) = oneshot::channel();
        let caller = number_of(&permit.caller().id);
        let key = |request| PendingKey { query: query.clone(), id: Arc::from(id), waiter: Waiter { asker: Asker { caller, request }, answer } };
        match GATHERING.try_with(Arc::clone) {
            Ok(gathering) => locked(&gathering.named).push(key(gathering.request)),
            Err(_) => self.shared.take_in(vec![key(self.shared.next_request())]),
        }
        // Without tokio's bound on how much a task does in one go, which would cut a list after 128 answers.
        let answer = unconstrained(answered).await;
        drop(locked(&self.shared.handing_out));
        answer.unwrap_or_else(|_| Err(Error::Unavailable { statement: query.label(), detail: "the loader stopped".into() }))
    }
}

/// The number of a caller. Two that share one, which is next to impossible, share their places.
fn number_of(caller: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    caller.hash(&mut hasher);
    hasher.finish()
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

impl Shared {
    fn next_request(&self) -> u64 {
        self.requests.fetch_add(1, Ordering::Relaxed)
    }

    fn take_in(self: &Arc<Self>, named: Vec<PendingKey>) {
        if named.is_empty() {
            return;
        }
        {
            let mut waiting = locked(&self.waiting);
            named.into_iter().for_each(|named| waiting.add(named));
        }
        self.start_what_may();
    }

    /// Starts statements for which there is room. Where keys stay behind, looks again once those under way are slow.
    fn start_what_may(self: &Arc<Self>) {
        let mut waiting = locked(&self.waiting);
        while let Some(started) = waiting.start() {
            let shared = Arc::clone(self);
            tokio::spawn(async move { shared.carry_out(started).await });
        }
        if waiting.is_any() && !waiting.watched {
            waiting.watched = true;
            let shared = Arc::clone(self);
            tokio::spawn(async move {
                tokio::time::sleep(SLOW).await;
                locked(&shared.waiting).watched = false;
                shared.start_what_may();
            });
        }
    }

    async fn carry_out(self: Arc<Self>, Started { number, query, group }: Started) {
        metrics::histogram!("amlgraph_loader_keys", "statement" => query.label()).record(group.len() as f64);
        // It is free for others whatever becomes of this one.
        let place = Place { shared: Arc::clone(&self), number };
        self.answer(&query, group, Some(place)).await;
    }

    /// Asks for a group and hands the answers out. Boxed, as it calls itself for parts of the group, which have no place of their own.
    fn answer<'a>(&'a self, query: &'a LoaderQuery, mut group: Group, place: Option<Place>) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            waiting::forget_who_left(&mut group);
            let ids: Vec<Arc<str>> = group.keys().cloned().collect();
            if ids.is_empty() {
                return;
            }
            let limit = if ids.len() == 1 { self.limit } else { self.limit / PART_OF_TIME };
            let keeping = query.keeping(self.cache.as_ref());
            match query.ask(&self.engine, &ids, limit).await {
                Ok(mut answers) => {
                    let found: Vec<Arc<Found>> = keeping.iter().flat_map(|_| answers.values().filter_map(Loaded::found).cloned()).collect();
                    self.hand_out(group, |id| answers.remove(id).map_or_else(|| query.nothing(), Ok));
                    // Nobody waits for what is left to do, the next statement included.
                    drop(place);
                    if let Some(keeping) = keeping {
                        keeping.keep(&found).await;
                    }
                }
                Err(Error::TimeLimit { .. }) if ids.len() > 1 => {
                    let parts = futures::stream::iter(parts(group));
                    parts.for_each_concurrent(PARTS_AT_ONCE, |part| self.answer(query, part, None)).await;
                }
                Err(error) => self.hand_out(group, |_| Err(error.clone())),
            }
        })
    }

    fn hand_out(&self, group: Group, mut answer: impl FnMut(&str) -> Answer) {
        let _handing_out = locked(&self.handing_out);
        for (id, waiting) in group {
            let answer = answer(&id);
            for waiter in waiting {
                let _ = waiter.answer.send(answer.clone());
            }
        }
    }
}

/// The place of a statement under way.
struct Place {
    shared: Arc<Shared>,
    number: u64,
}

impl Drop for Place {
    fn drop(&mut self) {
        locked(&self.shared.waiting).ended(self.number);
        self.shared.start_what_may();
    }
}

/// A group in parts of about the same size.
fn parts(group: Group) -> Vec<Group> {
    let mut parts: Vec<Group> = (0..PARTS.min(group.len())).map(|_| Group::new()).collect();
    let count = parts.len();
    for (at, (id, waiting)) in group.into_iter().enumerate() {
        parts[at % count].insert(id, waiting);
    }
    parts
}
