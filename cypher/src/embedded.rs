//! The embedded engine, by kglite: the one file that names it.
//!
//! The graph lives in this process's memory; every commit is flushed to a write-ahead log before it counts, and the log is folded into the
//! store file now and then. kglite's calls block, so they run off the async threads. Readers take a snapshot and never wait for writers;
//! writers take turns (one lock here), so that the engine's optimistic conflict check never has to refuse anyone.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use kglite::api::session::{self, CommitOutcome, ExecuteOptions, OpenSpec, OpenedSession, Session};
use kglite::api::{KgError, KgErrorCode, PropMap, Value as KgValue};
use tokio::sync::{Mutex, OwnedMutexGuard};

use crate::{Error, Params, Row, Statement, Value};

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
}

/// A transaction on the embedded engine. It holds the writer's turn until it ends.
pub struct EmbeddedTransaction {
    /// Taken while a statement runs; gone after an error, as on Neo4j.
    transaction: Option<session::Transaction>,
    engine: Embedded,
    ends: Instant,
    _turn: OwnedMutexGuard<()>,
}

impl Embedded {
    /// Opens the store in `folder`, or makes one. One process at a time may have it open.
    pub async fn open(folder: &Path) -> Result<Self, Error> {
        // It writes to standard error that a label is unknown, which in a young store most are; our log is elsewhere.
        kglite::api::cypher::set_query_warning_sink(kglite::api::cypher::QueryWarningSink::Silent);
        let folder = folder.to_owned();
        let opened = blocking(OPEN, move || {
            std::fs::create_dir_all(&folder).map_err(|error| Error::unavailable(OPEN, format!("{}: {error}", folder.display())))?;
            let spec = OpenSpec { durability: durability_full(), lease_timeout: Some(WAIT_FOR_STORE), ..OpenSpec::writer() };
            session::open_path(&folder.join("graph.kgl"), &spec).map_err(|error| Error::unavailable(OPEN, error))
        })
        .await?;
        Ok(Self { store: Arc::new(opened), writer: Arc::default() })
    }

    fn session(&self) -> &Session {
        &self.store.session
    }

    pub(crate) async fn read(&self, statement: Statement, params: Params, limit: Duration) -> Result<Vec<Row>, Error> {
        let engine = self.clone();
        blocking(statement, move || {
            let snapshot = engine.session().snapshot();
            let params = kg_params(params);
            let outcome = session::execute_read(&snapshot, statement.text, &options(&params, limit));
            rows(statement, outcome)
        })
        .await
    }

    pub(crate) async fn write(&self, statement: Statement, params: Params, limit: Duration) -> Result<Vec<Row>, Error> {
        let mut transaction = self.begin(limit).await?;
        let rows = transaction.run(statement, params).await?;
        transaction.commit().await?;
        Ok(rows)
    }

    /// Begins a transaction whose statements have to be done within `limit` from when it has its turn.
    pub(crate) async fn begin(&self, limit: Duration) -> Result<EmbeddedTransaction, Error> {
        let turn = Arc::clone(&self.writer).lock_owned().await;
        let transaction = Some(self.session().begin());
        Ok(EmbeddedTransaction { transaction, engine: self.clone(), ends: Instant::now() + limit, _turn: turn })
    }

    /// Folds the log into the store file, so that the next start has nothing to replay.
    pub(crate) async fn checkpoint(&self) -> Result<(), Error> {
        let engine = self.clone();
        blocking(CHECKPOINT, move || engine.session().checkpoint_online().map(drop).map_err(|error| Error::unavailable(CHECKPOINT, error))).await
    }

    /// Folds the log in the background once it has outgrown the engine's bound.
    fn checkpoint_when_due(&self) {
        if self.session().needs_checkpoint() {
            let engine = self.clone();
            tokio::task::spawn_blocking(move || {
                if let Err(error) = engine.session().maybe_checkpoint_online() {
                    tracing::error!(%error, "the log could not be folded into the store");
                }
            });
        }
    }
}

impl EmbeddedTransaction {
    pub(crate) async fn run(&mut self, statement: Statement, params: Params) -> Result<Vec<Row>, Error> {
        let Some(mut transaction) = self.transaction.take() else {
            return Err(Error::Rejected { statement: statement.label, detail: "the transaction has ended".into() });
        };
        let left = self.ends.saturating_duration_since(Instant::now());
        let (answer, transaction) = blocking(statement, move || {
            let params = kg_params(params);
            let answer = match transaction.working_mut() {
                Ok(graph) => session::execute_mut(graph, statement.text, &options(&params, left)),
                Err(error) => Err(error),
            };
            Ok((rows(statement, answer), transaction))
        })
        .await?;
        if answer.is_ok() {
            self.transaction = Some(transaction);
        }
        answer
    }

    pub(crate) async fn commit(mut self) -> Result<(), Error> {
        let Some(transaction) = self.transaction.take() else {
            return Err(Error::Rejected { statement: COMMIT.label, detail: "the transaction has ended".into() });
        };
        let engine = self.engine.clone();
        blocking(COMMIT, move || match engine.session().commit(transaction, true) {
            CommitOutcome::NoWritesNoOp | CommitOutcome::Committed { .. } => Ok(()),
            CommitOutcome::ConflictDetected { .. } => Err(Error::Conflict { statement: COMMIT.label, detail: "another writer was first".into() }),
            CommitOutcome::DurabilityFailed { error } => Err(Error::unavailable(COMMIT, error)),
            other => Err(Error::Rejected { statement: COMMIT.label, detail: format!("{other:?}") }),
        })
        .await?;
        self.engine.checkpoint_when_due();
        Ok(())
    }
}

fn durability_full() -> kglite::api::durable::DurabilityLevel {
    kglite::api::durable::DurabilityLevel::Full
}

fn options(params: &HashMap<String, KgValue>, limit: Duration) -> ExecuteOptions<'_> {
    let mut options = ExecuteOptions::eager(params).with_hidden_structural_keys(true);
    options.set_timeout_ms(Some(limit.as_millis().max(1) as u64));
    options
}

async fn blocking<T: Send + 'static>(statement: Statement, work: impl FnOnce() -> Result<T, Error> + Send + 'static) -> Result<T, Error> {
    match tokio::task::spawn_blocking(work).await {
        Ok(answer) => answer,
        Err(panic) => Err(Error::Rejected { statement: statement.label, detail: panic.to_string() }),
    }
}

fn rows(statement: Statement, outcome: Result<session::ExecuteOutcome, KgError>) -> Result<Vec<Row>, Error> {
    let result = outcome.map_err(|error| failure(statement, &error))?.result;
    let columns = result.columns;
    Ok(result.rows.into_iter().map(|row| Row(columns.iter().cloned().zip(row.into_iter().map(ours)).collect())).collect())
}

fn failure(statement: Statement, error: &KgError) -> Error {
    let label = statement.label;
    let detail = error.to_string();
    match error.code() {
        KgErrorCode::CypherTimeout | KgErrorCode::Cancelled => Error::TimeLimit { statement: label },
        KgErrorCode::ConstraintViolation => Error::Constraint { statement: label, detail },
        KgErrorCode::TransactionConflict => Error::Conflict { statement: label, detail },
        KgErrorCode::DurabilityFailed | KgErrorCode::FileIo | KgErrorCode::WriterLeaseHeld => Error::Unavailable { statement: label, detail },
        _ => Error::Rejected { statement: label, detail },
    }
}

fn kg_params(params: Params) -> HashMap<String, KgValue> {
    params.0.into_iter().map(|(name, value)| (name.to_owned(), theirs(value))).collect()
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
