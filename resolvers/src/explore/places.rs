//! How many lists one caller may have read at once: a document may ask for thirty, and others want the database, too.
//!
//! A caller whose last lists were slow has fewer: a database of few cores would go through his lists on all of them while others wait. How many,
//! depends on whether there are others.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use moka::sync::Cache;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Lists of one caller at once: less than half of the connections that there are unless it is set.
const AT_ONCE: usize = 6;
/// Lists that take so long go two at a time beside others, and those that take as long as the second one by one.
const SLOW_BESIDE_OTHERS: [Duration; 2] = [Duration::from_millis(15), Duration::from_millis(30)];
/// While nobody else is there, lists that take so long go two at a time: as many statements as keep a database busy.
const SLOW: Duration = Duration::from_millis(100);
/// Callers that are remembered; who is forgotten begins anew.
const CALLERS: u64 = 10_000;

/// The places of all callers, by their ids. Cheap to clone; all clones share.
#[derive(Clone)]
pub struct ListPlaces {
    by_caller: Cache<String, Arc<CallerPlaces>>,
    /// Lists of all callers that are read just now or wait for a place.
    pub all: Arc<AtomicUsize>,
}

pub struct CallerPlaces {
    free: Arc<Semaphore>,
    /// Taken besides by lists that are expected to be slow: a part of them by each.
    free_for_slow: Arc<Semaphore>,
    /// Of all lists, his.
    own: AtomicUsize,
    /// What his last lists took, in microseconds: the mean, of which each new one is a quarter.
    pub took: AtomicU64,
}

/// Whether anybody else asks for anything just now.
enum Others {
    AreThere,
    AreAway,
}

impl CallerPlaces {
    fn new() -> Self {
        Self {
            free: Arc::new(Semaphore::new(AT_ONCE)),
            free_for_slow: Arc::new(Semaphore::new(AT_ONCE)),
            own: AtomicUsize::default(),
            took: AtomicU64::default(),
        }
    }

    fn mean(&self) -> Duration {
        Duration::from_micros(self.took.load(Ordering::Relaxed))
    }

    /// How many of his next lists may be read at once.
    fn at_once(&self, others: Others) -> usize {
        let mean = self.mean();
        let [two, one] = SLOW_BESIDE_OTHERS;
        match others {
            Others::AreThere if mean >= one => 1,
            Others::AreThere if mean >= two => 2,
            Others::AreAway if mean >= SLOW => 2,
            Others::AreThere | Others::AreAway => AT_ONCE,
        }
    }

    pub fn note(&self, took: Duration) {
        let new = u64::try_from(took.as_micros()).unwrap_or(u64::MAX / 4);
        // Of two that end at the same moment one may be lost.
        let mean = self.took.load(Ordering::Relaxed);
        self.took.store(mean - mean / 4 + new / 4, Ordering::Relaxed);
    }
}

impl Default for ListPlaces {
    fn default() -> Self {
        Self { by_caller: Cache::new(CALLERS), all: Arc::default() }
    }
}

impl ListPlaces {
    pub fn of(&self, caller: &str) -> Arc<CallerPlaces> {
        self.by_caller.get_with_by_ref(caller, || Arc::new(CallerPlaces::new()))
    }

    /// Whether this caller's last lists were slow.
    pub(crate) fn are_slow(&self, caller: &str) -> bool {
        self.of(caller).mean() >= SLOW
    }

    /// Waits for a place; it is free again when what comes back is dropped. `others_walk`: whether anybody else waits for a walk just now.
    pub async fn enter(&self, caller: &str, others_walk: impl FnOnce() -> bool) -> ListPlace {
        let of_caller = self.of(caller);
        self.all.fetch_add(1, Ordering::Relaxed);
        of_caller.own.fetch_add(1, Ordering::Relaxed);
        let mut place = ListPlace { all: Arc::clone(&self.all), of_caller, taken: Vec::with_capacity(2), since: None };
        let of_caller = Arc::clone(&place.of_caller);
        let has_others = || self.all.load(Ordering::Relaxed) > of_caller.own.load(Ordering::Relaxed);
        let others = if has_others() || others_walk() { Others::AreThere } else { Others::AreAway };
        let at_once = of_caller.at_once(others);
        // None of them is ever closed.
        if at_once < AT_ONCE {
            let part = u32::try_from(AT_ONCE / at_once).unwrap_or(1);
            place.taken.extend(Arc::clone(&of_caller.free_for_slow).acquire_many_owned(part).await.ok());
        }
        place.taken.extend(Arc::clone(&of_caller.free).acquire_owned().await.ok());
        place.since = Some(Instant::now());
        place
    }
}

/// A place, once it is taken; until then somebody who waits for one.
pub struct ListPlace {
    all: Arc<AtomicUsize>,
    of_caller: Arc<CallerPlaces>,
    taken: Vec<OwnedSemaphorePermit>,
    since: Option<Instant>,
}

impl ListPlace {
    /// The list has been read, which took as long as the place was taken. Of one that was broken off nothing is known.
    pub fn read(self) {
        if let Some(since) = self.since {
            self.of_caller.note(since.elapsed());
        }
    }
}

impl Drop for ListPlace {
    fn drop(&mut self) {
        self.all.fetch_sub(1, Ordering::Relaxed);
        self.of_caller.own.fetch_sub(1, Ordering::Relaxed);
    }
}
