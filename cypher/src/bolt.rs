//! Neo4j over Bolt, by neo4rs: the one file that names the driver.
//!
//! What this adds to the driver: our values, our errors, a time limit at the server for reads, a bound on waiting for a dead or silent
//! server, and sockets without Nagle's delay (see [`crate::nodelay`]).

use std::sync::Arc;
use std::time::Duration;

use neo4rs::{BoltList, BoltMap, BoltNull, BoltString, BoltType, ConfigBuilder, Graph, Query, Txn};
use tokio::sync::{Notify, Semaphore};

use crate::nodelay::NoDelay;
use crate::{Error, Params, Row, Statement, Value};

/// How long the server may be silent before the database counts as unavailable. A client is told within ten seconds.
const SILENCE: Duration = Duration::from_secs(8);
/// The server looks for statements whose time is over about once a second; it is given this long to say so.
const GRACE: Duration = Duration::from_secs(3);
/// How long a connection of the pool is waited for. What a request waits for in all is bounded by whoever took it.
const WAIT_FOR_CONNECTION: Duration = Duration::from_secs(8);
/// A write on its own that takes longer is ended by the server, so that it does not go on for ever with what was given up here. Not sooner:
/// a cold server plans the largest statement for seconds, and must get to the end of that once.
const WRITE: Duration = Duration::from_secs(30);

/// Where the server is and how to sign in.
#[derive(Clone)]
pub struct BoltAddress {
    /// `bolt://`, `bolt+s://`, `neo4j://` or `neo4j+s://` with host and port.
    pub url: String,
    pub user: String,
    pub password: String,
    /// The database's name; the server's default when absent.
    pub database: Option<String>,
    /// The most connections kept.
    pub connections: usize,
}

/// Neo4j.
#[derive(Clone)]
pub struct Bolt {
    graph: Graph,
    /// The driver's pool waits without bound, so waiting happens here.
    places: Arc<Semaphore>,
    no_delay: Arc<NoDelay>,
    reads: Reads,
    outage: Arc<Notify>,
}

/// As what reads are sent. A cluster's other members may not have yet what was just written here, so that there reads go where writes go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reads {
    /// As reads: the server refuses one that would change something.
    AsReads,
    AsWrites,
}

/// A transaction on Neo4j.
pub struct BoltTransaction {
    bolt: Bolt,
    transaction: Txn,
    _place: tokio::sync::OwnedSemaphorePermit,
}

/// Names a step that is no statement of ours in errors.
const BEGIN: Statement = Statement::new("begin", "");
const COMMIT: Statement = Statement::new("commit", "");

impl Bolt {
    /// Prepares the pool; connects on first use. Fails on an address that can't be one.
    pub fn open(address: BoltAddress) -> Result<Self, Error> {
        let mut config = ConfigBuilder::default()
            .uri(&address.url)
            .user(address.user)
            .password(address.password)
            .max_connections(address.connections)
            .fetch_size(10_000)
            .connection_timeout(SILENCE);
        if let Some(database) = address.database {
            config = config.db(database);
        }
        let open = Statement::new("connect", "");
        let config = config.build().map_err(|error| failure(open, error))?;
        let graph = Graph::connect(config).map_err(|error| failure(open, error))?;
        let no_delay = Arc::new(NoDelay::watch(&address.url));
        let reads = if address.url.starts_with("neo4j") { Reads::AsWrites } else { Reads::AsReads };
        Ok(Self { graph, places: Arc::new(Semaphore::new(address.connections)), no_delay, reads, outage: Arc::default() })
    }

    pub(crate) async fn read(&self, statement: Statement, params: Params, limit: Duration) -> Result<Vec<Row>, Error> {
        let query = query(statement, params).extra("tx_timeout", limit.as_millis() as i64);
        self.execute(statement, query, limit + GRACE, self.reads).await
    }

    /// The same, for one who only reads: on a cluster whichever member answers, and no statement can change anything.
    pub(crate) fn reading_only(self) -> Self {
        Self { reads: Reads::AsReads, ..self }
    }

    /// Returns once the server was found dead or silent since the last call.
    pub(crate) async fn outage(&self) {
        self.outage.notified().await;
    }

    fn failed(&self, statement: Statement, error: neo4rs::Error) -> Error {
        self.no_delay.connections_may_have_changed();
        let error = failure(statement, error);
        if matches!(error, Error::Unavailable { .. }) {
            self.outage.notify_one();
        }
        error
    }

    fn silent(&self, statement: Statement) -> Error {
        self.no_delay.connections_may_have_changed();
        self.outage.notify_one();
        Error::unavailable(statement, "no answer in time")
    }

    pub(crate) async fn write(&self, statement: Statement, params: Params) -> Result<Vec<Row>, Error> {
        let query = query(statement, params).extra("tx_timeout", WRITE.as_millis() as i64);
        match self.execute(statement, query, SILENCE, Reads::AsWrites).await {
            Err(Error::TimeLimit { .. }) => Err(Error::unavailable(statement, "ended by the server: it took too long")),
            outcome => outcome,
        }
    }

    async fn execute(&self, statement: Statement, query: Query, limit: Duration, access: Reads) -> Result<Vec<Row>, Error> {
        let _place = self.place(statement).await?;
        let run = async {
            let mut stream = match access {
                Reads::AsReads => self.graph.execute_read(query).await?,
                Reads::AsWrites => self.graph.execute(query).await?,
            };
            self.no_delay.apply();
            let mut rows = Vec::new();
            while let Some(row) = stream.next().await? {
                rows.push(row.to::<Row>()?);
            }
            Ok(rows)
        };
        match tokio::time::timeout(limit, run).await {
            Ok(Ok(rows)) => Ok(rows),
            Ok(Err(error)) => Err(self.failed(statement, error)),
            Err(_) => Err(self.silent(statement)),
        }
    }

    pub(crate) async fn begin(&self) -> Result<BoltTransaction, Error> {
        let place = self.place(BEGIN).await?;
        match tokio::time::timeout(SILENCE, self.graph.start_txn()).await {
            Ok(Ok(transaction)) => {
                self.no_delay.apply();
                Ok(BoltTransaction { bolt: self.clone(), transaction, _place: place })
            }
            Ok(Err(error)) => Err(self.failed(BEGIN, error)),
            Err(_) => Err(self.silent(BEGIN)),
        }
    }

    async fn place(&self, statement: Statement) -> Result<tokio::sync::OwnedSemaphorePermit, Error> {
        let waiting = Arc::clone(&self.places).acquire_owned();
        let place = match tokio::time::timeout(WAIT_FOR_CONNECTION, waiting).await {
            Ok(Ok(place)) => place,
            _ => return Err(Error::unavailable(statement, "no free connection")),
        };
        metrics::gauge!("amlgraph_pool_free").set(self.places.available_permits() as f64);
        self.no_delay.in_use(&self.places);
        Ok(place)
    }
}

impl BoltTransaction {
    pub(crate) async fn run(&mut self, statement: Statement, params: Params) -> Result<Vec<Row>, Error> {
        let run = async {
            let mut stream = self.transaction.execute(query(statement, params)).await?;
            let mut rows = Vec::new();
            while let Some(row) = stream.next(self.transaction.handle()).await? {
                rows.push(row.to::<Row>()?);
            }
            Ok(rows)
        };
        match tokio::time::timeout(SILENCE, run).await {
            Ok(rows) => rows.map_err(|error| self.bolt.failed(statement, error)),
            Err(_) => Err(self.bolt.silent(statement)),
        }
    }

    pub(crate) async fn commit(self) -> Result<(), Error> {
        match tokio::time::timeout(SILENCE, self.transaction.commit()).await {
            Ok(done) => done.map(drop).map_err(|error| self.bolt.failed(COMMIT, error)),
            Err(_) => Err(self.bolt.silent(COMMIT)),
        }
    }

    pub(crate) async fn rollback(self) {
        // A server that does not hear the ROLLBACK undoes the transaction when the connection closes.
        let _ = tokio::time::timeout(Duration::from_secs(1), self.transaction.rollback()).await;
    }
}

fn query(statement: Statement, params: Params) -> Query {
    let mut map = BoltMap::with_capacity(params.0.len());
    for (name, value) in params.0 {
        map.put(BoltString::from(name), value.into());
    }
    Query::new(statement.text.to_owned()).with_params(map)
}

impl From<Value> for BoltType {
    fn from(value: Value) -> Self {
        match value {
            Value::Null => BoltType::Null(BoltNull),
            Value::Bool(bool) => bool.into(),
            Value::Int(int) => int.into(),
            Value::Float(float) => float.into(),
            Value::Text(text) => BoltType::String(BoltString { value: text }),
            Value::List(items) => BoltType::List(BoltList { value: items.into_iter().map(BoltType::from).collect() }),
            Value::Map(entries) => {
                let mut map = BoltMap::with_capacity(entries.len());
                for (key, value) in entries {
                    map.put(BoltString { value: key.into_owned() }, value.into());
                }
                BoltType::Map(map)
            }
        }
    }
}

/// The driver's error in our terms. By Neo4j's status codes, as its manual groups them: a transient error promises that nothing was done.
fn failure(statement: Statement, error: neo4rs::Error) -> Error {
    let label = statement.label;
    let neo4rs::Error::Neo4j(neo) = &error else {
        return Error::unavailable(statement, error);
    };
    let detail = format!("{}: {}", neo.code(), neo.message());
    match neo.code() {
        "Neo.ClientError.Schema.ConstraintValidationFailed" => Error::Constraint { statement: label, detail },
        // `IF NOT EXISTS` looks before it makes: of two instances that start together one may find that the other was quicker.
        code if code.starts_with("Neo.ClientError.Schema.") && code.ends_with("AlreadyExists") => Error::Conflict { statement: label, detail },
        code if code.contains("TransactionTimedOut") => Error::TimeLimit { statement: label },
        "Neo.ClientError.Transaction.Terminated" | "Neo.ClientError.Transaction.LockClientStopped" => Error::Conflict { statement: label, detail },
        // The server is going away or has no room: not a race that a retry at once would win.
        code if code.contains("DatabaseUnavailable") || code.contains("MemoryPoolOutOfMemory") => Error::Unavailable { statement: label, detail },
        code if code.starts_with("Neo.TransientError.") => Error::Conflict { statement: label, detail },
        // Of one statement, such as a text that is too long for its index: not an outage.
        code if code.starts_with("Neo.DatabaseError.Statement.") => Error::Rejected { statement: label, detail },
        code if code.starts_with("Neo.DatabaseError.") || code.contains(".Security.") || code.contains(".Cluster.") => {
            Error::Unavailable { statement: label, detail }
        }
        _ => Error::Rejected { statement: label, detail },
    }
}
