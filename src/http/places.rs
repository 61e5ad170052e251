//! How many requests may be under way, and how many of them one caller's.
//!
//! One caller has a quarter of the places at the most: whatever he sends, and however long it takes, others find one.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use tokio::sync::{Semaphore, SemaphorePermit};

use crate::refusal::Refusal;

/// One caller may have one place of so many.
const SHARES: usize = 4;

/// The places, and who has how many.
pub struct Places {
    callers: Semaphore,
    /// As many again for those who need no credentials, or have none yet (the token request): they must not keep callers out.
    others: Semaphore,
    /// The most of one caller.
    share: usize,
    /// By the caller's id. Only who has one is in here.
    by_caller: Mutex<HashMap<String, usize>>,
}

/// A place, free again when this is dropped.
pub struct Place<'a> {
    _permit: SemaphorePermit<'a>,
    _of_caller: Option<OfCaller<'a>>,
}

struct OfCaller<'a> {
    places: &'a Places,
    caller: String,
}

impl Places {
    /// So many.
    pub fn new(many: usize) -> Self {
        let share = (many / SHARES).max(1);
        Self { callers: Semaphore::new(many), others: Semaphore::new(many), share, by_caller: Mutex::default() }
    }

    /// A place for a caller, by his id, or for somebody else; refused at once where there is none.
    pub fn take(&self, caller: Option<&str>) -> Result<Place<'_>, Refusal> {
        let _of_caller = caller.map(|caller| self.count(caller)).transpose()?;
        let places = if caller.is_some() { &self.callers } else { &self.others };
        let _permit = places.try_acquire().map_err(|_| Refusal::Busy)?;
        Ok(Place { _permit, _of_caller })
    }

    fn count(&self, caller: &str) -> Result<OfCaller<'_>, Refusal> {
        let mut by_caller = self.by_caller.lock().unwrap_or_else(PoisonError::into_inner);
        match by_caller.get_mut(caller) {
            Some(has) if *has >= self.share => return Err(Refusal::CallersShare),
            Some(has) => *has += 1,
            None => drop(by_caller.insert(caller.to_owned(), 1)),
        }
        Ok(OfCaller { places: self, caller: caller.to_owned() })
    }
}

impl Drop for OfCaller<'_> {
    fn drop(&mut self) {
        let mut by_caller = self.places.by_caller.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(has) = by_caller.get_mut(&self.caller) {
            *has -= 1;
            if *has == 0 {
                by_caller.remove(&self.caller);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_caller_has_a_quarter_and_all_together_have_all() {
        let places = Places::new(8);
        let mut taken: Vec<Place> = ["a", "a", "b", "b", "c", "c", "d"].map(|caller| places.take(Some(caller)).unwrap()).into();
        assert_eq!(places.take(Some("a")).err(), Some(Refusal::CallersShare));
        taken.push(places.take(Some("e")).unwrap());
        assert_eq!(places.take(Some("f")).err(), Some(Refusal::Busy));
        assert!(places.take(None).is_ok(), "those without credentials have their own");
        taken.drain(..2);
        assert!(places.take(Some("a")).is_ok());
        drop(taken);
        assert!(places.by_caller.lock().expect("no panic while it is held").is_empty());
    }

    #[test]
    fn of_few_places_one_is_anybodys() {
        for many in 1..4 {
            assert!(Places::new(many).take(Some("a")).is_ok(), "{many}");
        }
    }
}
