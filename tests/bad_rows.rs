//! A write that takes longer than it may is refused alone: those who came with it are taken meanwhile.

use std::time::Duration;

use serde_json::json;

use crate::support::fixtures::{actor, with};
use crate::support::{Api, Engine, Ids, Server, tests};

tests![neo4j: one_that_waits_for_a_lock_holds_nobody_up];

const GOOD: usize = 100;
/// A busy machine may have to be asked again.
const TRIES: usize = 30;

/// The Neo4j of all tests, by somebody else than the service.
fn database() -> cypher::Engine {
    let server = test_support::neo4j::shared();
    let (url, user, password) = (server.bolt_url().to_owned(), server.user().to_owned(), server.password().to_owned());
    cypher::Engine::Bolt(cypher::Bolt::open(cypher::BoltAddress { url, user, password, database: None, connections: 1 }).expect("an address"))
}

/// Sends good actors, all at once, each until it is taken.
async fn good_ones(server: &Server, ids: &Ids) {
    let sent = (0..GOOD).map(|number| {
        let (api, record) = (server.client(), actor(&ids.of(&format!("good-{number}"))).to_string());
        tokio::spawn(async move { taken(&api, record).await })
    });
    for taken in futures::future::join_all(sent).await {
        taken.expect("it is taken");
    }
}

async fn taken(api: &Api, record: String) {
    for _ in 0..TRIES {
        match api.post("/api/actors", record.clone()).await.status {
            200 => return,
            status => assert_eq!(status, 503),
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    panic!("never taken: {record}");
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
    // While the lock is held: few as well as many, as a lone one has no company to wait for.
    taken(&server, actor(&ids.of("lone")).to_string()).await;
    good_ones(&server, &ids).await;
    assert_eq!(waiting.await.expect("no panic"), 503);
    transaction.rollback().await;
    server.post("/api/actors", with(actor(&id), json!({"name": "changed"})).to_string()).await.expect(200);
}
