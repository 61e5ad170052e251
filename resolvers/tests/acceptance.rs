//! Bulk requests that several instances take: whatever their clocks say, the one that was sent last is the last word. On both engines.
//!
//! Where no Neo4j can be had, its test is reported as ignored, with the reason; with `CI=true` that is a failure.

// The type of a worker's future holds those of everything it waits for: deeper than the compiler's default follows.
#![recursion_limit = "256"]

use std::sync::Arc;
use std::time::{Duration, Instant};

use cypher::{Bolt, BoltAddress, Embedded, Engine, Params, Statement};
use graph_schema::date::Timestamp;
use libtest_mimic::{Arguments, Completion, Trial};
use resolvers::policy::{Caller, CredentialType, Identified, Role};
use resolvers::{Clock, Resolvers, Settings, SystemClock};
use serde_json::json;

const SOON: Duration = Duration::from_secs(240);
/// So many records of each way.
const PAIRS: usize = 10;

/// The machine's clock, so many milliseconds ahead.
struct Ahead(i64);

impl Clock for Ahead {
    fn now(&self) -> Timestamp {
        Timestamp(SystemClock.now().millis() + self.0)
    }
}

fn instance(engine: &Engine, ahead: i64) -> Resolvers {
    Resolvers::with_clock(engine.clone(), Settings::default(), Arc::new(Ahead(ahead)))
}

/// An instance takes a request with one actor.
async fn take(instance: &Resolvers, id: &str, name: &str) {
    let body = json!({"actors": [{"id": id, "type": "INDIVIDUAL", "as_of_date": "2024-01-01", "name": name}]}).to_string();
    let lists = graph_schema::bulk::read(
        body.as_bytes(),
        graph_schema::days::Days::at(graph_schema::date::Timestamp::parse("2024-01-31T12:00:00Z").expect("a time")),
    )
    .expect("right");
    let (id_of_sender, means) = ("sender".to_owned(), CredentialType::System);
    let roles = Role::Ingest.into();
    let sender = Identified { id: id_of_sender.clone(), name: id_of_sender, roles, means, expires_at: None, follows_groups: false, user: None };
    let caller = Caller::new(sender, None, Arc::from(format!("{id} {name}")));
    instance.bulk_ingest(&caller, lists, &body, None).await.expect("taken");
}

async fn name_of(engine: &Engine, id: &str) -> Option<String> {
    let statement = Statement::new("test/name", "MATCH (n:Actor {id: $id}) RETURN n.name AS name");
    let rows = engine.read(statement, Params::none().with("id", id), SOON).await.expect("it runs");
    rows.first().and_then(|row| row.get("name").as_text().map(str::to_owned))
}

async fn what_was_sent_last_is_the_last_word(engine: Engine) {
    cypher::migrate(&engine).await.expect("migrates");
    let (fast, right, slow) = (instance(&engine, 300), instance(&engine, 0), instance(&engine, -60_000));
    let own = SystemClock.id();
    let id = |way: &str, number: usize| format!("{own}-{way}-{number}");
    let ways = [("fast first", &fast, &right), ("slow last", &right, &slow), ("fast last", &slow, &fast), ("one", &right, &right)];
    // Nobody looks at them yet.
    for number in 0..PAIRS {
        for (way, first, second) in ways {
            take(first, &id(way, number), "old").await;
            take(second, &id(way, number), "new").await;
        }
    }
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let worker = tokio::spawn(right.worker().run(async {
        let _ = stopped.await;
    }));
    let parts = Statement::new("test/parts", "MATCH (p:BulkPart) RETURN count(p) AS parts");
    let began = Instant::now();
    while engine.read(parts, Params::none(), SOON).await.expect("it runs")[0].get("parts").as_int() != Some(0) {
        assert!(began.elapsed() < SOON, "all of it is done");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    drop(stop);
    worker.await.expect("it ends well");
    for number in 0..PAIRS {
        for (way, ..) in ways {
            assert_eq!(name_of(&engine, &id(way, number)).await.as_deref(), Some("new"), "{way} {number}");
        }
    }
}

async fn embedded() {
    let folder = tempfile::tempdir().expect("a folder");
    what_was_sent_last_is_the_last_word(Engine::Embedded(Embedded::open(folder.path()).await.expect("opens"))).await;
}

async fn neo4j() {
    let server = test_support::neo4j::shared();
    let (url, user, password) = (server.bolt_url().to_owned(), server.user().to_owned(), server.password().to_owned());
    let address = BoltAddress { url, user, password, database: None, connections: 8 };
    what_was_sent_last_is_the_last_word(Engine::Bolt(Bolt::open(address).expect("opens"))).await;
}

fn run(test: impl Future<Output = ()>) {
    tokio::runtime::Runtime::new().expect("a runtime").block_on(test);
}

fn main() {
    let trials = vec![
        Trial::test("what_was_sent_last_is_the_last_word [embedded]", || {
            run(embedded());
            Ok(())
        }),
        Trial::ignorable_test("what_was_sent_last_is_the_last_word [neo4j]", || match test_support::neo4j::available() {
            Ok(()) => {
                run(neo4j());
                Ok(Completion::Completed)
            }
            Err(reason) => Ok(Completion::ignored_with(reason)),
        }),
    ];
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}
