//! A write that is too much for one transaction is refused or takes its time alone: those who came with it are answered as ever.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::fixtures::{actor, with};
use crate::support::{Engine, Ids, Server, Store, tests};

tests![both: a_slow_one_and_a_huge_one_hold_nobody_up; neo4j: one_that_waits_for_a_lock_holds_nobody_up];

const GOOD: usize = 100;
/// A request has nine seconds; those beside a slow one must not come near them.
const SOON: Duration = Duration::from_secs(7);

/// The Neo4j of all tests, by somebody else than the service.
fn database() -> cypher::Engine {
    let server = test_support::neo4j::shared();
    let (url, user, password) = (server.bolt_url().to_owned(), server.user().to_owned(), server.password().to_owned());
    cypher::Engine::Bolt(cypher::Bolt::open(cypher::BoltAddress { url, user, password, database: None, connections: 1 }).expect("an address"))
}

/// Sends good actors, all at once; answers with how long the slowest took. All must be taken.
async fn good_ones(server: &Server, ids: &Ids, round: &str) -> Duration {
    let sent = (0..GOOD).map(|number| {
        let api = server.client();
        let record = actor(&ids.of(&format!("good-{round}-{number}"))).to_string();
        tokio::spawn(async move {
            let began = Instant::now();
            let status = api.post("/api/actors", record).await.status;
            (status, began.elapsed())
        })
    });
    let mut slowest = Duration::ZERO;
    for answer in futures::future::join_all(sent).await {
        let (status, took) = answer.expect("no panic");
        assert_eq!(status, 200, "a good one is taken");
        slowest = slowest.max(took);
    }
    slowest
}

/// Whose list of associates takes a database longer than a transaction may, and who has thirty megabytes of data of his own.
async fn a_slow_one_and_a_huge_one_hold_nobody_up(engine: Engine) {
    let (mut server, ids) = (Server::on(Store::private(engine)), Ids::new());
    let associates: Vec<Value> = (0..200_000).map(|number| json!({"id": format!("{}-{number}", ids.of("associate")), "type": "X"})).collect();
    let (many, how_many) = (json!({"actorAssociates": associates}).to_string(), associates.len());
    let huge = with(actor(&ids.of("huge")), json!({"customData": {"text": "x".repeat(30 << 20)}})).to_string();
    let bad = [(format!("/api/actors/{}/associates", ids.of("slow")), many), ("/api/actors".to_owned(), huge)].map(|(path, body)| {
        let api = server.client();
        tokio::spawn(async move { api.post(&path, body).await.status })
    });
    // They are read and checked for a while before they wait with others.
    let mut slowest = Duration::ZERO;
    for round in 0..6 {
        slowest = slowest.max(good_ones(&server, &ids, &round.to_string()).await);
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
    assert!(slowest < SOON, "a good one took {slowest:?}");
    let mut taken = Vec::new();
    for status in bad {
        let status = status.await.expect("no panic");
        assert!([200, 503].contains(&status), "{status}");
        taken.push(status == 200);
    }
    // All of it or nothing.
    let stored = server.cypher(&format!("MATCH (a:Actor)-[:ASSOCIATED_WITH]->(:Actor {{id: '{}'}}) RETURN count(a) AS n", ids.of("slow")));
    assert_eq!(stored[0]["n"], json!(if taken[0] { how_many } else { 0 }));
    let stored = server.cypher(&format!("MATCH (a:Actor {{id: '{}'}}) WHERE NOT a:Placeholder RETURN count(a) AS n", ids.of("huge")));
    assert_eq!(stored[0]["n"], json!(i64::from(taken[1])));
}

/// Somebody else holds an actor's lock: only who wants that actor waits.
async fn one_that_waits_for_a_lock_holds_nobody_up(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (database, id) = (database(), ids.of("held"));
    server.post("/api/actors", actor(&id).to_string()).await.expect(200);
    let lock = cypher::Statement::new("test/lock", "MATCH (n:Actor {id: $id}) SET n.held = true");
    let mut transaction = database.begin_within(Duration::from_secs(60)).await.expect("begins");
    transaction.run(lock, cypher::Params::none().with("id", id.as_str())).await.expect("locks");
    let waiting = {
        let (api, record) = (server.client(), with(actor(&id), json!({"name": "changed"})).to_string());
        tokio::spawn(async move { api.post("/api/actors", record).await.status })
    };
    // Few as well as many: a lone one has no company to wait for.
    let lone = Instant::now();
    server.post("/api/actors", actor(&ids.of("lone")).to_string()).await.expect(200);
    let slowest = lone.elapsed().max(good_ones(&server, &ids, "locked").await);
    assert!(slowest < SOON, "a good one took {slowest:?}");
    assert_eq!(waiting.await.expect("no panic"), 503);
    transaction.rollback().await;
    server.post("/api/actors", with(actor(&id), json!({"name": "changed"})).to_string()).await.expect(200);
}
