//! How long a transaction of many writes may take: some times what such ones have taken lately.
//!
//! One of them may wait for a lock that somebody else holds, and all who share its transaction wait with it until that is given up. Seconds are right
//! where a database plans its statements or is slow; where it is quick, nobody is to wait for seconds because of one row.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::submission::Submission;

/// What is not known yet may take this long, and nothing longer.
pub const MOST: Duration = Duration::from_secs(3);
/// A database may stand still for this long without any row being to blame: while it collects garbage or writes a checkpoint.
pub const LEAST: Duration = Duration::from_millis(500);
/// So many times as long as usual.
const TIMES: u32 = 8;

/// How writes are made: by a statement of their own, or in a transaction of several. Some kinds know both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Way {
    AtOnce,
    InSteps,
}

/// Transactions of a kind of writes, by its name, made in the same way.
type Kind = (&'static str, Way);

/// Transactions that take about as long as one another: of one kind, and of about as much in all, each class [`LARGER`] times as much as the one before.
pub type Alike = (Kind, usize);

/// So many times as much has a transaction of the next class, which takes no longer than so many times as long.
const LARGER: u32 = 4;
/// The classes there are; the last has all that is larger.
const CLASSES: usize = 16;

/// What is usual: of each kind the classes of which anything is known.
#[derive(Default)]
pub struct Pace(Mutex<HashMap<Kind, [Option<Duration>; CLASSES]>>);

/// What a transaction of these writes is like, one for each kind.
pub(super) fn likes(writes: &[Submission], way: Way) -> Vec<Alike> {
    let size: usize = writes.iter().map(Submission::size).sum();
    let class = (size.max(1).ilog(LARGER as usize) as usize).min(CLASSES - 1);
    let kinds: BTreeSet<&'static str> = writes.iter().flat_map(|write| &write.parts).map(|part| part.change.name()).collect();
    kinds.into_iter().map(|kind| ((kind, way), class)).collect()
}

impl Pace {
    /// How long such a transaction may take.
    pub fn limit(&self, likes: &[Alike]) -> Duration {
        let known = self.lock();
        let usual = |(kind, class): &Alike| known.get(kind).and_then(|classes| usual(classes, *class));
        let slowest = likes.iter().map(usual).try_fold(Duration::ZERO, |slowest, usual| Some(slowest.max(usual?)));
        slowest.map_or(MOST, |slowest| (slowest * TIMES).clamp(LEAST, MOST))
    }

    /// Such a transaction was done in this time. What is slower than usual counts at once, what is quicker by and by.
    pub fn took(&self, likes: &[Alike], took: Duration) {
        let mut known = self.lock();
        for (kind, class) in likes {
            let usual = &mut known.entry(*kind).or_default()[*class];
            *usual = Some(usual.map_or(took, |usual| if took > usual { (usual + took) / 2 } else { (usual * 7 + took) / 8 }));
        }
    }

    /// Such a transaction was given up after this time: unless it is a single row's fault, the next must have longer, whatever its size.
    pub fn gave_up(&self, likes: &[Alike], after: Duration) {
        let longer = after * 2 / TIMES;
        let mut known = self.lock();
        for (kind, class) in likes {
            let classes = known.entry(*kind).or_default();
            classes[*class].get_or_insert(longer);
            classes.iter_mut().flatten().for_each(|usual| *usual = longer.max(*usual));
        }
    }

    /// The database was away: it may have to plan all statements anew, and to read from its disk what it had in memory.
    pub fn forget(&self) {
        self.lock().clear();
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Kind, [Option<Duration>; CLASSES]>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How long one of a class usually takes. What is larger takes at least as long, and at most so many times as long as it is larger: so each class that is known
/// bounds the others, too.
fn usual(classes: &[Option<Duration>; CLASSES], class: usize) -> Option<Duration> {
    let known = classes.iter().enumerate().filter_map(|(other, usual)| Some((other, (*usual)?)));
    known.map(|(other, usual)| usual.saturating_mul(LARGER.saturating_pow(class.saturating_sub(other) as u32))).min()
}
