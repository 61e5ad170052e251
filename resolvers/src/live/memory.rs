//! The recent changes that are kept in memory, and how somebody reads them on from a position.
//!
//! All of it is values: who reads from the store what is not in memory, and who waits for more, is in [`super::tail`].

use std::collections::VecDeque;
use std::sync::Arc;

use super::change::{ReadSets, Topic, TopicChange};
use crate::change_feed::EventPosition;

/// How much is kept, and how much is read.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Changes of each topic that are kept in memory.
    pub kept: usize,
    /// Sets that one read of the store takes. They begin at a multiple of it, so that all who are behind read the same ones.
    pub page: i64,
    /// Who is further behind than so many sets, and further than the memory goes, goes on from the present.
    pub behind: i64,
}

impl Bounds {
    /// Those of the service: some megabytes, and what is read in less than a minute.
    pub const SERVICE: Self = Self { kept: 10_000, page: 64, behind: 50_000 };
}

/// The last changes of each topic.
#[derive(Debug)]
pub struct Memory {
    pub bounds: Bounds,
    /// Up to where the feed was looked at; nothing before the first look.
    until: Option<i64>,
    /// The last set that the store keeps no more.
    forgotten: i64,
    rings: [Ring; Topic::ALL.len()],
}

/// The last changes of a topic.
#[derive(Debug, Default)]
struct Ring {
    /// All changes behind this position, up to where the feed was looked at, are here.
    from: EventPosition,
    changes: VecDeque<Arc<TopicChange>>,
}

/// Why changes are not told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GapReason {
    /// They are kept no more.
    Forgotten,
    /// There are more than one reader is to be told of.
    TooFarBehind,
    /// They are not found where they should be, or not understood: a defect.
    Unreadable,
}

/// Changes that one who follows is not told of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gap {
    pub reason: GapReason,
    /// Behind this position it begins.
    pub after: EventPosition,
    /// And from this one on all is told again.
    pub resumes_after: EventPosition,
}

/// One who follows a topic.
#[derive(Debug)]
pub struct Reader {
    topic: Topic,
    /// Up to where everything was told.
    pub at: EventPosition,
    /// Sets out of the store, and the place of the next change in them.
    page: Option<(Arc<ReadSets>, usize)>,
}

/// What a reader does next.
#[derive(Debug)]
pub enum Step {
    Tell(Arc<TopicChange>),
    Gap(Gap),
    /// Read the sets behind the first, up to the second.
    Read(i64, i64),
    /// Nothing more is there.
    Wait,
}

impl Memory {
    pub fn new(bounds: Bounds) -> Self {
        Self { bounds, until: None, forgotten: 0, rings: Default::default() }
    }

    /// Up to where the feed was looked at; nothing before the first look.
    pub fn until(&self) -> Option<i64> {
        self.until
    }

    /// Nobody looks any more.
    pub fn clear(&mut self) {
        *self = Self::new(self.bounds);
    }

    /// Begins anew behind a set.
    pub fn begin(&mut self, behind: i64) {
        self.until = Some(behind);
        self.rings = Topic::ALL.map(|_| Ring { from: EventPosition::behind(behind), changes: VecDeque::new() });
    }

    /// Notes up to where the store has forgotten.
    pub fn forget(&mut self, forgotten: i64) {
        self.forgotten = self.forgotten.max(forgotten);
    }

    /// Adds the changes of the next sets; says of which topics there are some.
    pub fn extend(&mut self, sets: ReadSets) -> [bool; Topic::ALL.len()] {
        let mut more = [false; Topic::ALL.len()];
        self.until = Some(sets.until);
        for change in sets.changes {
            let index = change.topic.index();
            more[index] = true;
            let ring = &mut self.rings[index];
            ring.changes.push_back(change);
            if ring.changes.len() > self.bounds.kept
                && let Some(oldest) = ring.changes.pop_front()
            {
                ring.from = oldest.position;
            }
        }
        more
    }
}

impl Reader {
    pub fn new(topic: Topic, at: EventPosition) -> Self {
        Self { topic, at, page: None }
    }

    /// What comes next, by the page that was read last, and else by the memory.
    pub fn step(&mut self, memory: &Memory) -> Step {
        if let Some(change) = self.next_of_page() {
            return Step::Tell(change);
        }
        let Some(until) = memory.until else { return Step::Wait };
        let ring = &memory.rings[self.topic.index()];
        if self.at >= ring.from {
            let first = ring.changes.partition_point(|change| change.position <= self.at);
            return match ring.changes.get(first) {
                Some(change) => {
                    self.at = change.position;
                    Step::Tell(Arc::clone(change))
                }
                None => {
                    self.at = self.at.max(EventPosition::behind(until));
                    Step::Wait
                }
            };
        }
        if self.at.set() < memory.forgotten {
            return self.gap(GapReason::Forgotten, until);
        }
        if until - self.at.set() > memory.bounds.behind {
            return self.gap(GapReason::TooFarBehind, until);
        }
        let begin = self.at.set() / memory.bounds.page * memory.bounds.page;
        // Where the memory begins inside of a set, the reads end behind that set.
        let end = ring.from.set() + i64::from(ring.from.further() > 0);
        Step::Read(begin.max(memory.forgotten), end.min(begin + memory.bounds.page))
    }

    /// Goes on with sets out of the store.
    pub fn take(&mut self, page: Arc<ReadSets>) {
        let first = page.changes.partition_point(|change| change.position <= self.at);
        self.page = Some((page, first));
    }

    /// Goes on behind a set, as what comes before it can't be read.
    pub fn leave_out(&mut self, until: i64) -> Gap {
        let after = self.at;
        self.at = after.max(EventPosition::behind(until));
        Gap { reason: GapReason::Unreadable, after, resumes_after: self.at }
    }

    /// Goes on from the present.
    fn gap(&mut self, reason: GapReason, until: i64) -> Step {
        let after = self.at;
        self.at = after.max(EventPosition::behind(until));
        Step::Gap(Gap { reason, after, resumes_after: self.at })
    }

    fn next_of_page(&mut self) -> Option<Arc<TopicChange>> {
        let (page, next) = self.page.as_mut()?;
        let rest = &page.changes[*next..];
        if let Some(further) = rest.iter().position(|change| change.topic == self.topic) {
            let change = Arc::clone(&rest[further]);
            *next += further + 1;
            self.at = change.position;
            return Some(change);
        }
        self.at = self.at.max(EventPosition::behind(page.until));
        self.page = None;
        None
    }
}
