//! The entries: what is kept, how long it is good, and what is counted of it.

use std::sync::Arc;
use std::time::Duration;

use cypher::graph::{Found, FoundRow};
use cypher::{Engine, Moment, Stamps, Stripe};
use moka::notification::RemovalCause;
use moka::sync::Cache;

use crate::others::Others;
use crate::question::{Asked, Question, Questions};
use crate::reach::Reach;

/// How old an entry becomes at most: so long may go unnoticed what somebody changes around this process.
pub const TIME_TO_LIVE: Duration = Duration::from_secs(60);
/// How long a write may still come about of which nothing was heard: what was sent on a connection that is closed is sent again for two minutes, if the
/// network takes it, and the server may take its time.
const IN_DOUBT_FOR: Duration = Duration::from_secs(300);
/// About what an entry takes besides what is kept: its key, and what the cache notes of it.
const OF_EACH: usize = 200;

/// The cache. Cheap to clone; all clones share.
#[derive(Clone)]
pub struct ReadCache {
    shared: Arc<Shared>,
}

struct Shared {
    stamps: Arc<Stamps>,
    questions: Questions,
    entries: Cache<Key, Arc<Entry>>,
    /// Other processes before the same store, where it may have some.
    others: Option<Others>,
}

/// What there is to say where several processes may write to one store.
#[derive(Debug, Clone)]
pub struct Sharing {
    /// The id of this process.
    pub process: String,
    /// How old an answer may be, as far as others have written.
    pub staleness: Duration,
}

/// The number of a question, and the id of the node that it is asked of; an empty one for a list.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Key {
    question: u128,
    of: Arc<str>,
}

/// What an answer is of, and the numbers of the account that this is, where they are known.
pub(crate) type Of<'a> = (&'a Arc<str>, Option<&'a [Arc<str>]>);

/// An answer that was read from a moment on.
pub(crate) struct Entry {
    since: Moment,
    /// The stripes of the nodes and links that it is about, where it depends on nothing else.
    about: Option<Box<[Stripe]>>,
    pub(crate) kept: Kept,
    size: u32,
}

pub(crate) enum Kept {
    /// A node, without links.
    Node(Arc<Found>),
    /// A page. The nodes of a link's are without links.
    Page(Arc<[FoundRow]>),
    Count(i64),
}

/// What was looked up so far.
#[derive(Default)]
pub(crate) struct Tally {
    hits: u64,
    misses: u64,
    outdated: u64,
}

impl Drop for Tally {
    fn drop(&mut self) {
        for (name, number) in [
            ("amlgraph_cache_hits_total", self.hits),
            ("amlgraph_cache_misses_total", self.misses),
            ("amlgraph_cache_invalidations_total", self.outdated),
        ] {
            if number > 0 {
                metrics::counter!(name).increment(number);
            }
        }
    }
}

impl ReadCache {
    /// A cache of so many bytes of what is read of a database, and the engine by which all is to be written that it is to notice. Of 0 bytes there is none.
    /// Needs a running tokio runtime, as it tells other processes and follows them by tasks.
    pub fn over(engine: Engine, bytes: usize, sharing: &Sharing) -> (Engine, Option<Self>) {
        if bytes == 0 {
            return (engine, None);
        }
        let stamps = Arc::new(match engine {
            Engine::Bolt(_) => Stamps::with_journal(IN_DOUBT_FOR),
            // An embedded store belongs to one process.
            Engine::Embedded(_) => Stamps::new(IN_DOUBT_FOR),
        });
        let others = Others::of(&engine, &stamps, &sharing.process, sharing.staleness, IN_DOUBT_FOR);
        match &others {
            Some(_) => tracing::info!(bytes, staleness = ?sharing.staleness, writer = sharing.process, "the read cache is on"),
            None => tracing::info!(bytes, "the read cache is on"),
        }
        let entries = Cache::builder()
            .max_capacity(bytes as u64)
            .weigher(|_: &Key, entry: &Arc<Entry>| entry.size)
            .time_to_live(TIME_TO_LIVE)
            .eviction_listener(|_, entry, cause| gone(&entry, cause))
            .build();
        let shared = Shared { questions: Questions::new(Arc::clone(&stamps)), stamps: Arc::clone(&stamps), entries, others };
        (engine.stamped(stamps), Some(Self { shared: Arc::new(shared) }))
    }

    /// Whether it may answer now: what other processes write is known as far as it has to be. Else the store is asked; what it answers is kept all the same.
    pub fn may_answer(&self) -> bool {
        self.shared.others.as_ref().is_none_or(Others::are_known)
    }

    /// Whether a write would begin now: other processes are told before it, where there are some.
    pub fn takes_writes(&self) -> bool {
        self.shared.others.as_ref().is_none_or(Others::take_writes)
    }

    /// Whether all is known that these positions name ([`ReadCache::position`]).
    pub fn knows<'a>(&self, positions: impl Iterator<Item = &'a str>) -> bool {
        self.shared.others.as_ref().is_none_or(|others| others.have_told(positions))
    }

    /// How many writes of this process are over, where other processes are told.
    pub fn written(&self) -> Option<u64> {
        self.shared.others.as_ref().map(Others::written)
    }

    /// Names all writes of this process that are over, for others who are to have them ([`ReadCache::knows`]).
    pub fn position(&self) -> Option<String> {
        self.shared.others.as_ref().map(Others::position)
    }

    /// The id by which other processes know this one, where there may be some.
    pub fn process(&self) -> Option<&str> {
        self.shared.others.as_ref().map(Others::process)
    }

    /// Whether a process is there that writes and tells nobody, as far as is known now.
    pub fn is_strange(&self, process: &str) -> bool {
        self.shared.others.as_ref().is_some_and(|others| others.is_strange(process))
    }

    /// Returns when other processes know that this one writes nothing any more, or can't be told in time. Nothing is followed from here on, nor written once they know.
    pub async fn close(&self) {
        if let Some(others) = &self.shared.others {
            others.close().await;
        }
    }

    /// The present moment, from which on something is read that may be kept.
    pub fn now(&self) -> Moment {
        self.shared.stamps.now()
    }

    pub(crate) fn questions(&self) -> &Questions {
        &self.shared.questions
    }

    /// The entry for a question, if there is one that is still good.
    pub(crate) fn find(&self, question: &Question, of: &Arc<str>, tally: &mut Tally) -> Option<Arc<Entry>> {
        let found = self.shared.entries.get(&Key { question: question.number, of: Arc::clone(of) });
        let is_outdated = found.as_ref().is_some_and(|entry| !self.is_good(question, entry));
        tally.outdated += u64::from(is_outdated);
        let good = found.filter(|_| !is_outdated);
        tally.hits += u64::from(good.is_some());
        tally.misses += u64::from(good.is_none());
        good
    }

    /// Keeps an answer that began to be read at a moment, unless it is no longer one or a good one is there. `numbers`: those of the account that it is of,
    /// where they are known.
    pub(crate) fn keep(&self, question: &Question, (of, numbers): Of<'_>, since: Moment, kept: impl FnOnce() -> Kept) {
        let key = Key { question: question.number, of: Arc::clone(of) };
        if self.shared.entries.get(&key).is_some_and(|entry| self.is_good(question, &entry)) {
            return;
        }
        let kept = kept();
        let about = question.about((of, numbers), kept.rows());
        let size = OF_EACH + of.len() + kept.size() + about.as_deref().map_or(0, size_of_val);
        let size = u32::try_from(size).unwrap_or(u32::MAX);
        let entry = Entry { since, about, kept, size };
        if self.is_good(question, &entry) {
            metrics::gauge!("amlgraph_cache_bytes").increment(f64::from(size));
            self.shared.entries.insert(key, Arc::new(entry));
        }
    }

    /// Whether an entry is still good.
    pub(crate) fn is_good(&self, question: &Question, entry: &Entry) -> bool {
        self.shared.stamps.are_unchanged(&question.shape.areas, entry.about.as_deref(), entry.since)
    }

    /// Whether an answer with these rows that began to be read at a moment is one until now; it is not, where what it depends on is not known.
    pub(crate) fn is_unchanged(&self, asked: &Asked, of: Of<'_>, rows: &[FoundRow], since: Moment) -> bool {
        let Some(question) = asked else { return false };
        let (stamps, areas) = (&self.shared.stamps, &question.shape.areas);
        let are_its_nodes = || question.about(of, rows).is_some_and(|about| stamps.are_unchanged(areas, Some(&about), since));
        stamps.are_unchanged(areas, None, since) || are_its_nodes()
    }
}

/// An entry has left the cache.
fn gone(entry: &Entry, cause: RemovalCause) {
    metrics::gauge!("amlgraph_cache_bytes").decrement(f64::from(entry.size));
    if cause == RemovalCause::Size {
        metrics::counter!("amlgraph_cache_evictions_total").increment(1);
    }
}

impl Question {
    /// The stripes of all that an answer is about: what it is of and what was found, themselves; links of what it is of, and of the numbers that this account
    /// has. Nothing where it depends on more, or one has no stripe.
    fn about(&self, (of, numbers): Of<'_>, rows: &[FoundRow]) -> Option<Box<[Stripe]>> {
        let numbers: &[Arc<str>] = match self.shape.reach {
            Reach::Anywhere => return None,
            Reach::Itself => return Some([Stripe::of_node(of)?].into()),
            Reach::ItsNodes => &[],
            Reach::ItsNodesOrNumbers => numbers?,
        };
        let nodes = rows.iter().map(|row| &*row.node.id).chain([&**of]).map(Stripe::of_node);
        let links = numbers.iter().map(|number| &**number).chain([&**of]).map(Stripe::of_links);
        let mut stripes: Vec<Stripe> = nodes.chain(links).collect::<Option<_>>()?;
        stripes.sort_unstable();
        stripes.dedup();
        Some(stripes.into())
    }
}

impl Kept {
    fn rows(&self) -> &[FoundRow] {
        if let Self::Page(rows) = self { rows } else { &[] }
    }

    fn size(&self) -> usize {
        match self {
            Self::Node(found) => found.size(),
            Self::Page(rows) => rows.iter().map(FoundRow::size).sum(),
            Self::Count(_) => 0,
        }
    }
}
