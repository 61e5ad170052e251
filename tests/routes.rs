//! All routes: shut to those without credentials, to the wrong role, to the wrong method; and what every answer has.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::support::fixtures::{account, actor};
use crate::support::{Api, Engine, Ids, Server, Store, tests};

tests![both: shut_without_credentials, shut_to_the_wrong_role; embedded: other_methods_are_named, nothing_elsewhere, every_answer_has_an_id,
    faults_in_queries_are_told_at_once, some_operations_may_take_tokens_alone];

/// Routes that answer without credentials. This list may only shrink.
const OPEN: [(&str, &str); 11] = [
    ("GET", "/"),
    ("GET", "/docs"),
    ("GET", "/docs/{file}"),
    ("GET", "/openapi.json"),
    // The page, for a browser; a query needs a key.
    ("GET", "/graphql"),
    ("GET", "/graphiql/{file}"),
    // A page can send no header with a WebSocket: credentials come in its first message.
    ("GET", "/graphql/ws"),
    ("POST", "/auth/token"),
    ("GET", "/health/live"),
    ("GET", "/health/ready"),
    ("GET", "/metrics"),
];

/// Routes that are no operations of the OpenAPI document.
const ELSEWHERE: [(&str, &str); 11] = [
    ("POST", "/graphql"),
    ("GET", "/graphql"),
    ("POST", "/graphql/stream"),
    ("GET", "/graphql/stream"),
    ("POST", "/admin/keys"),
    ("GET", "/admin/keys"),
    ("DELETE", "/admin/keys/{id}"),
    ("POST", "/admin/clients"),
    ("GET", "/admin/clients"),
    ("DELETE", "/admin/clients/{id}"),
    ("GET", "/metrics"),
];

/// Methods by path, of all routes.
async fn routes(api: &Api) -> BTreeMap<String, BTreeSet<String>> {
    let mut routes: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let document = api.anonymous().get("/openapi.json").await.expect(200).json();
    for (path, item) in document["paths"].as_object().expect("paths") {
        let methods = item.as_object().expect("an object").iter().filter(|(_, operation)| operation["responses"].is_object());
        routes.entry(path.clone()).or_default().extend(methods.map(|(method, _)| method.to_uppercase()));
    }
    assert!(routes.values().map(BTreeSet::len).sum::<usize>() >= 19, "{routes:?}");
    for (method, path) in OPEN.iter().chain(&ELSEWHERE) {
        routes.entry((*path).to_owned()).or_default().insert((*method).to_owned());
    }
    routes
}

/// A path with something in the place of its parameters.
fn filled_in(path: &str) -> String {
    path.split('/').map(|part| if part.starts_with('{') { "x" } else { part }).collect::<Vec<_>>().join("/")
}

async fn shut_without_credentials(engine: Engine) {
    let server = Server::shared(engine);
    for (path, methods) in routes(&server).await {
        for method in methods {
            if OPEN.contains(&(method.as_str(), path.as_str())) && path != "/graphql" {
                continue;
            }
            let wrong_token = server.anonymous();
            for api in [server.anonymous(), server.with_key("nobody's key")] {
                let body = if method == "POST" { "{" } else { "" };
                let answer = api.send(api.request(&method, &filled_in(&path)).header("content-type", "application/json").body(body)).await;
                assert_eq!(answer.status, 401, "{method} {path}: {}", answer.text);
                assert!(!answer.header("www-authenticate").is_empty(), "{method} {path}: {answer:?}");
            }
            let answer = wrong_token.send(wrong_token.request(&method, &filled_in(&path)).bearer_auth("not.a.token")).await;
            assert_eq!(answer.status, 401, "{method} {path}: {}", answer.text);
        }
    }
}

/// The least privileged credentials that are enough, for one operation of each kind.
async fn shut_to_the_wrong_role(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    server.post("/api/actors", actor(&ids.of("a")).to_string()).await.expect(200);
    let span = "/api/audit_logs?startDate=2020-01-01T00:00:00Z&endDate=2020-01-02T00:00:00Z";
    let read = format!("/api/actors/{}", ids.of("a"));
    let (actor, account) = (actor(&ids.of("a")).to_string(), account(&ids.of("k")).to_string());
    let key = json!({"role": "INGEST"}).to_string();
    let of_case = format!("{span}&caseId={}", ids.of("case"));
    let table: [(&str, &str, &str, [u16; 5]); 13] = [
        ("POST", "/api/actors", &actor, [200, 403, 403, 403, 200]),
        ("POST", "/api/accounts", &account, [200, 403, 403, 403, 200]),
        ("POST", "/api/v2/transactions", "{}", [400, 400, 400, 400, 400]),
        ("GET", &read, "", [200, 200, 200, 200, 200]),
        ("GET", "/api/risk_scores", "", [200, 200, 200, 200, 200]),
        ("GET", "/api/channel_locations", "", [200, 200, 200, 200, 200]),
        ("GET", "/api/cases", "", [200, 200, 200, 200, 200]),
        ("POST", "/api/observations/x/actors", "[]", [404, 403, 403, 403, 404]),
        ("GET", "/api/reporting/suppressed_signals?startDate=2020-01-01&endDate=2020-01-01", "", [200, 200, 200, 200, 200]),
        ("GET", span, "", [403, 403, 200, 200, 200]),
        ("GET", &of_case, "", [403, 200, 200, 200, 200]),
        ("GET", "/admin/keys", "", [403, 403, 403, 403, 200]),
        ("POST", "/admin/clients", &key, [403, 403, 403, 403, 201]),
    ];
    for (at, role) in ["INGEST", "ANALYST", "SUPERVISOR", "AUDITOR", "ADMIN"].into_iter().enumerate() {
        let made = server.post("/admin/keys", json!({"role": role, "name": ids.of(role)}).to_string()).await.expect(201).json();
        let api = server.with_key(made["key"].as_str().expect("a key"));
        for (method, path, body, statuses) in &table {
            let answer = api.send(api.request(method, path).header("content-type", "application/json").body((*body).to_owned())).await;
            assert_eq!(answer.status, statuses[at], "{role} {method} {path}: {}", answer.text);
            if answer.status == 403 {
                assert!(answer.errors()[0].contains(role), "{answer:?}");
            }
        }
    }
}

async fn other_methods_are_named(engine: Engine) {
    let server = Server::shared(engine);
    for (path, methods) in routes(&server).await {
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE"].into_iter().filter(|method| !methods.contains(*method)) {
            let answer = server.send(server.request(method, &filled_in(&path))).await;
            assert_eq!(answer.status, 405, "{method} {path}: {}", answer.text);
            let allowed: BTreeSet<String> =
                answer.header("allow").split(',').map(|method| method.trim().to_owned()).filter(|method| method != "HEAD").collect();
            assert_eq!(allowed, methods, "{method} {path}");
        }
    }
    // Where credentials are got, nobody is asked for some to be told how.
    for api in [server.anonymous(), server.with_key("nobody's key")] {
        for method in ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"] {
            let answer = api.send(api.request(method, "/auth/token")).await.expect(405);
            assert_eq!(answer.header("allow"), "POST", "{method}");
        }
    }
}

async fn nothing_elsewhere(engine: Engine) {
    let server = Server::shared(engine);
    for path in [
        "/api",
        "/api/",
        "/api/nothing",
        "/api/actors/",
        "/api/actors/a/b",
        "/API/actors",
        "/admin",
        "/graphql/",
        "/.env",
        "/api/v1/transactions",
        "/%00",
    ] {
        for api in [server.client(), server.anonymous()] {
            let answer = api.get(path).await;
            assert_eq!(answer.status, 404, "{path}: {answer:?}");
            assert!(!answer.errors().is_empty());
        }
    }
}

async fn every_answer_has_an_id(engine: Engine) {
    let server = Server::shared(engine);
    let requests = [
        ("GET", "/"),
        ("GET", "/api/nothing"),
        ("PUT", "/api/actors"),
        ("GET", "/api/actors/x"),
        ("POST", "/api/actors"),
        ("GET", "/metrics"),
        ("GET", "/health/live"),
    ];
    let mut seen = BTreeSet::new();
    for (method, path) in requests {
        for api in [server.client(), server.anonymous()] {
            let answer = api.send(api.request(method, path)).await;
            assert!(seen.insert(answer.header("x-request-id").to_owned()), "{method} {path}: an id of its own: {answer:?}");
            assert_eq!(answer.header("x-content-type-options"), "nosniff", "{method} {path}");
            let answer = api.send(api.request(method, path).header("x-request-id", "mine-1")).await;
            assert_eq!(answer.header("x-request-id"), "mine-1", "{method} {path}");
            let answer = api.send(api.request(method, path).header("x-request-id", "not well-formed")).await;
            assert_ne!(answer.header("x-request-id"), "not well-formed", "{method} {path}");
        }
    }
    assert!(!seen.contains(""));
}

async fn faults_in_queries_are_told_at_once(engine: Engine) {
    let server = Server::shared(engine);
    let table: [(&str, &[&str]); 9] = [
        ("/api/risk_scores?limit=0&offset=-1&filter.newest_entry=maybe&nonsense=1", &["filter.newest_entry", "limit", "nonsense", "offset"]),
        ("/api/risk_scores?limit=1001", &["limit"]),
        ("/api/channel_locations?sort_by=-type,city&filter_type=PUB", &["filter_type", "sort_by"]),
        ("/api/channel_locations?limit=1&limit=2", &["limit"]),
        ("/api/cases?sort.by=name&filter.workflow.state.in[]=HALF&limit=0", &["filter.workflow.state.in[]", "limit", "sort.by"]),
        ("/api/audit_logs", &["endDate", "startDate"]),
        ("/api/audit_logs?startDate=yesterday&endDate=2024-01-01&logType=WRITE", &["endDate", "logType", "startDate"]),
        ("/api/actors/x?verbose=true", &["verbose"]),
        ("/api/actors/%FF", &["path"]),
    ];
    for (path, places) in table {
        let answer = server.get(path).await.expect(400);
        assert_eq!(answer.places(), places, "{path}: {}", answer.text);
    }
    let sorting = server.get("/api/channel_locations?sort_by=city").await.expect(400);
    assert!(sorting.errors()[0].contains("id, type"), "the known fields are listed: {sorting:?}");
}

async fn some_operations_may_take_tokens_alone(engine: Engine) {
    let server = Server::with(Store::of(engine), &[("AMLGRAPH_TOKEN__JWT_ONLY", "Get Actor,GET /api/audit_logs")]);
    server.post("/api/actors", actor("a").to_string()).await.expect(200);
    server.get("/api/actors/a").await.expect(403);
    // Without the body it is the same operation.
    server.send(server.request("HEAD", "/api/actors/a")).await.expect(403);
    server.get("/api/risk_scores").await.expect(200);
    server.send(server.request("HEAD", "/api/risk_scores")).await.expect(200);
    let client: Value = server.post("/admin/clients", r#"{"role":"ADMIN"}"#).await.expect(201).json();
    let form = [
        ("grant_type", "client_credentials"),
        ("client_id", client["client_id"].as_str().expect("an id")),
        ("client_secret", client["client_secret"].as_str().expect("a secret")),
    ];
    let api = server.anonymous();
    let token = api.send(api.request("POST", "/auth/token").form(&form)).await.expect(200).json();
    let token = token["access_token"].as_str().expect("a token");
    for method in ["GET", "HEAD"] {
        api.send(api.request(method, "/api/actors/a").bearer_auth(token)).await.expect(200);
    }
}
