//! What a write does: the trait of all changes, and the two stock ones that nearly every operation is.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use cypher::{Engine, Params, Reading, Value, WriteStatement, map};
use futures::future::BoxFuture;
use graph_schema::date::Timestamp;
use serde::de::DeserializeOwned;

use super::{EventRow, UnitOfWork};
use crate::Result;
use crate::audit::AuditDraft;

/// In which order kinds of one transaction are written: what others name comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rank {
    /// Actors, accounts, channel locations, devices, workflows.
    Record,
    /// Who has to do with whom or what; what is said of a record.
    Relation,
    Transaction,
    Case,
    /// What people do with cases, also with one that the same transaction makes.
    Work,
    /// The service's own: credentials, users, settings.
    Administration,
}

/// With what a change shares a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Company {
    /// With changes of every kind.
    AnyKind,
    /// With its own kind alone, because that has a faster way.
    OwnKind,
}

/// Whether two writes of one object may share a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SameSubject {
    /// Yes, in the order in which they came: the later is the last word.
    Together,
    /// No: each decides by what the one before has stored.
    InTurn,
}

/// A row of a change, and what goes with it.
pub struct Item<'a, R> {
    pub row: &'a R,
    pub entry: &'a AuditDraft,
    /// The row that keeps an idempotency key with its answer: for [`Change::at_once`], which keeps it itself or leaves the row; else the queue does.
    pub key: Option<&'a Value>,
}

/// The same with the row's type forgotten.
pub(super) type AnyItem<'a> = Item<'a, Box<dyn Any + Send + Sync>>;

/// What became of a row, besides its statements.
pub struct Done<A> {
    /// What the caller learns when it is durable.
    pub answer: A,
    /// Old and new value for the audit entry; `None` where the statement itself has written the entry.
    pub entry: Option<Values>,
    pub events: Vec<EventRow>,
    /// What is kept under the request's idempotency key, where only the decision knows the answer.
    pub kept: Option<Arc<str>>,
}

/// What the audit entry says was replaced, and with what. A draft that has a new value keeps it where this has none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Values {
    pub old: Option<String>,
    pub new: Option<String>,
    pub notes: Option<&'static str>,
}

impl Values {
    /// One thing in place of another.
    pub fn replaced(old: Option<String>, new: Option<String>) -> Self {
        Self { old, new, notes: None }
    }

    /// What came is not the present, as something that was acknowledged later is there.
    pub fn superseded() -> Self {
        Self { notes: Some("superseded: what was acknowledged later is stored"), ..Self::default() }
    }

    /// The same of what the draft does not say.
    pub fn superseded_with(came: impl Into<String>) -> Self {
        Self { new: Some(came.into()), ..Self::superseded() }
    }
}

impl<A> Done<A> {
    /// Done, with an entry that says what its draft says.
    pub fn new(answer: A) -> Self {
        Self { answer, entry: Some(Values::default()), events: Vec::new(), kept: None }
    }
}

/// What a change does at the database, and what comes of it there.
pub type AtDatabase<'a, T> = BoxFuture<'a, std::result::Result<T, cypher::Error>>;
/// For each row what became of it, or why it was refused.
pub type Outcomes<A> = Vec<Result<Done<A>>>;

/// The most bytes that one write has to keep (a record that has versions is kept several times): more would hold up what is written beside it for
/// longer than anyone waits.
const LARGEST: usize = 16 << 20;

/// A kind of write.
pub trait Change: Send + Sync + 'static {
    /// One caller's write.
    type Row: Send + Sync + 'static;
    /// What its caller learns when it is durable.
    type Answer: Send + 'static;

    /// For metrics and logs.
    fn name(&self) -> &'static str;

    fn rank(&self) -> Rank;

    fn company(&self) -> Company {
        Company::AnyKind
    }

    fn same_subject(&self) -> SameSubject {
        SameSubject::InTurn
    }

    /// About how many bytes the row is.
    fn size(&self, row: &Self::Row) -> usize;

    /// The most bytes that a row may be.
    fn largest(&self) -> usize {
        LARGEST
    }

    /// The faster way, where there is one: a transaction of its own, of at most `limit`, that makes the writes it can and leaves the others without a trace but for the mark of a lock. Answers
    /// for each row, `None` for those left. `None` as a whole: there is no such way.
    fn at_once<'a>(
        &'a self,
        _engine: &'a Engine,
        _limit: Duration,
        _items: &'a [Item<'a, Self::Row>],
    ) -> Option<AtDatabase<'a, Vec<Option<Self::Answer>>>> {
        None
    }

    /// Reads what has to be known, decides about each row, and runs or puts off the statements that write. One result for each row, in their
    /// order: a row that is refused must not have been written. An error ends the transaction.
    fn apply<'a>(&'a self, unit: &'a mut UnitOfWork, items: &'a [Item<'a, Self::Row>]) -> AtDatabase<'a, Outcomes<Self::Answer>>;
}

/// Puts something there without a question: one statement, `UNWIND $rows AS row …`.
pub struct Put {
    pub statement: WriteStatement,
    pub rank: Rank,
    pub same_subject: SameSubject,
}

impl Put {
    /// One that asks nothing of what is stored, so that rows about one object may come together.
    pub const fn of(statement: WriteStatement, rank: Rank) -> Self {
        Self { statement, rank, same_subject: SameSubject::Together }
    }
}

impl Change for Put {
    type Row = Value;
    type Answer = ();

    fn name(&self) -> &'static str {
        self.statement.label()
    }

    fn rank(&self) -> Rank {
        self.rank
    }

    fn same_subject(&self) -> SameSubject {
        self.same_subject
    }

    fn size(&self, row: &Value) -> usize {
        row.size()
    }

    fn apply<'a>(&'a self, unit: &'a mut UnitOfWork, items: &'a [Item<'a, Value>]) -> AtDatabase<'a, Outcomes<()>> {
        Box::pin(async move {
            let rows = items.iter().map(|item| item.row.clone()).collect();
            unit.put(self.statement, Params::rows(rows)).await?;
            Ok(items.iter().map(|_| Ok(Done::new(()))).collect())
        })
    }
}

/// What a decision may need besides the row and what is stored.
pub struct Decision<'a> {
    pub entry: &'a AuditDraft,
    /// When the write was asked for.
    pub now: Timestamp,
}

/// What was decided about a row.
pub struct Amended<A> {
    pub answer: A,
    /// The row for the write statement; `None` when nothing has to change.
    pub write: Option<Value>,
    pub values: Values,
    pub events: Vec<EventRow>,
    /// See [`Done::kept`].
    pub kept: Option<Arc<str>>,
}

impl Amended<Arc<str>> {
    /// What is answered is kept under the request's idempotency key.
    pub fn kept(mut self) -> Self {
        self.kept = Some(Arc::clone(&self.answer));
        self
    }
}

impl<A> Amended<A> {
    /// A change by this row.
    pub fn by(answer: A, write: Value) -> Self {
        Self { answer, write: Some(write), values: Values::default(), events: Vec::new(), kept: None }
    }

    /// Nothing has to change; the audit entry says that it was asked.
    pub fn nothing(answer: A) -> Self {
        Self { answer, write: None, values: Values::default(), events: Vec::new(), kept: None }
    }

    /// Nothing has to change, as something that was acknowledged later is there.
    pub fn superseded(answer: A) -> Self {
        Self { values: Values::superseded(), ..Self::nothing(answer) }
    }

    pub fn replacing(mut self, old: Option<String>) -> Self {
        self.values.old = old;
        self
    }

    pub fn telling(mut self, events: Vec<EventRow>) -> Self {
        self.events = events;
        self
    }
}

/// A row about one of several things that a statement was asked for.
pub trait Locked: DeserializeOwned + Send {
    fn id(&self) -> &str;
}

macro_rules! locked {
    ($($row:ident),* $(,)?) => {
        $(impl Locked for cypher::statements::rows::$row {
            fn id(&self) -> &str {
                &self.id
            }
        })*
    };
}

locked!(
    DatedSchemaRow,
    DismissedObservation,
    FailedDeliveries,
    FoundMember,
    KnownObservation,
    LockedAlerts,
    LockedAnswer,
    LockedBulkRequest,
    LockedCase,
    LockedCaseActors,
    LockedCaseContents,
    LockedClearance,
    LockedCredential,
    LockedJob,
    LockedDelivery,
    LockedLocation,
    LockedObservation,
    LockedOwner,
    LockedRule,
    LockedSegment,
    LockedSnooze,
    LockedUser,
    LockedWatchlist,
    LockedWebhook,
    LockedWorkflow,
    PreparedAlerts,
    PreparedCase,
    PreparedJob,
    PreparedSegment,
    PreparedUser,
    RecordRow,
    RaisedCase,
    ScoredActorRow,
    UntoldEvents,
);

/// A change that reads what is stored under a lock and decides: the rules of an operation, and nothing of transactions.
pub trait Amend: Send + Sync + 'static {
    type Row: Send + Sync + 'static;
    /// A row of [`Amend::LOCK`].
    type Locked: Locked;
    /// What is stored, by that row.
    type Stored: From<Self::Locked>;
    type Answer: Send + 'static;

    /// Locks what the rows are about and reads it: takes `$rows: [{id, writeId, …}]`, answers with a row for each that is there.
    /// It is committed also where [`Amend::decide`] refuses: so it makes nothing that a refusal would leave behind.
    const LOCK: Reading<Self::Locked>;
    /// Writes: takes `$rows`, answers with nothing.
    const WRITE: WriteStatement;
    const RANK: Rank;
    /// The most bytes that a row may be.
    const LARGEST: usize = LARGEST;

    /// The id by which the row of [`Amend::LOCK`]'s answer is found.
    fn id(row: &Self::Row) -> &str;

    /// The row for [`Amend::LOCK`].
    fn lock_row(row: &Self::Row, write_id: &str) -> Value {
        map([("id", Self::id(row).into()), ("writeId", write_id.into())])
    }

    fn size(_row: &Self::Row) -> usize {
        1_000
    }

    /// Whether and what is written. `stored` is `None` when there is no such thing.
    fn decide(row: &Self::Row, stored: Option<Self::Stored>, decision: Decision<'_>) -> Result<Amended<Self::Answer>>;
}

/// An [`Amend`] as the queue takes it: `&Amending::<UpdateCase>::NEW`.
pub struct Amending<A>(PhantomData<fn() -> A>);

impl<A> Amending<A> {
    pub const NEW: Self = Self(PhantomData);
}

impl<A: Amend> Change for Amending<A> {
    type Row = A::Row;
    type Answer = A::Answer;

    fn name(&self) -> &'static str {
        A::WRITE.label()
    }

    fn rank(&self) -> Rank {
        A::RANK
    }

    fn size(&self, row: &A::Row) -> usize {
        A::size(row)
    }

    fn largest(&self) -> usize {
        A::LARGEST
    }

    fn apply<'a>(&'a self, unit: &'a mut UnitOfWork, items: &'a [Item<'a, A::Row>]) -> AtDatabase<'a, Outcomes<A::Answer>> {
        Box::pin(async move {
            let locks = items.iter().map(|item| A::lock_row(item.row, item.entry.id())).collect();
            let locked = unit.run(A::LOCK, Params::rows(locks)).await?;
            let mut stored: HashMap<String, A::Locked> = locked.into_iter().map(|row| (row.id().to_owned(), row)).collect();
            let mut rows = Vec::new();
            let mut outcomes = Vec::with_capacity(items.len());
            for item in items {
                // Nothing is decided twice by the same row: see `SameSubject::InTurn`.
                let stored = stored.remove(A::id(item.row)).map(A::Stored::from);
                let decision = Decision { entry: item.entry, now: item.entry.at() };
                outcomes.push(A::decide(item.row, stored, decision).map(|amended| {
                    rows.extend(amended.write);
                    Done { answer: amended.answer, entry: Some(amended.values), events: amended.events, kept: amended.kept }
                }));
            }
            if !rows.is_empty() {
                unit.put(A::WRITE, Params::rows(rows)).await?;
            }
            Ok(outcomes)
        })
    }
}

/// A change whose types are forgotten, so that all kinds wait in one queue.
pub(super) trait AnyChange: Send + Sync {
    fn name(&self) -> &'static str;
    /// Tells kinds apart that share a name, because they share a statement: their rows are of other types.
    fn kind(&self) -> TypeId;
    fn rank(&self) -> Rank;
    fn company(&self) -> Company;
    fn at_once<'a>(&'a self, engine: &'a Engine, limit: Duration, items: Vec<AnyItem<'a>>) -> AtDatabase<'a, Vec<Option<AnyAnswer>>>;
    fn apply<'a>(&'a self, unit: &'a mut UnitOfWork, items: Vec<AnyItem<'a>>) -> AtDatabase<'a, Outcomes<AnyAnswer>>;
}

pub(super) type AnyAnswer = Box<dyn Any + Send>;

/// Rows with their types again: only parts of this change come here.
fn typed<'a, C: Change>(items: Vec<AnyItem<'a>>) -> Vec<Item<'a, C::Row>> {
    let row = |row: &'a Box<dyn Any + Send + Sync>| row.downcast_ref::<C::Row>().unwrap_or_else(|| unreachable!("a row of another change"));
    items.into_iter().map(|item| Item { row: row(item.row), entry: item.entry, key: item.key }).collect()
}

impl<C: Change> AnyChange for C {
    fn name(&self) -> &'static str {
        Change::name(self)
    }

    fn kind(&self) -> TypeId {
        TypeId::of::<C>()
    }

    fn rank(&self) -> Rank {
        Change::rank(self)
    }

    fn company(&self) -> Company {
        Change::company(self)
    }

    fn at_once<'a>(&'a self, engine: &'a Engine, limit: Duration, items: Vec<AnyItem<'a>>) -> AtDatabase<'a, Vec<Option<AnyAnswer>>> {
        Box::pin(async move {
            let items = typed::<C>(items);
            match Change::at_once(self, engine, limit, &items) {
                Some(written) => Ok(written.await?.into_iter().map(|answer| answer.map(|answer| Box::new(answer) as AnyAnswer)).collect()),
                None => Ok(items.iter().map(|_| None).collect()),
            }
        })
    }

    fn apply<'a>(&'a self, unit: &'a mut UnitOfWork, items: Vec<AnyItem<'a>>) -> AtDatabase<'a, Outcomes<AnyAnswer>> {
        Box::pin(async move {
            let items = typed::<C>(items);
            let outcomes = Change::apply(self, unit, &items).await?;
            let forget = |done: Done<C::Answer>| {
                let Done { answer, entry, events, kept } = done;
                Done { answer: Box::new(answer) as AnyAnswer, entry, events, kept }
            };
            Ok(outcomes.into_iter().map(|outcome| outcome.map(forget)).collect())
        })
    }
}
