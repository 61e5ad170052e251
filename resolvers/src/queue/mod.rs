//! The one way to write.
//!
//! A write is a value: a row, what it is about, what rides along. Operations make it and hand it to the [`Queue`], which alone begins, commits,
//! rolls back, retries and halves. While transactions are under way, writes gather; what waits then becomes the next transaction, of
//! whatever kinds it is, or of a kind that keeps to itself. A lone write waits for nobody (where many send one after another, those who were just answered are waited for, for a
//! moment), and one that only puts something there is a single statement.
//!
//! - What a write does is a [`Change`]: a [`Put`] (one statement, no question asked), an [`Amend`] (read under a lock, decide row by row, write),
//!   or, where records need more, a change of its own.
//! - What it leaves behind (audit entries, events, idempotency keys) is appended by the queue, in the last statement of the transaction.
//! - Writes say which nodes they lock ([`LockHint`]). Those that share none run side by side, whatever their kinds; writes of one node keep
//!   their order. Hints are advice: what they miss, the database's locks keep apart.
//! - A batch that fails on one row's account is split until the bad row stands alone; a conflict is retried with jitter.

mod attempt;
pub(crate) mod change;
pub(crate) mod change_set;
mod choice;
pub(crate) mod clock;
mod driver;
pub(crate) mod pace;
pub(crate) mod submission;
mod trail;
pub(crate) mod unit_of_work;
pub(crate) mod waiting;

use std::any::Any;

use cypher::Engine;
use tokio::sync::{mpsc, oneshot};

pub use change::{Amend, Amended, Amending, AtDatabase, Change, Company, Decision, Done, Item, Outcomes, Put, Rank, SameSubject, Values};
pub use change_set::ChangeSet;
pub use submission::{Foresight, LockHint, Part, Priority};
pub use trail::{EventRow, Trail};
pub use unit_of_work::UnitOfWork;
pub(crate) use waiting::crowds_of;

use crate::audit::{AuditDraft, Gatherer};
use crate::bulk::Awaited;
use crate::jobs::Waker;
use crate::{Error, Result};
use attempt::Writer;
use driver::Driver;
use pace::Pace;
use submission::{Message, Submission};

/// One change to be made of one thing.
pub struct Write<R> {
    /// What the change's statements need to know.
    pub row: R,
    /// The audit entry that it leaves; its object is what the write is about, and its id names the write.
    pub entry: AuditDraft,
    /// Nodes that it locks besides its object, as far as one can tell beforehand.
    pub locks: Vec<LockHint>,
    /// How far that is.
    pub foresight: Foresight,
    /// Those of them that only one write of the kind may have in a transaction, as its object.
    pub in_turn: Vec<LockHint>,
    /// What becomes known by it besides its object, by label and id: whoever waits for one of these is woken.
    pub brings: Vec<(&'static str, String)>,
}

impl<R> Write<R> {
    /// A write that locks nothing but its object.
    pub fn new(row: R, entry: AuditDraft) -> Self {
        Self { row, entry, locks: Vec::new(), foresight: Foresight::Partial, in_turn: Vec::new(), brings: Vec::new() }
    }

    /// Notes more nodes that it locks.
    pub fn locking(mut self, locks: impl IntoIterator<Item = LockHint>) -> Self {
        self.locks.extend(locks);
        self
    }

    /// Notes another node that it locks, which is described by it: of two such writes each has a transaction of its own, so that the later is the
    /// last word, and whoever waits for the node is woken.
    pub fn describing(mut self, label: &'static str, id: &str) -> Self {
        let lock = LockHint::of(label, id);
        self.locks.push(lock);
        self.in_turn.push(lock);
        self.brings.push((label, id.to_owned()));
        self
    }

    /// Notes that these are very likely all.
    pub fn likely_locking_nothing_else(mut self) -> Self {
        self.foresight = Foresight::Full;
        self
    }
}

/// What goes with a write into its transaction, whatever kind it is.
#[derive(Default)]
pub struct Along {
    /// The row for an idempotency key with its answer.
    pub key: Option<cypher::Value>,
    pub priority: Priority,
}

/// Why a write was not made.
#[derive(Debug, Clone)]
pub enum WriteError {
    /// The change said no to this row, for this reason; nothing of it was written.
    Refused(Error),
    /// The database did.
    Database(cypher::Error),
}

impl From<WriteError> for Error {
    fn from(error: WriteError) -> Self {
        match error {
            WriteError::Refused(error) => error,
            WriteError::Database(error) => error.into(),
        }
    }
}

/// The answers of a submission's parts, their types forgotten.
pub type Answers = Vec<Box<dyn Any + Send>>;

/// The queue of all writes. Cheap to clone; all clones share. Ends when the last clone is gone, after what waits is written.
#[derive(Clone)]
pub struct Queue {
    messages: mpsc::UnboundedSender<Message>,
}

impl Queue {
    /// Starts the queue: a task of the running tokio runtime. What it refuses it tells the gatherer; it wakes jobs that a write has given something to do.
    pub fn start(engine: Engine, gatherer: Gatherer, waker: Waker, awaited: Awaited) -> Self {
        let (messages, arriving) = mpsc::unbounded_channel();
        tokio::spawn(Driver::new(Writer { engine, gatherer, waker, awaited, pace: Pace::default() }, arriving).run());
        Self { messages }
    }

    /// Makes one write; returns when it is durable. Whoever stops waiting before it has begun takes it back.
    pub async fn write<C: Change>(&self, change: &'static C, write: Write<C::Row>) -> Result<C::Answer> {
        self.write_along(change, write, Along::default()).await.map_err(Error::from)
    }

    /// The same with what rides along. The raw error lets an operation tell a taken idempotency key from the rest.
    pub async fn write_along<C: Change>(&self, change: &'static C, write: Write<C::Row>, along: Along) -> std::result::Result<C::Answer, WriteError> {
        let mut answers = self.submit(vec![Part::new(change, write)], along).await?.into_iter();
        Ok(answer_of::<C>(answers.next()))
    }

    /// Makes two writes of different kinds in one transaction: both or neither. The second sees what the first has written.
    pub async fn write_both<A: Change, B: Change>(
        &self,
        first: (&'static A, Write<A::Row>),
        second: (&'static B, Write<B::Row>),
        along: Along,
    ) -> std::result::Result<(A::Answer, B::Answer), WriteError> {
        assert!(first.0.rank() <= second.0.rank(), "parts are written in the order of their ranks");
        let parts = vec![Part::new(first.0, first.1), Part::new(second.0, second.1)];
        let mut answers = self.submit(parts, along).await?.into_iter();
        Ok((answer_of::<A>(answers.next()), answer_of::<B>(answers.next())))
    }

    /// Makes writes of any kinds in one transaction: all or none. They are in the order of their ranks, and a later rank sees what the earlier ones have written.
    pub async fn write_all(&self, parts: Vec<Part>, along: Along) -> std::result::Result<(), WriteError> {
        self.submit(parts, along).await.map(drop)
    }

    async fn submit(&self, parts: Vec<Part>, along: Along) -> std::result::Result<Answers, WriteError> {
        let gone = || WriteError::Database(cypher::Error::Unavailable { statement: "queue", detail: "shutting down".into() });
        let (answer, answered) = oneshot::channel();
        let submission = Submission::new(parts, along, answer);
        self.messages.send(Message::Write(Box::new(submission))).map_err(|_| gone())?;
        answered.await.map_err(|_| gone())?
    }

    /// Waits until nothing waits and nothing is under way.
    pub async fn idle(&self) {
        let (told, idle) = oneshot::channel();
        if self.messages.send(Message::TellWhenIdle(told)).is_ok() {
            // An error says that the queue has ended, which is idle enough.
            let _ = idle.await;
        }
    }
}

/// Only `Part::new::<C>` makes a part, and its change answers with its own type.
fn answer_of<C: Change>(answer: Option<Box<dyn Any + Send>>) -> C::Answer {
    match answer.map(|answer| answer.downcast::<C::Answer>()) {
        Some(Ok(answer)) => *answer,
        _ => unreachable!("a change answered for another"),
    }
}
