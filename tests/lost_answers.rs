//! The database commits, and its answer is lost on the way: the service finds out that the write was made, tells so, and makes it once.

use serde_json::{Value, json};
use test_support::neo4j;

use crate::support::fixtures::{Payment, actor, case_id, with};
use crate::support::lossy::{Loss, Lossy, Message};
use crate::support::{Engine, Ids, Server, Store, eventually, tests};

tests![neo4j: what_was_committed_is_told_although_the_answer_was_lost];

/// What the service logs when it has found out.
const FOUND_OUT: &str = "had been committed although the database said otherwise";

async fn what_was_committed_is_told_although_the_answer_was_lost(engine: Engine) {
    let (lossy, ids) = (Lossy::to(neo4j::shared().bolt_url()).await, Ids::new());
    let url = lossy.url();
    let mut server = Server::with(Store::of(engine), &[("AMLGRAPH_DATABASE__URL", &url)]);
    let (actor_id, case) = (ids.of("actor"), case_id());
    let payment = Payment::new(ids.of("payment"), ids.of("payer"), ids.of("payee"));
    let silent = Payment { id: ids.of("silent"), ..payment.clone() };
    let writes = [
        // A statement that is a transaction of its own, by way of the fast path.
        ("Transaction", payment.id.as_str(), "/api/v2/transactions", payment.text(), Message::Pull, Loss::Cut),
        ("Actor", &actor_id, "/api/actors", actor(&actor_id).to_string(), Message::Pull, Loss::Cut),
        // One of a transaction of several.
        ("Case", &case, "/api/cases", json!({"id": case}).to_string(), Message::Commit, Loss::Cut),
        // One that is cut off when its time is over.
        ("Transaction", &silent.id, "/api/v2/transactions", silent.text(), Message::Pull, Loss::Silence),
    ];
    for (label, id, path, body, message, loss) in writes {
        let found_out = || server.logged().matches(FOUND_OUT).count();
        let before = found_out();
        lossy.lose(id, message, loss);
        server.post(path, body.clone()).await.expect(200);
        assert!(lossy.has_lost(), "{label}: no answer was lost");
        eventually("it says so", std::time::Duration::from_secs(60), async || found_out() > before).await;
        let stored = |what: &str| format!("MATCH (n:{what}) RETURN count(n) AS n");
        for node in [format!("{label} {{id: '{id}'}}"), format!("AuditEntry {{objectId: '{id}', actionResult: 'SUCCESS'}}")] {
            assert_eq!(server.cypher(&stored(&node)), [json!({"n": 1})], "{node}");
        }
        // Whoever had not heard of it and sends it again is told the same.
        server.post(path, body).await.expect(200);
        assert_eq!(server.cypher(&stored(&format!("{label} {{id: '{id}'}}"))), [json!({"n": 1})], "{label}");
    }
    // A change of what is there.
    let renamed: Value = with(actor(&actor_id), json!({"name": "renamed", "asOfDate": "2025-01-01"}));
    lossy.lose("renamed", Message::Pull, Loss::Cut);
    server.post("/api/actors", renamed.to_string()).await.expect(200);
    assert!(lossy.has_lost());
    assert_eq!(server.get(&format!("/api/actors/{actor_id}")).await.json()["name"], "renamed");
}
