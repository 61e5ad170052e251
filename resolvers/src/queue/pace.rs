//! How long a transaction of many writes may take: some times what such ones have taken lately.
//!
//! One of them may wait for a lock that somebody else holds, and all who share its transaction wait with it until that is given up. Seconds are right
//! where a database plans its statements or is slow; where it is quick, nobody is to wait for seconds because of one row.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// What is not known yet may take this long, and nothing longer.
pub(super) const MOST: Duration = Duration::from_secs(3);
/// A database may stand still for this long without any row being to blame: while it collects garbage or writes a checkpoint.
const LEAST: Duration = Duration::from_millis(500);
/// So many times as long as usual.
const TIMES: u32 = 8;

use super::submission::Submission;

/// How writes are made: by a statement of their own, or in a transaction of several. Some kinds know both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Way {
    AtOnce,
    InSteps,
}

/// Transactions that take about as long as one another: of a kind of writes, by its name, made in the same way, and of about as much in all.
type Alike = (&'static str, Way, u32);

/// What is usual.
#[derive(Default)]
pub(super) struct Pace(Mutex<HashMap<Alike, Duration>>);

/// What a transaction of these writes is like, one for each kind.
pub(super) fn likes(writes: &[Submission], way: Way) -> Vec<Alike> {
    let size: usize = writes.iter().map(Submission::size).sum();
    let kinds: BTreeSet<&'static str> = writes.iter().flat_map(|write| &write.parts).map(|part| part.change.name()).collect();
    kinds.into_iter().map(|kind| (kind, way, size.max(1).ilog2() / 2)).collect()
}

impl Pace {
    /// How long such a transaction may take.
    pub fn limit(&self, likes: &[Alike]) -> Duration {
        let usual = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let slowest = likes.iter().map(|like| usual.get(like)).try_fold(Duration::ZERO, |slowest, usual| usual.map(|usual| slowest.max(*usual)));
        slowest.map_or(MOST, |slowest| (slowest * TIMES).clamp(LEAST, MOST))
    }

    /// Such a transaction was done in this time. What is slower than usual counts at once, what is quicker by and by.
    pub fn took(&self, likes: &[Alike], took: Duration) {
        self.change(likes, took, |usual| if took > usual { (usual + took) / 2 } else { (usual * 15 + took) / 16 });
    }

    /// Such a transaction was given up after this time: unless it is a single row's fault, the next must have longer.
    pub fn gave_up(&self, likes: &[Alike], after: Duration) {
        let longer = after * 2 / TIMES;
        self.change(likes, longer, |usual| usual.max(longer));
    }

    /// The database was away: it may have to plan all statements anew, and to read from its disk what it had in memory.
    pub fn forget(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn change(&self, likes: &[Alike], first: Duration, next: impl Fn(Duration) -> Duration) {
        let mut usual = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for like in likes {
            usual.entry(*like).and_modify(|usual| *usual = next(*usual)).or_insert(first);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MILLIS: fn(u64) -> Duration = Duration::from_millis;
    const PAYMENTS: Alike = ("payment", Way::AtOnce, 8);
    const CASES: Alike = ("case", Way::InSteps, 8);

    #[test]
    fn what_is_usual_says_how_long_it_may_take() {
        let pace = Pace::default();
        assert_eq!(pace.limit(&[PAYMENTS]), MOST, "nothing is known");
        pace.took(&[PAYMENTS], MILLIS(10));
        assert_eq!(pace.limit(&[PAYMENTS]), LEAST);
        assert_eq!(pace.limit(&[PAYMENTS, CASES]), MOST, "of one nothing is known");
        assert_eq!(pace.limit(&[("payment", Way::AtOnce, 11)]), MOST, "of so many nothing is known");
        for _ in 0..20 {
            pace.took(&[PAYMENTS], MILLIS(200));
        }
        let slow = pace.limit(&[PAYMENTS]);
        assert!(slow > MILLIS(1_500) && slow < MILLIS(1_600), "{slow:?}");
        pace.took(&[CASES], MILLIS(1));
        assert_eq!(pace.limit(&[PAYMENTS, CASES]), slow, "the slower one counts");
    }

    #[test]
    fn one_row_makes_nobody_slow_for_long_and_a_slow_database_is_waited_for() {
        let pace = Pace::default();
        pace.took(&[PAYMENTS], MILLIS(20));
        for wanted in [1_000, 2_000, 3_000, 3_000] {
            pace.gave_up(&[PAYMENTS], pace.limit(&[PAYMENTS]));
            assert_eq!(pace.limit(&[PAYMENTS]), MILLIS(wanted));
        }
        for _ in 0..60 {
            pace.took(&[PAYMENTS], MILLIS(20));
        }
        assert_eq!(pace.limit(&[PAYMENTS]), LEAST);
        pace.forget();
        assert_eq!(pace.limit(&[PAYMENTS]), MOST);
    }
}
