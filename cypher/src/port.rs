//! The port: what the rest of the program may ask of a database, whichever it is.
//!
//! Three things: read a statement, write one statement, or run several in one transaction. All are bounded in time *at the database*: what is
//! given up here is over there, and its locks are free. Neo4j behind Bolt and the embedded engine answer with the same values and the same
//! errors; a statement that fails inside a transaction ends it on both.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;

use crate::bolt::{Bolt, BoltTransaction};
use crate::embedded::{Embedded, EmbeddedTransaction};
use crate::graph::Composed;
use crate::loaded::{AskedStatement, LoadedRows};
use crate::stamps::Stamps;
use crate::statement::Text;
use crate::{Error, Params, Reading, Row, Statement, boxed};

/// Slower runs than this are logged with the statement's label (never its parameters: they are personal data).
const SLOW: Duration = Duration::from_millis(500);
/// How long a write may take when nobody says otherwise, for one statement or a whole transaction. With what the database needs to end it, a
/// client is told within ten seconds.
const WRITE_LIMIT: Duration = Duration::from_secs(6);
/// How long a change of the schema may take.
const SCHEMA_LIMIT: Duration = Duration::from_secs(50);
/// Fails when they are not ready after so many seconds.
const AWAIT_INDEXES: Statement = Statement::new("await_indexes", "CALL db.awaitIndexes(40)");

/// A database. Cheap to clone; all clones share connections.
#[derive(Clone)]
pub enum Engine {
    /// Neo4j over Bolt.
    Bolt(Bolt),
    /// The embedded engine, in this process.
    Embedded(Embedded),
}

/// A transaction under way; dropped without [`Transaction::commit`] it is rolled back at once, whatever it was doing.
pub enum Transaction {
    /// On Neo4j.
    Bolt(Box<BoltTransaction>),
    /// On the embedded engine.
    Embedded(Box<EmbeddedTransaction>),
}

impl Engine {
    /// The engine's name, for logs and the health answer: `neo4j` or `embedded`.
    pub fn name(&self) -> &'static str {
        match self {
            Engine::Bolt(_) => "neo4j",
            Engine::Embedded(_) => "embedded",
        }
    }

    /// The same, for one who only reads: a statement that would change something is refused.
    pub fn reading_only(self) -> Self {
        match self {
            Engine::Bolt(bolt) => Engine::Bolt(bolt.reading_only()),
            embedded => embedded,
        }
    }

    /// The same, whose writes mark what they touch before they begin and stamp it when they are over, whoever writes and whatever becomes of it. Who keeps
    /// answers knows by that which of them are good.
    pub fn stamped(self, stamps: Arc<Stamps>) -> Self {
        match self {
            Engine::Bolt(bolt) => Engine::Bolt(bolt.stamped(Some(stamps))),
            Engine::Embedded(embedded) => Engine::Embedded(embedded.stamped(Some(stamps))),
        }
    }

    /// The same, whose writes are marked nowhere: for what changes nothing that anybody keeps, or can be told to nobody.
    #[must_use]
    pub fn unstamped(&self) -> Self {
        match self {
            Engine::Bolt(bolt) => Engine::Bolt(bolt.clone().stamped(None)),
            Engine::Embedded(embedded) => Engine::Embedded(embedded.clone().stamped(None)),
        }
    }

    /// Whether its writes do so.
    pub fn is_stamped(&self) -> bool {
        match self {
            Engine::Bolt(bolt) => bolt.is_stamped(),
            Engine::Embedded(embedded) => embedded.is_stamped(),
        }
    }

    /// The same database by so many connections of its own, whose writes are marked nowhere; nothing where there are no connections.
    pub fn apart(&self, connections: usize) -> Option<Self> {
        match self {
            Engine::Bolt(bolt) => Some(Engine::Bolt(bolt.apart(connections))),
            Engine::Embedded(_) => None,
        }
    }

    /// How many write transactions at once bring something: Neo4j works on as many; the embedded engine's writers take turns, and one works
    /// while the log is flushed for the one before.
    pub fn writes_at_once(&self) -> usize {
        match self {
            Engine::Bolt(_) => 4,
            Engine::Embedded(_) => 2,
        }
    }

    /// Runs a statement that changes nothing. When `limit` passes, the database itself ends it.
    pub fn read(&self, statement: Statement, params: Params, limit: Duration) -> impl Future<Output = Result<Vec<Row>, Error>> + Send {
        self.read_text(statement, Text::Kept(statement.text), params, limit)
    }

    /// The same for a statement whose rows have a type.
    pub async fn read_as<R: DeserializeOwned>(&self, reading: Reading<R>, params: Params, limit: Duration) -> Result<Vec<R>, Error> {
        reading.rows(self.read(reading.statement(), params, limit).await?)
    }

    /// The same for a question that was composed out of the table of links. `label` names it in metrics, logs and errors.
    pub fn read_composed(&self, label: &'static str, composed: Composed, limit: Duration) -> impl Future<Output = Result<Vec<Row>, Error>> + Send {
        let text = match self {
            Engine::Bolt(_) => composed.text,
            Engine::Embedded(_) => composed.for_embedded.unwrap_or(composed.text),
        };
        self.read_text(Statement::new(label, ""), Text::Composed(text), composed.params, limit)
    }

    /// The same for a statement that came as data, with the parameters it was given, within its own limits of time and rows. On a cluster whichever member
    /// answers, which may not have yet what was written just now.
    #[boxed]
    pub async fn read_loaded(&self, asked: AskedStatement) -> Result<LoadedRows, Error> {
        let AskedStatement { statement, params } = asked;
        let rows = self.read_text(Statement::new(statement.label(), ""), statement.text(), params, statement.limit()).await?;
        Ok(statement.within_its_rows(rows))
    }

    #[boxed]
    async fn read_text(&self, statement: Statement, text: Text, params: Params, limit: Duration) -> Result<Vec<Row>, Error> {
        measured(statement, async {
            match self {
                Engine::Bolt(bolt) => bolt.read(statement, text, params, limit).await,
                Engine::Embedded(embedded) => embedded.read(statement, text, params, limit).await,
            }
        })
        .await
    }

    /// Runs one statement as a transaction of its own, within six seconds.
    pub fn write(&self, statement: Statement, params: Params) -> impl Future<Output = Result<Vec<Row>, Error>> + Send {
        self.write_within(statement, params, WRITE_LIMIT)
    }

    /// The same for a statement whose rows have a type.
    pub async fn write_as<R: DeserializeOwned>(&self, reading: Reading<R>, params: Params) -> Result<Vec<R>, Error> {
        reading.rows(self.write(reading.statement(), params).await?)
    }

    /// The same within `limit`, for what is known to take its time, as the first plan of a large statement does on a cold server.
    ///
    /// [`Error::TimeLimit`]: it took longer and is over at the database, or about to be. [`Error::OutcomeUnknown`]: it may have been committed.
    #[boxed]
    pub async fn write_within(&self, statement: Statement, params: Params, limit: Duration) -> Result<Vec<Row>, Error> {
        measured(statement, async {
            match self {
                Engine::Bolt(bolt) => bolt.write(statement, params, limit).await,
                Engine::Embedded(embedded) => embedded.write(statement, params, limit).await,
            }
        })
        .await
    }

    /// The same for a statement whose rows have a type.
    pub async fn write_within_as<R: DeserializeOwned>(&self, reading: Reading<R>, params: Params, limit: Duration) -> Result<Vec<R>, Error> {
        reading.rows(self.write_within(reading.statement(), params, limit).await?)
    }

    /// Begins a transaction of several statements, which has to be done within six seconds.
    pub fn begin(&self) -> impl Future<Output = Result<Transaction, Error>> + Send {
        self.begin_within(WRITE_LIMIT)
    }

    /// The same within `limit`, from now to the answer of the last statement. The statement under way when it passes fails with
    /// [`Error::TimeLimit`], which ends the transaction here and at the database. The commit has a few seconds of its own.
    #[boxed]
    pub async fn begin_within(&self, limit: Duration) -> Result<Transaction, Error> {
        match self {
            Engine::Bolt(bolt) => bolt.begin(limit).await.map(|transaction| Transaction::Bolt(Box::new(transaction))),
            Engine::Embedded(embedded) => embedded.begin(limit).await.map(|transaction| Transaction::Embedded(Box::new(transaction))),
        }
    }

    /// What several statements do in one transaction, within `limit` as in [`Engine::begin_within`]: committed where all went well, undone where not.
    pub async fn in_transaction<T>(&self, limit: Duration, work: impl AsyncFnOnce(&mut Transaction) -> Result<T, Error>) -> Result<T, Error> {
        let mut transaction = self.begin_within(limit).await?;
        match work(&mut transaction).await {
            Ok(done) => transaction.commit().await.map(|()| done),
            Err(error) => {
                transaction.rollback().await;
                Err(error)
            }
        }
    }

    /// Changes the schema (constraints, indexes): on Neo4j such a statement can't share a transaction with data. It looks at all data of its
    /// kind, so that it may take a minute.
    #[boxed]
    pub async fn change_schema(&self, statement: Statement) -> Result<(), Error> {
        self.write_within(statement, Params::none(), SCHEMA_LIMIT).await.map(drop)
    }

    /// Returns when indexes that were made just now can be used: until then Neo4j makes plans without them, and some statements keep their first. A large
    /// store may take longer than anyone should wait to start; then its plans are what they are.
    #[boxed]
    pub async fn await_indexes(&self) {
        if let Engine::Bolt(_) = self
            && let Err(error) = self.change_schema(AWAIT_INDEXES).await
        {
            tracing::warn!(%error, "indexes are not ready yet");
        }
    }

    /// Returns once the database was found dead or silent since the last call; it may come back without the plans it had made.
    #[boxed]
    pub async fn outage(&self) {
        match self {
            Engine::Bolt(bolt) => bolt.outage().await,
            Engine::Embedded(_) => std::future::pending().await,
        }
    }

    /// Brings what is only logged into the store file and closes it; Neo4j has nothing of the kind.
    #[boxed]
    pub async fn close(&self) -> Result<(), Error> {
        match self {
            Engine::Bolt(_) => Ok(()),
            Engine::Embedded(embedded) => embedded.checkpoint().await,
        }
    }
}

impl Transaction {
    /// Runs a statement inside the transaction. After an error the transaction is over.
    #[boxed]
    pub async fn run(&mut self, statement: Statement, params: Params) -> Result<Vec<Row>, Error> {
        measured(statement, async {
            match self {
                Transaction::Bolt(transaction) => transaction.run(statement, params).await,
                Transaction::Embedded(transaction) => transaction.run(statement, params).await,
            }
        })
        .await
    }

    /// The same for a statement whose rows have a type. That they are of another is found out here, and leaves the transaction under way.
    pub async fn run_as<R: DeserializeOwned>(&mut self, reading: Reading<R>, params: Params) -> Result<Vec<R>, Error> {
        reading.rows(self.run(reading.statement(), params).await?)
    }

    /// Runs a statement that answers with nothing, or whose answer nobody wants. On Neo4j that saves a round trip.
    #[boxed]
    pub async fn put(&mut self, statement: Statement, params: Params) -> Result<(), Error> {
        measured(statement, async {
            match self {
                Transaction::Bolt(transaction) => transaction.put(statement, params).await,
                Transaction::Embedded(transaction) => transaction.run(statement, params).await.map(drop),
            }
        })
        .await
    }

    /// Makes everything durable and visible, or nothing; which of them is not known after [`Error::OutcomeUnknown`].
    #[boxed]
    pub async fn commit(self) -> Result<(), Error> {
        match self {
            Transaction::Bolt(transaction) => transaction.commit().await,
            Transaction::Embedded(transaction) => transaction.commit().await,
        }
    }

    /// Undoes everything.
    #[boxed]
    pub async fn rollback(self) {
        match self {
            Transaction::Bolt(transaction) => transaction.rollback().await,
            Transaction::Embedded(transaction) => drop(transaction),
        }
    }
}

async fn measured<T>(statement: Statement, run: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
    let started = Instant::now();
    let answer = run.await;
    let took = started.elapsed();
    metrics::histogram!("amlgraph_statement_seconds", "statement" => statement.label).record(took.as_secs_f64());
    if let Err(error) = &answer {
        let kind = match error {
            Error::Constraint { .. } => "constraint",
            Error::Conflict { .. } => "conflict",
            Error::TimeLimit { .. } => "time_limit",
            Error::Unavailable { .. } => "unavailable",
            Error::OutcomeUnknown { .. } => "outcome_unknown",
            Error::Rejected { .. } => "rejected",
        };
        metrics::counter!("amlgraph_statement_errors_total", "statement" => statement.label, "kind" => kind).increment(1);
    }
    if took > SLOW {
        tracing::warn!(statement = statement.label, millis = took.as_millis() as u64, "slow statement");
    }
    answer
}
