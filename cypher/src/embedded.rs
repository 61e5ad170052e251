//! The embedded engine, by kglite: the one module that names it.
//!
//! The graph lives in this process's memory. A write is appended to a log, becomes visible, and is answered only once the log is flushed to the
//! disk; the log is folded into the store file now and then. So what was acknowledged survives a power cut, and a reader may see a write some
//! milliseconds before it would. kglite's calls block, so they run off the async threads.
//!
//! Writers take turns (one lock here), so that the engine's optimistic conflict check never has to refuse anyone. There are two ways to write:
//!
//! - **In place**: one statement changes the graph that everyone reads. It costs what the statement does, however large the store is. Nobody may
//!   hold a snapshot then: readers and such a writer keep each other out ([`Readers`]), for as long as a small statement takes.
//! - **On a fork**: a transaction of several statements, or one statement that takes long, changes a copy-on-write fork while readers go on, and
//!   the fork replaces the graph at the commit. That costs what the store is large: the first node added to a label with fewer than 16,384 nodes copies
//!   each of its columns, a text changed in a larger one copies that column, and the commit walks every index it touched. Some milliseconds
//!   with 100,000 payments, which a large statement does not notice and a single payment must not pay.
//!
//! The engine's own level of full durability would flush inside the commit, and always forks for it: hence the lower level, and the flush here.

mod syntax;

use std::borrow::Cow;
use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use kglite::api::durable::{DurabilityLevel, wal_path};
use kglite::api::session::{self, CommitOutcome, ExecuteOptions, OpenSpec, OpenedSession, Session};
use kglite::api::{KgError, KgErrorCode, NodeSchemaDefinition, PropMap, SchemaDefinition, SchemaInstall, Value as KgValue};
use tokio::sync::{Mutex, OwnedMutexGuard, OwnedRwLockReadGuard, OwnedRwLockWriteGuard, RwLock};

pub(crate) use syntax::syntax_of;

use crate::made::made_by_statements;
use crate::stamps::{Marks, Stamps, Writing};
use crate::statement::Text;
use crate::{Error, Params, Row, Statement, Value, boxed, without_values};

/// How long a statement may change the graph in place, while readers wait. One that takes longer is undone and runs on a fork.
const IN_PLACE_LIMIT: Duration = Duration::from_millis(100);
/// A list of more rows than this goes to a fork at once: an import's batch takes some hundred milliseconds, and forking is little beside it.
const IN_PLACE_ROWS: usize = 128;
/// How long a write waits for readers to finish before it forks instead: about what forking costs.
const PATIENCE: Duration = Duration::from_millis(4);
/// Another process may be closing the same store.
const WAIT_FOR_STORE: Duration = Duration::from_secs(5);

const OPEN: Statement = Statement::new("open", "");
const COMMIT: Statement = Statement::new("commit", "");
const CHECKPOINT: Statement = Statement::new("checkpoint", "");

/// The embedded engine.
#[derive(Clone)]
pub struct Embedded {
    store: Arc<OpenedSession>,
    writer: Arc<Mutex<()>>,
    readers: Readers,
    log: Arc<Log>,
    /// Where it is noted what is written, if anybody wants to know.
    stamps: Option<Arc<Stamps>>,
}

/// Keeps readers and a writer in place apart: readers share it, such a writer has it alone. A snapshot that is held while the graph is
/// changed in place would make the engine fork.
#[derive(Clone, Default)]
struct Readers(Arc<RwLock<()>>);

impl Readers {
    async fn enter(&self) -> OwnedRwLockReadGuard<()> {
        Arc::clone(&self.0).read_owned().await
    }

    /// Nobody reads while the guard is held; nothing when somebody goes on reading.
    async fn keep_out(&self) -> Option<OwnedRwLockWriteGuard<()>> {
        tokio::time::timeout(PATIENCE, Arc::clone(&self.0).write_owned()).await.ok()
    }
}

/// The log, and how far it is flushed. One flush serves all commits before it, and the next writer works meanwhile.
struct Log {
    path: PathBuf,
    /// Commits so far; counted in the writer's turn.
    committed: AtomicU64,
    flushing: std::sync::Mutex<Flushing>,
    /// Why flushing has failed. Nobody knows then what the disk has, and a second attempt may seem to succeed: nothing is written any more.
    failure: OnceLock<String>,
}

struct Flushing {
    /// So many commits are on the disk.
    upto: u64,
    /// The log's file. The engine's own flush would keep the next writer waiting, so the log is flushed from here; but for the time of a
    /// checkpoint, which puts another file in its place.
    file: Option<File>,
    /// Checkpoints under way.
    away: u32,
}

/// A transaction on the embedded engine. It holds the writer's turn until it ends.
pub struct EmbeddedTransaction {
    /// Taken while a statement runs; gone after an error, as on Neo4j.
    transaction: Option<session::Transaction>,
    engine: Embedded,
    /// By then its statements have to be done.
    ends: Instant,
    /// Of what it writes, until it has ended.
    marks: Vec<Marks>,
    turn: OwnedMutexGuard<()>,
}

impl Embedded {
    /// Opens the store in `folder`, or makes one. One process at a time may have it open.
    #[boxed]
    pub async fn open(folder: &Path) -> Result<Self, Error> {
        // It writes to standard error that a label is unknown, which in a young store most are; our log is elsewhere.
        kglite::api::cypher::set_query_warning_sink(kglite::api::cypher::QueryWarningSink::Silent);
        let folder = folder.to_owned();
        let (opened, log) = blocking(OPEN, move || {
            std::fs::create_dir_all(&folder).map_err(|error| Error::unavailable(OPEN, format!("{}: {error}", folder.display())))?;
            let spec = OpenSpec { durability: DurabilityLevel::Normal, lease_timeout: Some(WAIT_FOR_STORE), ..OpenSpec::writer() };
            let path = folder.join("graph.kgl");
            let opened = session::open_path(&path, &spec).map_err(|error| Error::unavailable(OPEN, error))?;
            declare_properties(&opened.session)?;
            Ok((opened, Log::open(wal_path(&path))))
        })
        .await?;
        Ok(Self { store: Arc::new(opened), writer: Arc::default(), readers: Readers::default(), log: Arc::new(log), stamps: None })
    }

    /// The same, whose writes mark and stamp what they touch.
    pub(crate) fn stamped(self, stamps: Option<Arc<Stamps>>) -> Self {
        Self { stamps, ..self }
    }

    pub(crate) fn is_stamped(&self) -> bool {
        self.stamps.is_some()
    }

    /// What a statement is about to touch, where that is noted.
    fn writing(&self, statement: Statement, params: &Params) -> Option<Writing> {
        self.stamps.as_ref().and_then(|stamps| stamps.writing(statement, params))
    }

    fn session(&self) -> &Session {
        &self.store.session
    }

    pub(crate) async fn read(&self, statement: Statement, text: Text, params: Params, limit: Duration) -> Result<Vec<Row>, Error> {
        let engine = self.clone();
        let reading = self.readers.enter().await;
        blocking(statement, move || {
            let snapshot = engine.session().snapshot();
            let params = kg_params(params);
            let outcome = session::execute_read(&snapshot, &text, &options(&params, limit));
            drop(snapshot);
            drop(reading);
            rows(statement, outcome)
        })
        .await
    }

    /// One statement as a transaction of its own: in place where that is short, otherwise on a fork.
    pub(crate) async fn write(&self, statement: Statement, params: Params, limit: Duration) -> Result<Vec<Row>, Error> {
        let is_short = can_be_in_place(statement) && is_small(&params);
        let turn = self.turn().await?;
        let alone = if is_short { self.readers.keep_out().await } else { None };
        let (engine, writing) = (self.clone(), self.writing(statement, &params));
        blocking(statement, move || {
            // Until it is on the disk, or nobody has seen it.
            let _marks = writing.map(Writing::mark);
            let params = kg_params(params);
            let rows = match alone.map(|alone| engine.write_in_place(statement, &params, limit, alone)) {
                Some(Err(Error::TimeLimit { .. })) if limit > IN_PLACE_LIMIT => engine.write_on_fork(statement, &params, limit),
                Some(answer) => answer,
                None => engine.write_on_fork(statement, &params, limit),
            }?;
            engine.flush(engine.log.next(turn))?;
            Ok(rows)
        })
        .await
    }

    fn write_in_place(
        &self,
        statement: Statement,
        params: &HashMap<String, KgValue>,
        limit: Duration,
        _alone: OwnedRwLockWriteGuard<()>,
    ) -> Result<Vec<Row>, Error> {
        const TRIES: u32 = 1;
        rows(statement, self.session().execute_auto_commit(statement.text, &options(params, limit.min(IN_PLACE_LIMIT)), TRIES))
    }

    fn write_on_fork(&self, statement: Statement, params: &HashMap<String, KgValue>, limit: Duration) -> Result<Vec<Row>, Error> {
        let mut transaction = self.session().begin();
        let answer = run(&mut transaction, statement, params, limit)?;
        self.publish(transaction)?;
        Ok(answer)
    }

    /// Begins a transaction whose statements have to be done within `limit` from when it has its turn.
    pub(crate) async fn begin(&self, limit: Duration) -> Result<EmbeddedTransaction, Error> {
        let turn = self.turn().await?;
        let transaction = Some(self.session().begin());
        Ok(EmbeddedTransaction { transaction, engine: self.clone(), ends: Instant::now() + limit, marks: Vec::new(), turn })
    }

    /// The writer's turn, unless the log can't be trusted any more.
    async fn turn(&self) -> Result<OwnedMutexGuard<()>, Error> {
        let turn = Arc::clone(&self.writer).lock_owned().await;
        match self.log.failure.get() {
            Some(failure) => Err(Error::unavailable(COMMIT, failure)),
            None => Ok(turn),
        }
    }

    /// Makes a transaction visible and puts it into the log; it counts once that is flushed.
    fn publish(&self, transaction: session::Transaction) -> Result<(), Error> {
        match self.session().commit(transaction, true) {
            CommitOutcome::NoWritesNoOp | CommitOutcome::Committed { .. } => Ok(()),
            CommitOutcome::ConflictDetected { .. } => Err(Error::Conflict { statement: COMMIT.label, detail: "another writer was first".into() }),
            CommitOutcome::DurabilityFailed { error } => Err(Error::unavailable(COMMIT, error)),
            other => Err(Error::rejected(COMMIT.label, format!("{other:?}"))),
        }
    }

    /// Returns once `commit` is on the disk, with all before it; blocking.
    fn flush(&self, commit: u64) -> Result<(), Error> {
        let mut flushing = self.log.flushing();
        if flushing.upto < commit {
            let upto = self.log.committed.load(Ordering::Acquire);
            let outcome = match &flushing.file {
                Some(file) => file.sync_data().map_err(|error| error.to_string()),
                None => self.session().sync(),
            };
            match outcome {
                Ok(()) => flushing.upto = upto,
                Err(error) => {
                    let failure = format!("the log could not be flushed ({error}); nothing is written until the store is opened again");
                    let _ = self.log.failure.set(failure);
                }
            }
        }
        drop(flushing);
        if let Some(failure) = self.log.failure.get() {
            return Err(Error::unavailable(COMMIT, failure));
        }
        self.checkpoint_when_due();
        Ok(())
    }

    /// Folds the log into the store file, so that the next start has nothing to replay.
    pub(crate) async fn checkpoint(&self) -> Result<(), Error> {
        let engine = self.clone();
        blocking(CHECKPOINT, move || {
            engine.log.away(|| engine.session().checkpoint_online()).map(drop).map_err(|error| Error::unavailable(CHECKPOINT, error))
        })
        .await
    }

    /// Folds the log in the background once it has outgrown the engine's bound.
    fn checkpoint_when_due(&self) {
        if self.session().needs_checkpoint() {
            let engine = self.clone();
            tokio::task::spawn_blocking(move || {
                if let Err(error) = engine.log.away(|| engine.session().maybe_checkpoint_online()) {
                    tracing::error!(%error, "the log could not be folded into the store");
                }
            });
        }
    }
}

impl Log {
    fn open(path: PathBuf) -> Self {
        let flushing = Flushing { upto: 0, file: File::open(&path).ok(), away: 0 };
        Self { path, committed: AtomicU64::new(0), flushing: flushing.into(), failure: OnceLock::new() }
    }

    /// Counts a commit and ends the turn it was made in, so that the next one works while this is flushed.
    fn next(&self, _turn: OwnedMutexGuard<()>) -> u64 {
        self.committed.fetch_add(1, Ordering::AcqRel) + 1
    }

    fn flushing(&self) -> std::sync::MutexGuard<'_, Flushing> {
        self.flushing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs a checkpoint, blocking; meanwhile the engine flushes its log itself.
    fn away<T>(&self, checkpoint: impl FnOnce() -> T) -> T {
        {
            let mut flushing = self.flushing();
            flushing.file = None;
            flushing.away += 1;
        }
        let outcome = checkpoint();
        let mut flushing = self.flushing();
        flushing.away -= 1;
        if flushing.away == 0 {
            flushing.file = File::open(&self.path).ok();
        }
        outcome
    }
}

impl EmbeddedTransaction {
    pub(crate) async fn run(&mut self, statement: Statement, params: Params) -> Result<Vec<Row>, Error> {
        let mut transaction = self.take()?;
        self.marks.extend(self.engine.writing(statement, &params).map(Writing::mark));
        let left = self.ends.saturating_duration_since(Instant::now());
        let (answer, transaction) = blocking(statement, move || {
            let answer = run(&mut transaction, statement, &kg_params(params), left);
            Ok((answer, transaction))
        })
        .await?;
        if answer.is_ok() {
            self.transaction = Some(transaction);
        }
        answer
    }

    pub(crate) async fn commit(mut self) -> Result<(), Error> {
        let transaction = self.take()?;
        if !transaction.has_writes() {
            return Ok(());
        }
        let (engine, turn, marks) = (self.engine.clone(), self.turn, self.marks);
        blocking(COMMIT, move || {
            let _marks = marks;
            engine.publish(transaction)?;
            engine.flush(engine.log.next(turn))
        })
        .await
    }

    fn take(&mut self) -> Result<session::Transaction, Error> {
        self.transaction.take().ok_or_else(|| Error::Rejected { statement: COMMIT.label, detail: "the transaction has ended".into() })
    }
}

fn run(transaction: &mut session::Transaction, statement: Statement, params: &HashMap<String, KgValue>, limit: Duration) -> Result<Vec<Row>, Error> {
    let graph = transaction.working_mut().map_err(|error| failure(statement, &error))?;
    rows(statement, session::execute_mut(graph, statement.text, &options(params, limit)))
}

/// Tells the engine which properties our statements may give to nodes (see [`crate::made`]). They are read from no store: those of an older version
/// may have had fewer.
fn declare_properties(session: &Session) -> Result<(), Error> {
    let mut schema = SchemaDefinition::default();
    for (label, properties) in made_by_statements() {
        let optional_fields = properties.into_iter().collect();
        schema.node_schemas.insert(label, NodeSchemaDefinition { optional_fields, ..NodeSchemaDefinition::default() });
    }
    let declared = session.apply_unlogged(|graph| graph.set_schema(schema, SchemaInstall::Merge).map_err(Box::new));
    declared.map(drop).map_err(|error| Error::rejected(OPEN.label, format!("{error:?}")))
}

/// Whether the engine would write the statement in place at all: one with a sub-query it takes to a fork itself, and readers need not wait for that.
fn can_be_in_place(statement: Statement) -> bool {
    !statement.text.contains("CALL {")
}

/// Whether a statement with these parameters is over soon, as far as the number of its rows tells.
fn is_small(params: &Params) -> bool {
    fn rows(value: &Value) -> usize {
        match value {
            // A row that has a list itself counts as often as that has items: one request may have thousands.
            Value::List(items) => items.iter().map(|item| rows(item).max(1)).sum(),
            // Lists of rows may lie in a map of them. Of several in one map the longest counts.
            Value::Map(entries) => entries.iter().map(|(_, value)| rows(value)).max().unwrap_or(0),
            _ => 0,
        }
    }
    params.0.iter().all(|(_, value)| rows(value) <= IN_PLACE_ROWS)
}

fn options(params: &HashMap<String, KgValue>, limit: Duration) -> ExecuteOptions<'_> {
    let mut options = ExecuteOptions::eager(params).with_hidden_structural_keys(true);
    options.set_timeout_ms(Some(limit.as_millis().max(1) as u64));
    options
}

async fn blocking<T: Send + 'static>(statement: Statement, work: impl FnOnce() -> Result<T, Error> + Send + 'static) -> Result<T, Error> {
    match tokio::task::spawn_blocking(work).await {
        Ok(answer) => answer,
        // The panic's own text may have a value in it, and was logged where it happened.
        Err(ended) => Err(Error::rejected(statement.label, if ended.is_panic() { "a panic" } else { "broken off" })),
    }
}

fn rows(statement: Statement, outcome: Result<session::ExecuteOutcome, KgError>) -> Result<Vec<Row>, Error> {
    let result = outcome.map_err(|error| failure(statement, &error))?.result;
    let columns = result.columns;
    Ok(result.rows.into_iter().map(|row| Row(columns.iter().cloned().zip(row.into_iter().map(ours)).collect())).collect())
}

fn failure(statement: Statement, error: &KgError) -> Error {
    let label = statement.label;
    let detail = without_values(&error.to_string());
    match error.code() {
        KgErrorCode::CypherTimeout | KgErrorCode::Cancelled => Error::TimeLimit { statement: label },
        KgErrorCode::ConstraintViolation => Error::Constraint { statement: label, detail },
        KgErrorCode::TransactionConflict => Error::Conflict { statement: label, detail },
        KgErrorCode::DurabilityFailed | KgErrorCode::FileIo | KgErrorCode::WriterLeaseHeld => Error::Unavailable { statement: label, detail },
        _ => Error::Rejected { statement: label, detail },
    }
}

fn kg_params(params: Params) -> HashMap<String, KgValue> {
    params.0.into_iter().map(|(name, value)| (name.into_owned(), theirs(value))).collect()
}

fn theirs(value: Value) -> KgValue {
    match value {
        Value::Null => KgValue::Null,
        Value::Bool(bool) => KgValue::Boolean(bool),
        Value::Int(int) => KgValue::Int64(int),
        Value::Float(float) => KgValue::Float64(float),
        Value::Text(text) => KgValue::String(text),
        Value::List(items) => KgValue::List(items.into_iter().map(theirs).collect()),
        Value::Map(entries) => KgValue::Map(PropMap::from_pairs(entries.into_iter().map(|(key, value)| (key.into_owned(), theirs(value))).collect())),
    }
}

/// Statements return scalars, lists and maps only; anything else that the engine knows (a point, a duration) is none of ours and reads as null.
fn ours(value: KgValue) -> Value {
    match value {
        KgValue::Boolean(bool) => Value::Bool(bool),
        KgValue::Int64(int) => Value::Int(int),
        KgValue::UniqueId(id) => Value::Int(id.into()),
        KgValue::Float64(float) => Value::Float(float),
        KgValue::String(text) => Value::Text(text),
        KgValue::List(items) => Value::List(items.into_iter().map(ours).collect()),
        KgValue::Map(entries) => Value::Map(entries.iter().map(|(key, value)| (Cow::Owned(key.to_string()), ours(value.clone()))).collect()),
        _ => Value::Null,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map;

    #[test]
    fn rows_within_rows_count_for_how_long_a_statement_takes() {
        let list = |count: usize| Value::List(vec![Value::Int(1); count]);
        let row = |items: usize| map([("id", "a".into()), ("items", list(items)), ("others", list(1))]);
        let small = |rows: Vec<Value>| is_small(&Params::rows(rows));
        assert!(small(vec![]) && small(vec![row(0); IN_PLACE_ROWS]) && small(vec![row(IN_PLACE_ROWS)]));
        assert!(!small(vec![row(0); IN_PLACE_ROWS + 1]));
        assert!(!small(vec![row(IN_PLACE_ROWS + 1)]), "one row, and a list in it");
        assert!(!small(vec![row(2); IN_PLACE_ROWS]), "few rows, and short lists in them");
        let batch = |rows: Vec<Value>| is_small(&Params::none().with("batch", map([("rows", Value::List(rows))])));
        assert!(batch(vec![row(1); IN_PLACE_ROWS]) && !batch(vec![row(IN_PLACE_ROWS), row(1)]));
    }
}
