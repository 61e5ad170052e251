//! How many connections may be open, and how many of them one caller's; likewise for what is carried out on them.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Places, and who has how many.
pub struct Places {
    most: usize,
    /// The most of one caller.
    pub share: usize,
    taken: Mutex<Taken>,
}

#[derive(Default)]
struct Taken {
    in_all: usize,
    /// By the caller's id. Only who has one is in here.
    by_caller: HashMap<Arc<str>, usize>,
}

/// Why there is no place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Full {
    /// All are taken.
    Everybody,
    /// This caller has his share.
    Caller,
}

/// A place, free again when this is dropped.
pub struct Place {
    places: Arc<Places>,
    caller: Arc<str>,
}

impl Places {
    /// So many, of which one caller may have `share`.
    pub fn new(most: usize, share: usize) -> Arc<Self> {
        Arc::new(Self { most, share, taken: Mutex::default() })
    }

    /// A place for a caller, by his id.
    pub fn take(self: &Arc<Self>, caller: &str) -> Result<Place, Full> {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let known = taken.by_caller.get_key_value(caller).map(|(id, has)| (Arc::clone(id), *has));
        let (caller, has) = known.unwrap_or_else(|| (Arc::from(caller), 0));
        if has >= self.share {
            return Err(Full::Caller);
        }
        if taken.in_all >= self.most {
            return Err(Full::Everybody);
        }
        taken.in_all += 1;
        taken.by_caller.insert(Arc::clone(&caller), has + 1);
        Ok(Place { places: Arc::clone(self), caller })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.places.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.in_all -= 1;
        if let Some(has) = taken.by_caller.get_mut(&self.caller) {
            *has -= 1;
            if *has == 0 {
                taken.by_caller.remove(&self.caller);
            }
        }
    }
}

/// Bytes of messages for nothing, in each direction.
const FREE: usize = 16 << 10;

/// What large messages may take. The library keeps a buffer as large as the largest message that a connection has sent or got, for as long as the
/// connection is there: so each is counted for as long.
pub struct Memory {
    most: usize,
    taken: AtomicUsize,
}

/// What one connection takes, given back when this is dropped.
pub struct Share {
    memory: Arc<Memory>,
    counted: usize,
}

impl Memory {
    pub fn new(most: usize) -> Arc<Self> {
        Arc::new(Self { most, taken: AtomicUsize::new(0) })
    }

    pub fn share(self: &Arc<Self>) -> Share {
        Share { memory: Arc::clone(self), counted: 0 }
    }
}

impl Share {
    /// Makes room for a message of so many bytes; false where there is none.
    pub fn grow_to(&mut self, bytes: usize) -> bool {
        let more = bytes.saturating_sub(FREE).saturating_sub(self.counted);
        let grown = |taken: usize| taken.checked_add(more).filter(|taken| *taken <= self.memory.most);
        if more > 0 && self.memory.taken.fetch_update(Ordering::Relaxed, Ordering::Relaxed, grown).is_err() {
            return false;
        }
        self.counted += more;
        true
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.memory.taken.fetch_sub(self.counted, Ordering::Relaxed);
    }
}

/// Something that is open, as a gauge counts it: until this is dropped.
pub struct Open(metrics::Gauge);

impl Open {
    pub fn count(gauge: metrics::Gauge) -> Self {
        gauge.increment(1.0);
        Self(gauge)
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.decrement(1.0);
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    #[test]
    fn one_caller_has_his_share_and_all_together_have_all() {
        let places = Places::new(3, 2);
        let taken = [places.take("a"), places.take("a")].map(|place| place.expect("a place"));
        assert_eq!(places.take("a").err(), Some(Full::Caller));
        let other = places.take("b").expect("a place");
        assert_eq!(places.take("c").err(), Some(Full::Everybody));
        drop(other);
        assert!(places.take("c").is_ok());
        drop(taken);
        let left = places.taken.lock().expect("no panic while it is held");
        assert!(left.in_all == 0 && left.by_caller.is_empty());
    }

    #[test]
    fn a_panic_gives_a_place_back() {
        let places = Places::new(1, 1);
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let _place = places.take("a").expect("a place");
            panic!("on purpose");
        }));
        assert!(outcome.is_err() && places.take("a").is_ok());
    }

    #[test]
    fn large_messages_are_counted_while_their_connection_is_there() {
        let memory = Memory::new(100);
        let (mut one, mut other) = (memory.share(), memory.share());
        assert!(one.grow_to(FREE) && one.grow_to(FREE + 60) && one.grow_to(FREE + 60), "what it has is not counted again");
        assert!(!other.grow_to(FREE + 41) && other.grow_to(FREE + 40));
        drop(one);
        assert!(other.grow_to(FREE + 100));
    }
}
