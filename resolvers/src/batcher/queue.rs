//! Writes that wait, and which of them go into the next transaction.

use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

use cypher::Error;
use tokio::sync::oneshot;
use tokio::task::Id;

use super::{MAX_ROWS, Operation};

/// The most bytes of one transaction's rows.
const MAX_BYTES: usize = 1 << 20;
/// A transaction is begun beside another only for so many writes: a smaller one costs the database more than it saves those who wait.
const COMPANY: usize = 16;

/// A node that a write locks, as a number: two nodes with the same number wait for each other without need, which is rare and harmless.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Touch(u64);

impl Touch {
    /// The node of a kind with an id.
    pub fn of(kind: &'static str, id: &str) -> Self {
        let mut hasher = DefaultHasher::new();
        (kind, id).hash(&mut hasher);
        Self(hasher.finish())
    }
}

/// A write and who waits for it.
pub(super) struct Waiting<O: Operation> {
    pub row: O::Row,
    pub answer: oneshot::Sender<Result<O::Answer, Error>>,
}

impl<O: Operation> Waiting<O> {
    /// Answers who waits; a client that hung up does not want to know.
    pub fn tell(self, answer: Result<O::Answer, Error>) {
        let _ = self.answer.send(answer);
    }
}

/// What waits, in the order in which it came, and what transactions under way touch.
pub(super) struct Queue<O: Operation> {
    waiting: VecDeque<Waiting<O>>,
    under_way: HashMap<Id, HashSet<Touch>>,
    /// How many of those who wait came, or came to have a chance, since the last look.
    unseen: usize,
}

/// Rows of one transaction, and what they touch.
pub(super) struct Batch<O: Operation> {
    pub waiting: Vec<Waiting<O>>,
    pub touches: HashSet<Touch>,
}

impl<O: Operation> Queue<O> {
    pub fn new() -> Self {
        Self { waiting: VecDeque::new(), under_way: HashMap::new(), unseen: 0 }
    }

    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    pub fn push(&mut self, waiting: Waiting<O>) {
        self.waiting.push_back(waiting);
        self.unseen += 1;
    }

    /// Whether it is time to look for another transaction. Beside others it takes company; a lone write waits for nobody.
    pub fn is_due(&self) -> bool {
        if self.under_way.is_empty() { !self.waiting.is_empty() } else { self.unseen >= COMPANY }
    }

    pub fn departed(&mut self, transaction: Id, touches: HashSet<Touch>) {
        self.under_way.insert(transaction, touches);
    }

    pub fn landed(&mut self, transaction: Id) {
        self.under_way.remove(&transaction);
        self.unseen = self.waiting.len();
    }

    /// Takes from the front what fits in one transaction. What touches a node of a transaction under way stays, and so does what came after
    /// it and touches a node of its own: writes of one node keep their order, and none is passed by for ever. A write whose key is already
    /// in the batch stays for the next.
    pub fn next_batch(&mut self) -> Batch<O> {
        self.unseen = 0;
        let mut batch = Batch { waiting: Vec::new(), touches: HashSet::new() };
        let mut left = VecDeque::new();
        let mut keys = HashSet::new();
        let mut passed_by: HashSet<Touch> = HashSet::new();
        let mut bytes = 0;
        while let Some(next) = self.waiting.pop_front() {
            // Nobody waits any more: the client hung up before anything was done.
            if next.answer.is_closed() {
                continue;
            }
            let size = O::size(&next.row);
            if !batch.waiting.is_empty() && (batch.waiting.len() == MAX_ROWS || bytes + size > MAX_BYTES) {
                left.push_back(next);
                break;
            }
            let touches = O::touches(&next.row);
            let key = Touch::of("key", O::key(&next.row));
            let taken = touches.iter().chain([&key]).any(|touch| passed_by.contains(touch) || self.is_under_way(touch)) || !keys.insert(key);
            if taken {
                passed_by.extend(touches);
                passed_by.insert(key);
                left.push_back(next);
                continue;
            }
            bytes += size;
            batch.touches.extend(touches);
            batch.touches.insert(key);
            batch.waiting.push(next);
        }
        left.append(&mut self.waiting);
        self.waiting = left;
        batch.waiting.sort_by(|a, b| O::key(&a.row).cmp(O::key(&b.row)));
        batch
    }

    fn is_under_way(&self, touch: &Touch) -> bool {
        self.under_way.values().any(|touches| touches.contains(touch))
    }
}
