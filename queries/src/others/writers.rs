//! What a follower knows of the writers that it follows, and until when it has all that they have written.
//!
//! Nothing here asks a clock or a store: a look is the moment at which it began, and what it has found.

use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

use super::standing::Standing;

/// The notes of a process are a ring of so many.
pub(super) const RING: u64 = 1_024;
/// A note this far behind the last may be overwritten while it is read.
const READABLE: u64 = 900;
/// Where the last look is longer ago than this, a writer may have come, written and gone that was never seen. What is kept is hardly younger.
const PAUSE: Duration = Duration::from_secs(60);
/// How long a quiet writer keeps its node, and one that is not understood.
const QUIET_FOR: Duration = Duration::from_secs(3_600);
/// A writer that is silent for so long does not only take its time.
const SILENT_FOR: Duration = Duration::from_secs(3);
/// Of so many renewals it is remembered when they were seen.
const REMEMBERED: usize = 32;

/// A writer as a look has found it; without a standing where that can't be read.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct FoundWriter {
    pub id: String,
    /// The number of its last renewal.
    pub renewal: u64,
    pub standing: Option<Standing>,
}

/// What a look makes necessary.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Plan {
    /// Something was written of which there is no note any more.
    pub is_anything: bool,
    /// Notes that have to be read: the writer's id, and the number.
    pub notes: Vec<(String, u64)>,
}

/// What is known once the notes of a look are applied.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Known {
    /// All that others had committed by then is known; nothing where that is not certain of any moment.
    pub certain: Option<Instant>,
    /// Writers that have fallen silent without saying so; each is named once.
    pub silent: Vec<String>,
    /// Writers that had fallen silent, and are heard again or have lost their nodes.
    pub over: Vec<String>,
    /// Writers whose nodes are to go, and their last renewals.
    pub gone: Vec<(String, u64)>,
}

/// The writers that a follower knows.
pub(super) struct Writers {
    known: HashMap<String, Writer>,
    /// When the last look began.
    looked: Option<Instant>,
    /// How long what a writer has sent may still come about.
    in_doubt_for: Duration,
}

struct Writer {
    /// The number of its last renewal, once it was seen.
    renewal: Option<u64>,
    standing: Option<Standing>,
    /// Renewals, each with the begin of the last look that has seen it as the last one.
    seen: VecDeque<(u64, Instant)>,
    /// The begin of the first look that has seen the present one.
    since: Instant,
    /// Up to this number notes are applied.
    notes: u64,
    /// Whether it was told that it is silent, and it still is.
    is_told: bool,
}

impl Writers {
    pub fn new(in_doubt_for: Duration) -> Self {
        Self { known: HashMap::new(), looked: None, in_doubt_for }
    }

    /// What is to be read and stamped before what a look has found is known.
    pub fn plan(&self, begun: Instant, found: &[FoundWriter]) -> Plan {
        let Some(looked) = self.looked else { return Plan { is_anything: true, notes: Vec::new() } };
        if begun.duration_since(looked) > PAUSE {
            return Plan { is_anything: true, notes: Vec::new() };
        }
        let is_missing = |id: &str| !found.iter().any(|writer| writer.id == id);
        let is_missed = |(id, writer): (&String, &Writer)| is_missing(id) && !writer.is_quiet();
        let mut plan = Plan { is_anything: self.known.iter().any(is_missed), notes: Vec::new() };
        for FoundWriter { id, standing, .. } in found {
            let Some(standing) = standing else { continue };
            let read = self.known.get(id).map_or(0, |writer| writer.notes);
            if standing.notes.saturating_sub(read) > READABLE {
                plan.is_anything = true;
            } else {
                plan.notes.extend((read + 1..=standing.notes).map(|number| (id.clone(), number)));
            }
        }
        plan
    }

    /// Notes that what a look has planned is done.
    pub fn know(&mut self, begun: Instant, found: Vec<FoundWriter>) -> Known {
        let looked = self.looked.replace(begun);
        let mut before = std::mem::take(&mut self.known);
        let mut known = Known { certain: Some(begun), ..Known::default() };
        for FoundWriter { id, renewal, standing } in found {
            let mut writer = before.remove(&id).unwrap_or_else(|| Writer::new(begun, looked));
            let was_told = writer.is_told;
            writer.see(begun, renewal, standing);
            if was_told && !writer.is_told {
                known.over.push(id.clone());
            }
            known.certain = known.certain.min(writer.certain(begun));
            if writer.falls_silent(begun) {
                known.silent.push(id.clone());
            }
            known.gone.extend(writer.gone(begun, self.in_doubt_for).map(|renewal| (id.clone(), renewal)));
            self.known.insert(id, writer);
        }
        known.over.extend(before.into_iter().filter(|(_, writer)| writer.is_told).map(|(id, _)| id));
        known
    }
}

impl Writer {
    /// One that is seen for the first time. At the look before, if there was one, it was not there.
    fn new(begun: Instant, looked: Option<Instant>) -> Self {
        let seen = looked.map(|looked| (0, looked)).into_iter().collect();
        Self { renewal: None, standing: None, seen, since: begun, notes: 0, is_told: false }
    }

    fn is_quiet(&self) -> bool {
        self.standing.is_some_and(|standing| standing.is_quiet)
    }

    fn see(&mut self, begun: Instant, renewal: u64, standing: Option<Standing>) {
        if self.renewal.replace(renewal) != Some(renewal) {
            (self.since, self.is_told) = (begun, false);
        }
        self.standing = standing;
        let Some(standing) = standing else { return };
        self.notes = standing.notes;
        match self.seen.back_mut() {
            Some((renewal, last)) if *renewal == standing.renewal => *last = begun,
            _ => self.seen.push_back((standing.renewal, begun)),
        }
        if self.seen.len() > REMEMBERED {
            self.seen.pop_front();
        }
    }

    /// A moment before which all that it had committed is in notes up to the last. A look that has not seen the renewal which was answered before the notes were
    /// taken had begun before that renewal was committed; and the writer says how long after the answer it took them.
    fn certain(&self, begun: Instant) -> Option<Instant> {
        let standing = self.standing?;
        if standing.is_quiet {
            return Some(begun);
        }
        self.seen
            .iter()
            .rev()
            .find(|(renewal, _)| *renewal < standing.answered)
            .and_then(|(_, last)| last.checked_add(Duration::from_micros(standing.waited)))
    }

    /// Whether it is silent, and that was not told yet.
    fn falls_silent(&mut self, begun: Instant) -> bool {
        let is_silent = !self.is_quiet() && begun.duration_since(self.since) >= SILENT_FOR;
        is_silent && !std::mem::replace(&mut self.is_told, true)
    }

    /// Its last renewal, where nothing can come about any more of what it has sent. One whose standing can't be read may be quiet; when nobody runs any more who
    /// reads it, nobody else would remove it.
    fn gone(&self, begun: Instant, in_doubt_for: Duration) -> Option<u64> {
        let is_writing = self.standing.is_some_and(|standing| !standing.is_quiet);
        let keeps_for = if is_writing { in_doubt_for } else { QUIET_FOR };
        self.renewal.filter(|_| begun.duration_since(self.since) >= keeps_for)
    }
}

#[cfg(test)]
mod tests;
