//! The contract: the OpenAPI document has every operation of `operations.tsv` with its statuses and its error bodies, and nothing else; each is there
//! over HTTP; and the console shows the document without any other host.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::support::{Api, Engine, Server, tests};

tests![embedded: what_is_listed_is_documented, what_is_documented_is_listed, what_is_deprecated_is_marked, what_is_listed_is_there, every_answer_is_documented_with_its_request_id,
    the_console_needs_no_other_host];

/// What has not landed yet, and why. This list may only shrink: what has landed must not stand in it.
const NOT_YET: &[(&str, &str)] = &[];

/// Routes that the list has by another path only, that by which a file comes out again that went in by one of the list, that for files of lists
/// to screen against, and that for events.
const ALSO: [(&str, &str); 5] = [
    ("GET", "/api/segmentation/groups/{groupId}/owners"),
    ("POST", "/api/request_for_data/{id}/reject"),
    ("GET", "/files/{id}"),
    ("POST", "/lists/uploads"),
    ("GET", "/events"),
];

/// Statuses that any operation may answer with.
const AROUND: [u16; 9] = [400, 401, 403, 408, 409, 413, 415, 429, 503];

/// A line of `operations.tsv`.
#[derive(Debug)]
struct Listed {
    name: String,
    method: String,
    path: String,
    success: u16,
    errors: Vec<u16>,
    error_body: String,
}

fn listed() -> Vec<Listed> {
    let lines = include_str!("operations.tsv").lines().skip(1);
    let read = |line: &str| {
        let [name, method, path, _given, success, errors, error_body] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("seven columns: {line}")
        };
        let status = |text: &str| text.parse().unwrap_or_else(|_| panic!("a status: {line}"));
        Listed {
            name: name.to_owned(),
            method: method.to_owned(),
            path: path.to_owned(),
            success: status(success),
            errors: errors.split(',').map(status).collect(),
            error_body: error_body.to_owned(),
        }
    };
    let listed: Vec<Listed> = lines.map(read).collect();
    assert_eq!(listed.len(), 68);
    listed
}

fn has_landed(operation: &Listed) -> bool {
    !NOT_YET.iter().any(|(name, _)| *name == operation.name)
}

async fn document(api: &Api) -> Value {
    api.anonymous().get("/openapi.json").await.expect(200).json()
}

/// The operation's part of the document; null where it is not there.
fn part<'a>(document: &'a Value, operation: &Listed) -> &'a Value {
    &document["paths"][&operation.path][operation.method.to_lowercase()]
}

async fn what_is_listed_is_documented(engine: Engine) {
    let document = document(&Server::shared(engine)).await;
    assert!(document["openapi"].as_str().is_some_and(|version| version.starts_with("3.1.")), "{}", document["openapi"]);
    let mut wrong = Vec::new();
    let all = listed();
    for (name, reason) in NOT_YET {
        assert!(all.iter().any(|operation| operation.name == *name) && !reason.is_empty(), "{name} is not listed");
    }
    for operation in &all {
        let (name, part) = (&operation.name, part(&document, operation));
        match (part.is_null(), has_landed(operation)) {
            (true, false) => continue,
            (true, true) => wrong.push(format!("{name}: is not there")),
            (false, false) => wrong.push(format!("{name}: has landed, take it from the list of exceptions")),
            (false, true) => {}
        }
        let schema = match operation.error_body.as_str() {
            "errors" => "#/components/schemas/Errors",
            "error" => "#/components/schemas/Error",
            _ => "#/components/schemas/OAuthError",
        };
        if part["summary"] != **name {
            wrong.push(format!("{name}: is called {}", part["summary"]));
        }
        let documented: BTreeSet<u16> = part["responses"].as_object().into_iter().flatten().filter_map(|(status, _)| status.parse().ok()).collect();
        let needed: BTreeSet<u16> = operation.errors.iter().copied().chain([operation.success]).collect();
        wrong.extend(needed.difference(&documented).map(|status| format!("{name}: {status} is listed and not documented")));
        let more = documented.difference(&needed).filter(|status| !AROUND.contains(status));
        wrong.extend(more.map(|status| format!("{name}: {status} is documented and not listed")));
        for status in documented.iter().filter(|status| **status >= 400) {
            let body = &part["responses"][status.to_string()]["content"]["application/json"]["schema"]["$ref"];
            if body != schema {
                wrong.push(format!("{name}: {status} has the body {body}"));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

/// "Deprecated fields stay on the schemas": they are taken, and who reads the schemas is told not to begin with them.
async fn what_is_deprecated_is_marked(engine: Engine) {
    let document = document(&Server::shared(engine)).await;
    // What a field says stands beside its type, or beside the reference to that.
    let says =
        |property: &Value| [&property["description"], &property["oneOf"][0]["description"]].into_iter().find_map(Value::as_str).map(str::to_owned);
    let marked = |schema: &Value| -> Vec<String> {
        let properties = schema["properties"].as_object().into_iter().flatten();
        properties.filter(|(_, property)| says(property).is_some_and(|text| text.starts_with("Deprecated"))).map(|(name, _)| name.clone()).collect()
    };
    for (schema, wanted) in [
        ("ActorRecord", vec!["accessClassification", "classification", "employee", "isActive", "monitored"]),
        (
            "AccountRecord",
            vec!["accessClassification", "accountAgreementId", "beneficiaryOwnerId", "classification", "monitored", "primaryRepresentativeId"],
        ),
        ("ObservationRecord", vec!["accessClassification", "classification"]),
        ("CreateCase", vec!["focal_actor_id"]),
        ("BulkCase", vec!["focal_actor_id"]),
    ] {
        let mut found = marked(&document["components"]["schemas"][schema]);
        found.sort();
        assert_eq!(found, wanted, "{schema}");
    }
    let parameters = document["paths"]["/api/observations"]["post"]["parameters"].as_array().expect("parameters");
    let marked: Vec<&Value> = parameters.iter().filter(|parameter| parameter["deprecated"] == true).map(|parameter| &parameter["name"]).collect();
    assert_eq!(marked, ["create_case"]);
}

async fn what_is_documented_is_listed(engine: Engine) {
    let document = document(&Server::shared(engine)).await;
    let known: BTreeSet<(String, String)> = listed().into_iter().map(|operation| (operation.method, operation.path)).collect();
    let mut more = BTreeMap::new();
    for (path, item) in document["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("methods") {
            let route = (method.to_uppercase(), path.clone());
            let is_also = ALSO.iter().any(|(method, path)| *method == route.0 && *path == route.1);
            // What an administrator needs and the list does not have lies elsewhere.
            if !known.contains(&route) && !is_also && !path.starts_with("/admin/") {
                more.insert(route, operation["summary"].clone());
            }
        }
    }
    assert_eq!(more, BTreeMap::new());
}

async fn what_is_listed_is_there(engine: Engine) {
    let server = Server::shared(engine);
    let nowhere = server.get("/api/nowhere").await.expect(404).errors();
    assert!(nowhere[0].starts_with("path: there is nothing at"), "{nowhere:?}");
    for operation in listed().iter().filter(|operation| has_landed(operation)) {
        let path = operation.path.split('/').map(|part| if part.starts_with('{') { "x" } else { part }).collect::<Vec<_>>().join("/");
        let answer = server.send(server.request(&operation.method, &path)).await;
        assert!(!answer.text.contains("there is nothing at") && answer.status != 405, "{}: {answer:?}", operation.name);
        if operation.path.starts_with("/api/") {
            server.send(server.anonymous().request(&operation.method, &path)).await.expect(401);
        }
    }
}

async fn every_answer_is_documented_with_its_request_id(engine: Engine) {
    let document = document(&Server::shared(engine)).await;
    for (path, item) in document["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("methods") {
            assert!(operation["description"].is_string(), "{method} {path}: says what it does");
            for (status, response) in operation["responses"].as_object().expect("responses") {
                assert!(response["headers"]["x-request-id"].is_object(), "{method} {path} {status}");
                assert!(response["description"].as_str().is_some_and(|text| !text.is_empty()), "{method} {path} {status}");
            }
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                assert!(parameter["description"].is_string() && parameter["schema"].is_object(), "{method} {path}: {}", parameter["name"]);
            }
        }
    }
}

async fn the_console_needs_no_other_host(engine: Engine) {
    let stranger = Server::shared(engine).anonymous();
    let page = stranger.get("/docs").await.expect(200);
    assert!(page.header("content-type").starts_with("text/html"), "{page:?}");
    let guard = page.header("content-security-policy").to_owned();
    assert!(guard.contains("default-src 'none'") && guard.contains("connect-src 'self'") && !guard.contains("http"), "{guard}");
    assert_eq!(page.header("x-frame-options"), "DENY");
    assert!(!page.text.contains("http://") && !page.text.contains("https://") && !page.text.contains("=\"//"), "{}", page.text);
    let files: Vec<&str> = page.text.split(['"', '\'']).filter(|text| text.starts_with("/docs/")).collect();
    assert_eq!(files.len(), 3, "{files:?}");
    for file in files {
        let plain = stranger.get(file).await.expect(200);
        assert_eq!(plain.header("content-security-policy"), guard, "{file}");
        let packed = stranger.send(stranger.request("GET", file).header("accept-encoding", "gzip")).await.expect(200);
        assert!(packed.header("content-encoding") == "gzip" || packed.text == plain.text, "{file}");
    }
    let script = stranger.get("/docs/page.js").await.expect(200).text;
    assert!(script.contains("'/openapi.json'") && !script.contains("http"), "{script}");
    stranger.get("/docs/nothing.js").await.expect(404);
}
