//! Writes that wait, and which of them go into the next transaction.

use std::any::Any;
use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::{Duration, Instant};

use cypher::Value;
use tokio::sync::oneshot;
use tokio::task::Id;

use super::change::{AnyChange, AnyItem, Change, Company, SameSubject};
use super::{Along, Answers, Write, WriteError};
use crate::TooLarge;
use crate::audit::AuditDraft;

/// The most submissions of one transaction.
pub(super) const MAX_ROWS: usize = 500;
/// The most of them when they are sent in bulk while single requests come as well, so that these do not wait long for the next one; and for how long
/// after the last of them others are expected.
const BULK_ROWS_BESIDE: usize = 24;
const EXPECTED: Duration = Duration::from_millis(200);
/// The most bytes of one transaction's rows.
const MAX_BYTES: usize = 1 << 20;
/// The most nodes that one write may lock: more would hold up what is written beside it for longer than anyone waits.
const MOST_LOCKS: usize = 10_000;
/// A transaction is begun beside others only for its share of all writes that are here, under way or likely to come again, within these bounds: a
/// smaller one costs the database more than it saves those who wait.
const COMPANY: std::ops::RangeInclusive<usize> = 8..=32;
/// Longer than this nobody waits for that company while there is room: the transaction under way may be a slow one.
const FOR_COMPANY: Duration = Duration::from_millis(20);
/// Those who were answered at once often come again at once, and are written together when they are waited for, but no longer than this.
const FOR_RETURN: Duration = Duration::from_millis(2);
/// A transaction that takes longer makes the next ones smaller, down to this many.
const SLOW: Duration = Duration::from_secs(1);
const FEWEST: usize = 16;
/// What was sent in bulk goes next when nothing of it was taken for so long, however much else there is.
const PATIENCE: Duration = Duration::from_secs(1);

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

/// Whose writes go first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Priority {
    /// People, and systems that send one record and wait for the answer.
    #[default]
    Single,
    /// What somebody has sent in bulk and does not wait for.
    Bulk,
}

/// What the driver is told.
pub(super) enum Message {
    Write(Box<Submission>),
    TellWhenIdle(oneshot::Sender<()>),
}

/// One change of a submission.
pub(super) struct Part {
    pub change: &'static dyn AnyChange,
    pub row: Box<dyn Any + Send + Sync>,
    pub entry: AuditDraft,
    subject: LockHint,
    same_subject: SameSubject,
    locks: Vec<LockHint>,
    size: usize,
    largest: usize,
}

impl Part {
    pub fn new<C: Change>(change: &'static C, write: Write<C::Row>) -> Self {
        let Write { row, entry, locks } = write;
        Self {
            subject: LockHint::of(entry.object_type(), entry.object_id()),
            same_subject: Change::same_subject(change),
            size: Change::size(change, &row) + entry.size(),
            largest: Change::largest(change),
            change,
            row: Box::new(row),
            entry,
            locks,
        }
    }

    fn locks(&self) -> impl Iterator<Item = &LockHint> {
        self.locks.iter().chain([&self.subject])
    }
}

/// What one caller wants done in one transaction, and where he waits for the answer.
pub(super) struct Submission {
    /// In the order in which they are written.
    pub parts: Vec<Part>,
    pub key: Option<Value>,
    priority: Priority,
    since: Instant,
    answer: oneshot::Sender<Result<Answers, WriteError>>,
}

impl Submission {
    pub fn new(parts: Vec<Part>, along: Along, answer: oneshot::Sender<Result<Answers, WriteError>>) -> Self {
        Self { parts, key: along.key, priority: along.priority, since: Instant::now(), answer }
    }

    /// Answers who waits; a client that hung up does not want to know.
    pub fn tell(self, answer: Result<Answers, WriteError>) {
        let _ = self.answer.send(answer);
    }

    pub fn size(&self) -> usize {
        self.parts.iter().map(|part| part.size).sum()
    }

    /// A part as its change takes it.
    pub fn item(&self, part: usize) -> AnyItem<'_> {
        let Part { row, entry, .. } = &self.parts[part];
        AnyItem { row, entry, key: self.key.as_ref() }
    }

    pub fn items(&self) -> impl Iterator<Item = AnyItem<'_>> {
        (0..self.parts.len()).map(|part| self.item(part))
    }

    fn locks(&self) -> impl Iterator<Item = &LockHint> {
        self.parts.iter().flat_map(Part::locks)
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

/// What waits, in the order in which it came, and what transactions under way lock.
pub(super) struct Waiting {
    single: VecDeque<Box<Submission>>,
    bulk: VecDeque<Box<Submission>>,
    under_way: UnderWay,
    /// So many transactions may be under way at once.
    at_once: usize,
    /// The most submissions of one transaction just now.
    most: usize,
    /// How many of those who wait came, or came to have a chance, since the last look, and since when.
    unseen: usize,
    unseen_since: Option<Instant>,
    /// So many of those whom the last transaction answered have not come again, and until when they are waited for.
    returning: usize,
    returning_until: Option<Instant>,
    /// When something that was sent in bulk was taken last.
    bulk_taken: Instant,
    /// When a single request came last.
    single_came: Option<Instant>,
}

type UnderWay = HashMap<Id, Departed>;

/// A transaction under way: how many submissions it has, and what they lock.
pub(super) struct Departed {
    pub submissions: usize,
    pub locks: HashSet<LockHint>,
}

/// Submissions of one transaction, and what they lock.
#[derive(Default)]
pub(super) struct Batch {
    pub submissions: Vec<Submission>,
    pub locks: HashSet<LockHint>,
    /// So many stay that could have gone beside it, as far as anyone has looked.
    left: usize,
}

impl Waiting {
    /// Nothing waits. So many transactions may be under way at once.
    pub fn new(at_once: usize) -> Self {
        Self {
            at_once,
            single: VecDeque::new(),
            bulk: VecDeque::new(),
            under_way: HashMap::new(),
            most: MAX_ROWS,
            unseen: 0,
            unseen_since: None,
            returning: 0,
            returning_until: None,
            bulk_taken: Instant::now(),
            single_came: None,
        }
    }

    /// Makes transactions smaller while the database is slow, and larger again when it is not.
    pub fn pace(&mut self, rows: usize, took: Duration) {
        if took > SLOW && rows * 2 > self.most {
            self.most = (self.most / 2).max(FEWEST);
        } else if took < SLOW / 4 {
            self.most = (self.most + self.most / 4 + 1).min(MAX_ROWS);
        }
    }

    pub fn len(&self) -> usize {
        self.single.len() + self.bulk.len()
    }

    pub fn push(&mut self, submission: Box<Submission>) {
        match submission.priority {
            Priority::Single => {
                self.single_came = Some(Instant::now());
                self.single.push_back(submission);
            }
            Priority::Bulk => self.bulk.push_back(submission),
        }
        self.unseen += 1;
        self.returning = self.returning.saturating_sub(1);
        self.unseen_since.get_or_insert_with(Instant::now);
    }

    /// Whether it is time to look for another transaction. Beside others it takes company, or a moment's wait; where nothing is under way a lone
    /// write waits for nobody, and of many who are sending one after another the first waits for the others.
    pub fn is_due(&self) -> bool {
        let has_company = match self.under_way.is_empty() {
            true => self.len() >= self.share(self.len()).min(*COMPANY.end()),
            // Those that wait for others to end are nobody's company.
            false => self.unseen >= self.share(self.unseen).clamp(*COMPANY.start(), *COMPANY.end()),
        };
        self.len() > 0 && (has_company || self.due_at().is_some_and(|at| at <= Instant::now()))
    }

    /// Whether another transaction may be begun beside those under way.
    pub fn has_room(&self) -> bool {
        self.under_way.len() < self.at_once
    }

    /// What one of all transactions that may be under way has, if all have the same of those who wait, are under way or are likely to come again.
    fn share(&self, waiting: usize) -> usize {
        let under_way: usize = self.under_way.values().map(|batch| batch.submissions).sum();
        (under_way + waiting + self.returning()) / self.at_once
    }

    /// How many are likely to come again just now.
    fn returning(&self) -> usize {
        if self.returning_until.is_some_and(|until| Instant::now() < until) { self.returning } else { 0 }
    }

    /// When those who wait have waited long enough for company.
    pub fn due_at(&self) -> Option<Instant> {
        if self.under_way.is_empty() {
            return self.returning_until.filter(|_| self.len() > 0);
        }
        self.unseen_since.filter(|_| self.unseen > 0).map(|since| since + FOR_COMPANY)
    }

    pub fn departed(&mut self, transaction: Id, departed: Departed) {
        self.under_way.insert(transaction, departed);
    }

    /// A transaction has answered so many.
    pub fn landed(&mut self, transaction: Id, answered: usize) {
        self.under_way.remove(&transaction);
        self.returning = answered;
        self.returning_until = Some(Instant::now() + FOR_RETURN);
        self.unseen = self.len();
        self.unseen_since = (self.unseen > 0).then(Instant::now);
    }

    /// How many of those that were sent in bulk the next transaction may have.
    fn most_of_bulk(&self) -> usize {
        let is_expected = self.single_came.is_some_and(|came| came.elapsed() < EXPECTED);
        if is_expected { self.most.min(BULK_ROWS_BESIDE) } else { self.most }
    }

    /// The next transaction: of single requests where one of them can go, else of what was sent in bulk; of that first when it has waited long.
    pub fn next_batch(&mut self) -> Batch {
        self.unseen = 0;
        self.unseen_since = None;
        let waited = self.bulk.front().map(|first| first.since.elapsed().min(self.bulk_taken.elapsed()));
        let impatient = waited.is_some_and(|waited| waited > PATIENCE);
        let order = if impatient { [Priority::Bulk, Priority::Single] } else { [Priority::Single, Priority::Bulk] };
        let most_of_bulk = self.most_of_bulk();
        for priority in order {
            let batch = match priority {
                Priority::Single => take(&mut self.single, &self.under_way, self.most),
                Priority::Bulk => take(&mut self.bulk, &self.under_way, most_of_bulk),
            };
            if !batch.submissions.is_empty() {
                if priority == Priority::Bulk {
                    self.bulk_taken = Instant::now();
                }
                self.unseen = batch.left;
                self.unseen_since = (batch.left > 0).then(Instant::now);
                return batch;
            }
        }
        Batch::default()
    }
}

/// Takes from the front what fits in one transaction. What locks a node of a transaction under way stays, and so does what came after it and
/// locks a node of its own: writes of one node keep their order, and none is passed by for ever. Of a change whose writes of one object take
/// turns the second stays for the next; so does what does not fit to the company of the first.
fn take(waiting: &mut VecDeque<Box<Submission>>, under_way: &UnderWay, most: usize) -> Batch {
    let mut batch = Batch::default();
    let mut company = None;
    let mut left = VecDeque::new();
    let mut in_turn: HashSet<(&'static str, LockHint)> = HashSet::new();
    let mut passed_by: HashSet<LockHint> = HashSet::new();
    let mut bytes = 0;
    while let Some(next) = waiting.pop_front() {
        // Nobody waits any more: the client hung up before anything was done.
        if next.answer.is_closed() {
            continue;
        }
        let size = next.size();
        if !batch.submissions.is_empty() && (batch.submissions.len() == most || bytes + size > MAX_BYTES) {
            left.push_back(next);
            batch.left += 1 + waiting.len();
            break;
        }
        let is_of_another = *company.get_or_insert_with(|| next.company()) != next.company();
        let taken = is_of_another
            || next.locks().any(|lock| passed_by.contains(lock) || under_way.values().any(|departed| departed.locks.contains(lock)))
            || next.parts.iter().any(|part| {
                let turn = (part.change.name(), part.subject);
                part.same_subject == SameSubject::InTurn && in_turn.contains(&turn)
            });
        if taken {
            // The first that can't go must not decide with whom the others go.
            if batch.submissions.is_empty() {
                company = None;
            }
            passed_by.extend(next.locks());
            left.push_back(next);
            batch.left += usize::from(is_of_another);
            continue;
        }
        in_turn.extend(next.parts.iter().map(|part| (part.change.name(), part.subject)));
        bytes += size;
        batch.locks.extend(next.locks());
        batch.submissions.push(*next);
    }
    left.append(waiting);
    *waiting = left;
    batch
}
