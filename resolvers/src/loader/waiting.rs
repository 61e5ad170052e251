//! Who waits for what, and which statement is next.
//!
//! Two statements under way keep a database busy, and the more wait meanwhile, the larger is the next batch. Who has none under way comes first, then
//! who came first, so that nobody waits behind all that another has asked. A slow one keeps no place from callers who have none that is slow; when all
//! are slow, others may pass them: callers who have none under way, and, in half of the places, other requests of one who has. Thirty slow questions of
//! one request have two places at a time and not all of them.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use cypher::Error;
use tokio::sync::oneshot;

use super::query::{Loaded, LoaderQuery};

/// Statements under way at once: measured best with the database beside the service (two keep it busy, more only make batches smaller).
const IN_FLIGHT: usize = 2;
/// When the ones under way are slow, others may pass them, up to this many.
const IN_FLIGHT_WHEN_SLOW: usize = 8;
/// Of these, so many for callers who have others under way.
const IN_FLIGHT_OF_ONE_CALLER: usize = 5;
/// From when on a statement is slow.
pub const SLOW: Duration = Duration::from_millis(20);
/// The most keys of one statement.
const MAX_KEYS: usize = 500;

pub(super) type Answer = Result<Loaded, Error>;

/// Who asks: callers and their requests by a number for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Asker {
    pub caller: u64,
    pub request: u64,
}

/// Somebody who waits for the answer of a key.
pub struct Waiter {
    pub asker: Asker,
    pub answer: oneshot::Sender<Answer>,
}

/// The keys of a statement, each with those who wait for it.
pub(super) type Group = HashMap<Arc<str>, Vec<Waiter>>;

/// A key that somebody waits for.
pub struct PendingKey {
    pub query: LoaderQuery,
    pub id: Arc<str>,
    pub waiter: Waiter,
}

#[derive(Default)]
pub struct Waiting {
    groups: HashMap<LoaderQuery, Group>,
    /// Groups in the order in which their first key came.
    order: VecDeque<LoaderQuery>,
    pub running: Vec<Running>,
    next_number: u64,
    /// Whether somebody looks again once what is under way is slow.
    pub watched: bool,
}

pub struct Running {
    number: u64,
    pub since: Instant,
    askers: HashSet<Asker>,
}

impl Running {
    fn is_slow(&self) -> bool {
        self.since.elapsed() >= SLOW
    }
}

/// A statement that may be carried out now.
pub struct Started {
    pub number: u64,
    pub query: LoaderQuery,
    pub group: Group,
}

impl Waiting {
    pub fn add(&mut self, PendingKey { query, id, waiter }: PendingKey) {
        if !self.groups.contains_key(&query) {
            self.order.push_back(query.clone());
        }
        self.groups.entry(query).or_default().entry(id).or_default().push(waiter);
    }

    /// Whether keys wait for which there is no place yet.
    pub(super) fn is_any(&self) -> bool {
        !self.order.is_empty()
    }

    /// Whether keys wait, or their statement is under way.
    pub(super) fn is_busy(&self) -> bool {
        self.is_any() || !self.running.is_empty()
    }

    pub fn ended(&mut self, number: u64) {
        self.running.retain(|running| running.number != number);
    }

    /// The next statement, if one waits and there is room for it.
    pub fn start(&mut self) -> Option<Started> {
        let of_other_callers = || self.first_with(|asker| asker.caller);
        let of_other_requests = || self.first_with(|asker| asker.request);
        let running = self.running.len();
        let quick = self.running.iter().filter(|running| !running.is_slow()).count();
        let at = if running < IN_FLIGHT {
            of_other_callers().or((!self.order.is_empty()).then_some(0))
        } else if running >= IN_FLIGHT_WHEN_SLOW || quick >= IN_FLIGHT {
            None
        } else if quick > 0 {
            // A slow one keeps no place from those who have none that is slow, nor from others where nobody of those waits.
            self.first_of_quick_callers().or_else(|| if running == IN_FLIGHT { of_other_requests() } else { None })
        } else if running < IN_FLIGHT_OF_ONE_CALLER {
            of_other_callers().or_else(of_other_requests)
        } else {
            of_other_callers()
        }?;
        let query = self.order.remove(at)?;
        let group = self.take(&query);
        self.next_number += 1;
        let askers = group.values().flatten().map(|waiter| waiter.asker).collect();
        self.running.push(Running { number: self.next_number, since: Instant::now(), askers });
        Some(Started { number: self.next_number, query, group })
    }

    /// The first statement for which somebody waits whose number nobody has who has one under way.
    fn first_with(&self, number: impl Fn(&Asker) -> u64) -> Option<usize> {
        let running: HashSet<u64> = self.running.iter().flat_map(|running| &running.askers).map(&number).collect();
        self.first_of(|asker| !running.contains(&number(asker)))
    }

    /// The first statement for which somebody waits who has none under way that is slow.
    fn first_of_quick_callers(&self) -> Option<usize> {
        let slow = self.running.iter().filter(|running| running.is_slow());
        let slow: HashSet<u64> = slow.flat_map(|running| &running.askers).map(|asker| asker.caller).collect();
        self.first_of(|asker| !slow.contains(&asker.caller))
    }

    /// The first statement for which such a one waits.
    fn first_of(&self, is_such: impl Fn(&Asker) -> bool) -> Option<usize> {
        let waits = |group: &Group| group.values().flatten().any(|waiter| is_such(&waiter.asker));
        self.order.iter().position(|query| self.groups.get(query).is_some_and(waits))
    }

    /// Whether another caller waits for a statement, or for the answer of one.
    pub fn has_others_than(&self, caller: u64) -> bool {
        let under_way = self.running.iter().flat_map(|running| &running.askers);
        let waiting = self.groups.values().flat_map(|group| group.values().flatten()).map(|waiter| &waiter.asker);
        under_way.chain(waiting).any(|asker| asker.caller != caller)
    }

    /// The keys of a statement, as many as it may have; the others stay.
    fn take(&mut self, query: &LoaderQuery) -> Group {
        let mut group = self.groups.remove(query).unwrap_or_default();
        if group.len() > MAX_KEYS {
            let rest: Vec<Arc<str>> = group.keys().skip(MAX_KEYS).cloned().collect();
            let rest = rest.into_iter().filter_map(|key| group.remove_entry(&key)).collect();
            self.groups.insert(query.clone(), rest);
            self.order.push_back(query.clone());
        }
        group
    }
}

/// Takes those out of a group who do not wait any more, and keys for which nobody does.
pub(super) fn forget_who_left(group: &mut Group) {
    group.retain(|_, waiting| {
        waiting.retain(|waiter| !waiter.answer.is_closed());
        !waiting.is_empty()
    });
}
