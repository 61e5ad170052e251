//! Headers that say one thing are given once.

use serde_json::json;

use crate::support::case_work::made;
use crate::support::fixtures::{actor, case_id};
use crate::support::{Engine, Ids, Server, tests};

tests![embedded: a_header_that_says_one_thing_is_given_once];

async fn a_header_that_says_one_thing_is_given_once(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let case = made(&server, json!({})).await;
    let letter = |id: &str| json!({"id": id, "type": "email", "sender_id": "s", "receiver_id": "r", "subject": "Hello"}).to_string();
    let query = r#"{"query": "{ __typename }"}"#.to_owned();
    let operations = [
        ("POST", "/api/actors".to_owned(), actor(&ids.of("a")).to_string(), 400),
        ("POST", format!("/api/cases/{case}/communications"), letter(&case_id()), 400),
        (
            "POST",
            format!("/api/cases/{case}/actors"),
            json!({"actor": {"id": ids.of("b"), "type": "INDIVIDUAL", "as_of_date": "2024-01-31"}}).to_string(),
            400,
        ),
        ("POST", format!("/api/cases/{case}/files"), String::new(), 400),
        // It lists 422 alone.
        ("POST", "/api/cases".to_owned(), "{}".to_owned(), 422),
        ("POST", "/api/bulk".to_owned(), "{}".to_owned(), 400),
        ("GET", format!("/api/cases/{case}"), String::new(), 404),
        ("GET", "/api/cases".to_owned(), String::new(), 400),
        ("POST", "/graphql".to_owned(), query, 400),
    ];
    let uuid = case_id();
    let headers = [("service-rfd-id", uuid.as_str()), ("idempotency-key", "key"), ("x-request-id", "request"), ("content-type", "application/json")];
    for (method, path, body, status) in &operations {
        for (name, value) in headers {
            for second in [value, "other"] {
                let mut request = server.request(method, path).header(name, value).header(name, second);
                if name != "content-type" {
                    request = request.header("content-type", "application/json");
                }
                let answer = server.send(request.body(body.clone())).await;
                // What lists neither 400 nor 422 answers with 400, as does the door, which no body passes whose type is not clear.
                let status = if *status == 404 || name == "content-type" { 400 } else { *status };
                let told = answer.expect(status).text;
                assert!(told.contains(&format!("{name}: must be given once")), "{method} {path} {name}: {told}");
            }
        }
        for (name, value) in [("x-api-key", "key"), ("authorization", "Bearer token")] {
            let anonymous = server.anonymous();
            let request = anonymous.request(method, path).header(name, value).header(name, value);
            let told = server.send(request.body(body.clone())).await.expect(401).text;
            assert!(told.contains(&format!("{name}: must be given once")), "{method} {path} {name}: {told}");
        }
    }
    // Nothing of it was done.
    server.get(&format!("/api/actors/{}", ids.of("a"))).await.expect(404);
    let shown = server.graphql("query($id: ID!) { case(id: $id) { version } }", json!({"id": case})).await;
    assert_eq!(shown["case"]["version"], 1);
    // Two names of one request are none: it gets one of ours.
    let twice = server.send(server.request("GET", "/api/cases").header("x-request-id", "one").header("x-request-id", "two")).await.expect(400);
    assert!(!["one", "two"].contains(&twice.header("x-request-id")), "{twice:?}");
    // The token request has credentials of its own.
    let form = "grant_type=client_credentials&client_id=c&client_secret=s";
    let request = server.anonymous().request("POST", "/auth/token").header("content-type", "application/x-www-form-urlencoded");
    let request = request.header("authorization", "Basic Yzpz").header("authorization", "Basic Yzpz").body(form);
    let told = server.send(request).await.expect(400).json();
    assert_eq!(told["error"], "invalid_request", "{told}");
}
