//! What waits in bulk is not written in the name of a key that was revoked meanwhile.

use serde_json::json;

use crate::support::bulk::{SOON, eventually_is, taken};
use crate::support::fixtures::{actor, case_id};
use crate::support::{Engine, Ids, Server, Store, eventually, tests};

tests![both: what_waits_is_held_when_its_senders_key_is_revoked, what_is_held_holds_up_nobody_else; embedded: what_is_held_for_too_long_goes_to_the_dead_letters];

async fn what_waits_is_held_when_its_senders_key_is_revoked(engine: Engine) {
    let (server, ids) = (Server::start(engine), Ids::new());
    let made = server.post("/admin/keys", r#"{"role":"INGEST"}"#).await.expect(201).json();
    let (stolen, kept) = (case_id(), case_id());
    let case = |id: &str| json!({"cases": [{"id": id, "actors": [{"id": ids.of("late"), "type": "FOCAL"}]}]});
    taken(&server.with_key(made["key"].as_str().expect("a key")), &ids.of("stolen"), &case(&stolen)).await;
    taken(&server, &ids.of("kept"), &case(&kept)).await;
    for case in [&stolen, &kept] {
        eventually_is(&server, case, "DEFERRED").await;
    }
    server.delete(&format!("/admin/keys/{}", made["id"].as_str().expect("an id"))).await.expect(204);
    server.post("/api/actors", actor(&ids.of("late")).to_string()).await.expect(200);
    eventually_is(&server, &kept, "COMPLETED").await;
    let status = async || server.get(&format!("/api/bulk/cases/{stolen}/status")).await.expect(200).json();
    eventually("it was looked at again", SOON, async || status().await["attempts"].as_i64() > Some(1)).await;
    assert_eq!(status().await["status"], "DEFERRED");
    server.get(&format!("/api/cases/{stolen}")).await.expect(404);
    server.get(&format!("/api/cases/{kept}")).await.expect(200);
}

async fn what_is_held_holds_up_nobody_else(engine: Engine) {
    let (server, ids) = (Server::start(engine), Ids::new());
    let made = server.post("/admin/keys", r#"{"role":"INGEST"}"#).await.expect(201).json();
    let case = case_id();
    let waits = json!({"cases": [{"id": case, "actors": [{"id": ids.of("never"), "type": "FOCAL"}]}]});
    taken(&server.with_key(made["key"].as_str().expect("a key")), &ids.of("stolen"), &waits).await;
    eventually_is(&server, &case, "DEFERRED").await;
    server.delete(&format!("/admin/keys/{}", made["id"].as_str().expect("an id"))).await.expect(204);
    taken(&server, &ids.of("good"), &json!({"cases": [{"id": case}]})).await;
    eventually("the other's is written", SOON, async || server.get(&format!("/api/cases/{case}")).await.status == 200).await;
}

async fn what_is_held_for_too_long_goes_to_the_dead_letters(engine: Engine) {
    let (server, ids) = (Server::with(Store::of(engine), &[("AMLGRAPH_BULK__DEFER_FOR", "1s")]), Ids::new());
    let made = server.post("/admin/keys", r#"{"role":"INGEST"}"#).await.expect(201).json();
    let case = case_id();
    let item = json!({"id": case, "actors": [{"id": ids.of("never"), "type": "FOCAL"}]});
    taken(&server.with_key(made["key"].as_str().expect("a key")), &ids.of("request"), &json!({"cases": [item]})).await;
    server.delete(&format!("/admin/keys/{}", made["id"].as_str().expect("an id"))).await.expect(204);
    eventually_is(&server, &case, "FAILED").await;
    let letters = server.get(&format!("/api/bulk/cases/dead_letter_queue?filter.case_id={case}")).await.expect(200).json();
    assert_eq!((letters.as_array().map(Vec::len), &letters[0]["case"]), (Some(1), &item), "an administrator has it to send it again");
}
