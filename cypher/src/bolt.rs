//! Neo4j over Bolt, by neo4rs: this file and `bolt/` are the only ones that name the driver.
//!
//! What this adds to the driver: our values, our errors, a time limit for all that is asked, and sockets without Nagle's delay (see
//! [`crate::nodelay`]).
//!
//! **What is given up here ends at the server.** A statement on its own carries its limit to the server, which ends it and says so, soon or late. The driver
//! can't send a limit with `BEGIN`, and a connection that goes back to its pool keeps an open transaction, with all locks, until it is used
//! again. So every connection is a pool of its own, of one: what is not given back in order (too long, an error, a caller who stopped waiting)
//! is closed, and Neo4j ends whatever ran on a closed connection at once (15 to 170 ms were seen: waiting for a lock, computing, or idle).
//!
//! **What is repeated.** The driver repeats a statement on its own that the server refused as transient. It does so before it has asked for
//! rows, and without that nothing is committed: an autocommit write is never made twice. (`Graph::run` would repeat one whose last answer was
//! lost; it must not be used.) In a transaction it repeats nothing.

mod query;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use neo4rs::{ConfigBuilder, Graph, Query, Txn};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use self::query::{composed_query, kept_query, query, write_query};
use crate::nodelay::NoDelay;
use crate::stamps::{Marks, Pass, Stamps, Writing};
use crate::statement::Text;
use crate::{Error, Params, Row, Statement, without_values};

/// How long a `BEGIN` may take; it does no work.
const SILENCE: Duration = Duration::from_secs(8);
/// A server looks for statements whose time is over every two seconds, unless it is set up otherwise. Nobody waits for that: who has not heard from it this
/// long after a statement's time closes the connection, which ends the statement.
const GRACE: Duration = Duration::from_millis(200);
/// How long a connection of the pool is waited for. What a request waits for in all is bounded by whoever took it.
const WAIT_FOR_CONNECTION: Duration = Duration::from_secs(8);
/// A commit is given this long however little of the transaction's time is left: to give it up is not to know what became of it.
const COMMITTING: Duration = Duration::from_secs(4);
/// How long a server that let a transaction's time pass has to answer another question; else it is not the transaction that is slow.
const SIGN_OF_LIFE: Duration = Duration::from_secs(2);
/// The driver's own bound on one answer. Everything here has a shorter one, but for what is asked to take long, as planning ahead is.
const LONGEST_ANSWER: Duration = Duration::from_secs(60);

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
    connections: Arc<Connections>,
    reads: Reads,
    /// Where it is noted what is written, if anybody wants to know.
    stamps: Option<Arc<Stamps>>,
}

/// As what reads are sent. A cluster's other members may not have yet what was just written here, so that there reads go where writes go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reads {
    /// As reads: the server refuses one that would change something.
    AsReads,
    AsWrites,
}

/// All connections to the server: so many places, and those that nobody uses now.
struct Connections {
    config: neo4rs::Config,
    places: Arc<Semaphore>,
    idle: Mutex<Vec<Graph>>,
    no_delay: NoDelay,
    outage: Notify,
    is_shown: bool,
}

/// A connection and its place. Closed when it is dropped, unless it is given back.
struct Connection {
    /// The driver's pool, of one connection. When this is gone, whatever borrowed the connection closes it. Gone itself once given back.
    graph: Option<Graph>,
    connections: Arc<Connections>,
    place: Option<OwnedSemaphorePermit>,
}

/// A transaction on Neo4j.
pub struct BoltTransaction {
    bolt: Bolt,
    ends: Instant,
    /// Gone after an error, as on the embedded engine.
    open: Option<Open>,
    /// Of what it writes, until it has ended.
    marks: Vec<Marks>,
    _pass: Option<Pass>,
}

/// The order matters: what is dropped goes in it, and a transaction whose connection has gone before is closed instead of given back.
struct Open {
    connection: Connection,
    transaction: Txn,
}

/// Names a step that is no statement of ours in errors.
const CONNECT: Statement = Statement::new("connect", "");
const BEGIN: Statement = Statement::new("begin", "");
const COMMIT: Statement = Statement::new("commit", "");
const PING: Statement = Statement::new("ping", "RETURN 1 AS one");

impl Connections {
    /// A connection out of those that are kept, or a new one, which connects on first use.
    async fn take(self: &Arc<Self>, statement: Statement) -> Result<Connection, Error> {
        let waiting = Arc::clone(&self.places).acquire_owned();
        let Ok(Ok(place)) = timeout(WAIT_FOR_CONNECTION, waiting).await else {
            return Err(Error::unavailable(statement, "no free connection"));
        };
        if self.is_shown {
            metrics::gauge!("amlgraph_pool_free").set(self.places.available_permits() as f64);
        }
        self.no_delay.in_use(&self.places);
        let kept = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        match kept {
            Some(graph) => Ok(Connection { graph: Some(graph), connections: Arc::clone(self), place: Some(place) }),
            None => self.connect(statement, place),
        }
    }

    fn connect(self: &Arc<Self>, statement: Statement, place: OwnedSemaphorePermit) -> Result<Connection, Error> {
        let graph = Graph::connect(self.config.clone()).map_err(|error| failure(statement, error))?;
        self.no_delay.connections_may_have_changed();
        Ok(Connection { graph: Some(graph), connections: Arc::clone(self), place: Some(place) })
    }
}

impl Connection {
    /// For one who comes next. Only after an exchange that ended in order.
    fn give_back(mut self) {
        if let Some(graph) = self.graph.take() {
            self.connections.idle.lock().unwrap_or_else(PoisonError::into_inner).push(graph);
        }
    }

    /// Closes it, as soon as nobody borrows it any more, and keeps its place.
    fn close(mut self) -> Option<OwnedSemaphorePermit> {
        self.place.take()
    }

    fn graph(&self) -> Result<&Graph, neo4rs::Error> {
        self.graph.as_ref().ok_or(neo4rs::Error::ConnectionError)
    }

    async fn rows(&self, query: Query, access: Reads) -> Result<Vec<Row>, neo4rs::Error> {
        let mut stream = match access {
            Reads::AsReads => self.graph()?.execute_read(query).await?,
            Reads::AsWrites => self.graph()?.execute(query).await?,
        };
        self.connections.no_delay.apply();
        let mut rows = Vec::new();
        while let Some(row) = stream.next().await? {
            rows.push(row.to::<Row>()?);
        }
        Ok(rows)
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        if self.graph.is_some() {
            self.connections.no_delay.connections_may_have_changed();
        }
    }
}

impl Bolt {
    /// Prepares the pool; connects on first use. Fails on an address that can't be one.
    pub fn open(address: BoltAddress) -> Result<Self, Error> {
        let mut config = ConfigBuilder::default()
            .uri(&address.url)
            .user(address.user)
            .password(address.password)
            .max_connections(1)
            .fetch_size(10_000)
            .connection_timeout(LONGEST_ANSWER);
        if let Some(database) = address.database {
            config = config.db(database);
        }
        let config = config.build().map_err(|error| failure(CONNECT, error))?;
        let first = Graph::connect(config.clone()).map_err(|error| failure(CONNECT, error))?;
        let connections = Connections {
            config,
            places: Arc::new(Semaphore::new(address.connections)),
            idle: Mutex::new(vec![first]),
            no_delay: NoDelay::watch(&address.url),
            outage: Notify::new(),
            is_shown: true,
        };
        let reads = if address.url.starts_with("neo4j") { Reads::AsWrites } else { Reads::AsReads };
        Ok(Self { connections: Arc::new(connections), reads, stamps: None })
    }

    /// The same, whose writes mark and stamp what they touch.
    pub(crate) fn stamped(self, stamps: Option<Arc<Stamps>>) -> Self {
        Self { stamps, ..self }
    }

    pub(crate) fn is_stamped(&self) -> bool {
        self.stamps.is_some()
    }

    /// The same server by so many connections of its own. Nothing is noted of what is written there.
    pub(crate) fn apart(&self, connections: usize) -> Self {
        let (config, no_delay) = (self.connections.config.clone(), self.connections.no_delay.for_others());
        let (places, idle, outage) = (Arc::new(Semaphore::new(connections)), Mutex::default(), Notify::new());
        Self { connections: Arc::new(Connections { config, places, idle, no_delay, outage, is_shown: false }), reads: self.reads, stamps: None }
    }

    /// Waits until other processes know that this one writes, where they are told. Before a connection is taken, so that none is held meanwhile.
    async fn pass(&self, statement: Statement) -> Result<Option<Pass>, Error> {
        let Some(journal) = self.stamps.as_ref().and_then(|stamps| stamps.journal()) else { return Ok(None) };
        Box::pin(journal.pass()).await.map(Some).ok_or_else(|| Error::unavailable(statement, "other processes can't be told of it"))
    }

    /// What a statement is about to touch, where that is noted.
    fn writing(&self, statement: Statement, params: &Params) -> Option<Writing> {
        self.stamps.as_ref().and_then(|stamps| stamps.writing(statement, params))
    }

    pub(crate) async fn read(&self, statement: Statement, text: Text, params: Params, limit: Duration) -> Result<Vec<Row>, Error> {
        let (query, access) = match text {
            Text::Kept(_) => (kept_query(statement, "", params), self.reads),
            Text::Composed(_) => (composed_query(&text, params), self.reads),
            // Whatever a check may have overlooked in it: the server lets it change nothing, on a cluster either.
            Text::Loaded(_) => (query(text.to_string(), params), Reads::AsReads),
        };
        let outcome = self.execute(statement, query, limit, access, None).await;
        // A read leaves nothing behind whose outcome could matter.
        outcome.map_err(|error| match error {
            Error::OutcomeUnknown { statement, detail } => Error::Unavailable { statement, detail },
            error => error,
        })
    }

    /// The same, for one who only reads: on a cluster whichever member answers, and no statement can change anything.
    pub(crate) fn reading_only(self) -> Self {
        Self { reads: Reads::AsReads, ..self }
    }

    /// Returns once the server was found dead or silent since the last call.
    pub(crate) async fn outage(&self) {
        self.connections.outage.notified().await;
    }

    pub(crate) async fn write(&self, statement: Statement, params: Params, limit: Duration) -> Result<Vec<Row>, Error> {
        let writing = self.writing(statement, &params);
        let _pass = if writing.is_some() { self.pass(statement).await? } else { None };
        let query = write_query(statement, params);
        self.execute(statement, query, limit, Reads::AsWrites, writing).await
    }

    /// `writing`: what it touches. Marked as long as nothing is heard of its end, and in doubt where that is not told.
    async fn execute(&self, statement: Statement, query: Query, limit: Duration, access: Reads, writing: Option<Writing>) -> Result<Vec<Row>, Error> {
        let connection = self.connections.take(statement).await?;
        let mut marks = writing.map(Writing::mark);
        if let Some(marks) = &mut marks {
            marks.in_doubt();
        }
        let query = query.extra("tx_timeout", limit.as_millis().max(1) as i64);
        let started = Instant::now();
        let outcome = timeout(limit + GRACE, Box::pin(connection.rows(query, access))).await;
        match outcome {
            Ok(Ok(rows)) => {
                marks.into_iter().for_each(Marks::settle);
                connection.give_back();
                Ok(rows)
            }
            Ok(Err(error @ neo4rs::Error::Neo4j(_))) => {
                connection.give_back();
                let may_be_committed = !is_known_not_to_be_committed(&error);
                if was_ended(&error) && started.elapsed() >= limit {
                    marks.into_iter().for_each(Marks::settle);
                    return Err(Error::TimeLimit { statement: statement.label });
                }
                let error = match self.failed(statement, error) {
                    // Such a statement ends with its commit, which may have failed half-way.
                    Error::Unavailable { statement, detail } if may_be_committed => Error::OutcomeUnknown { statement, detail },
                    error => error,
                };
                // One row that is refused leaves nothing behind.
                if !matches!(error, Error::OutcomeUnknown { .. }) {
                    marks.into_iter().for_each(Marks::settle);
                }
                Err(error)
            }
            Ok(Err(error)) => Err(self.unknown(statement, told(&error))),
            Err(_) => match Box::pin(self.answers(connection.close())).await {
                true => Err(Error::TimeLimit { statement: statement.label }),
                false => Err(self.unknown(statement, "no answer in time")),
            },
        }
    }

    /// Begins a transaction that has to end within `limit`.
    pub(crate) async fn begin(&self, limit: Duration) -> Result<BoltTransaction, Error> {
        let pass = self.pass(BEGIN).await?;
        let connection = self.connections.take(BEGIN).await?;
        let ends = Instant::now() + limit;
        let begun = match connection.graph() {
            Ok(graph) => timeout(limit.min(SILENCE), graph.start_txn()).await,
            Err(error) => Ok(Err(error)),
        };
        match begun {
            Ok(Ok(transaction)) => {
                self.connections.no_delay.apply();
                Ok(BoltTransaction { bolt: self.clone(), ends, open: Some(Open { connection, transaction }), marks: Vec::new(), _pass: pass })
            }
            Ok(Err(error)) => Err(self.failed(BEGIN, error)),
            Err(_) => Err(self.silent(BEGIN)),
        }
    }

    fn failed(&self, statement: Statement, error: neo4rs::Error) -> Error {
        let error = failure(statement, error);
        if matches!(error, Error::Unavailable { .. }) {
            self.connections.outage.notify_one();
        }
        error
    }

    fn silent(&self, statement: Statement) -> Error {
        self.connections.outage.notify_one();
        Error::unavailable(statement, "no answer in time")
    }

    /// A change was asked for, and what the server said last is lost.
    fn unknown(&self, statement: Statement, detail: impl ToString) -> Error {
        self.connections.outage.notify_one();
        Error::OutcomeUnknown { statement: statement.label, detail: without_values(&detail.to_string()) }
    }

    /// Whether the server answers on a new connection at the place of one that was closed.
    async fn answers(&self, place: Option<OwnedSemaphorePermit>) -> bool {
        let Some(Ok(connection)) = place.map(|place| self.connections.connect(PING, place)) else { return false };
        match timeout(SIGN_OF_LIFE, Box::pin(connection.rows(query(PING.text.to_owned(), Params::none()), self.reads))).await {
            Ok(Ok(_)) => {
                connection.give_back();
                true
            }
            _ => false,
        }
    }
}

impl BoltTransaction {
    pub(crate) async fn run(&mut self, statement: Statement, params: Params) -> Result<Vec<Row>, Error> {
        let mut open = self.open.take().ok_or_else(|| over(statement))?;
        self.mark(statement, &params);
        let asked = async {
            let mut stream = open.transaction.execute(write_query(statement, params)).await?;
            let mut rows = Vec::new();
            while let Some(row) = stream.next(open.transaction.handle()).await? {
                rows.push(row.to::<Row>()?);
            }
            Ok(rows)
        };
        let outcome = timeout(self.left(), asked).await;
        self.settle(statement, open, outcome).await
    }

    /// Runs a statement whose rows nobody wants: a round trip less.
    pub(crate) async fn put(&mut self, statement: Statement, params: Params) -> Result<(), Error> {
        let mut open = self.open.take().ok_or_else(|| over(statement))?;
        self.mark(statement, &params);
        let outcome = timeout(self.left(), open.transaction.run(write_query(statement, params))).await;
        self.settle(statement, open, outcome).await.map(drop)
    }

    /// Nobody else sees what it writes before the commit, but may wait for it from here on.
    fn mark(&mut self, statement: Statement, params: &Params) {
        self.marks.extend(self.bolt.writing(statement, params).map(Writing::mark));
    }

    fn left(&self) -> Duration {
        self.ends.saturating_duration_since(Instant::now())
    }

    /// Goes on after an answer; after anything else the transaction is over, here and at the server.
    async fn settle<T, E>(&mut self, statement: Statement, open: Open, outcome: Result<Result<T, neo4rs::Error>, E>) -> Result<T, Error> {
        match outcome {
            Ok(Ok(answer)) => {
                self.open = Some(open);
                Ok(answer)
            }
            Ok(Err(error)) => Err(self.bolt.failed(statement, error)),
            Err(_) => {
                let Open { connection, transaction } = open;
                let place = connection.close();
                drop(transaction);
                match Box::pin(self.bolt.answers(place)).await {
                    true => Err(Error::TimeLimit { statement: statement.label }),
                    false => Err(self.bolt.silent(statement)),
                }
            }
        }
    }

    pub(crate) async fn commit(mut self) -> Result<(), Error> {
        // Since it began others may have taken this process for gone.
        let _pass = self.bolt.pass(COMMIT).await?;
        let Open { connection, transaction } = self.open.take().ok_or_else(|| over(COMMIT))?;
        let mut marks = std::mem::take(&mut self.marks);
        marks.iter_mut().for_each(Marks::in_doubt);
        let outcome = timeout(self.left().max(COMMITTING), transaction.commit()).await;
        match outcome {
            Ok(Ok(_)) => {
                marks.into_iter().for_each(Marks::settle);
                connection.give_back();
                Ok(())
            }
            Ok(Err(error)) if is_known_not_to_be_committed(&error) => {
                marks.into_iter().for_each(Marks::settle);
                Err(self.bolt.failed(COMMIT, error))
            }
            Ok(Err(error)) => Err(self.bolt.unknown(COMMIT, told(&error))),
            Err(_) => Err(self.bolt.unknown(COMMIT, "no answer in time")),
        }
    }

    /// After an error there is nothing left to undo.
    pub(crate) async fn rollback(mut self) {
        let Some(Open { connection, transaction }) = self.open.take() else { return };
        // A server that does not hear the ROLLBACK undoes the transaction when the connection closes.
        if let Ok(Ok(())) = timeout(Duration::from_secs(1), transaction.rollback()).await {
            connection.give_back();
        }
    }
}

fn over(statement: Statement) -> Error {
    Error::Rejected { statement: statement.label, detail: "the transaction has ended".into() }
}

/// Whether the server ended the transaction before its own end: its time was over, an operator said so, the server stops. One that waited for a
/// lock at that moment is told the same for each of these.
fn was_ended(error: &neo4rs::Error) -> bool {
    let neo4rs::Error::Neo4j(neo) = error else { return false };
    neo.code().contains("TransactionTimedOut") || neo.code().ends_with(".Transaction.Terminated") || neo.code().ends_with("LockClientStopped")
}

/// The server refused the commit, and not because its own storing, or what it tells the others of a cluster, failed half-way.
fn is_known_not_to_be_committed(error: &neo4rs::Error) -> bool {
    matches!(error, neo4rs::Error::Neo4j(neo) if !neo.code().starts_with("Neo.DatabaseError.") && !neo.code().contains(".Cluster."))
}

/// Codes of messages that say no more than the statement's own text, which has no values in it.
const OF_THE_TEXT: [&str; 2] = ["Neo.ClientError.Statement.SyntaxError", "Neo.ClientError.Statement.ParameterMissing"];

/// What an error says, but for values: the server puts those of parameters and properties into its messages, quoted or not.
fn told(error: &neo4rs::Error) -> String {
    use neo4rs::Error::{DeserializationError, InvalidTypeMarker, Neo4j, UnexpectedMessage, UnknownMessage, UnknownType};
    match error {
        Neo4j(neo) if OF_THE_TEXT.contains(&neo.code()) => format!("{}: {}", neo.code(), neo.message()),
        Neo4j(neo) => neo.code().to_owned(),
        InvalidTypeMarker(_) | UnexpectedMessage(_) | UnknownMessage(_) | UnknownType(_) | DeserializationError(_) => {
            "an answer that can't be read".to_owned()
        }
        other => without_values(&other.to_string()),
    }
}

/// The driver's error in our terms. By Neo4j's status codes, as its manual groups them: a transient error promises that nothing was done.
fn failure(statement: Statement, error: neo4rs::Error) -> Error {
    let label = statement.label;
    let neo4rs::Error::Neo4j(neo) = &error else {
        return Error::unavailable(statement, told(&error));
    };
    let detail = told(&error);
    match neo.code() {
        "Neo.ClientError.Schema.ConstraintValidationFailed" => Error::Constraint { statement: label, detail },
        // `IF NOT EXISTS` looks before it makes: of two instances that start together one may find that the other was quicker.
        code if code.starts_with("Neo.ClientError.Schema.") && code.ends_with("AlreadyExists") => Error::Conflict { statement: label, detail },
        code if code.contains("TransactionTimedOut") => Error::TimeLimit { statement: label },
        "Neo.ClientError.Transaction.Terminated" | "Neo.ClientError.Transaction.LockClientStopped" => Error::Conflict { statement: label, detail },
        // Somebody has removed what the statement had found, before it was locked.
        "Neo.ClientError.Statement.EntityNotFound" => Error::Conflict { statement: label, detail },
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
