//! Who waits for what, and which statement is next.
//!
//! Two statements under way keep a database busy, and the more wait meanwhile, the larger is the next batch. When both are slow, others may pass
//! them, but no further statement for a request that has one under way: a request with thirty slow questions has two at a time and not all places.

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
/// From when on a statement is slow.
pub(super) const SLOW: Duration = Duration::from_millis(20);
/// The most keys of one statement.
const MAX_KEYS: usize = 500;

pub(super) type Answer = Result<Loaded, Error>;

/// A request, told from all others.
pub(super) type RequestNumber = u64;

/// Somebody who waits for the answer of a key.
pub(super) struct Waiter {
    pub request: RequestNumber,
    pub answer: oneshot::Sender<Answer>,
}

/// The keys of a statement, each with those who wait for it.
pub(super) type Group = HashMap<Arc<str>, Vec<Waiter>>;

/// A key that somebody waits for.
pub(super) struct PendingKey {
    pub query: LoaderQuery,
    pub id: Arc<str>,
    pub waiter: Waiter,
}

#[derive(Default)]
pub(super) struct Waiting {
    groups: HashMap<LoaderQuery, Group>,
    /// Groups in the order in which their first key came.
    order: VecDeque<LoaderQuery>,
    running: Vec<Running>,
    next_number: u64,
    /// Whether somebody looks again once what is under way is slow.
    pub watched: bool,
}

struct Running {
    number: u64,
    since: Instant,
    requests: HashSet<RequestNumber>,
}

/// A statement that may be carried out now.
pub(super) struct Started {
    pub number: u64,
    pub query: LoaderQuery,
    pub group: Group,
}

impl Waiting {
    pub(super) fn add(&mut self, PendingKey { query, id, waiter }: PendingKey) {
        if !self.groups.contains_key(&query) {
            self.order.push_back(query.clone());
        }
        self.groups.entry(query).or_default().entry(id).or_default().push(waiter);
    }

    /// Whether keys wait for which there is no place yet.
    pub(super) fn is_any(&self) -> bool {
        !self.order.is_empty()
    }

    pub(super) fn ended(&mut self, number: u64) {
        self.running.retain(|running| running.number != number);
    }

    /// The next statement, if one waits and there is room for it.
    pub(super) fn start(&mut self) -> Option<Started> {
        let at = if self.running.len() < IN_FLIGHT {
            (!self.order.is_empty()).then_some(0)
        } else if self.running.len() < IN_FLIGHT_WHEN_SLOW && self.running.iter().all(|running| running.since.elapsed() >= SLOW) {
            self.order.iter().position(|query| self.is_of_somebody_else(query))
        } else {
            None
        }?;
        let query = self.order.remove(at)?;
        let group = self.take(&query);
        self.next_number += 1;
        let requests = group.values().flatten().map(|waiter| waiter.request).collect();
        self.running.push(Running { number: self.next_number, since: Instant::now(), requests });
        Some(Started { number: self.next_number, query, group })
    }

    /// Whether somebody waits for it who has no statement under way.
    fn is_of_somebody_else(&self, query: &LoaderQuery) -> bool {
        let has_one = |request| self.running.iter().any(|running| running.requests.contains(request));
        self.groups.get(query).is_some_and(|group| group.values().flatten().any(|waiter| !has_one(&waiter.request)))
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
