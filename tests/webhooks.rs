//! Webhooks over REST and GraphQL: each rule of the document, and where their secrets are.
//!
//! All tests on Neo4j share one database: a webhook that is told of anything goes at the end of its test, and only one test lists them.

use std::path::Path;

use cypher::{Params, map};
use serde_json::{Value, json};

use crate::support::{Answer, Api, Engine, Ids, Server, Store, files_in, stored, tests};

tests![both: a_webhook_is_made_read_changed_and_removed, a_listing_shows_a_secret_once, the_status_follows_the_documents_table, the_same_again_by_a_key,
    graphql_does_the_same, secrets_are_nowhere_in_clear, a_secret_that_another_key_has_sealed_is_told_from_damage;
    embedded: faults_are_told_at_once, addresses_lead_outside_unless_a_setting_says_otherwise, webhooks_are_for_administrators, answers_with_secrets_are_not_kept,
    an_embedded_store_keeps_its_key, all_are_listed_unless_a_page_is_asked_for;
    neo4j: without_a_key_no_webhook_is_made];

const WEBHOOKS: &str = "/api/webhooks";
const URL: &str = "https://desk.example.com/hooks";

/// Makes a webhook that is told of what hardly any test brings about.
pub async fn webhook(api: &Api, name: &str) -> Value {
    made(api, json!({"name": name, "url": URL, "events": ["case.creation_failed"]})).await
}

pub async fn made(api: &Api, body: Value) -> Value {
    api.post(WEBHOOKS, body.to_string()).await.expect(201).json()
}

pub fn path(webhook: &Value) -> String {
    format!("{WEBHOOKS}/{}", webhook["id"].as_str().expect("an id"))
}

fn secret(webhook: &Value) -> String {
    let secret = webhook["secret"].as_str().unwrap_or_else(|| panic!("a secret: {webhook}"));
    assert!(secret.starts_with("whsec_") && secret.len() == 50, "{secret}");
    secret.to_owned()
}

fn without_secret(webhook: &Value) -> Value {
    let mut webhook = webhook.clone();
    webhook.as_object_mut().expect("an object").remove("secret");
    webhook
}

async fn update(api: &Api, webhook: &Value, body: Value) -> Value {
    api.patch(&path(webhook), body.to_string()).await.expect(200).json()
}

async fn a_webhook_is_made_read_changed_and_removed(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let before = chrono::Utc::now().timestamp_millis();
    let body = json!({"name": ids.of("Desk"), "url": URL, "events": ["case.creation_failed", "case.closed", "case.creation_failed"]});
    let made = made(&server, body).await;
    let created = made["created"].as_i64().expect("whole milliseconds");
    assert!((before..=chrono::Utc::now().timestamp_millis()).contains(&created), "{made}");
    assert!(uuid::Uuid::parse_str(made["id"].as_str().expect("an id")).is_ok(), "{made}");
    let wanted = json!({"id": made["id"], "name": ids.of("Desk"), "url": URL, "events": ["case.creation_failed", "case.closed"], "status": "ACTIVE",
        "secret": secret(&made), "created": created, "tenant": "default"});
    assert_eq!(made, wanted);
    // Reading one omits its secret, however its id is written.
    assert_eq!(server.get(&path(&made)).await.expect(200).json(), without_secret(&made));
    assert_eq!(server.get(&path(&made).to_uppercase().replace("/API/WEBHOOKS", WEBHOOKS)).await.expect(200).json(), without_secret(&made));
    // A change answers with all of it; what is absent stays.
    for (change, name, url, events) in [
        (json!({"name": "Other"}), "Other", URL, json!(["case.creation_failed", "case.closed"])),
        (json!({"url": "https://b.example.com"}), "Other", "https://b.example.com", json!(["case.creation_failed", "case.closed"])),
        (json!({"events": ["case.creation_failed"]}), "Other", "https://b.example.com", json!(["case.creation_failed"])),
        (json!({}), "Other", "https://b.example.com", json!(["case.creation_failed"])),
    ] {
        let changed = update(&server, &made, change.clone()).await;
        let wanted = json!({"id": made["id"], "name": name, "url": url, "events": events, "status": "ACTIVE", "secret": secret(&made), "created": created,
            "tenant": "default"});
        assert_eq!(changed, wanted, "{change}");
        assert_eq!(server.get(&path(&made)).await.expect(200).json(), without_secret(&wanted), "{change}");
    }
    // Who removes one is told which, without its secret; then there is none.
    let removed = server.delete(&path(&made)).await.expect(200).json();
    let wanted = json!({"id": made["id"], "name": "Other", "url": "https://b.example.com", "events": ["case.creation_failed"], "status": "INACTIVE",
        "created": created, "tenant": "default"});
    assert_eq!(removed, wanted);
    let gone = |answer: Answer| assert_eq!(answer.expect(404).errors(), ["id: there is no webhook with this id"]);
    gone(server.get(&path(&made)).await);
    gone(server.delete(&path(&made)).await);
    gone(server.patch(&path(&made), "{}").await);
    gone(server.patch(&path(&made), "").await);
    let found = server.graphql("query($id: ID!) { webhook(id: $id) { id } }", json!({"id": made["id"]})).await;
    assert_eq!(found["webhook"], Value::Null);
}

/// The document has no pages here: who asks for none gets all, also where there are more than a page has.
async fn all_are_listed_unless_a_page_is_asked_for(engine: Engine) {
    const PUT: &str = "UNWIND $rows AS row CREATE (w:Webhook {id: row.id}) SET w += row.props";
    let mut server = Server::start(engine);
    let row = |at: usize| {
        let props = map([
            ("name", format!("Desk {at}").into()),
            ("url", URL.into()),
            ("events", Vec::<String>::new().into()),
            ("status", "INACTIVE".into()),
            ("createdAt", (at as i64).into()),
            ("tenant", "default".into()),
            ("secretShown", true.into()),
        ]);
        map([("id", uuid::Uuid::new_v4().to_string().into()), ("props", props)])
    };
    stored::write(&mut server, PUT, Params::rows((0..1_001).map(row).collect())).await;
    for (query, count, newest) in
        [("", 1_001, "Desk 1000"), ("?limit=2", 2, "Desk 1000"), ("?offset=1", 1_000, "Desk 999"), ("?limit=10&offset=999", 2, "Desk 1")]
    {
        let listed = server.get(&format!("{WEBHOOKS}{query}")).await.expect(200).json();
        let names: Vec<&str> = listed.as_array().expect("an array").iter().filter_map(|webhook| webhook["name"].as_str()).collect();
        assert_eq!((names.len(), names.first()), (count, Some(&newest)), "{query:?}");
    }
    assert_eq!(server.get(&format!("{WEBHOOKS}?limit=0&x=1")).await.expect(400).places(), ["limit", "x"]);
}

/// The document: `secret` is returned on create, update and the first listing, omitted when reading or removing one.
async fn a_listing_shows_a_secret_once(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (first, second) = (webhook(&server, &ids.of("first")).await, webhook(&server, &ids.of("second")).await);
    let listed = async || {
        let all = server.get(WEBHOOKS).await.expect(200).json();
        let of = |webhook: &Value| all.as_array().expect("a list").iter().find(|listed| listed["id"] == webhook["id"]).cloned();
        (of(&first), of(&second))
    };
    assert_eq!(listed().await, (Some(first.clone()), Some(second.clone())));
    assert_eq!(listed().await, (Some(without_secret(&first)), Some(without_secret(&second))));
    let rotate = "mutation($input: RotateWebhookSecretInput!) { rotateWebhookSecret(input: $input) { secret userErrors { message } } }";
    let rotated = server.graphql(rotate, json!({"input": {"webhookId": first["id"]}})).await["rotateWebhookSecret"].take();
    let new = secret(&rotated);
    assert_ne!(new, secret(&first));
    // Of several listings at once one shows it.
    let together = futures::future::join_all((0..5).map(|_| listed())).await;
    let shown: Vec<Value> = together.iter().filter_map(|(first, _)| first.as_ref().map(|first| first["secret"].clone())).collect();
    assert_eq!(shown.iter().filter(|secret| **secret == json!(new)).count(), 1, "{shown:?}");
    assert_eq!(shown.iter().filter(|secret| secret.is_null()).count(), 4, "{shown:?}");
    assert!(together.iter().all(|(_, other)| *other == Some(without_secret(&second))), "{together:?}");
    // Newest first, by position.
    let page = server.get(&format!("{WEBHOOKS}?limit=1000&offset=0")).await.expect(200).json();
    let place = |webhook: &Value| page.as_array().expect("a list").iter().position(|listed| listed["id"] == webhook["id"]);
    assert!(place(&second) < place(&first), "{page}");
    assert_eq!(server.get(&format!("{WEBHOOKS}?limit=0&name=x")).await.expect(400).places(), ["limit", "name"]);
    for webhook in [&first, &second] {
        server.delete(&path(webhook)).await.expect(200);
    }
    assert_eq!(listed().await, (None, None));
}

/// The document's transitions; an empty body toggles, `{}` changes nothing, and what has no events is not active.
async fn the_status_follows_the_documents_table(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let made = webhook(&server, &ids.of("Desk")).await;
    let toggle = async || server.send(server.request("PATCH", &path(&made))).await;
    let status = async || server.get(&path(&made)).await.expect(200).json()["status"].clone();
    assert_eq!(made["status"], "ACTIVE");
    for wanted in ["INACTIVE", "ACTIVE", "INACTIVE"] {
        let toggled = toggle().await.expect(200).json();
        assert_eq!((&toggled["status"], secret(&toggled)), (&json!(wanted), secret(&made)));
        assert_eq!(update(&server, &made, json!({})).await["status"], wanted, "an empty object changes nothing");
        assert_eq!(status().await, wanted);
    }
    for (change, wanted) in [
        (json!({"status": "ACTIVE"}), "ACTIVE"),
        (json!({"status": "ACTIVE"}), "ACTIVE"),
        (json!({"status": "INACTIVE"}), "INACTIVE"),
        (json!({"events": ["case.creation_failed"]}), "INACTIVE"),
        (json!({"events": ["case.creation_failed"], "status": "ACTIVE"}), "ACTIVE"),
        (json!({"events": []}), "INACTIVE"),
    ] {
        assert_eq!(update(&server, &made, change.clone()).await["status"], wanted, "{change}");
        assert_eq!(status().await, wanted);
    }
    // What has no events can't become active.
    for answer in [toggle().await, server.patch(&path(&made), json!({"status": "ACTIVE"}).to_string()).await] {
        assert_eq!(answer.expect(422).places(), ["events"]);
    }
    assert_eq!(server.patch(&path(&made), json!({"status": "ACTIVE", "events": []}).to_string()).await.expect(422).places(), ["events"]);
    assert_eq!(status().await, "INACTIVE");
    server.delete(&path(&made)).await.expect(200);
    let disabled = self::made(&server, json!({"name": ids.of("none"), "url": URL, "events": []})).await;
    assert_eq!((&disabled["status"], &disabled["events"]), (&json!("INACTIVE"), &json!([])));
    server.delete(&path(&disabled)).await.expect(200);
}

/// What is answered again has the same secret, although it is not kept in clear.
async fn the_same_again_by_a_key(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let send = async |method: &str, path: &str, body: &str, key: &str| {
        let request = server.request(method, path).header("content-type", "application/json").header("idempotency-key", ids.of(key));
        server.send(request.body(body.to_owned())).await
    };
    let body = json!({"name": ids.of("Desk"), "url": URL, "events": ["case.creation_failed"]}).to_string();
    let first = send("POST", WEBHOOKS, &body, "make").await.expect(201);
    let again = send("POST", WEBHOOKS, &body, "make").await.expect(201);
    assert_eq!((again.json(), again.header("idempotent-replayed")), (first.json(), "true"));
    assert!(first.headers.get("idempotent-replayed").is_none() && !secret(&first.json()).is_empty());
    assert_eq!(send("POST", WEBHOOKS, &body.replace("Desk", "Other"), "make").await.expect(422).places(), ["idempotency-key"]);
    let path = path(&first.json());
    // A toggle that is sent again toggles once.
    let toggled = send("PATCH", &path, "", "toggle").await.expect(200);
    assert_eq!(toggled.json()["status"], "INACTIVE");
    update(&server, &first.json(), json!({"name": "Other"})).await;
    let again = send("PATCH", &path, "", "toggle").await.expect(200);
    assert_eq!((again.json(), again.header("idempotent-replayed")), (toggled.json(), "true"));
    assert_eq!(server.get(&path).await.expect(200).json()["status"], "INACTIVE");
    let removed = send("DELETE", &path, "", "remove").await.expect(200).json();
    assert_eq!(send("DELETE", &path, "", "remove").await.expect(200).json(), removed);
    server.delete(&path).await.expect(404);
}

const SHOWN: &str =
    "secret userErrors { code message } webhook { id nodeId name url events status createdAt tenant formerSecretUntil disabledBecause failingSince }";

/// Runs a mutation; answers with its payload.
async fn mutate(api: &Api, field: &str, input: Value) -> Value {
    let kind = format!("{}{}Input", field[..1].to_uppercase(), &field[1..]);
    let query = format!("mutation($input: {kind}!) {{ {field}(input: $input) {{ {SHOWN} }} }}");
    api.graphql(&query, json!({"input": input})).await[field].take()
}

async fn graphql_does_the_same(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let input = json!({"name": ids.of("Desk"), "url": URL, "events": ["case.creation_failed"], "idempotencyKey": ids.of("key")});
    let made = mutate(&server, "createWebhook", input.clone()).await;
    let (id, first) = (made["webhook"]["id"].clone(), secret(&made));
    assert_eq!(made["webhook"]["nodeId"], json!(format!("Webhook:{}", id.as_str().expect("an id"))));
    assert_eq!((&made["webhook"]["status"], &made["webhook"]["tenant"], &made["userErrors"]), (&json!("ACTIVE"), &json!("default"), &json!([])));
    assert_eq!(mutate(&server, "createWebhook", input).await, made, "the same again makes nothing more");
    let changed = mutate(&server, "updateWebhook", json!({"webhookId": id, "name": "Other", "status": "INACTIVE"})).await;
    assert_eq!((&changed["webhook"]["name"], &changed["webhook"]["status"], secret(&changed)), (&json!("Other"), &json!("INACTIVE"), first.clone()));
    assert_eq!(changed["webhook"]["formerSecretUntil"], Value::Null);

    // With an overlap both secrets sign for a while; without one the former is gone at once.
    let now = chrono::Utc::now();
    let rotated = mutate(&server, "rotateWebhookSecret", json!({"webhookId": id, "overlapSeconds": 3600})).await;
    assert_ne!(secret(&rotated), first);
    let until = rotated["webhook"]["formerSecretUntil"].as_str().expect("a time").parse::<chrono::DateTime<chrono::Utc>>().expect("a time");
    assert!((3590..=3660).contains(&(until - now).num_seconds()), "{rotated}");
    let rotated = mutate(&server, "rotateWebhookSecret", json!({"webhookId": id, "overlapSeconds": 0})).await;
    assert_eq!(rotated["webhook"]["formerSecretUntil"], Value::Null);
    let too_long = mutate(&server, "rotateWebhookSecret", json!({"webhookId": id, "overlapSeconds": 2_592_001})).await;
    assert_eq!(too_long["userErrors"][0]["code"], "INVALID", "{too_long}");
    assert_eq!(secret(&update(&server, &json!({"id": id}), json!({})).await), secret(&rotated), "REST and GraphQL speak of one");

    let query = "query($id: ID!, $node: ID!) { webhook(id: $id) { name } node(id: $node) { __typename id }
        webhooks(first: 500) { totalCount edges { node { id } } } }";
    let found = server.graphql(query, json!({"id": id, "node": made["webhook"]["nodeId"]})).await;
    assert_eq!((&found["webhook"]["name"], &found["node"]), (&json!("Other"), &json!({"__typename": "Webhook", "id": id})));
    assert!(found["webhooks"]["edges"].as_array().expect("edges").iter().any(|edge| edge["node"]["id"] == id), "{found}");

    let wrong = mutate(&server, "createWebhook", json!({"name": "", "url": "ftp://u@10.0.0.1", "events": ["case.x"]})).await;
    let errors: Vec<&str> = wrong["userErrors"].as_array().expect("errors").iter().filter_map(|error| error["message"].as_str()).collect();
    for part in
        ["name: ", "events[0]: must be one of", "url: must begin with https://", "url: must not have a user", "url: must not lead to 10.0.0.1"]
    {
        assert!(errors.iter().any(|error| error.contains(part)), "{part}: {errors:?}");
    }
    assert_eq!((&wrong["webhook"], &wrong["secret"]), (&Value::Null, &Value::Null));
    let removed = mutate(&server, "removeWebhook", json!({"webhookId": id})).await;
    assert_eq!(removed, json!({"secret": null, "userErrors": [], "webhook": null}));
    for (field, more) in [("updateWebhook", json!({"name": "x"})), ("removeWebhook", json!({})), ("rotateWebhookSecret", json!({}))] {
        let mut input = json!({"webhookId": id});
        input.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        assert_eq!(mutate(&server, field, input).await["userErrors"][0]["code"], "NOT_FOUND", "{field}");
    }
}

/// Neither in any node, nor in the files of the embedded store, nor in the log, however much that says; audit entries are nodes.
async fn secrets_are_nowhere_in_clear(engine: Engine) {
    let mut server = Server::with(Store::of(engine), &[("AMLGRAPH_LOG", "debug,neo4rs=info,hyper=info,h2=info")]);
    let ids = Ids::new();
    let body = json!({"name": ids.of("Desk"), "url": URL, "events": ["case.creation_failed"]}).to_string();
    let request = server.posting(WEBHOOKS, body).header("idempotency-key", ids.of("key"));
    let made = server.send(request).await.expect(201).json();
    let rotated = mutate(&server, "rotateWebhookSecret", json!({"webhookId": made["id"], "idempotencyKey": ids.of("rotate")})).await;
    update(&server, &made, json!({"name": "Other"})).await;
    let secrets = [secret(&made), secret(&rotated)];
    let of = |text: &str| secrets.iter().any(|secret| text.contains(&secret["whsec_".len()..]));
    assert!(of(&made.to_string()), "what looks for them finds them");
    assert!(!of(&server.logged()) && !of(&server.printed()), "the log has one");

    let entries = format!("MATCH (n:AuditEntry) WHERE n.objectId = '{}' RETURN properties(n) AS all", made["id"].as_str().expect("an id"));
    let entries = server.cypher(&entries);
    let actions: Vec<&str> = entries.iter().filter_map(|entry| entry["all"]["action"].as_str()).collect();
    for action in ["webhook.created", "webhook.secret_rotated", "webhook.updated"] {
        assert!(actions.contains(&action), "{action}: {actions:?}");
    }
    // All tests of Neo4j share one database, in which others may just now have many nodes.
    let nodes = server.cypher("MATCH (n) WHERE n:Webhook OR n:IdempotencyKey OR n:Event OR n:Delivery OR n:Job RETURN properties(n) AS all");
    let nodes = if matches!(server.store, Store::Folder(_)) { server.cypher("MATCH (n) RETURN properties(n) AS all") } else { nodes };
    assert!(
        nodes.iter().any(|node| node["all"]["id"] == made["id"] && node["all"]["secret"].as_str().is_some_and(|sealed| sealed.starts_with("v1.")))
    );
    for node in nodes.iter().chain(&entries) {
        assert!(!of(&node.to_string()), "{node}");
    }
    server.delete(&path(&made)).await.expect(200);
    if let Store::Folder(folder) = server.store.clone() {
        server.stop();
        assert_not_in_files(folder.path(), &secrets);
    }
    let left = format!("MATCH (w:Webhook {{id: '{}'}}) RETURN properties(w) AS all", made["id"].as_str().expect("an id"));
    let left = server.store.cypher(&left);
    assert!(left[0]["all"]["secret"].is_null() && left[0]["all"]["formerSecret"].is_null(), "nothing of them stays: {left:?}");
}

fn assert_not_in_files(folder: &Path, secrets: &[String]) {
    let files = files_in(folder);
    assert!(files.iter().any(|file| file.ends_with("webhooks.key")) && files.len() > 1, "{files:?}");
    for file in files {
        let bytes = std::fs::read(&file).expect("a file");
        for secret in secrets {
            let secret = &secret.as_bytes()["whsec_".len()..];
            assert!(!bytes.windows(secret.len()).any(|window| window == secret), "{} has a secret", file.display());
        }
    }
}

/// A service with another key says so; whoever runs it gets out of that by giving webhooks new secrets, or by removing them.
async fn a_secret_that_another_key_has_sealed_is_told_from_damage(engine: Engine) {
    const OTHER: &str = "YW5vdGhlci1rZXktdGhhbi10aGF0LW9mLW90aGVycyE=";
    let (store, ids) = (Store::of(engine), Ids::new());
    let server = Server::on(store.clone());
    let (first, second) = (webhook(&server, &ids.of("first")).await, webhook(&server, &ids.of("second")).await);
    server.stop();
    let server = Server::with(store, &[("AMLGRAPH_WEBHOOKS__KEY", OTHER)]);
    let told = server.patch(&path(&first), json!({"name": "Other"}).to_string()).await.expect(500).errors();
    assert!(told[0].contains("sealed by another key") && told[0].contains("AMLGRAPH_WEBHOOKS__KEY"), "{told:?}");
    assert_eq!(server.get(&path(&first)).await.expect(200).json(), without_secret(&first), "nothing was changed");
    let rotated = mutate(&server, "rotateWebhookSecret", json!({"webhookId": first["id"]})).await;
    assert_eq!(rotated["webhook"]["formerSecretUntil"], Value::Null, "what can't be opened signs nothing: {rotated}");
    assert_eq!(secret(&update(&server, &first, json!({"name": "Other"})).await), secret(&rotated));
    for webhook in [&first, &second] {
        server.delete(&path(webhook)).await.expect(200);
    }
}

async fn faults_are_told_at_once(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let mut places = server.post(WEBHOOKS, "{}").await.expect(422).places();
    places.sort_unstable();
    assert_eq!(places, ["events", "name", "url"]);
    let wrong = json!({"name": " x", "url": "http://ada:pw@127.0.0.1/#part", "events": ["case.creatd", "*"], "secret": "mine"});
    let answer = server.post(WEBHOOKS, wrong.to_string()).await.expect(422);
    let mut places = answer.places();
    places.sort_unstable();
    assert_eq!(places, ["events[0]", "name", "secret", "url", "url", "url", "url"], "{answer:?}");
    // Names of unknown events are refused with the list of known ones.
    let known = answer.errors().into_iter().find(|error| error.starts_with("events[0]")).expect("it is told");
    for name in ["case.created", "case.observations.actioned", "request_for_data.created", "*"] {
        assert!(known.contains(name), "{known}");
    }
    server.post(WEBHOOKS, "{").await.expect(400);
    server.send(server.request("POST", WEBHOOKS).header("content-type", "text/plain").body("x")).await.expect(415);
    let made = webhook(&server, &ids.of("Desk")).await;
    let places =
        server.patch(&path(&made), json!({"name": "", "url": "nowhere", "events": [1], "status": "ON"}).to_string()).await.expect(422).places();
    assert_eq!(places.len(), 4, "{places:?}");
    server.patch(&path(&made), "null").await.expect(422);
    server.patch(&path(&made), " ").await.expect(400);
    for method in ["GET", "PATCH", "DELETE"] {
        let named = server.request(method, &format!("{WEBHOOKS}/desk"));
        assert_eq!(server.send(named).await.expect(400).places(), ["id"], "{method}");
    }
    assert_eq!(server.get(&path(&made)).await.expect(200).json(), without_secret(&made));
    server.delete(&path(&made)).await.expect(200);
}

async fn addresses_lead_outside_unless_a_setting_says_otherwise(engine: Engine) {
    let strict = Server::shared(engine);
    let lenient = Server::with(Store::of(engine), &[("AMLGRAPH_WEBHOOKS__ALLOW_PRIVATE", "true")]);
    let body = |url: &str| json!({"name": "Desk", "url": url, "events": []}).to_string();
    for url in [
        "http://desk.example.com",
        "https://127.0.0.1/hooks",
        "https://localhost:8443/hooks",
        "https://10.1.2.3",
        "https://192.168.0.1",
        "https://169.254.169.254/latest/meta-data",
        "https://[::1]/",
        "https://[fd00::1]/",
        "https://[::ffff:10.0.0.1]/",
        "https://2130706433/",
        "https://0177.0.0.1/",
        "https://0.0.0.0/",
    ] {
        let told = strict.post(WEBHOOKS, body(url)).await.expect(422);
        assert_eq!(told.places(), ["url"], "{url}: {told:?}");
        lenient.post(WEBHOOKS, body(url)).await.expect(201);
    }
    for url in [
        "ftp://desk.example.com",
        "https://ada@desk.example.com",
        "https://desk.example.com/#x",
        "javascript:alert(1)",
        "//desk.example.com",
        "https://",
    ] {
        for server in [&strict, &lenient] {
            let told = server.post(WEBHOOKS, body(url)).await.expect(422);
            assert!(told.places().iter().all(|place| place == "url"), "{url}: {told:?}");
        }
    }
    let made = made(&strict, json!({"name": "Desk", "url": URL, "events": []})).await;
    strict.patch(&path(&made), json!({"url": "https://127.0.0.1"}).to_string()).await.expect(422);
    strict.delete(&path(&made)).await.expect(200);
}

/// As credentials are.
async fn webhooks_are_for_administrators(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let made = webhook(&server, &ids.of("Desk")).await;
    for role in ["INGEST", "ANALYST", "SUPERVISOR", "AUDITOR"] {
        let key = server.post("/admin/keys", json!({"role": role}).to_string()).await.expect(201).json();
        let api = server.with_key(key["key"].as_str().expect("a key"));
        for (method, path, body) in [
            ("GET", WEBHOOKS.to_owned(), ""),
            ("POST", WEBHOOKS.to_owned(), &*json!({"name": "x", "url": URL, "events": []}).to_string()),
            ("GET", path(&made), ""),
            ("PATCH", path(&made), "{}"),
            ("PATCH", path(&made), ""),
            ("DELETE", path(&made), ""),
        ] {
            let answer = api.send(api.request(method, &path).header("content-type", "application/json").body(body.to_owned())).await.expect(403);
            assert!(answer.errors()[0].contains(role), "{method} {path}: {answer:?}");
        }
        for query in ["{ webhooks { totalCount } }", "{ deliveries { totalCount } }"] {
            let answer = api.graphql_answer(query, json!({})).await;
            assert_eq!(answer["errors"][0]["extensions"]["code"], "FORBIDDEN", "{answer}");
        }
        let query = "mutation($id: ID!) { removeWebhook(input: {webhookId: $id}) { secret } }";
        let answer = api.graphql_answer(query, json!({"id": made["id"]})).await;
        assert_eq!(answer["errors"][0]["extensions"]["code"], "FORBIDDEN", "{answer}");
    }
    server.delete(&path(&made)).await.expect(200);
}

async fn answers_with_secrets_are_not_kept(engine: Engine) {
    let (server, ids) = (Server::start(engine), Ids::new());
    let body = json!({"name": ids.of("Desk"), "url": URL, "events": []}).to_string();
    let made = server.post(WEBHOOKS, body).await.expect(201);
    let changed = server.patch(&path(&made.json()), "{}").await.expect(200);
    for answer in [made, changed, server.get(WEBHOOKS).await.expect(200)] {
        assert_eq!(answer.header("cache-control"), "no-store", "{answer:?}");
    }
}

async fn an_embedded_store_keeps_its_key(engine: Engine) {
    let mut server = Server::start(engine);
    let made = made(&server, json!({"name": "Desk", "url": URL, "events": []})).await;
    server.kill();
    server.start_again();
    assert_eq!(secret(&update(&server, &made, json!({})).await), secret(&made));
}

async fn without_a_key_no_webhook_is_made(engine: Engine) {
    // What is set to nothing is not set.
    let server = Server::with(Store::of(engine), &[("AMLGRAPH_WEBHOOKS__KEY", "")]);
    let told = server.post(WEBHOOKS, json!({"name": "Desk", "url": URL, "events": []}).to_string()).await.expect(500).errors();
    assert!(told[0].starts_with("service: ") && told[0].contains("AMLGRAPH_WEBHOOKS__KEY"), "{told:?}");
    let query = "mutation { createWebhook(input: {name: \"Desk\", url: \"https://desk.example.com\", events: []}) { secret } }";
    let answer = server.graphql_answer(query, json!({})).await;
    assert_eq!(answer["errors"][0]["extensions"]["code"], "MISCONFIGURED", "{answer}");
    server.get(&format!("{WEBHOOKS}/{}", uuid::Uuid::new_v4())).await.expect(404);
}
