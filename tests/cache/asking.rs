//! Who asks: past the cache, without it, and without the right to what is in it; and whose write is not done.

use std::time::Duration;

use cypher::Params;
use serde_json::{Value, json};

use super::measures::{BYTES, SETTINGS, comes_to_be_cached, hits, past_it};
use crate::support::fixtures::{actor, case_id, with};
use crate::support::{Engine, Ids, Server, Store, eventually, stored, tests};

tests![both: what_is_cached_is_not_for_everybody, who_does_not_want_it_is_answered_by_the_store,
    a_write_that_is_not_done_leaves_nothing_marked, what_reads_leave_in_the_audit_log_is_shown; embedded: nothing_is_cached_where_it_is_off];

const NAME: &str = "query($id: ID!) { actor(id: $id) { name accounts(first: 5) { totalCount } } }";

/// Rights are decided before the cache: what an administrator has just read is refused to an analyst, and his answer is not an administrator's.
async fn what_is_cached_is_not_for_everybody(engine: Engine) {
    let (server, ids) = (Server::with(Store::of(engine), &SETTINGS), Ids::new());
    let made = server.post("/admin/keys", r#"{"role":"ANALYST"}"#).await.expect(201).json();
    let analyst = server.client().with_key(made["key"].as_str().expect("a key"));
    let body = json!({"name": ids.of("hook"), "url": "https://desk.example.com/hooks", "events": ["case.creation_failed"]});
    let webhook = server.post("/api/webhooks", body.to_string()).await.expect(201).json()["id"].as_str().expect("an id").to_owned();
    let query = "query($id: ID!) { webhook(id: $id) { name } }";
    for _ in 0..2 {
        for _ in 0..2 {
            let shown = server.graphql(query, json!({"id": webhook})).await;
            assert_eq!(shown["webhook"], json!({"name": ids.of("hook")}));
        }
        let refused = analyst.graphql_in_time(query, json!({"id": webhook})).await;
        assert_eq!((&refused["errors"][0]["extensions"]["code"], &refused["data"]["webhook"]), (&json!("FORBIDDEN"), &json!(null)), "{refused}");
    }
    server.delete(&format!("/api/webhooks/{webhook}")).await.expect(200);
}

async fn who_does_not_want_it_is_answered_by_the_store(engine: Engine) {
    let (mut server, ids) = (Server::with(Store::of(engine), &SETTINGS), Ids::new());
    let id = ids.of("person");
    server.post("/api/actors", with(actor(&id), json!({"name": "Ada"})).to_string()).await.expect(200);
    let asked = json!({"id": id});
    let wanted = |name: &str| json!({"actor": {"name": name, "accounts": {"totalCount": 0}}});
    let ask = async || assert_eq!(server.graphql(NAME, asked.clone()).await, wanted("Ada"));
    assert!(comes_to_be_cached(&server, ask).await, "what was asked before is found in the cache");
    let found = hits(&server).await;
    assert_eq!(past_it(&server).graphql(NAME, asked.clone()).await, wanted("Ada"));
    assert!((hits(&server).await - found).abs() < f64::EPSILON, "it was not looked for there");
    // Of what goes around the service nobody tells it. On the embedded engine nothing can.
    if engine == Engine::Neo4j {
        stored::write(&mut server, "MATCH (a:Actor {id: $id}) SET a.name = 'Bea'", Params::none().with("id", &id)).await;
        assert_eq!(past_it(&server).graphql(NAME, asked).await, wanted("Bea"));
    }
}

async fn nothing_is_cached_where_it_is_off(engine: Engine) {
    let (server, ids) = (Server::with(Store::of(engine), &[(BYTES, "0")]), Ids::new());
    let id = ids.of("person");
    server.post("/api/actors", with(actor(&id), json!({"name": "Ada"})).to_string()).await.expect(200);
    for _ in 0..3 {
        assert_eq!(server.graphql(NAME, json!({"id": id})).await["actor"]["name"], "Ada");
    }
    assert!(hits(&server).await.abs() < f64::EPSILON, "nothing is found in a cache that is off");
}

/// Reads mark nothing: so nothing that shows them is kept.
async fn what_reads_leave_in_the_audit_log_is_shown(engine: Engine) {
    const ENTRIES: &str = "query($id: ID!) { auditEntries(first: 5, filter: {objectIds: [$id], logTypes: [READ]}) { totalCount } }";
    // What is kept is kept for a minute.
    const SOON: Duration = Duration::from_secs(30);
    let (server, ids) = (Server::with(Store::of(engine), &SETTINGS), Ids::new());
    let id = ids.of("person");
    server.post("/api/actors", actor(&id).to_string()).await.expect(200);
    let shown = async || server.graphql(ENTRIES, json!({"id": id})).await["auditEntries"]["totalCount"].as_u64();
    for reads in 1..=3 {
        for _ in 0..2 {
            assert_eq!(shown().await, Some(reads - 1));
        }
        server.get(&format!("/api/actors/{id}")).await.expect(200);
        eventually("its entry shows", SOON, async || shown().await == Some(reads)).await;
    }
}

/// What a write has marked is cached again when it was refused, when it was done, and when its sender has gone away meanwhile.
async fn a_write_that_is_not_done_leaves_nothing_marked(engine: Engine) {
    const COMMENTS: &str = "query($id: ID!) { case(id: $id) { version comments(first: 50) { totalCount edges { node { text } } } } }";
    const COMMENT: &str = "mutation($input: CommentOnCaseInput!) { commentOnCase(input: $input) { userErrors { code } } }";
    const GONE: u64 = 20;
    let (server, case) = (Server::with(Store::of(engine), &SETTINGS), case_id());
    server.post("/api/cases", json!({"id": case}).to_string()).await.expect(200);
    let shown = async || server.graphql(COMMENTS, json!({"id": case})).await["case"].take();
    let is_cached = async || comes_to_be_cached(&server, async || drop(shown().await)).await;
    for (version, code, comments) in [(json!(99), json!("STALE"), 0), (Value::Null, Value::Null, 1)] {
        let input = json!({"caseId": case, "text": "A word.", "expectedVersion": version});
        let answer = server.graphql(COMMENT, json!({"input": input})).await;
        assert_eq!(answer["commentOnCase"]["userErrors"][0]["code"], code, "{answer}");
        assert!(is_cached().await, "after the version {version} was named");
        assert_eq!(shown().await["comments"]["totalCount"], comments);
    }
    for number in 0..GONE {
        let body = json!({"query": COMMENT, "variables": {"input": {"caseId": case, "text": format!("Word {number}.")}}});
        let patience = Duration::from_millis(1 + number % 5);
        // Whether it is told anything or not.
        let _ = server.try_send(server.posting("/graphql", body.to_string()).timeout(patience)).await;
        shown().await;
    }
    // What is still under way comes to its end.
    tokio::time::sleep(Duration::from_secs(1)).await;
    let cached = shown().await;
    let stored = past_it(&server).graphql(COMMENTS, json!({"id": case})).await["case"].take();
    assert_eq!(cached, stored);
    assert!(is_cached().await, "after {GONE} have gone away");
}
