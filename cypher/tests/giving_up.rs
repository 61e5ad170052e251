//! What is given up here is over at the database: its locks are free, its connection is closed, and the error says what became of it.
//!
//! Where no Neo4j can be had, its tests are reported as ignored, with the reason; with `CI=true` that is a failure.

// The types of a whole test, one future in another, are deeper than the compiler allows by itself.
#![recursion_limit = "256"]

use std::sync::Arc;
use std::time::{Duration, Instant};

use cypher::{Bolt, BoltAddress, Embedded, Engine, Error, Params, Stamps, Statement, Transaction};
use libtest_mimic::{Arguments, Completion, Trial};
use test_support::neo4j::{self, Neo4j};

const MAKE: Statement = Statement::new("test/make", "UNWIND $ids AS id CREATE (m:Device {id: id, name: 'made'})");
const NAME: Statement = Statement::new("test/name", "UNWIND $ids AS id MATCH (m:Device {id: id}) SET m.name = $name");
const NAMES: Statement = Statement::new("test/names", "MATCH (m:Device) WHERE m.id IN $ids RETURN m.name AS name ORDER BY m.id");
const FORGET: Statement = Statement::new("test/forget", "MATCH (m:Device) WHERE m.id IN $ids DETACH DELETE m");
/// Makes nodes until it is stopped, and nobody sees one of them.
const ENDLESS: Statement = Statement::new(
    "test/endless",
    "UNWIND range(1, 3000) AS a UNWIND range(1, 3000) AS b UNWIND range(1, 3000) AS c
     WITH a, b, c WHERE a + b * c = -1 CREATE (m:Device {id: 'giving-up-endless'})",
);

/// As long as a statement may take in these tests.
const LIMIT: Duration = Duration::from_secs(3);
/// What is free is had in this time, also on a busy machine; what somebody has is not.
const AT_ONCE: Duration = Duration::from_secs(10);
/// As long as whoever is not given up may take: so long a lock would be there that was not let go.
const LONG: Duration = Duration::from_secs(60);

fn main() {
    let trials = vec![
        on_neo4j("a_transaction_that_waits_too_long_leaves_no_lock", a_transaction_that_waits_too_long_leaves_no_lock),
        on_neo4j("a_statement_that_waits_too_long_leaves_no_lock", a_statement_that_waits_too_long_leaves_no_lock),
        on_neo4j("a_forgotten_transaction_leaves_no_lock", a_forgotten_transaction_leaves_no_lock),
        on_neo4j("a_failed_transaction_leaves_no_lock", a_failed_transaction_leaves_no_lock),
        on_neo4j("what_is_slow_ends_on_neo4j", what_is_slow_ends),
        Trial::test("what_is_slow_ends_on_the_embedded_engine", || {
            let folder = tempfile::tempdir().expect("a folder");
            run(async {
                let engine = Engine::Embedded(Embedded::open(folder.path()).await.expect("opens"));
                what_is_slow_ends(engine.clone(), engine).await;
            });
            Ok(())
        }),
        Trial::ignorable_test("a_silent_server_is_no_slow_statement", || match neo4j::private_available() {
            Ok(()) => {
                run(a_silent_server_is_no_slow_statement(Neo4j::start().expect("a server")));
                Ok(Completion::Completed)
            }
            Err(reason) => Ok(Completion::ignored_with(reason)),
        }),
    ];
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

/// A test with two clients of the shared server: one under test, with a single connection so that a lost one is missed, and another.
fn on_neo4j<F: Future<Output = ()>>(name: &str, test: impl Fn(Engine, Engine) -> F + Send + 'static) -> Trial {
    Trial::ignorable_test(name, move || match neo4j::available() {
        Ok(()) => {
            run(async { test(engine(neo4j::shared(), 1), engine(neo4j::shared(), 4)).await });
            Ok(Completion::Completed)
        }
        Err(reason) => Ok(Completion::ignored_with(reason)),
    })
}

fn run(test: impl Future<Output = ()>) {
    tokio::runtime::Runtime::new().expect("a runtime").block_on(test);
}

fn engine(server: &Neo4j, connections: usize) -> Engine {
    let (url, user, password) = (server.bolt_url().to_owned(), server.user().to_owned(), server.password().to_owned());
    Engine::Bolt(Bolt::open(BoltAddress { url, user, password, database: None, connections }).expect("opens"))
}

/// Two nodes of a test's own.
struct Pair {
    other: Engine,
    ids: [String; 2],
}

impl Pair {
    async fn make(other: Engine, test: &str) -> Self {
        cypher::migrate(&other).await.expect("migrates");
        let pair = Self { other, ids: ["a", "b"].map(|id| format!("giving-up-{test}-{id}")) };
        pair.forget().await;
        pair.other.write_within(MAKE, pair.both(), LONG).await.expect("made");
        // Plans it, so that no limit has to be long enough for that.
        pair.other.write_within(NAME, pair.naming("made"), LONG).await.expect("named");
        pair
    }

    fn both(&self) -> Params {
        Params::none().with("ids", self.ids.to_vec())
    }

    fn naming(&self, name: &str) -> Params {
        self.both().with("name", name)
    }

    fn first(&self, name: &str) -> Params {
        Params::none().with("ids", vec![self.ids[0].clone()]).with("name", name)
    }

    fn second(&self, name: &str) -> Params {
        Params::none().with("ids", vec![self.ids[1].clone()]).with("name", name)
    }

    /// Somebody else's transaction, which has the second node.
    async fn has_second(&self) -> Transaction {
        let mut holder = self.other.begin_within(LONG).await.expect("begins");
        holder.put(NAME, self.second("held")).await.expect("takes the lock");
        holder
    }

    async fn first_is_free(&self) {
        let started = Instant::now();
        self.other.write_within(NAME, self.first("free"), LONG).await.expect("written");
        assert!(started.elapsed() < AT_ONCE, "the lock was there for {:?}", started.elapsed());
    }

    async fn names(&self) -> Vec<String> {
        let rows = self.other.read(NAMES, self.both(), LONG).await.expect("reads");
        rows.iter().map(|row| row.get("name").as_text().expect("a name").to_owned()).collect()
    }

    async fn forget(&self) {
        self.other.write_within(FORGET, self.both(), LONG).await.expect("forgotten");
    }
}

fn assert_too_long<T: std::fmt::Debug>(outcome: &Result<T, Error>) {
    assert!(matches!(outcome, Err(error @ Error::TimeLimit { .. }) if error.is_of_a_row() && !error.is_conflict()), "{outcome:?}");
}

/// Stamps of an engine that keep what is in doubt marked for a second.
fn stamped(engine: Engine) -> (Engine, Arc<Stamps>) {
    let stamps = Arc::new(Stamps::new(Duration::from_secs(1)));
    (engine.stamped(Arc::clone(&stamps)), stamps)
}

/// Whether devices are marked: whether a write to them may be under way.
fn are_marked(stamps: &Stamps) -> bool {
    let areas = stamps.areas_of(NAMES.text).expect("it names a label");
    !stamps.are_unchanged(&areas, None, stamps.now())
}

async fn a_transaction_that_waits_too_long_leaves_no_lock(ours: Engine, other: Engine) {
    let (ours, stamps) = stamped(ours);
    let pair = Pair::make(other, "waits").await;
    let holder = pair.has_second().await;
    for _ in 0..2 {
        let started = Instant::now();
        let mut transaction = ours.begin_within(LIMIT).await.expect("begins");
        transaction.run(NAME, pair.first("given up")).await.expect("the first is free");
        assert_too_long(&transaction.run(NAME, pair.second("given up")).await);
        assert!(started.elapsed() < LIMIT + AT_ONCE, "{:?}", started.elapsed());
        // Nobody has rolled it back yet.
        pair.first_is_free().await;
        assert!(matches!(transaction.run(NAME, pair.first("after the end")).await, Err(Error::Rejected { .. })));
        assert!(are_marked(&stamps), "it has not ended here");
        assert!(matches!(transaction.commit().await, Err(Error::Rejected { .. })));
        assert!(!are_marked(&stamps), "it is known that nothing was committed");
    }
    holder.commit().await.expect("commits");
    assert_eq!(pair.names().await, ["free", "held"]);
    pair.forget().await;
}

async fn a_statement_that_waits_too_long_leaves_no_lock(ours: Engine, other: Engine) {
    let (ours, stamps) = stamped(ours);
    let pair = Pair::make(other, "alone").await;
    let holder = pair.has_second().await;
    for _ in 0..2 {
        let started = Instant::now();
        assert_too_long(&ours.write_within(NAME, pair.naming("given up"), LIMIT).await);
        assert!(started.elapsed() < LIMIT + AT_ONCE, "{:?}", started.elapsed());
        pair.first_is_free().await;
    }
    // A caller who stops waiting ends it as well.
    let stopped = tokio::time::timeout(Duration::from_millis(300), ours.write_within(NAME, pair.naming("given up"), LONG)).await;
    assert!(stopped.is_err(), "{stopped:?}");
    assert!(are_marked(&stamps), "nobody was told that it is over");
    pair.first_is_free().await;
    holder.commit().await.expect("commits");
    assert_eq!(pair.names().await, ["free", "held"]);
    pair.forget().await;
    let started = Instant::now();
    while are_marked(&stamps) {
        assert!(started.elapsed() < AT_ONCE, "it stays in doubt");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

async fn a_forgotten_transaction_leaves_no_lock(ours: Engine, other: Engine) {
    let pair = Pair::make(other, "forgotten").await;
    let mut transaction = ours.begin_within(LONG).await.expect("begins");
    transaction.put(NAME, pair.first("forgotten")).await.expect("runs");
    drop(transaction);
    pair.first_is_free().await;

    let holder = pair.has_second().await;
    let mut transaction = ours.begin_within(LONG).await.expect("begins");
    transaction.put(NAME, pair.first("forgotten")).await.expect("runs");
    let stopped = tokio::time::timeout(Duration::from_millis(300), transaction.run(NAME, pair.second("forgotten"))).await;
    assert!(stopped.is_err(), "{stopped:?}");
    pair.first_is_free().await;
    drop(transaction);
    holder.rollback().await;
    ours.write_within(NAME, pair.second("the connection's place is free"), LONG).await.expect("written");
    pair.forget().await;
}

async fn a_failed_transaction_leaves_no_lock(ours: Engine, other: Engine) {
    let pair = Pair::make(other, "failed").await;
    let mut transaction = ours.begin_within(LONG).await.expect("begins");
    transaction.put(NAME, pair.first("failed")).await.expect("runs");
    let broken = transaction.put(MAKE, pair.both()).await;
    assert!(matches!(broken, Err(Error::Constraint { .. })), "{broken:?}");
    pair.first_is_free().await;
    transaction.rollback().await;
    ours.write_within(NAME, pair.first("goes on"), LONG).await.expect("written");
    pair.forget().await;
}

async fn what_is_slow_ends(ours: Engine, other: Engine) {
    let pair = Pair::make(other, "slow").await;
    let short = Duration::from_millis(400);
    assert_too_long(&ours.write_within(ENDLESS, Params::none(), short).await);

    // What is not endless has to end in this time.
    let limit = if matches!(ours, Engine::Bolt(_)) { LIMIT } else { Duration::from_secs(1) };
    let mut transaction = ours.begin_within(limit).await.expect("begins");
    transaction.put(NAME, pair.first("slow")).await.expect("runs");
    let started = Instant::now();
    assert_too_long(&transaction.put(ENDLESS, Params::none()).await);
    assert!(started.elapsed() < limit + AT_ONCE, "{:?}", started.elapsed());
    assert!(matches!(transaction.commit().await, Err(Error::Rejected { .. })));
    assert_eq!(pair.names().await, ["made", "made"]);
    pair.first_is_free().await;
    pair.forget().await;
}

async fn a_silent_server_is_no_slow_statement(server: Neo4j) {
    let pair = Pair::make(engine(&server, 4), "silent").await;
    let ours = engine(&server, 4);
    let mut slow = ours.begin_within(LIMIT).await.expect("begins");
    let mut committing = ours.begin().await.expect("begins");
    committing.put(NAME, pair.first("committed")).await.expect("runs");
    server.pause().expect("pauses");

    let started = Instant::now();
    let silent = slow.run(NAME, pair.second("never")).await;
    assert!(matches!(silent, Err(Error::Unavailable { .. })), "{silent:?}");
    assert!(started.elapsed() < LIMIT + AT_ONCE, "{:?}", started.elapsed());
    let lost = committing.commit().await;
    assert!(matches!(lost, Err(Error::OutcomeUnknown { .. })), "{lost:?}");
    let nobody = Params::none().with("ids", vec!["nobody"]).with("name", "alone");
    let alone = ours.write_within(NAME, nobody, LIMIT).await;
    assert!(matches!(&alone, Err(error) if error.is_outage()), "{alone:?}");
    let read = ours.read(NAMES, pair.both(), LIMIT).await;
    assert!(matches!(read, Err(Error::Unavailable { .. })), "{read:?}");

    server.resume().expect("resumes");
    // The commit was on its way: whether the server read it before it saw that the connection was closed could not be known here, and can't be
    // now. What had not got so far was undone.
    pair.other.write_within(NAME, pair.second("goes on"), LONG).await.expect("written");
    let names = pair.names().await;
    assert!(names == ["committed", "goes on"] || names == ["made", "goes on"], "{names:?}");
}
