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
const AT_ONCE: u32 = 6;
/// The same when they are slow and nobody else is there: as many statements as keep a database busy.
const SLOW_AT_ONCE: u32 = 2;
/// From when on a list is slow.
const SLOW: Duration = Duration::from_millis(20);
/// Callers that are remembered; who is forgotten begins anew.
const CALLERS: u64 = 10_000;

/// The places of all callers, by their ids. Cheap to clone; all clones share.
#[derive(Clone)]
pub(crate) struct ListPlaces {
    by_caller: Cache<String, Arc<CallerPlaces>>,
    /// Lists of all callers that are read just now or wait for a place.
    all: Arc<AtomicUsize>,
}

struct CallerPlaces {
    free: Arc<Semaphore>,
    /// Of all lists, his.
    own: AtomicUsize,
    /// What his last lists took, in microseconds: the mean, of which each new one is a quarter.
    took: AtomicU64,
}

impl CallerPlaces {
    fn new() -> Self {
        Self { free: Arc::new(Semaphore::new(AT_ONCE as usize)), own: AtomicUsize::default(), took: AtomicU64::default() }
    }

    fn are_slow(&self) -> bool {
        Duration::from_micros(self.took.load(Ordering::Relaxed)) >= SLOW
    }

    fn note(&self, took: Duration) {
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
    /// Waits for a place; it is free again when what comes back is dropped. `others_wait`: whether anybody else asks for anything just now that is no list.
    pub(crate) async fn enter(&self, caller: &str, others_wait: impl FnOnce() -> bool) -> ListPlace {
        let of_caller = self.by_caller.get_with_by_ref(caller, || Arc::new(CallerPlaces::new()));
        self.all.fetch_add(1, Ordering::Relaxed);
        of_caller.own.fetch_add(1, Ordering::Relaxed);
        let mut place = ListPlace { all: Arc::clone(&self.all), of_caller, taken: None };
        let of_caller = &place.of_caller;
        let has_others = || self.all.load(Ordering::Relaxed) > of_caller.own.load(Ordering::Relaxed);
        let takes = match of_caller.are_slow() {
            false => 1,
            true if has_others() || others_wait() => AT_ONCE,
            true => AT_ONCE / SLOW_AT_ONCE,
        };
        // It is never closed.
        let permit = Arc::clone(&of_caller.free).acquire_many_owned(takes).await.ok();
        place.taken = permit.map(|permit| (permit, Instant::now()));
        place
    }
}

/// A place, once it is taken; until then somebody who waits for one.
pub(crate) struct ListPlace {
    all: Arc<AtomicUsize>,
    of_caller: Arc<CallerPlaces>,
    taken: Option<(OwnedSemaphorePermit, Instant)>,
}

impl Drop for ListPlace {
    fn drop(&mut self) {
        self.all.fetch_sub(1, Ordering::Relaxed);
        self.of_caller.own.fetch_sub(1, Ordering::Relaxed);
        if let Some((_, since)) = &self.taken {
            self.of_caller.note(since.elapsed());
        }
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    /// How many of ten lists are read at once.
    fn at_once(places: &ListPlaces, caller: &str, others_wait: bool) -> usize {
        let entered: Vec<_> = (0..10).filter_map(|_| places.enter(caller, || others_wait).now_or_never()).collect();
        entered.len()
    }

    /// Lists of a caller that take so long.
    fn read(places: &ListPlaces, caller: &str, took: Duration) {
        let of_caller = places.by_caller.get_with_by_ref(caller, || Arc::new(CallerPlaces::new()));
        (0..8).for_each(|_| of_caller.note(took));
    }

    #[test]
    fn slow_lists_leave_the_database_to_others() {
        let places = ListPlaces::default();
        assert_eq!(at_once(&places, "a", true), 6);
        read(&places, "a", Duration::from_millis(200));
        assert_eq!((at_once(&places, "a", true), at_once(&places, "b", true)), (1, 6), "the others keep theirs");
        read(&places, "a", Duration::from_millis(200));
        assert_eq!(at_once(&places, "a", false), 2, "nobody is there");
        read(&places, "a", Duration::from_millis(200));
        let other = places.enter("b", || false).now_or_never();
        assert_eq!((at_once(&places, "a", false), other.is_some()), (1, true), "another reads a list");
        drop(other);
        read(&places, "a", Duration::from_millis(1));
        assert_eq!(at_once(&places, "a", true), 6, "his are quick again");
        assert_eq!(places.all.load(Ordering::Relaxed), 0);
    }
}
