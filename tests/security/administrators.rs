//! Administrators: one is always left, and who has lost all keys makes another in the store, which the audit log has.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{Answer, Api, Engine, Server, Store, eventually, tests};

tests![both: the_last_administrator_can_not_be_revoked, of_two_who_revoke_each_other_one_is_left, a_lost_key_is_recovered_in_the_store];

fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or_else(|| panic!("{field}: {value}"))
}

async fn made(api: &Api, kind: &str, role: &str) -> Value {
    api.post(&format!("/admin/{kind}"), json!({"role": role}).to_string()).await.expect(201).json()
}

/// A request with the token that a client gets.
async fn by_client(server: &Server, client: &Value, method: &str, path: &str) -> Answer {
    let nobody = server.anonymous();
    let form = [("grant_type", "client_credentials"), ("client_id", text(client, "client_id")), ("client_secret", text(client, "client_secret"))];
    let token = nobody.send(nobody.request("POST", "/auth/token").form(&form)).await.expect(200).json();
    nobody.send(nobody.request(method, path).bearer_auth(text(&token, "access_token"))).await
}

fn is_the_last(refused: Answer) {
    let refused = refused.expect(409);
    assert!(refused.text.contains("the last credential of an administrator"), "{refused:?}");
}

/// A Neo4j that has just started may plan what revokes for longer than a request may take: that is no part of these tests.
async fn warmed_up(server: &Server) {
    let made = made(server, "keys", "INGEST").await;
    let path = format!("/admin/keys/{}", text(&made, "id"));
    // Of one that was not answered in time it is not known whether it was done.
    eventually("a key is revoked", Duration::from_secs(60), async || matches!(server.delete(&path).await.status, 204 | 404)).await;
}

async fn the_last_administrator_can_not_be_revoked(engine: Engine) {
    let server = Server::on(Store::private(engine));
    warmed_up(&server).await;
    let first = "/admin/keys/first-administrator";
    is_the_last(server.delete(first).await);
    // Those of other roles are no administrators.
    let analyst = made(&server, "keys", "ANALYST").await;
    let ingest = made(&server, "clients", "INGEST").await;
    is_the_last(server.delete(first).await);
    server.delete(&format!("/admin/keys/{}", text(&analyst, "id"))).await.expect(204);
    server.delete(&format!("/admin/clients/{}", text(&ingest, "client_id"))).await.expect(204);
    // A client is one as much as a key is.
    let client = made(&server, "clients", "ADMIN").await;
    server.delete(first).await.expect(204);
    server.get("/admin/keys").await.expect(401);
    let own = format!("/admin/clients/{}", text(&client, "client_id"));
    is_the_last(by_client(&server, &client, "DELETE", &own).await);
    by_client(&server, &client, "GET", "/admin/keys").await.expect(200);
    // What was revoked before is not there, whoever is the last.
    by_client(&server, &client, "DELETE", first).await.expect(404);
}

/// Whether two keys, two clients, or one of each: at one instance or at two.
async fn of_two_who_revoke_each_other_one_is_left(engine: Engine) {
    let server = Server::on(Store::private(engine));
    let beside = if engine == Engine::Neo4j { Server::on(server.store.clone()) } else { Server::on(Store::of(engine)) };
    let other = if engine == Engine::Neo4j { &beside } else { &server };
    warmed_up(&server).await;
    let mut id = "first-administrator".to_owned();
    let mut key = server.key().to_owned();
    for round in 0..8 {
        let next = made(&server.with_key(&key), "keys", "ADMIN").await;
        let (this, that) = (format!("/admin/keys/{id}"), format!("/admin/keys/{}", text(&next, "id")));
        let (first, second) = (server.with_key(&key), other.with_key(text(&next, "key")));
        let (revoked_that, revoked_this) = tokio::join!(first.delete(&that), second.delete(&this));
        let statuses = [revoked_that.status, revoked_this.status];
        assert_eq!(statuses.iter().filter(|status| **status == 204).count(), 1, "round {round}: {statuses:?}");
        assert!(statuses.iter().all(|status| matches!(status, 204 | 401 | 409)), "round {round}: {statuses:?}");
        if revoked_this.status == 204 {
            (id, key) = (text(&next, "id").to_owned(), text(&next, "key").to_owned());
        }
        server.with_key(&key).get("/admin/keys").await.expect(200);
    }
}

async fn a_lost_key_is_recovered_in_the_store(engine: Engine) {
    let mut server = Server::on(Store::of(engine));
    let now = || chrono::Utc::now().to_rfc3339_opts(chrono::SecondsFormat::Millis, true);
    let is_embedded = engine == Engine::Embedded;
    if is_embedded {
        server.stop();
    }
    let before = now();
    let output = server.store.command(&["key", "recover", "--name", "Ada's way back"]).output().expect("the program runs");
    // The log shows the latest first. The next are after this moment: others may write more meanwhile than a page has.
    tokio::time::sleep(Duration::from_millis(5)).await;
    let after = now();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!(text(&printed, "role"), "ADMIN");
    assert!(!String::from_utf8_lossy(&output.stderr).contains(text(&printed, "key")), "it is printed, and not logged");
    if is_embedded {
        server.start_again();
    }
    let recovered = server.with_key(text(&printed, "key"));
    let listed = recovered.get("/admin/keys").await.expect(200).json();
    let entry = listed.as_array().into_iter().flatten().find(|entry| entry["id"] == printed["id"]).expect("it is listed");
    assert_eq!(text(entry, "name"), "Ada's way back");
    let log = recovered.get(&format!("/api/audit_logs?startDate={before}&endDate={after}&limit=1000")).await.expect(200).json();
    let entries = log["values"].as_array().expect("entries").iter().map(|entry| &entry["json_"]);
    let made: Vec<&Value> = entries.filter(|entry| entry["objectId"] == printed["id"]).collect();
    assert_eq!(made.len(), 1, "{log}");
    assert_eq!(
        (&made[0]["action"], &made[0]["userId"], &made[0]["params"]["means"]),
        (&json!("api_key.recovered"), &json!("amlgraph key recover"), &json!("SYSTEM"))
    );
}
