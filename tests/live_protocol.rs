//! `graphql-transport-ws`, clause by clause: each message in both directions, and each code that a socket is closed with.
//!
//! The sockets here are written by hand; `tests/live/run` shows the same with the clients that pages use.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::case_work::made;
use crate::support::live::{POSITIONS, key, now, socket};
use crate::support::reader::text;
use crate::support::socket::{Heard, SOON, Socket, Upgrade};
use crate::support::{Engine, Ids, Server, Store, eventually, tests};

tests![
    both: queries_and_mutations_are_answered_once;
    embedded: the_subprotocol_is_chosen_or_the_socket_is_closed,
          a_request_that_is_no_upgrade_gets_no_socket,
          pages_of_other_origins_get_no_socket,
          a_socket_begins_with_one_sign_in,
          a_socket_that_never_signs_in_is_closed,
          credentials_come_by_header_or_payload,
          messages_that_the_protocol_does_not_have_close_the_socket,
          messages_that_concern_nothing_are_passed_over,
          a_message_that_is_too_large_closes_the_socket,
          pings_are_answered_with_their_payload,
          operations_that_cannot_begin_are_refused_by_an_error,
          the_root_field_of_a_subscription_is_found_wherever_it_stands,
          an_id_names_one_operation_at_a_time,
          a_completed_subscription_tells_nothing_more,
          operations_of_a_socket_are_bounded,
          sockets_are_bounded_for_a_caller_and_for_all,
          a_client_that_goes_leaves_its_place
];

/// A silence by which something would have come that comes, and has not.
const SILENCE: Duration = Duration::from_millis(1_500);

fn init(payload: &Value) -> Value {
    json!({"type": "connection_init", "payload": payload})
}

fn subscribe(id: &str, query: &str) -> Value {
    json!({"id": id, "type": "subscribe", "payload": {"query": query}})
}

async fn the_subprotocol_is_chosen_or_the_socket_is_closed(engine: Engine) {
    let server = Server::shared(engine);
    for offered in ["graphql-transport-ws", "graphql-ws, graphql-transport-ws", "graphql-transport-ws,x"] {
        let mut socket = Upgrade::of(&server).with("sec-websocket-protocol", offered).opened().await;
        assert_eq!(socket.head.header("sec-websocket-protocol"), "graphql-transport-ws", "{offered}");
        socket.sign_in(&json!({"x-api-key": server.key()})).await;
    }
    let none = Upgrade::of(&server).without("sec-websocket-protocol");
    let old = Upgrade::of(&server).with("sec-websocket-protocol", "graphql-ws");
    let other = Upgrade::of(&server).with("sec-websocket-protocol", "graphql-transport-ws2");
    for upgrade in [none, old, other] {
        let (code, reason, before) = upgrade.opened().await.closed().await;
        assert_eq!((code, before), (4406, Vec::new()), "{reason}");
        assert!(reason.contains("graphql-transport-ws"), "it says what would be right: {reason}");
    }
}

async fn a_request_that_is_no_upgrade_gets_no_socket(engine: Engine) {
    let server = Server::shared(engine);
    let plain = server.get("/graphql/ws").await;
    assert!((400..500).contains(&plain.status) && plain.status != 404, "{plain:?}");
    assert!(!plain.header("x-request-id").is_empty(), "{plain:?}");
    let posted = server.post("/graphql/ws", "{}").await;
    assert_eq!(posted.status, 405, "{posted:?}");
    for (name, value) in [("sec-websocket-version", "8"), ("upgrade", "h2c")] {
        let Err(head) = Upgrade::of(&server).with(name, value).open().await else { panic!("{name}: {value} makes no socket") };
        assert!((400..500).contains(&head.status), "{name}: {head:?}");
    }
    let Err(head) = Upgrade::of(&server).without("sec-websocket-key").open().await else { panic!("a socket has a key") };
    assert!((400..500).contains(&head.status), "{head:?}");
}

/// A browser sends `Origin` with each socket, and cookies or not: a page of another origin is not to use what its visitor may reach.
async fn pages_of_other_origins_get_no_socket(engine: Engine) {
    let server = Server::with(Store::of(engine), &[("AMLGRAPH_LIVE__ORIGINS", "https://desk.example.com")]);
    let host = server.base.strip_prefix("http://").expect("an http address").to_owned();
    let own = format!("http://{host}");
    let behind_tls = format!("https://{host}");
    let table = [
        (own.as_str(), 101),
        // What ends TLS before the service changes the scheme, and no host.
        (behind_tls.as_str(), 101),
        ("https://desk.example.com", 101),
        ("https://desk.example.com:8443", 403),
        ("http://desk.example.com", 403),
        ("https://desk.example.com.evil.example", 403),
        ("https://evil.example", 403),
        ("http://127.0.0.1", 403),
        ("null", 403),
        ("", 403),
        ("nonsense", 403),
    ];
    for (origin, status) in table {
        let answered = match Upgrade::of(&server).with("origin", origin).open().await {
            Ok(socket) => socket.head.status,
            Err(head) => head.status,
        };
        assert_eq!(answered, status, "{origin:?}");
    }
}

/// What is said before the service has acknowledged, and with which code it ends.
async fn a_socket_begins_with_one_sign_in(engine: Engine) {
    let server = Server::shared(engine);
    let right = init(&json!({"x-api-key": server.key()}));
    let table = [
        ("subscribe before all", vec![subscribe("1", "{ __typename }")], 4401),
        ("twice, one behind the other", vec![right.clone(), right.clone()], 4429),
        ("twice, the second one wrong", vec![right.clone(), init(&json!({}))], 4429),
        ("no payload", vec![json!({"type": "connection_init"})], 4401),
        ("payload null", vec![init(&Value::Null)], 4401),
        ("nothing in it", vec![init(&json!({}))], 4401),
        ("a wrong key", vec![init(&json!({"x-api-key": "wrong"}))], 4401),
        ("a wrong token", vec![init(&json!({"authorization": "Bearer a.b.c"}))], 4401),
        ("another scheme", vec![init(&json!({"authorization": "Basic dXNlcjpwYXNz"}))], 4401),
        ("a key that is no text", vec![init(&json!({"x-api-key": 1}))], 4400),
        ("a payload that is no object", vec![json!({"type": "connection_init", "payload": "x"})], 4400),
        ("no type", vec![json!({"payload": {}})], 4400),
    ];
    for (what, messages, wanted) in table {
        let mut socket = Upgrade::of(&server).opened().await;
        for message in &messages {
            socket.say(message).await;
        }
        let (code, reason, before) = socket.closed().await;
        assert_eq!(code, wanted, "{what}: {reason}");
        assert!(!reason.is_empty() && before.iter().all(|message| message["type"] == "connection_ack"), "{what}: {before:?}");
        assert!(!reason.contains(server.key()), "{what}");
    }
    // Neither a ping nor what concerns no operation is in the way of a sign-in.
    let mut socket = Upgrade::of(&server).opened().await;
    socket.say(&json!({"type": "ping"})).await;
    assert_eq!(socket.message().await["type"], "pong");
    socket.say(&json!({"type": "pong"})).await;
    socket.complete("1").await;
    socket.sign_in(&json!({"x-api-key": server.key()})).await;
    socket.say(&right).await;
    assert_eq!(socket.closed().await.0, 4429, "a socket that has signed in does so once");
}

async fn a_socket_that_never_signs_in_is_closed(engine: Engine) {
    let server = Server::shared(engine);
    let mut socket = Upgrade::of(&server).opened().await;
    let opened = Instant::now();
    socket.say(&json!({"type": "ping"})).await;
    let (code, reason, _) = socket.closed().await;
    assert_eq!(code, 4408, "{reason}");
    println!("closed {:?} after it was opened", opened.elapsed());
}

async fn credentials_come_by_header_or_payload(engine: Engine) {
    let server = Server::shared(engine);
    let (analyst, id) = key(&server, "ANALYST").await;
    let client = server.post("/admin/clients", r#"{"role":"ANALYST"}"#).await.expect(201).json();
    let [client_id, secret] = ["client_id", "client_secret"].map(|field| text(&client[field]));
    let form = [("grant_type", "client_credentials"), ("client_id", client_id.as_str()), ("client_secret", secret.as_str())];
    let api = server.anonymous();
    let issued = api.send(api.request("POST", "/auth/token").form(&form)).await.expect(200).json();
    let bearer = format!("Bearer {}", text(&issued["access_token"]));
    for payload in [
        json!({"x-api-key": analyst}),
        json!({"X-API-Key": analyst}),
        json!({"authorization": bearer}),
        json!({"Authorization": bearer}),
        // What else a page says of itself is nobody's concern.
        json!({"x-api-key": analyst, "client": {"name": "desk"}}),
    ] {
        let mut socket = Upgrade::of(&server).opened().await;
        socket.sign_in(&payload).await;
        assert_eq!(socket.answer("1", "{ __typename }", json!({})).await, json!({"data": {"__typename": "Query"}}));
    }
    for (name, value) in [("x-api-key", &analyst), ("authorization", &bearer)] {
        for payload in [json!({}), Value::Null] {
            let mut socket = Upgrade::of(&server).with(name, value).opened().await;
            socket.sign_in(&payload).await;
            assert_eq!(socket.answer("1", "{ __typename }", json!({})).await, json!({"data": {"__typename": "Query"}}));
        }
    }
    let mut both = Upgrade::of(&server).opened().await;
    both.say(&init(&json!({"x-api-key": analyst, "authorization": bearer}))).await;
    let (code, reason, _) = both.closed().await;
    assert!([4400, 4401].contains(&code), "two credentials are one too many: {code} {reason}");
    server.delete(&format!("/admin/keys/{id}")).await.expect(204);
    // A key that was just revoked may be known for a moment.
    eventually("a revoked key is refused", SOON, async || {
        let mut socket = Upgrade::of(&server).opened().await;
        socket.say(&init(&json!({"x-api-key": analyst}))).await;
        matches!(socket.hear().await, Heard::Closed(4401, _))
    })
    .await;
}

async fn messages_that_the_protocol_does_not_have_close_the_socket(engine: Engine) {
    let server = Server::shared(engine);
    let query = json!({"query": "{ __typename }"});
    let with = |name: &str, value: Value| {
        let mut payload = query.clone();
        payload[name] = value;
        json!({"id": "1", "type": "subscribe", "payload": payload})
    };
    let table = [
        json!([]),
        json!("ping"),
        json!(null),
        json!({}),
        json!({"type": null}),
        json!({"type": 1}),
        json!({"type": "start", "id": "1", "payload": query}),
        json!({"type": "PING"}),
        json!({"type": "connection_ack"}),
        json!({"type": "next", "id": "1", "payload": {"data": null}}),
        json!({"type": "error", "id": "1", "payload": [{"message": "x"}]}),
        json!({"type": "ping", "payload": 1}),
        json!({"type": "pong", "payload": []}),
        json!({"type": "subscribe"}),
        json!({"type": "subscribe", "payload": query}),
        json!({"type": "subscribe", "id": "1"}),
        json!({"type": "subscribe", "id": 1, "payload": query}),
        json!({"type": "subscribe", "id": "", "payload": query}),
        json!({"type": "subscribe", "id": "1", "payload": []}),
        json!({"type": "subscribe", "id": "1", "payload": {}}),
        with("query", json!(1)),
        with("query", json!(null)),
        with("operationName", json!(1)),
        with("variables", json!([])),
        with("variables", json!("{}")),
        with("extensions", json!([])),
        json!({"type": "complete"}),
        json!({"type": "complete", "id": 1}),
        json!({"type": "complete", "id": ""}),
    ];
    let mut texts: Vec<String> = table.iter().map(Value::to_string).collect();
    texts.extend(["", "{", "ping", "{\"type\": \"ping\"} {\"type\": \"ping\"}", "{\"type\": \"ping\", \"payload\": }"].map(str::to_owned));
    for said in texts {
        let mut socket = socket(&server).await;
        socket.say_text(&said).await;
        let (code, reason, before) = socket.closed().await;
        assert_eq!((code, before), (4400, Vec::new()), "{said}: {reason}");
        assert!(!reason.is_empty(), "{said}");
    }
    let mut socket = socket(&server).await;
    socket.say_bytes(json!({"type": "ping"}).to_string().into_bytes()).await;
    let (code, reason, _) = socket.closed().await;
    assert_eq!(code, 4400, "{reason}");
    // Longer than a reason may be, and in letters of several bytes.
    for kind in ["x".repeat(500), "ü€".repeat(100)] {
        let mut socket = Socket::signed_in(&server, server.key()).await;
        socket.say(&json!({"type": kind})).await;
        assert_eq!(socket.closed().await.0, 4400);
    }
}

/// Before a sign-in as after it: who has not said who it is may send no more than anybody.
async fn a_message_that_is_too_large_closes_the_socket(engine: Engine) {
    let server = Server::shared(engine);
    for mut socket in [Upgrade::of(&server).opened().await, socket(&server).await] {
        socket.announce(1 << 20).await;
        let (code, reason, before) = socket.closed().await;
        assert_eq!((code, before), (1009, Vec::new()), "{reason}");
    }
}

async fn messages_that_concern_nothing_are_passed_over(engine: Engine) {
    let server = Server::shared(engine);
    let mut socket = socket(&server).await;
    socket.complete("nobody").await;
    socket.say(&json!({"type": "pong", "payload": {"x": 1}})).await;
    socket.say(&json!({"type": "pong", "payload": null})).await;
    let nothing = json!({"query": "{ __typename }", "operationName": null, "variables": null, "extensions": null});
    socket.say(&json!({"id": "1", "type": "subscribe", "payload": nothing})).await;
    assert_eq!(socket.next("1").await, json!({"data": {"__typename": "Query"}}));
    assert_eq!(socket.message().await, json!({"id": "1", "type": "complete"}));
    // It is complete already, as client and service may both say at the same time.
    socket.complete("1").await;
    assert_eq!(socket.answer("2", "{ __typename }", json!({})).await, json!({"data": {"__typename": "Query"}}));
    socket.close(1000).await;
    let end = socket.hear().await;
    assert!(matches!(end, Heard::Gone | Heard::Closed(1000 | 1005, _)), "{end:?}");
}

async fn pings_are_answered_with_their_payload(engine: Engine) {
    let server = Server::shared(engine);
    let mut socket = socket(&server).await;
    for payload in [json!({}), json!({"a": [1, {"b": "ü"}], "n": 1.10})] {
        socket.say(&json!({"type": "ping", "payload": payload})).await;
        assert_eq!(socket.message().await, json!({"type": "pong", "payload": payload}));
    }
    for ping in [json!({"type": "ping"}), json!({"type": "ping", "payload": null})] {
        socket.say(&ping).await;
        let pong = socket.message().await;
        assert!(pong["type"] == "pong" && pong["payload"].is_null(), "{pong}");
    }
}

async fn queries_and_mutations_are_answered_once(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let case = made(&server, json!({"actors": [{"id": ids.of("person")}]})).await;
    let mut socket = socket(&server).await;
    let query =
        "query($id: ID!) { case(id: $id) { id version actors { totalCount } } nothing: case(id: \"0190a8f4-5c1e-7b3a-9d42-6f0e8c1b2a99\") { id } }";
    // By POST first: what a cold database has to plan is planned then.
    let posted = server.graphql_in_time(query, json!({"id": case})).await;
    assert_eq!(socket.answer("q", query, json!({"id": case})).await, posted);
    let comment = "mutation($input: CommentOnCaseInput!) { commentOnCase(input: $input) { userErrors { code } case { version } } }";
    let version = posted["data"]["case"]["version"].as_i64().expect("a version");
    let said = socket.answer("m", comment, json!({"input": {"caseId": case, "text": "Looks odd."}})).await;
    assert_eq!(said, json!({"data": {"commentOnCase": {"userErrors": [], "case": {"version": version + 1}}}}));
    // Errors of fields are in the result, as everywhere.
    let missing = "{ changes(after: \"x\") { position } }";
    let result = socket.answer("e", missing, json!({})).await;
    assert_eq!(result, server.graphql_answer(missing, json!({})).await);
    assert!(result["errors"].is_array(), "{result}");
    let named = json!({"query": "query A { a: __typename } query B { b: __typename }", "operationName": "B"});
    socket.say(&json!({"id": "n", "type": "subscribe", "payload": named})).await;
    assert_eq!(socket.next("n").await, json!({"data": {"b": "Query"}}));
    assert_eq!(socket.message().await, json!({"id": "n", "type": "complete"}));
}

async fn operations_that_cannot_begin_are_refused_by_an_error(engine: Engine) {
    let server = Server::shared(engine);
    let mut socket = socket(&server).await;
    let table = [
        "",
        "{",
        "{ nothing }",
        "query A { __typename } query B { __typename }",
        "fragment F on Query { __typename }",
        "subscription { nothing }",
        "subscription { caseChanges }",
        "subscription { caseChanges(id: 1.5) { position } }",
        "subscription { caseChanges(after: \"x\") { position } }",
        "subscription { caseChanges(after: \"999999999999\") { position } }",
        "subscription { __typename }",
        "subscription { a: caseChanges { position } b: caseChanges { position } }",
        "subscription { caseChanges { position } newObservations { position } }",
        "subscription { ...F } fragment F on Subscription { caseChanges { position } newObservations { position } }",
        "subscription { ... { caseChanges { position } } ... on Subscription { newObservations { position } } }",
        "subscription { caseChanges @skip(if: true) { position } }",
        "subscription { caseChanges @include(if: false) { position } }",
        "subscription { ...F @skip(if: true) } fragment F on Subscription { caseChanges { position } }",
        "query($id: ID!) { case(id: $id) { id } actors(first: 1) { totalCount } }",
        "subscription($id: ID!) { caseChanges(id: $id) { position } }",
    ];
    for (number, query) in table.into_iter().enumerate() {
        let id = format!("{number}");
        socket.subscribe(&id, query, json!({})).await;
        socket.refusal(&id).await;
    }
    // The socket and the ids are as before.
    assert_eq!(socket.answer("0", "{ __typename }", json!({})).await, json!({"data": {"__typename": "Query"}}));
}

async fn the_root_field_of_a_subscription_is_found_wherever_it_stands(engine: Engine) {
    let server = Server::shared(engine);
    let after = now(&server).await;
    let case = made(&server, json!({})).await;
    let field = "caseChanges(id: $id, after: $after)";
    let head = "subscription($id: ID, $after: ID)";
    let with_condition = "subscription($id: ID, $after: ID, $yes: Boolean! = true)";
    let table = [
        format!("{head} {{ {field} {{ position }} }}"),
        format!("{head} {{ ...F }} fragment F on Subscription {{ {field} {{ position }} }}"),
        format!("{head} {{ ...F }} fragment F on Subscription {{ ...G }} fragment G on Subscription {{ {field} {{ position }} }}"),
        format!("{head} {{ ... {{ {field} {{ position }} }} }}"),
        format!("{with_condition} {{ ... @include(if: $yes) {{ {field} {{ position }} }} }}"),
        format!("{head} {{ {field} {{ at }} {field} {{ position }} }}"),
        format!("{with_condition} {{ {field} {{ position }} other: newObservations @skip(if: $yes) {{ position }} }}"),
    ];
    let mut socket = socket(&server).await;
    for (number, query) in table.iter().enumerate() {
        let id = format!("{number}");
        socket.subscribe(&id, query, json!({"id": case, "after": after})).await;
        let result = socket.next(&id).await;
        assert!(result["data"]["caseChanges"]["position"].is_string() && result["errors"].is_null(), "{query}: {result}");
        socket.complete(&id).await;
    }
    let aliased = format!("{head} {{ mine: {field} {{ here: position }} }}");
    socket.subscribe("a", &aliased, json!({"id": case, "after": after})).await;
    let result = socket.next("a").await;
    assert!(result["data"]["mine"]["here"].is_string(), "{result}");
}

async fn an_id_names_one_operation_at_a_time(engine: Engine) {
    let server = Server::shared(engine);
    let after = now(&server).await;
    let case = made(&server, json!({})).await;
    let variables = json!({"id": case, "after": after});
    let mut socket = socket(&server).await;
    // The same id again and again, once the one before is complete.
    for _ in 0..3 {
        socket.subscribe("same", POSITIONS, variables.clone()).await;
        socket.next("same").await;
        socket.complete("same").await;
    }
    assert_eq!(socket.answer("same", "{ __typename }", json!({})).await, json!({"data": {"__typename": "Query"}}));
    // Whatever kind of operation it is, and though the id alone may fill a reason.
    for id in ["same".to_owned(), "é".repeat(100)] {
        let mut socket = Socket::signed_in(&server, server.key()).await;
        socket.subscribe(&id, POSITIONS, variables.clone()).await;
        socket.next(&id).await;
        socket.subscribe(&id, "{ __typename }", json!({})).await;
        let (code, reason, _) = socket.closed().await;
        assert_eq!(code, 4409, "{reason}");
        assert!(format!("Subscriber for {id} already exists").starts_with(&reason) && reason.len() > 20, "{reason}");
    }
}

async fn a_completed_subscription_tells_nothing_more(engine: Engine) {
    let server = Server::shared(engine);
    let after = now(&server).await;
    let case = made(&server, json!({})).await;
    let mut socket = socket(&server).await;
    for id in ["goes", "stays"] {
        socket.subscribe(id, POSITIONS, json!({"id": case, "after": after})).await;
        socket.next(id).await;
    }
    socket.complete("goes").await;
    // What the service has heard after it has heard of the end.
    assert_eq!(socket.answer("q", "{ __typename }", json!({})).await, json!({"data": {"__typename": "Query"}}));
    server.patch(&format!("/api/cases/{case}"), r#"{"c__n": 1}"#).await.expect(200);
    socket.next("stays").await;
    assert_eq!(socket.hear_within(SILENCE).await, None, "neither an event nor a word that it is complete");
}

async fn operations_of_a_socket_are_bounded(engine: Engine) {
    let server = Server::with(Store::of(engine), &[("AMLGRAPH_LIVE__OPERATIONS_PER_CONNECTION", "2")]);
    let mut socket = socket(&server).await;
    for id in ["one", "two"] {
        socket.subscribe(id, "subscription { caseChanges { position } }", json!({})).await;
    }
    socket.subscribe("three", "{ __typename }", json!({})).await;
    let refused = socket.refusal("three").await;
    assert_eq!(refused[0]["extensions"]["code"], "TOO_MANY", "{refused:?}");
    socket.complete("one").await;
    assert_eq!(socket.answer("three", "{ __typename }", json!({})).await, json!({"data": {"__typename": "Query"}}));
}

async fn sockets_are_bounded_for_a_caller_and_for_all(engine: Engine) {
    let settings = [("AMLGRAPH_LIVE__CONNECTIONS", "3"), ("AMLGRAPH_LIVE__CONNECTIONS_PER_CALLER", "2")];
    let server = Server::with(Store::of(engine), &settings);
    let other = key(&server, "ANALYST").await.0;
    let mut own = [socket(&server).await, socket(&server).await];
    let mut third = Upgrade::of(&server).opened().await;
    third.say(&init(&json!({"x-api-key": server.key()}))).await;
    let (code, reason, _) = third.closed().await;
    assert_eq!(code, 4429, "{reason}");
    drop(third);
    // The place of the one that was refused is free a moment later.
    let place = tokio::sync::Mutex::new(None);
    eventually("there is a place for another caller", SOON, async || {
        let mut socket = Upgrade::of(&server).opened().await;
        socket.say(&init(&json!({"x-api-key": other}))).await;
        let heard = socket.hear().await;
        let is_in = matches!(heard, Heard::Message(_));
        *place.lock().await = is_in.then_some(socket);
        is_in
    })
    .await;
    let mut fourth = Upgrade::of(&server).opened().await;
    fourth.say(&init(&json!({"x-api-key": other}))).await;
    let (code, reason, _) = fourth.closed().await;
    assert_eq!(code, 1013, "{reason}");
    // Those who were there before are served as before.
    let first = own.first_mut().expect("two sockets");
    assert_eq!(first.answer("q", "{ __typename }", json!({})).await, json!({"data": {"__typename": "Query"}}));
    drop(place);
}

async fn a_client_that_goes_leaves_its_place(engine: Engine) {
    let server = Server::with(Store::of(engine), &[("AMLGRAPH_LIVE__CONNECTIONS_PER_CALLER", "1")]);
    for turn in 0..3 {
        let signed_in = async || {
            let mut socket = Upgrade::of(&server).opened().await;
            socket.say(&init(&json!({"x-api-key": server.key()}))).await;
            let is_in = matches!(socket.hear().await, Heard::Message(_));
            socket.subscribe("s", "subscription { caseChanges { position } }", json!({})).await;
            // With a word or without one.
            if turn % 2 == 0 {
                socket.close(1000).await;
            }
            is_in
        };
        eventually("there is a place", SOON, signed_in).await;
    }
}
