//! Neo4j goes away while payments come in, or falls silent: clients are told within ten seconds, nothing that was acknowledged is lost, and
//! the server goes on by itself when its database is back.

use std::time::{Duration, Instant};

use serde_json::json;
use test_support::neo4j::Neo4j;

use crate::support::fixtures::actor;
use crate::support::load::Load;
use crate::support::{self, Engine, Ids, Server, Store, Test, eventually, stored};

/// How long it takes until clients are told, and until the server is back, is measured: nothing else runs meanwhile.
pub fn tests() -> Vec<Test> {
    vec![
        Test::new("silent_and_then_stopped_during_ingest", support::neo4j(), silent_and_then_stopped_during_ingest).alone(),
        Test::new("not_there_when_two_start", support::neo4j(), not_there_when_two_start),
    ]
}

const WRITERS: usize = 8;
/// A client is told that the database does not answer within this.
const TOLD_WITHIN: Duration = Duration::from_secs(10);
/// The server goes on within this once its database is back.
const BACK_WITHIN: Duration = Duration::from_secs(5);
/// A Neo4j that has just started plans the statement of payments for seconds, on a busy machine for longer.
const COLD: Duration = Duration::from_secs(150);
/// What busy machines add to any time: to tell eight writers in a process beside a database that starts takes them a while.
const SLACK: Duration = Duration::from_secs(3);

async fn silent_and_then_stopped_during_ingest(engine: Engine) {
    let store = Store::private(engine);
    go_through(&store, |neo4j| neo4j.pause().expect("it pauses"), |neo4j| neo4j.resume().expect("it resumes")).await;
    go_through(&store, |neo4j| neo4j.stop().expect("it stops"), |neo4j| neo4j.start_again().expect("it starts")).await;
}

async fn go_through(store: &Store, away: fn(&Neo4j), back: fn(&Neo4j)) {
    let Store::Private(neo4j) = store else { panic!("a Neo4j of its own is needed") };
    let neo4j = std::sync::Arc::clone(neo4j);
    let (mut server, ids) = (Server::starting(store.clone()), Ids::new());
    let load = Load::new(&ids);
    let known = actor(&ids.of("known")).to_string();
    eventually("it writes", COLD, async || server.post("/api/actors", known.clone()).await.status == 200).await;
    let running = load.run(WRITERS, || server.client());
    eventually("there is load", COLD, async || load.acknowledged().len() > 100).await;

    away(&neo4j);
    let went = Instant::now();
    everything_says_so(&server, &ids).await;
    // Long enough that requests which began before have run out, too.
    tokio::time::sleep((TOLD_WITHIN + SLACK).saturating_sub(went.elapsed())).await;

    back(&neo4j);
    let came = Instant::now();
    let path = format!("/api/actors/{}", ids.of("known"));
    eventually("it is ready again", BACK_WITHIN + SLACK, async || server.get("/health/ready").await.status == 200).await;
    eventually("it reads again", (BACK_WITHIN + SLACK).saturating_sub(came.elapsed()), async || server.get(&path).await.status == 200).await;
    assert!(came.elapsed() < BACK_WITHIN + SLACK, "{:?}", came.elapsed());
    // A write may have to wait until Neo4j has planned its statements anew.
    let place = json!({"id": ids.of("place"), "type": "ATM", "address": {}}).to_string();
    eventually("it writes again", COLD, async || server.post("/api/channel_locations", place.clone()).await.status == 200).await;
    println!("back after {:?}", came.elapsed());
    eventually("payments are taken again", COLD, async || load.first_acknowledged_after(came).is_some()).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    running.stop().await;

    for (number, told) in load.told().iter() {
        assert!(told.took < TOLD_WITHIN + SLACK, "payment {number}: {told:?}");
        match told.status {
            Some(200) => {}
            Some(503) => assert!(told.retry_after.parse::<u32>().is_ok_and(|seconds| seconds > 0), "payment {number}: {told:?}"),
            _ => panic!("payment {number}: {told:?}"),
        }
    }
    assert!(load.told().values().any(|told| told.status == Some(503)), "nobody was told");
    stored::check(&mut server, &load).await;
}

/// Without its database the server lives, is not ready, and says so to who reads, who walks the graph and who writes.
async fn everything_says_so(server: &Server, ids: &Ids) {
    server.get("/health/live").await.expect(200);
    eventually("it is not ready", TOLD_WITHIN + SLACK, async || server.get("/health/ready").await.status == 503).await;
    let path = format!("/api/actors/{}", ids.of("known"));
    let writing = actor(&ids.of("other")).to_string();
    let started = Instant::now();
    let (read, written, walked) =
        tokio::join!(server.get(&path), server.post("/api/actors", writing), server.post("/graphql", r#"{"query":"{ actors { totalCount } }"}"#));
    assert!(started.elapsed() < TOLD_WITHIN + SLACK, "{:?}", started.elapsed());
    for answer in [read, written, walked] {
        let answer = answer.expect(503);
        assert!(answer.header("retry-after").parse::<u32>().is_ok(), "{answer:?}");
    }
}

/// Two servers wait for their database, and then bring it up to date together; neither is in the other's way.
async fn not_there_when_two_start(engine: Engine) {
    let store = Store::cold(engine);
    let Store::Private(neo4j) = &store else { panic!("a Neo4j of its own is needed") };
    neo4j.stop().expect("it stops");
    let starting = [0, 1].map(|_| store.clone()).map(|store| tokio::task::spawn_blocking(move || Server::starting(store)));
    tokio::time::sleep(Duration::from_secs(1)).await;
    neo4j.start_again().expect("it starts");
    for server in futures::future::join_all(starting).await {
        let server = server.expect("the server waits for its database");
        eventually("it writes", COLD, async || server.post("/api/actors", actor("a").to_string()).await.status == 200).await;
    }
}
