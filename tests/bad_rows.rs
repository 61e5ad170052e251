//! A write that is too much for one transaction, or takes longer than it may, is refused alone: those who came with it are taken meanwhile.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::support::fixtures::{actor, with};
use crate::support::{self, Api, Engine, Ids, Server, Store, Test, stored};

/// How long good ones wait is measured: nothing else runs meanwhile.
pub fn tests() -> Vec<Test> {
    vec![Test::new("a_bad_one_holds_nobody_up", support::both(), a_bad_one_holds_nobody_up).alone()]
}

const GOOD: usize = 100;
/// The transaction that a bad one shares with others is given up after half a second where it usually takes none; then one of its parts, and then the bad one, which others of
/// that part stand behind, after a second each.
const MOMENT: Duration = Duration::from_secs(4);
/// A busy machine may have to be asked again.
const TRIES: usize = 30;

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
    taken_at(api, "/api/actors", record).await;
}

async fn taken_at(api: &Api, path: &str, record: String) {
    answered(api, path, record, 200).await;
}

/// Sends a record until it is answered as it should be, or in another way than that the server was too busy.
async fn answered(api: &Api, path: &str, record: String, expected: u16) {
    for _ in 0..TRIES {
        let answer = api.post(path, record.clone()).await;
        if answer.status != 503 {
            answer.expect(expected);
            return;
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    panic!("the server was too busy {TRIES} times: {path}");
}

/// What a round of good ones was like.
struct Round<T> {
    /// How long the slowest of them took.
    slowest: Duration,
    /// What came in their midst, and may not have ended yet.
    other: JoinHandle<T>,
}

/// Sends good actors, all at once, and something else in their midst; each good one must be taken at the first attempt.
async fn good_ones_around<T: Send + 'static>(server: &Server, ids: &Ids, round: usize, other: impl Future<Output = T> + Send + 'static) -> Round<T> {
    let api = server.client();
    let send = |number: usize| {
        let (api, record) = (api.clone(), actor(&ids.of(&format!("good-{round}-{number}"))).to_string());
        tokio::spawn(async move {
            let began = Instant::now();
            api.post("/api/actors", record).await.expect(200);
            began.elapsed()
        })
    };
    let before: Vec<_> = (0..GOOD / 2).map(send).collect();
    let other = tokio::spawn(other);
    let behind: Vec<_> = (GOOD / 2..GOOD).map(send).collect();
    let sent = futures::future::join_all(before.into_iter().chain(behind)).await;
    Round { slowest: sent.into_iter().map(|took| took.expect("it is taken")).max().expect("there are some"), other }
}

/// How long the slowest of good ones take where nothing is wrong, at its worst of some rounds. Before that the service learns what is usual.
async fn usual(server: &Server, ids: &Ids) -> Duration {
    let mut took = Vec::new();
    for round in 0..40 {
        took.push(good_ones_around(server, ids, 1_000 + round, async {}).await.slowest);
    }
    took.into_iter().rev().take(3).max().expect("there are some")
}

/// Some times as long as usual is normal on a busy machine, and so is a moment more; to wait for what nobody waits for is not. A machine may become busy
/// meanwhile: where it took longer, what is usual is measured anew.
async fn is_normal(server: &Server, ids: &Ids, what: &str, took: Duration, before: Duration) {
    let is_long = |usual: Duration| took >= usual * 4 + MOMENT;
    let usual = if is_long(before) { before.max(usual(server, ids).await) } else { before };
    println!("{what}: the slowest good one took {took:?}, without it {usual:?}");
    assert!(!is_long(usual), "{what}: the slowest good one took {took:?}, without it {usual:?}");
}

fn associates(ids: &Ids, count: usize) -> String {
    let associates: Vec<Value> = (0..count).map(|number| json!({"id": ids.of(&format!("associate-{number}")), "type": "X"})).collect();
    json!({"actorAssociates": associates}).to_string()
}

async fn a_bad_one_holds_nobody_up(engine: Engine) {
    let mut server = Server::on(Store::cold(engine));
    large_ones_and_a_huge_one(&mut server).await;
    one_that_breaks_a_constraint(&mut server).await;
    // Nobody else can lock anything in the embedded store.
    if let Some(database) = server.store.neo4j().map(stored::of_neo4j) {
        one_that_waits_for_a_lock(&server, database).await;
    }
}

/// Thirty megabytes of data, and fifty thousand associates, are refused before they wait with others; three megabytes, and five thousand, are
/// taken. A hundred good ones come with each of them, and again and again after them.
async fn large_ones_and_a_huge_one(server: &mut Server) {
    let ids = Ids::new();
    let linking = |id: &str| format!("/api/actors/{}/associates", ids.of(id));
    // A cold Neo4j plans the statements for seconds.
    good_ones(server, &ids).await;
    taken_at(server, &linking("first"), associates(&ids, 1)).await;
    let usual = usual(server, &ids).await;
    let with_data = |id: &str, bytes: usize| with(actor(&ids.of(id)), json!({"customData": {"text": "x".repeat(bytes)}})).to_string();
    let sent = [
        ("/api/actors".to_owned(), with_data("huge", 30 << 20), 413),
        (linking("popular"), associates(&ids, 50_000), 413),
        ("/api/actors".to_owned(), with_data("large", 3 << 20), 200),
        (linking("known"), associates(&ids, 5_000), 200),
    ];
    let sent = sent.map(|(path, body, status)| {
        let api = server.client();
        tokio::spawn(async move { answered(&api, &path, body, status).await })
    });
    // They are read and checked for a while before they wait with others.
    let mut slowest = Duration::ZERO;
    for round in 0..6 {
        slowest = slowest.max(good_ones_around(server, &ids, round, async {}).await.slowest);
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
    is_normal(server, &ids, "large ones", slowest, usual).await;
    for sent in sent {
        sent.await.expect("it is answered as it should be");
    }
    // All of it or nothing.
    for (id, associates) in [("popular", 0), ("known", 5_000)] {
        let stored = server.cypher(&format!("MATCH (a:Actor)-[:ASSOCIATED_WITH]->(:Actor {{id: '{}'}}) RETURN count(a) AS n", ids.of(id)));
        assert_eq!(stored[0]["n"], json!(associates), "{id}");
    }
    for (id, is_there) in [("huge", 0), ("large", 1)] {
        let stored = server.cypher(&format!("MATCH (a:Actor {{id: '{}'}}) WHERE NOT a:Placeholder RETURN count(a) AS n", ids.of(id)));
        assert_eq!(stored[0]["n"], json!(is_there), "{id}");
    }
}

/// A rule of the store that no other record breaks: no two have the same last name.
const NO_TWINS: &str = "CREATE CONSTRAINT no_twins FOR (n:Actor) REQUIRE n.lastName IS UNIQUE";

/// The store refuses one of those that come together; the others are taken.
async fn one_that_breaks_a_constraint(server: &mut Server) {
    let ids = Ids::new();
    let twin = |id: &str| with(actor(&ids.of(id)), json!({"lastName": "Twin"})).to_string();
    taken_at(server, "/api/actors", twin("first")).await;
    stored::write(server, NO_TWINS, cypher::Params::none()).await;
    good_ones(server, &ids).await;
    let (usual, api, record) = (usual(server, &ids).await, server.client(), twin("second"));
    let round = good_ones_around(server, &ids, 0, async move { api.post("/api/actors", record).await.status }).await;
    is_normal(server, &ids, "one that breaks a constraint", round.slowest, usual).await;
    assert_eq!(round.other.await.expect("no panic"), 500, "no documented rule keeps it out");
    let stored = server.cypher("MATCH (n:Actor) WHERE n.lastName = 'Twin' RETURN n.id AS id");
    assert_eq!(stored, [json!({"id": ids.of("first")})]);
}

/// Somebody else holds an actor's lock: only who wants that actor waits.
async fn one_that_waits_for_a_lock(server: &Server, database: cypher::Engine) {
    let ids = Ids::new();
    let id = ids.of("held");
    taken(server, actor(&id).to_string()).await;
    let usual = usual(server, &ids).await;
    let lock = cypher::Statement::new("test/lock", "MATCH (n:Actor {id: $id}) SET n.held = true");
    let mut transaction = database.begin_within(Duration::from_secs(60)).await.expect("begins");
    transaction.run(lock, cypher::Params::none().with("id", id.as_str())).await.expect("locks");
    let (api, record) = (server.client(), with(actor(&id), json!({"name": "changed"})).to_string());
    // Those that came with it, and those that come while it waits, a lone one as well as many. It is asked for once.
    let held = async move { api.try_send(api.posting("/api/actors", record)).await.expect("an answer").status };
    let round = good_ones_around(server, &ids, 0, held).await;
    server.post("/api/actors", actor(&ids.of("lone")).to_string()).await.expect(200);
    assert!(!round.other.is_finished(), "the others are answered before it");
    is_normal(server, &ids, "one that waits for a lock", round.slowest, usual).await;
    assert_eq!(round.other.await.expect("no panic"), 503);
    transaction.rollback().await;
    server.post("/api/actors", with(actor(&id), json!({"name": "changed"})).to_string()).await.expect(200);
}
