//! API keys, token clients, and the first key of all; most of it by the commands of those who run the service.

use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use serde_json::{Value, json};

use crate::support::fixtures::with;
use crate::support::{Answer, Api, Engine, Ids, Server, Store, command, tests};

tests![both: keys_by_command, clients_by_command; embedded: the_first_key_is_shown_once, a_first_start_in_the_open_needs_a_key, a_failed_start_makes_no_key, token_requests, two_credentials_are_one_too_many, a_token_that_has_expired_must_be_renewed;
    neo4j: a_revocation_counts_on_every_instance];

/// Runs `amlgraph key …` or `amlgraph client …` against a server; the lines it prints, or what it complains of.
fn run(server: &Server, arguments: &[&str]) -> Result<Vec<Value>, String> {
    let output = command(arguments).env("AMLGRAPH_URL", &server.base).env("AMLGRAPH_KEY", server.key()).output().expect("the program runs");
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    Ok(String::from_utf8_lossy(&output.stdout).lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect())
}

fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or_else(|| panic!("{field}: {value}"))
}

async fn keys_by_command(engine: Engine) {
    let (server, ids) = (Server::start(engine), Ids::new());
    let name = ids.of("loader");
    let made = run(&server, &["key", "create", "--role", "ANALYST", "--name", &name]).expect("it is made").remove(0);
    assert_eq!(made.as_object().map(|fields| fields.keys().map(String::as_str).collect::<Vec<_>>()), Some(vec!["id", "key", "role"]));
    let api = server.with_key(text(&made, "key"));
    api.get("/api/risk_scores").await.expect(200);
    let listed = || run(&server, &["key", "list"]).expect("they are listed");
    let entry = listed().into_iter().find(|entry| entry["id"] == made["id"]).expect("it is listed");
    assert_eq!((text(&entry, "name"), text(&entry, "role"), &entry["revoked_at"]), (name.as_str(), "ANALYST", &Value::Null));
    let all = format!("{:?}", listed());
    assert!(!all.contains(text(&made, "key")) && !all.contains(server.key()), "no secrets: {all}");
    run(&server, &["key", "revoke", text(&made, "id")]).expect("it is revoked");
    api.get("/api/risk_scores").await.expect(401);
    let entry = listed().into_iter().find(|entry| entry["id"] == made["id"]).expect("it is listed still");
    assert!(entry["revoked_at"].is_string(), "{entry}");
    for (arguments, complaint) in [
        (vec!["key", "revoke", text(&made, "id")], "404"),
        (vec!["key", "revoke", "no such/key"], "404"),
        (vec!["key", "create", "--role", "KING"], "INGEST"),
        (vec!["key", "list", "--key", "nobody's key"], "401"),
        (vec!["key", "list", "--key", text(&made, "key")], "401"),
    ] {
        let said = run(&server, &arguments).expect_err("it is refused");
        assert!(said.contains(complaint), "{arguments:?}: {said}");
    }
}

async fn token(api: &Api, client: &Value, secret: &str) -> Answer {
    let form = [("grant_type", "client_credentials"), ("client_id", text(client, "client_id")), ("client_secret", secret)];
    api.send(api.request("POST", "/auth/token").form(&form)).await
}

async fn clients_by_command(engine: Engine) {
    let (server, ids) = (Server::start(engine), Ids::new());
    let client = run(&server, &["client", "create", "--role", "INGEST", "--name", &ids.of("system")]).expect("it is made").remove(0);
    assert_eq!(text(&client, "role"), "INGEST");
    let secret = text(&client, "client_secret").to_owned();
    let api = server.anonymous();
    let issued = token(&api, &client, &secret).await.expect(200);
    assert_eq!(issued.header("cache-control"), "no-store");
    let body = issued.json();
    assert_eq!((&body["token_type"], &body["expires_in"]), (&json!("Bearer"), &json!(900)));
    let bearer = text(&body, "access_token").to_owned();
    let with_token = |method: &str, path: &str| api.request(method, path).bearer_auth(&bearer);
    api.send(with_token("POST", "/api/actors").header("content-type", "application/json").body("{}")).await.expect(422);
    api.send(with_token("GET", "/admin/keys")).await.expect(403);
    let changed = format!("{}x", &bearer[..bearer.len() - 2]);
    api.send(api.request("GET", "/api/risk_scores").bearer_auth(changed)).await.expect(401);
    for wrong in [format!("{secret}x"), String::from("x"), server.key().to_owned()] {
        let refused = token(&api, &client, &wrong).await.expect(401).json();
        assert_eq!(refused["error"], json!("invalid_client"), "{refused}");
    }
    let listed = format!("{:?}", run(&server, &["client", "list"]).expect("they are listed"));
    assert!(listed.contains(text(&client, "client_id")) && !listed.contains(&secret), "{listed}");
    // Whoever renews a token may still send the one before.
    for before in [bearer.as_str(), "expired"] {
        let form = [("grant_type", "client_credentials"), ("client_id", text(&client, "client_id")), ("client_secret", secret.as_str())];
        api.send(api.request("POST", "/auth/token").bearer_auth(before).form(&form)).await.expect(200);
    }
    run(&server, &["client", "revoke", text(&client, "client_id")]).expect("it is revoked");
    token(&api, &client, &secret).await.expect(401);
    let refused = api.send(api.request("GET", "/api/risk_scores").bearer_auth(&bearer)).await.expect(401);
    assert!(refused.text.contains("its client was revoked"), "{}", refused.text);
}

/// The same token in all but its end: nothing else is wrong with it.
async fn a_token_that_has_expired_must_be_renewed(engine: Engine) {
    const SECRET: &str = "a-secret-of-the-tests-that-is-long-enough-Zq7Xw2";
    let server = Server::with(Store::of(engine), &[("AMLGRAPH_TOKEN__SECRET", SECRET)]);
    let client = server.post("/admin/clients", r#"{"role":"ANALYST"}"#).await.expect(201).json();
    let issued = token(&server.anonymous(), &client, text(&client, "client_secret")).await.expect(200).json();
    let payload = text(&issued, "access_token").split('.').nth(1).expect("claims").to_owned();
    let claims: Value = serde_json::from_slice(&BASE64_URL_SAFE_NO_PAD.decode(payload).expect("base64")).expect("JSON");
    let ends = claims["exp"].as_i64().expect("seconds");
    let now = chrono::Utc::now().timestamp();
    assert!((now + 800..=now + 900).contains(&ends), "short-lived: {claims}");
    let ending = async |at: i64| {
        let claims = with(claims.clone(), json!({"exp": at}));
        let signed = encode(&Header::new(Algorithm::HS256), &claims, &EncodingKey::from_secret(SECRET.as_bytes())).expect("it is signed");
        let api = server.anonymous();
        api.send(api.request("GET", "/api/risk_scores").bearer_auth(signed)).await
    };
    ending(now + 300).await.expect(200);
    ending(now - 300).await.expect(401);
}

type Form = &'static [(&'static str, &'static str)];

async fn token_requests(engine: Engine) {
    let server = Server::shared(engine).anonymous();
    let table: [(Form, u16, &str); 5] = [
        (&[], 400, "invalid_request"),
        (&[("grant_type", "password"), ("client_id", "x"), ("client_secret", "y")], 400, "unsupported_grant_type"),
        (&[("grant_type", "client_credentials")], 401, "invalid_client"),
        (&[("grant_type", "client_credentials"), ("client_id", "x"), ("client_secret", "y")], 401, "invalid_client"),
        (
            &[("grant_type", "client_credentials"), ("grant_type", "client_credentials"), ("client_id", "x"), ("client_secret", "y")],
            400,
            "invalid_request",
        ),
    ];
    for (form, status, error) in table {
        let answer = server.send(server.request("POST", "/auth/token").form(form)).await.expect(status).json();
        assert_eq!(answer["error"], json!(error), "{form:?}: {answer}");
        assert!(answer["error_description"].is_string(), "{answer}");
    }
    let json = server.post("/auth/token", r#"{"grant_type":"client_credentials"}"#).await;
    assert!(matches!(json.status, 400 | 415) && json.json()["error"] == json!("invalid_request"), "{json:?}");
}

/// Starts a server without a given key, reads what it prints until it is ready, and ends it.
fn first_start(store: &Store) -> String {
    let mut command = store.command(&["serve", "--listen", "127.0.0.1:0"]);
    let mut child = command.env("AMLGRAPH_LOG", "info").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    // All that it prints is printed when it logs that it is ready.
    let mut log = BufReader::new(child.stderr.take().expect("its log")).lines().map_while(Result::ok);
    let mut said = String::new();
    for line in log.by_ref() {
        said += &(line.clone() + "\n");
        if line.contains(r#""message":"ready""#) {
            break;
        }
    }
    let stopped = std::process::Command::new("kill").arg(child.id().to_string()).status().expect("kill runs");
    assert!(stopped.success(), "it was not ready: {said}");
    // SIGTERM ends the output.
    said.extend(log.map(|line| line + "\n"));
    let mut printed = String::new();
    std::io::Read::read_to_string(&mut child.stdout.take().expect("its output"), &mut printed).expect("text");
    child.wait().expect("it ends");
    assert!(!said.contains("aml_"), "a log has no keys: {said}");
    printed
}

async fn the_first_key_is_shown_once(engine: Engine) {
    let store = Store::of(engine);
    let printed = first_start(&store);
    let line = printed.lines().find_map(|line| line.trim().strip_prefix("Key")).unwrap_or_else(|| panic!("no key in {printed}"));
    let key = line.trim().to_owned();
    assert!(!first_start(&store).contains("Key "), "it is shown once");
    // A key that is given later does not open a store that has one.
    let server = Server::on(store);
    server.get("/admin/keys").await.expect(401);
    server.with_key(&key).get("/admin/keys").await.expect(200);
}

/// A start that fails has made no key: nobody would ever have seen it.
async fn a_failed_start_makes_no_key(engine: Engine) {
    let store = Store::of(engine);
    let failed = store.command(&["serve", "--listen", "127.0.0.1:0"]).env("AMLGRAPH_TOKEN__JWT_ONLY", "Add Actr").output().expect("the program runs");
    let said = String::from_utf8_lossy(&failed.stderr);
    assert!(!failed.status.success() && said.contains("Add Actr"), "{said}");
    assert!(first_start(&store).contains("Key "), "the key of the first start that succeeds");
}

async fn a_first_start_in_the_open_needs_a_key(engine: Engine) {
    let store = Store::of(engine);
    let output = store.command(&["serve", "--listen", "0.0.0.0:0"]).output().expect("the program runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && said.contains("AMLGRAPH_ADMIN_KEY"), "{said}");
}

async fn two_credentials_are_one_too_many(engine: Engine) {
    let server = Server::shared(engine);
    let both = server.send(server.request("GET", "/api/risk_scores").bearer_auth("a.b.c")).await;
    assert_eq!(both.status, 401, "{both:?}");
    let twice = server.send(server.request("GET", "/api/risk_scores").header("x-api-key", "another")).await;
    assert_eq!(twice.status, 401, "{twice:?}");
    server.send(server.anonymous().request("GET", "/api/risk_scores").header("authorization", "Basic dXNlcjpwYXNz")).await.expect(401);
}

async fn a_revocation_counts_on_every_instance(_: Engine) {
    let (one, other) = (Server::on(Store::Shared), Server::on(Store::Shared));
    let made = one.post("/admin/keys", r#"{"role":"ANALYST"}"#).await.expect(201).json();
    let there = other.with_key(text(&made, "key"));
    there.get("/api/risk_scores").await.expect(200);
    one.delete(&format!("/admin/keys/{}", text(&made, "id"))).await.expect(204);
    // However long an answer takes on a busy machine: what is asked a second later is refused.
    tokio::time::sleep(Duration::from_secs(1)).await;
    there.get("/api/risk_scores").await.expect(401);
}
