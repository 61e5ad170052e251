//! GraphQL over HTTP: how a request may come, in which form it is answered, batches, and the page for a browser.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::event_stream::EventStream;
use crate::support::fixtures::actor;
use crate::support::live::key;
use crate::support::network::Network;
use crate::support::socket::Socket;
use crate::support::{Answer, Api, Engine, Ids, Server, Store, eventually, tests};

tests![embedded: what_is_skipped_is_not_missed, unreadable_requests_are_told_why, a_body_must_be_json, queries_by_get, queries_by_get_come_with_what_no_form_sends,
    batches_are_there_when_they_are_set, batches, statuses_for_those_who_want_them, graphiql_needs_no_other_host,
    the_page_is_for_those_who_like_it_best, the_page_can_be_put_away, suggestions_can_be_put_away, an_answer_says_its_cost_to_who_asks,
    documents_are_named_by_their_ids_and_others_can_be_refused;
    both: a_slow_request_costs_a_batch_itself, a_subscription_is_told_where_it_goes, a_fault_is_told_once];

const JSON: &str = "application/json";
const GRAPHQL: &str = "application/graphql-response+json";

/// A header that a query in the address must come with, one of several.
const BY_NO_FORM: (&str, &str) = ("graphql-require-preflight", "1");

/// The setting that lets batches in.
const BATCH: &str = "AMLGRAPH_GRAPHQL__BATCH";

/// What is said of a field that a request has twice.
const GIVEN_TWICE: &str = "query, documentId, operationName, variables and extensions: must be given once";

/// The message of a request that was refused before any document was read.
#[track_caller]
fn message(answer: &Answer, status: u16) -> String {
    assert_eq!((answer.status, answer.header("content-type")), (status, JSON), "{answer:?}");
    let body = answer.json();
    assert_eq!(body["errors"][0]["extensions"]["code"], json!("INVALID"), "{body}");
    body["errors"][0]["message"].as_str().expect("a message").to_owned()
}

async fn unreadable_requests_are_told_why(engine: Engine) {
    let server = Server::shared(engine);
    let deep = format!("{{\"query\":\"{{ __typename }}\",\"variables\":{{\"a\":{}{}}}}}", "[".repeat(200), "]".repeat(200));
    for (body, wanted) in [
        ("", "body: must be JSON: EOF while parsing a value at line 1 column 0"),
        ("{", "body: must be JSON: EOF while parsing an object at line 1 column 1"),
        ("{1: 2}", "body: must be JSON: key must be a string at line 1 column 2"),
        (&deep, "body: must be JSON: recursion limit exceeded at line 1 column"),
        ("\"{ __typename }\"", "body: must be an object with a query"),
        ("7", "body: must be an object with a query"),
        ("{}", "query: is missing"),
        (r#"{"query": null}"#, "query: is missing"),
        (r#"{"query": " \n"}"#, "query: is missing"),
        (r#"{"query": 1}"#, "query: must be a string"),
        (r#"{"query": "{ __typename }", "operationName": 1}"#, "operationName: must be a string"),
        (r#"{"query": "{ __typename }", "variables": "{}"}"#, "variables: must be an object"),
        (r#"{"query": "{ __typename }", "variables": []}"#, "variables: must be an object"),
        (r#"{"query": "{ __typename }", "extensions": "{}"}"#, "extensions: must be an object"),
        (r#"{"query": "{ __typename }", "extensions": 0}"#, "extensions: must be an object"),
        (r#"{"query": "{ __typename }", "extensions": false}"#, "extensions: must be an object"),
        (r#"{"query": "{ __typename }", "extensions": [{}]}"#, "extensions: must be an object"),
        (r#"{"query": "{ __typename }", "query": "{ __typename }"}"#, GIVEN_TWICE),
        (r#"{"query": "{ __typename }", "extensions": {}, "extensions": {}}"#, GIVEN_TWICE),
    ] {
        let found = message(&server.post("/graphql", body).await, 400);
        assert!(found.starts_with(wanted), "{body}: {found}");
    }
    let large = json!({"query": "{ __typename }", "variables": {"a": "x".repeat(256 << 10)}}).to_string();
    assert_eq!(message(&server.post("/graphql", large).await, 400), "variables: must be at most 262144 bytes");
    for body in [
        r#"{"query": "{ __typename }", "variables": null, "operationName": null, "extensions": null, "more": 1}"#,
        r#"{"query": "{ __typename }", "extensions": {"of": [{"another": "program"}]}}"#,
        "\n{\"query\":\"{__typename}\"} ",
    ] {
        let answer = server.post("/graphql", body).await.expect(200).json();
        assert_eq!(answer, json!({"data": {"__typename": "Query"}}), "{body}");
    }
}

async fn a_body_must_be_json(engine: Engine) {
    let server = Server::shared(engine);
    let query = r#"{"query": "{ __typename }"}"#;
    for kind in ["application/graphql", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/jsonx"] {
        let answer = server.send(server.request("POST", "/graphql").header("content-type", kind).body(query)).await;
        assert_eq!(message(&answer, 415), "content-type: must be application/json", "{kind}");
    }
    let without = server.send(server.request("POST", "/graphql").body(query)).await;
    assert_eq!(message(&without, 415), "content-type: must be application/json");
    for kind in ["application/json; charset=utf-8", "Application/JSON"] {
        server.send(server.request("POST", "/graphql").header("content-type", kind).body(query)).await.expect(200);
    }
}

async fn queries_by_get(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    server.post("/api/actors", actor(&ids.of("actor")).to_string()).await.expect(200);
    let get = |pairs: &[(&str, &str)]| server.send(server.request("GET", "/graphql").header(BY_NO_FORM.0, BY_NO_FORM.1).query(pairs));
    assert!(get(&[("query", "{ actors(first: 1) { totalCount } }")]).await.expect(200).json()["data"]["actors"]["totalCount"].as_i64() > Some(0));
    let variables = json!({"id": ids.of("actor")}).to_string();
    let both = r#"query read($id: ID!) { actor(id: $id) { id } } mutation write { recordDevices(devices: [{id: "never"}]) }"#;
    let read = get(&[("query", both), ("operationName", "read"), ("variables", &variables)]).await.expect(200).json();
    assert_eq!(read, json!({"data": {"actor": {"id": ids.of("actor")}}}));
    for query in [vec![("query", both), ("operationName", "write")], vec![("query", r#"mutation { recordDevices(devices: [{id: "never"}]) }"#)]] {
        let answer = get(&query).await;
        assert_eq!(message(&answer, 405), "a mutation is sent by POST");
        assert_eq!(answer.header("allow"), "POST");
    }
    // Neither is carried out.
    let neither = get(&[("query", both)]).await.expect(200).json();
    assert!(neither.get("data").is_none() && neither["errors"][0]["message"] == json!("Operation name required in request."), "{neither}");
    for (pairs, wanted) in [
        (vec![], "query: is missing"),
        (vec![("query", "")], "query: is missing"),
        (vec![("query", "{ __typename }"), ("query", "{ __typename }")], GIVEN_TWICE),
        (vec![("query", "{ __typename }"), ("extensions", "[]")], "extensions: must be an object"),
        (vec![("query", "{ __typename }"), ("extensions", "{")], "extensions: must be JSON: EOF"),
        (vec![("query", "{ __typename }"), ("variables", "[]")], "variables: must be an object"),
        (vec![("query", "{ __typename }"), ("variables", "{")], "variables: must be JSON: EOF"),
    ] {
        let found = message(&get(&pairs).await, 400);
        assert!(found.starts_with(wanted), "{found}");
    }
    get(&[("query", "{ __typename }"), ("operationName", ""), ("variables", ""), ("extensions", "")]).await.expect(200);
    get(&[("query", "{ __typename }"), ("variables", "null"), ("extensions", "{\"more\": 1}")]).await.expect(200);
}

/// What a form, an image or a script of another site can send without asking first is not enough, even where a proxy puts a key in.
async fn queries_by_get_come_with_what_no_form_sends(engine: Engine) {
    let server = Server::shared(engine);
    let table: [(&[(&str, &str)], u16); 16] = [
        (&[BY_NO_FORM], 200),
        (&[("apollo-require-preflight", "true")], 200),
        (&[("x-apollo-operation-name", "read")], 200),
        (&[("x-requested-with", "XMLHttpRequest")], 200),
        // What browsers say themselves.
        (&[("sec-fetch-mode", "cors"), ("sec-fetch-site", "same-origin")], 200),
        (&[("sec-fetch-mode", "cors")], 200),
        (&[("sec-fetch-mode", "cors"), ("sec-fetch-site", "same-site")], 400),
        (&[("sec-fetch-mode", "cors"), ("sec-fetch-site", "cross-site")], 400),
        (&[("sec-fetch-mode", "navigate"), ("sec-fetch-site", "same-origin")], 400),
        (&[("sec-fetch-mode", "no-cors"), ("sec-fetch-site", "cross-site")], 400),
        (&[], 400),
        (&[("accept", JSON)], 400),
        (&[("accept-language", "en")], 400),
        (&[("content-type", "text/plain")], 400),
        (&[("origin", "https://elsewhere.example")], 400),
        (&[("cookie", "a=b")], 400),
    ];
    for (headers, status) in table {
        let get = async |api: &Api, query: &str| {
            let asked = api.request("GET", "/graphql").query(&[("query", query)]);
            api.send(headers.iter().fold(asked, |asked, (name, value)| asked.header(*name, *value))).await
        };
        let read = get(&server, "{ __typename }").await.expect(status);
        assert!(status == 200 || message(&read, 400).contains(BY_NO_FORM.0), "{headers:?}: {read:?}");
        get(&server, "mutation { __typename }").await.expect(if status == 200 { 405 } else { 400 });
        get(&server.anonymous(), "{ __typename }").await.expect(401);
    }
}

async fn batches_are_there_when_they_are_set(engine: Engine) {
    let server = Server::shared(engine);
    for count in [0, 1, 10] {
        let answer = server.post("/graphql", json!(vec![json!({"query": "{ __typename }"}); count]).to_string()).await;
        let found = message(&answer, 400);
        assert!(found.contains("no batches") && found.contains("graphql.batch"), "{found}");
    }
}

async fn batches(engine: Engine) {
    let server = Server::with(Store::of(engine), &[(BATCH, "10")]);
    for (body, wanted) in [
        ("[{]", "body: must be JSON: key must be a string at line 1 column 3"),
        ("[]", "the batch is empty"),
        (" [ \"{ __typename }\" ]", "[0]: must be an object with a query"),
        (r#"[{"query": "{ __typename }"}, ["{ __typename }"]]"#, "[1]: must be an object with a query"),
        (r#"[{"query": "{ __typename }"}, {}]"#, "[1].query: is missing"),
        (r#"[{"query": "{ __typename }"}, {"query": "{ __typename }", "extensions": 1}]"#, "[1].extensions: must be an object"),
    ] {
        let found = message(&server.post("/graphql", body).await, 400);
        assert!(found.starts_with(wanted), "{body}: {found}");
    }
    let one = json!({"query": "{ __typename }"});
    let batch = server.post("/graphql", json!(vec![one.clone(); 10]).to_string()).await.expect(200).json();
    assert_eq!(batch, json!(vec![json!({"data": {"__typename": "Query"}}); 10]));
    let too_many = server.post("/graphql", json!(vec![one.clone(); 11]).to_string()).await;
    assert_eq!(message(&too_many, 400), "at most 10 requests in a batch");
    let mixed = server.post("/graphql", json!([one, {"query": "{ nothing }"}]).to_string()).await.expect(200).json();
    assert_eq!((&mixed[0]["data"]["__typename"], &mixed[1]["errors"][0]["extensions"]["code"]), (&json!("Query"), &json!("INVALID")), "{mixed}");
    let refused = json!([{"query": "{ nothing }"}]).to_string();
    let answer = server.send(server.posting("/graphql", refused).header("accept", GRAPHQL)).await.expect(200);
    assert_eq!(answer.header("content-type"), GRAPHQL);
}

/// One of a batch takes longer than it may; the others are answered all the same.
async fn a_slow_request_costs_a_batch_itself(engine: Engine) {
    let store = Store::of(engine);
    let patient = Server::on(store.clone());
    let network = Network::make(&patient).await;
    patient.stop();
    let server = Server::with(store, &[("AMLGRAPH_GRAPHQL__TIME", "1ms"), (BATCH, "3")]);
    let around = (0..5).fold("id".to_owned(), |inner, _| format!("owner {{ transactions(first: 5) {{ edges {{ node {{ {inner} }} }} }} }}"));
    let slow = json!({"query": format!("{{ transaction(id: \"{}\") {{ {around} }} }}", network.ids.of("payment-0"))});
    let quick = json!({"query": "{ __typename }"});
    let answers = server.post("/graphql", json!([quick, slow, quick]).to_string()).await.expect(200).json();
    let answered = json!({"data": {"__typename": "Query"}});
    assert_eq!((answers.as_array().map(Vec::len), &answers[0], &answers[2]), (Some(3), &answered, &answered), "{answers}");
    assert_eq!(answers[1]["errors"][0]["extensions"]["code"], json!("TIME_LIMIT"), "{answers}");
    let alone = server.post("/graphql", slow.to_string()).await.expect(200).json();
    assert_eq!(alone["errors"][0]["extensions"]["code"], json!("TIME_LIMIT"), "{alone}");
}

async fn an_answer_says_its_cost_to_who_asks(engine: Engine) {
    let server = Server::shared(engine);
    let ask = async |query: &str, extensions: Value| {
        let body = json!({"query": query, "variables": {"n": 7}, "extensions": extensions}).to_string();
        server.post("/graphql", body).await.expect(200).json()
    };
    // A page costs 1, and its size times what is selected: the list of nodes, and the field of each.
    let query = "query($n: Int!) { actors(first: $n) { nodes { id } } }";
    let said = ask(query, json!({"cost": true})).await;
    assert_eq!(said["extensions"], json!({"cost": {"requested": 15, "limit": 50000}}), "{said}");
    for extensions in [json!({}), json!({"cost": false}), Value::Null] {
        assert!(ask(query, extensions).await.get("extensions").is_none());
    }
    // To sort deliveries by a time that no index has costs 5,000 more, unless the filter names what an index finds.
    for (filter, cost) in
        [("", 5_008), ("filter: {states: [FAILED]},", 5_108), ("filter: {caseIds: [\"0190a8f4-5c1e-7b3a-9d42-6f0e8c1b2a99\"]},", 108)]
    {
        let query = format!("query($n: Int!) {{ deliveries(first: $n, {filter} orderBy: {{field: FINISHED_AT}}) {{ totalCount }} }}");
        let said = ask(&query, json!({"cost": true})).await;
        assert_eq!(said["extensions"]["cost"]["requested"], json!(cost), "{filter}: {said}");
    }
    let large = "query($n: Int!) { actors(first: 500) { nodes { accounts(first: 500) { nodes { id } } } } a: actors(first: $n) { totalCount } }";
    let refused = ask(large, json!({"cost": true})).await;
    assert_eq!(refused["errors"][0]["extensions"]["code"], json!("TOO_COMPLEX"), "{refused}");
    assert!(refused["extensions"]["cost"]["requested"].as_i64() > Some(250_000), "{refused}");
    let wrong = server.post("/graphql", r#"{"query": "{ __typename }", "extensions": {"cost": 1}}"#).await;
    assert!(message(&wrong, 400).starts_with("extensions: cost must be true or false"), "{wrong:?}");
}

async fn documents_are_named_by_their_ids_and_others_can_be_refused(engine: Engine) {
    let file = tempfile::NamedTempFile::new().expect("a file");
    let list = json!({"known": "query($ok: Boolean!) { __typename viewer @skip(if: $ok) { roles } }", "writes": "mutation { __typename }",
        "older": "{\n  misspelt\n}", "cut": "{ actor("});
    std::fs::write(file.path(), list.to_string()).expect("written");
    let path = file.path().display().to_string();
    let settings = [("AMLGRAPH_GRAPHQL__DOCUMENTS", path.as_str()), ("AMLGRAPH_GRAPHQL__OTHER_DOCUMENTS", "refused")];
    let server = Server::with(Store::of(engine), &settings);
    let secret = key(&server, "ANALYST").await.0;
    let analyst = server.with_key(&secret);
    let data = json!({"data": {"__typename": "Query"}});
    for body in [
        json!({"documentId": "known", "variables": {"ok": true}}),
        json!({"documentId": "sha256:known", "query": "", "variables": {"ok": true}}),
        json!({"extensions": {"persistedQuery": {"version": 1, "sha256Hash": "known"}}, "variables": {"ok": true}}),
        json!({"documentId": "", "extensions": {"persistedQuery": {"sha256Hash": "known"}}, "variables": {"ok": true}}),
        json!({"query": list["known"], "variables": {"ok": true}}),
    ] {
        assert_eq!(analyst.post("/graphql", body.to_string()).await.expect(200).json(), data, "{body}");
        let mut socket = Socket::signed_in(&server, &secret).await;
        socket.say(&json!({"id": "1", "type": "subscribe", "payload": body})).await;
        assert_eq!(socket.next("1").await, data, "{body}");
        let stream = EventStream::open(analyst.posting("/graphql/stream", body.to_string())).await.only().await;
        assert_eq!(stream, data, "{body}");
    }
    let get = |pairs: &[(&str, &str)]| analyst.send(analyst.request("GET", "/graphql").header(BY_NO_FORM.0, BY_NO_FORM.1).query(pairs));
    assert_eq!(get(&[("documentId", "known"), ("variables", r#"{"ok": true}"#)]).await.expect(200).json(), data);
    get(&[("documentId", "writes")]).await.expect(405);
    let unknown = get(&[("documentId", "unknown")]).await.expect(200).json();
    // Apollo's clients go by the message.
    let error = &unknown["errors"][0];
    assert_eq!(
        (&error["message"], &error["extensions"]["code"]),
        (&json!("PersistedQueryNotFound"), &json!("PERSISTED_QUERY_NOT_FOUND")),
        "{unknown}"
    );
    for (body, code) in [
        (json!({"documentId": "unknown"}), "PERSISTED_QUERY_NOT_FOUND"),
        (json!({"documentId": "known", "query": "{ __typename }"}), "INVALID"),
        (json!({"query": "{ __typename }"}), "DOCUMENT_NOT_TRUSTED"),
        (json!({"query": "{ __typename }", "documentId": "unknown"}), "DOCUMENT_NOT_TRUSTED"),
    ] {
        let answer = analyst.post("/graphql", body.to_string()).await.expect(200).json();
        assert!(answer.get("data").is_none() && answer["errors"][0]["extensions"]["code"] == json!(code), "{body}: {answer}");
        let errors = EventStream::open(analyst.posting("/graphql/stream", body.to_string())).await.refusal().await;
        assert_eq!(errors[0]["extensions"]["code"], json!(code), "{body}");
    }
    // What does not fit the schema is told at the start, beside it, and holds up no other.
    eventually("the list is checked", Duration::from_secs(60), async || {
        ["older", "cut"].iter().all(|id| server.logged().contains(&format!("graphql.documents: {id}:")))
    })
    .await;
    let told = server.logged();
    for (id, fault, answer) in [("older", "older:2:3: Unknown field", "Unknown field"), ("cut", "cut:1:", "")] {
        let warnings: Vec<&str> =
            told.lines().filter(|line| line.contains("\"WARN\"") && line.contains(&format!("graphql.documents: {fault}"))).collect();
        assert_eq!(warnings.len(), 1, "{id}: {warnings:?}");
        let answered = analyst.post("/graphql", json!({"documentId": id}).to_string()).await.expect(200).json();
        let message = answered["errors"][0]["message"].as_str().unwrap_or_default();
        assert!(answered["data"].is_null() && !message.is_empty() && message.contains(answer), "{id}: {answered}");
    }
    // The operator's commands have documents of their own.
    assert_eq!(server.post("/graphql", r#"{"query": "{ __typename }"}"#).await.expect(200).json(), data);
}

/// Whoever asks for the newer form learns from the status whether the document was taken at all.
async fn statuses_for_those_who_want_them(engine: Engine) {
    let server = Server::shared(engine);
    let ask = async |accept: &str, query: &str| {
        let answer = server.send(server.posting("/graphql", json!({"query": query}).to_string()).header("accept", accept)).await;
        let data = answer.json().get("data").map(Value::is_null);
        (answer.status, answer.header("content-type").to_owned(), data)
    };
    let both = format!("{GRAPHQL}; charset=utf-8, {JSON};q=0.9");
    for (query, status, data) in [
        ("{ __typename }", 200, Some(false)),
        ("{ actor(id: \"nobody\") { id } }", 200, Some(false)),
        // The document is in order, and a field fails.
        ("{ node(id: \"x\") { id } }", 200, None),
        ("{ actors { nothing } }", 400, None),
        ("{ actors", 400, None),
        ("query a { __typename } query b { __typename }", 400, None),
        ("fragment a on Actor { id }", 400, None),
        ("query($id: ID!) { actor(id: $id) { id } actors(first: 1) { totalCount } }", 400, None),
    ] {
        for accept in [GRAPHQL, &both] {
            let (found, kind, null) = ask(accept, query).await;
            assert_eq!((found, kind.as_str()), (status, GRAPHQL), "{query}");
            assert!(data.is_none_or(|data| null == Some(data)) && (null.is_none() == (status == 400)), "{query}: {null:?}");
        }
        for accept in [JSON, "*/*"] {
            let (found, kind, _) = ask(accept, query).await;
            assert_eq!((found, kind.as_str()), (200, JSON), "{query}");
        }
    }
}

async fn graphiql_needs_no_other_host(engine: Engine) {
    let server = Server::shared(engine).anonymous();
    let page = server.send(server.request("GET", "/graphql").header("accept", "text/html,application/xhtml+xml")).await.expect(200);
    assert!(page.header("content-type").starts_with("text/html"), "{page:?}");
    assert_eq!(foreign(&page.text), Vec::<&str>::new());
    guarded(&page);
    let files: Vec<&str> = page.text.split(['"', '\'']).filter(|text| text.starts_with("/graphiql/")).collect();
    assert!(!files.is_empty(), "{}", page.text);
    for file in files {
        for encoding in ["gzip", "identity"] {
            let answer = server.send(server.request("GET", file).header("accept-encoding", encoding)).await;
            assert_eq!(answer.status, 200, "{file}");
            let kind = answer.header("content-type").to_owned();
            assert!(kind.contains("javascript") || kind.contains("css"), "{file}: {kind}");
            assert!(answer.header("content-encoding").is_empty() || encoding == "gzip", "{file}: {answer:?}");
            guarded(&answer);
        }
    }
    server.get("/graphiql/nothing.js").await.expect(404);
}

/// A page that holds a key runs nothing but its own files, and is shown in no other page.
#[track_caller]
fn guarded(answer: &Answer) {
    let policy = answer.header("content-security-policy");
    for wanted in ["default-src 'none'", "script-src 'self';", "connect-src 'self';", "frame-ancestors 'none'"] {
        assert!(policy.contains(wanted), "{}: {wanted} in {policy}", answer.asked);
    }
    assert_eq!(foreign(policy), Vec::<&str>::new());
    assert_eq!((answer.header("x-frame-options"), answer.header("x-content-type-options")), ("DENY", "nosniff"), "{}", answer.asked);
}

/// Addresses of other hosts that a page would fetch from.
fn foreign(page: &str) -> Vec<&str> {
    page.split(['"', '\'', '(', ' ']).filter(|text| ["http:", "https:", "//"].iter().any(|start| text.starts_with(start))).collect()
}

async fn the_page_is_for_those_who_like_it_best(engine: Engine) {
    let server = Server::shared(engine);
    for (accept, page) in [
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", true),
        ("application/json, text/html", true),
        ("application/json, text/html;q=0.1", false),
        ("text/html;q=0.4, application/graphql-response+json", false),
        ("*/*", false),
        ("application/json", false),
    ] {
        let asked =
            server.request("GET", "/graphql").query(&[("query", "{ __typename }")]).header(BY_NO_FORM.0, BY_NO_FORM.1).header("accept", accept);
        let answer = server.send(asked).await.expect(200);
        assert_eq!(answer.text.starts_with("<!doctype html>"), page, "{accept}: {answer:?}");
    }
}

/// Beyond loopback, and wherever a setting says so: a browser is told, a program is answered all the same.
async fn the_page_can_be_put_away(engine: Engine) {
    const GRAPHIQL: &str = "AMLGRAPH_GRAPHQL__GRAPHIQL";
    for (settings, page) in [
        (vec![("AMLGRAPH_LISTEN", "0.0.0.0:0")], false),
        (vec![(GRAPHIQL, "off")], false),
        (vec![("AMLGRAPH_LISTEN", "0.0.0.0:0"), (GRAPHIQL, "on")], true),
    ] {
        let server = Server::with(Store::of(engine), &settings);
        let stranger = server.anonymous();
        let browsing = || stranger.request("GET", "/graphql").header("accept", "text/html,application/xhtml+xml,*/*;q=0.8");
        let shown = stranger.send(browsing()).await.expect(if page { 200 } else { 404 });
        assert_eq!(shown.text.starts_with("<!doctype html>"), page, "{settings:?}: {shown:?}");
        stranger.get("/graphiql/page.js").await.expect(if page { 200 } else { 404 });
        if !page {
            assert_eq!(shown.json()["errors"][0]["extensions"]["code"], json!("NOT_FOUND"), "{shown:?}");
            assert!(shown.text.contains("graphql.graphiql"), "{shown:?}");
            let query = server.request("GET", "/graphql").query(&[("query", "{ __typename }")]);
            let answer = server.send(query.header("accept", "text/html").header(BY_NO_FORM.0, BY_NO_FORM.1)).await.expect(200);
            assert_eq!(answer.json(), json!({"data": {"__typename": "Query"}}));
        }
    }
}

async fn suggestions_can_be_put_away(engine: Engine) {
    let quiet = Server::with(Store::of(engine), &[("AMLGRAPH_GRAPHQL__SUGGESTIONS", "off")]);
    let open = Server::shared(engine);
    for (query, said) in [
        ("{ actr(id: \"a\") { id } }", "Unknown field \"actr\" on type \"Query\"."),
        ("{ actors(frst: 1) { totalCount } }", "Unknown argument \"frst\" on field \"actors\" of type \"Query\"."),
        ("{ actors @deprecated(reson: \"a\") { totalCount } }", "Unknown argument \"reson\" on directive \"deprecated\"."),
    ] {
        let texts = async |server: &Server| {
            let answer = server.graphql_answer(query, json!({})).await;
            let errors = answer["errors"].as_array().expect("errors").clone();
            errors.iter().map(|error| error["message"].as_str().expect("a text").to_owned()).collect::<Vec<_>>()
        };
        let (with, without) = (texts(&open).await, texts(&quiet).await);
        assert!(with.iter().any(|text| text.starts_with(&format!("{said} Did you mean"))), "{with:?}");
        assert!(without.iter().any(|text| text == said) && !without.iter().any(|text| text.contains("Did you mean")), "{without:?}");
    }
}

/// Variables have their defaults in directives, too; and a document of which everything is skipped was answered, with nothing.
async fn what_is_skipped_is_not_missed(engine: Engine) {
    let server = Server::shared(engine);
    let asked = |name: &str, directive: &str| format!("{name}: actor(id: \"nobody\") {directive} {{ id }}");
    for (definition, directive, variables, wanted) in [
        ("$d: Boolean = true", "@include(if: $d)", json!({}), json!({"a": null, "b": null})),
        ("$d: Boolean = true", "@skip(if: $d)", json!({}), json!({"a": null})),
        ("$d: Boolean = true", "@skip(if: $d)", json!({"d": false}), json!({"a": null, "b": null})),
    ] {
        let query = format!("query({definition}) {{ {} {} }}", asked("a", ""), asked("b", directive));
        let answer = server.graphql_answer(&query, variables.clone()).await;
        assert_eq!(answer, json!({"data": wanted}), "{query} {variables}");
    }
    let nothing = format!("query($d: Boolean!) {{ {} }}", asked("a", "@include(if: $d)"));
    assert_eq!(server.graphql_answer(&nothing, json!({"d": false})).await, json!({"data": {}}));
}

async fn a_subscription_is_told_where_it_goes(engine: Engine) {
    let server = Server::shared(engine);
    let answer = server.graphql_answer("subscription { newObservations { position } }", json!({})).await;
    let error = &answer["errors"][0];
    assert_eq!((answer.get("data"), &error["extensions"]["code"]), (None, &json!("INVALID")), "{answer}");
    let message = error["message"].as_str().expect("a message");
    assert!(["/graphql/ws", "/graphql/stream"].iter().all(|path| message.contains(path)), "{message}");
}

async fn a_fault_is_told_once(engine: Engine) {
    let server = Server::shared(engine);
    let assign = "mutation($input: AssignCasesInput!) { assignCases(input: $input) { userErrors { code } } }";
    for (query, variables, faults) in [
        ("{ actors(first: \"one\") { totalCount } }", json!({}), 1),
        ("query($n: Int) { actors(first: $n) { totalCount } }", json!({"n": "one"}), 1),
        ("query($n: String) { actors(first: $n) { totalCount } }", json!({"n": "one"}), 1),
        ("{ actors(first: $n) { totalCount } }", json!({}), 1),
        ("{ ...F ...F } fragment F on Query { actors(first: \"one\") { totalCount } }", json!({}), 1),
        ("{ actors(first: \"one\") { totalCount } cases(first: \"one\") { totalCount } }", json!({}), 2),
        (assign, json!({"input": {}}), 1),
        (assign, json!({"input": {"cases": 7}}), 1),
        ("mutation { assignCases { userErrors { code } } }", json!({}), 1),
        ("mutation { assignCases(input: {cases: [{caseId: \"c\", expectedVersion: \"1\"}]}) { userErrors { code } } }", json!({}), 1),
    ] {
        let answer = server.graphql_answer(query, variables).await;
        assert_eq!(answer["errors"].as_array().map(Vec::len), Some(faults), "{query}: {answer}");
    }
}
