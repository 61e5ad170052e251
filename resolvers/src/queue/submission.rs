//! What is handed to the queue: the changes of one caller, what they lock, and where he waits for the answer.

use std::any::Any;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Instant;

use cypher::Value;
use tokio::sync::oneshot;

use super::change::{AnyChange, AnyItem, Change, Company, SameSubject};
use super::clock;
use super::{Along, Answers, Rank, Write, WriteError};
use crate::TooLarge;
use crate::audit::AuditDraft;

/// The most nodes that one write may lock: more would hold up what is written beside it for longer than anyone waits.
const MOST_LOCKS: usize = 10_000;

/// A node that a write locks, as a number: two nodes with the same number wait for each other without need, which is rare and harmless.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LockHint(u64);

impl LockHint {
    /// The node of a kind (its label) with an id.
    pub fn of(kind: &str, id: &str) -> Self {
        let mut hasher = DefaultHasher::new();
        (kind, id).hash(&mut hasher);
        Self(hasher.finish())
    }
}

/// Whether a write can tell beforehand which nodes it locks: very likely all of them, or only some. What it has missed, the database's locks keep apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Foresight {
    Full,
    Partial,
}

impl Foresight {
    /// Of several writes together.
    pub fn of(mut writes: impl Iterator<Item = Foresight>) -> Self {
        if writes.all(|foresight| foresight == Foresight::Full) { Foresight::Full } else { Foresight::Partial }
    }
}

/// Whose writes go first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Priority {
    /// People, and systems that send one record and wait for the answer.
    #[default]
    Single,
    /// What administrates, such as taking a bulk request: it goes as soon as they do, but nobody sends one after another, for whom places would be kept.
    Prompt,
    /// What somebody has sent in bulk and does not wait for.
    Bulk,
}

/// What the driver is told.
pub(super) enum Message {
    Write(Box<Submission>),
    TellWhenIdle(oneshot::Sender<()>),
}

/// One change of a submission.
pub struct Part {
    pub(super) change: &'static dyn AnyChange,
    pub row: Box<dyn Any + Send + Sync>,
    pub entry: AuditDraft,
    subject: LockHint,
    /// Of which only one change of this kind can be in a transaction.
    in_turn: Vec<LockHint>,
    locks: Vec<LockHint>,
    foresight: Foresight,
    size: usize,
    largest: usize,
    brings: Vec<(&'static str, String)>,
}

impl Part {
    pub fn new<C: Change>(change: &'static C, write: Write<C::Row>) -> Self {
        let Write { row, entry, locks, foresight, mut in_turn, brings } = write;
        let subject = LockHint::of(entry.object_type(), entry.object_id());
        if Change::same_subject(change) == SameSubject::InTurn {
            in_turn.push(subject);
        }
        Self {
            subject,
            in_turn,
            size: Change::size(change, &row) + entry.size(),
            largest: Change::largest(change),
            change,
            row: Box::new(row),
            entry,
            locks,
            foresight,
            brings,
        }
    }

    /// What is there when it is written, by label and id.
    pub fn written(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let brought = self.brings.iter().map(|(label, id)| (*label, id.as_str()));
        [(self.entry.object_type(), self.entry.object_id())].into_iter().chain(brought)
    }

    fn locks(&self) -> impl Iterator<Item = &LockHint> {
        self.locks.iter().chain([&self.subject])
    }
}

/// What one caller wants done in one transaction, and where he waits for the answer.
pub struct Submission {
    /// In the order in which they are written.
    pub(crate) parts: Vec<Part>,
    pub key: Option<Value>,
    pub priority: Priority,
    pub since: Instant,
    answer: oneshot::Sender<Result<Answers, WriteError>>,
}

impl Submission {
    pub fn new(parts: Vec<Part>, along: Along, answer: oneshot::Sender<Result<Answers, WriteError>>) -> Self {
        let administrates = parts.iter().all(|part| part.change.rank() == Rank::Administration);
        let priority = if administrates && along.priority == Priority::Single { Priority::Prompt } else { along.priority };
        Self { parts, key: along.key, priority, since: clock::now(), answer }
    }

    /// Answers who waits; a client that hung up does not want to know.
    pub fn tell(self, answer: Result<Answers, WriteError>) {
        let _ = self.answer.send(answer);
    }

    pub fn size(&self) -> usize {
        self.parts.iter().map(|part| part.size).sum()
    }

    /// A part as its change takes it.
    pub(crate) fn item(&self, part: usize) -> AnyItem<'_> {
        let Part { row, entry, .. } = &self.parts[part];
        AnyItem { row, entry, key: self.key.as_ref() }
    }

    pub(crate) fn items(&self) -> impl Iterator<Item = AnyItem<'_>> {
        (0..self.parts.len()).map(|part| self.item(part))
    }

    pub fn locks(&self) -> impl Iterator<Item = &LockHint> {
        self.parts.iter().flat_map(Part::locks)
    }

    pub fn foresight(&self) -> Foresight {
        Foresight::of(self.parts.iter().map(|part| part.foresight))
    }

    /// The objects of which only one change of a kind can be in a transaction.
    pub fn turns(&self) -> impl Iterator<Item = (&'static str, LockHint)> {
        self.parts.iter().flat_map(|part| part.in_turn.iter().map(|turn| (part.change.name(), *turn)))
    }

    /// Whether nobody waits any more: the client hung up before anything was done.
    pub fn is_given_up(&self) -> bool {
        self.answer.is_closed()
    }

    /// Whether one of its writes is more than may be written at once.
    pub fn too_large(&self) -> Option<TooLarge> {
        self.parts.iter().find_map(|part| match (part.size, part.locks.len()) {
            (are, _) if are > part.largest => Some(TooLarge::Bytes { are, most: part.largest }),
            (_, are) if are > MOST_LOCKS => Some(TooLarge::Links { are, most: MOST_LOCKS }),
            _ => None,
        })
    }

    /// With which others it shares a transaction: of a kind that keeps to itself with that kind.
    pub fn company(&self) -> Option<&'static str> {
        match self.parts.as_slice() {
            [only] if only.change.company() == Company::OwnKind => Some(only.change.name()),
            _ => None,
        }
    }
}
