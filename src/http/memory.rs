//! How much memory the bodies of requests may take.
//!
//! A body that is still coming in takes no place among the requests under way, so that any number of them may come in at once: as many as
//! there are connections. What bounds them is this: each may be as large as a head for nothing ([`FREE`], which is all that somebody who was
//! not recognised may send), and what is larger is counted, byte by byte as it comes, until its request is answered. All bodies together may
//! take `limits.bodies`, those of one caller half of that, so that nobody who uploads much, or slowly, keeps the large bodies of others out.
//! Who would take more is refused at once: waiting for room with half a body in hand is how all would wait for each other.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use crate::refusal::Refusal;

/// What a body may take without being counted: about what its request's head may.
pub const FREE: usize = 16 << 10;

/// What the bodies of all requests may take, and what they do.
pub struct Memory {
    most: usize,
    taken: Mutex<Taken>,
}

#[derive(Default)]
struct Taken {
    in_all: usize,
    /// By the caller's id. Only who takes something is in here.
    by_caller: HashMap<String, usize>,
}

/// What one body takes, given back when this is dropped.
pub struct Share<'a> {
    memory: &'a Memory,
    /// The caller's id.
    caller: String,
    counted: usize,
}

impl Memory {
    /// For bodies of so many bytes in all.
    pub fn new(most: usize) -> Self {
        Self { most, taken: Mutex::default() }
    }

    /// The share of a caller's next body. Those who were not recognised share one name, which no credential has, and nothing beyond [`FREE`].
    pub fn share(&self, caller: Option<&str>) -> Share<'_> {
        Share { memory: self, caller: caller.unwrap_or_default().to_owned(), counted: 0 }
    }
}

impl Share<'_> {
    /// Makes room for a body of so many bytes. Refused where it would take more than there is, or than is this caller's.
    pub fn grow_to(&mut self, bytes: usize) -> Result<(), Refusal> {
        let more = bytes.saturating_sub(FREE).saturating_sub(self.counted);
        if more == 0 {
            return Ok(());
        }
        let mut taken = self.memory.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let own = taken.by_caller.get(&self.caller).copied().unwrap_or_default();
        if taken.in_all + more > self.memory.most || own + more > self.memory.most / 2 {
            return Err(Refusal::Busy);
        }
        taken.in_all += more;
        match taken.by_caller.get_mut(&self.caller) {
            Some(own) => *own += more,
            None => drop(taken.by_caller.insert(self.caller.clone(), more)),
        }
        self.counted += more;
        metrics::gauge!("amlgraph_http_body_bytes").set(taken.in_all as f64);
        Ok(())
    }
}

impl Drop for Share<'_> {
    fn drop(&mut self) {
        if self.counted == 0 {
            return;
        }
        let mut taken = self.memory.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.in_all -= self.counted;
        metrics::gauge!("amlgraph_http_body_bytes").set(taken.in_all as f64);
        if let Some(own) = taken.by_caller.get_mut(&self.caller) {
            *own -= self.counted;
            if *own == 0 {
                taken.by_caller.remove(&self.caller);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LARGE: usize = FREE + 1000;

    #[test]
    fn small_bodies_are_free_and_large_ones_are_counted_until_they_are_gone() {
        let memory = Memory::new(2000);
        let mut shares: Vec<Share> = (0..100).map(|_| memory.share(Some("a"))).collect();
        assert!(shares.iter_mut().all(|share| share.grow_to(FREE).is_ok()));
        assert_eq!(shares[0].grow_to(FREE + 400), Ok(()));
        assert_eq!(shares[0].grow_to(LARGE), Ok(()), "what it has is not counted again");
        assert_eq!(shares[1].grow_to(FREE + 1), Err(Refusal::Busy), "half of it is one caller's");
        let mut other = memory.share(Some("b"));
        assert_eq!(other.grow_to(LARGE), Ok(()));
        assert_eq!(memory.share(Some("c")).grow_to(FREE + 1), Err(Refusal::Busy), "all of it is taken");
        drop(other);
        assert_eq!(memory.share(Some("c")).grow_to(LARGE), Ok(()));
        drop(shares);
        let taken = memory.taken.lock().expect("no panic while it is held");
        assert!(taken.in_all == 0 && taken.by_caller.is_empty());
    }
}
