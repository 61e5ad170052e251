//! GraphQL over server-sent events, in distinct connections; and how streams of both kinds end that their client has not ended.

use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use reqwest::RequestBuilder;
use serde_json::{Value, json};

use crate::support::case_work::made;
use crate::support::event_stream::{Came, EventStream};
use crate::support::fixtures::with;
use crate::support::live::{POSITIONS, key, now, socket};
use crate::support::reader::text;
use crate::support::socket::{Socket, Upgrade};
use crate::support::{Api, Engine, Ids, Server, Store, eventually, tests};

tests![
    both: each_operation_is_answered_by_a_stream_of_its_own;
    embedded: a_stream_is_asked_for_in_the_address_or_in_the_body,
          refusals_are_told_within_the_stream,
          who_has_no_credentials_or_wants_no_stream_gets_none,
          a_quiet_stream_is_kept_alive,
          a_stream_that_its_client_leaves_is_over,
          a_revoked_key_ends_its_streams,
          a_revoked_client_ends_its_streams,
          a_token_that_expires_ends_its_streams,
          a_stop_ends_streams_so_that_clients_come_again
];

const PATH: &str = "/graphql/stream";
const TYPE_NAME: &str = "{ __typename }";

fn asking(api: &Api, query: &str, variables: Value) -> RequestBuilder {
    api.posting(PATH, json!({"query": query, "variables": variables}).to_string())
}

async fn streamed(api: &Api, query: &str, variables: Value) -> EventStream {
    EventStream::open(asking(api, query, variables)).await
}

async fn each_operation_is_answered_by_a_stream_of_its_own(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let after = now(&server).await;
    let case = made(&server, json!({"actors": [{"id": ids.of("person")}]})).await;
    let query = "query($id: ID!) { case(id: $id) { id version actors { totalCount } } }";
    let posted = server.graphql_in_time(query, json!({"id": case})).await;
    let mut stream = streamed(&server, query, json!({"id": case})).await;
    assert!(stream.header("cache-control").contains("no-"), "no cache keeps a stream: {}", stream.header("cache-control"));
    assert!(!stream.header("x-request-id").is_empty());
    assert_eq!(stream.only().await, posted);

    let comment = "mutation($input: CommentOnCaseInput!) { commentOnCase(input: $input) { userErrors { code } case { version } } }";
    let version = posted["data"]["case"]["version"].as_i64().expect("a version");
    let mut stream = streamed(&server, comment, json!({"input": {"caseId": case, "text": "Looks odd."}})).await;
    assert_eq!(stream.only().await, json!({"data": {"commentOnCase": {"userErrors": [], "case": {"version": version + 1}}}}));

    let mut stream = streamed(&server, POSITIONS, json!({"id": case, "after": after})).await;
    for _ in ["made", "commented"] {
        let result = stream.next().await;
        assert!(result["data"]["caseChanges"]["position"].is_string(), "{result}");
    }
    server.patch(&format!("/api/cases/{case}"), r#"{"c__n": 1}"#).await.expect(200);
    let result = stream.next().await;
    assert!(result["data"]["caseChanges"]["position"].is_string(), "{result}");
}

async fn a_stream_is_asked_for_in_the_address_or_in_the_body(engine: Engine) {
    let server = Server::shared(engine);
    let after = now(&server).await;
    let case = made(&server, json!({})).await;
    let variables = json!({"id": case, "after": after}).to_string();
    let address = [("query", POSITIONS), ("variables", variables.as_str())];
    // As everywhere, with what no form and no image of another page can send.
    let by_address = || server.request("GET", PATH).header("graphql-require-preflight", "1");
    let mut stream = EventStream::open(by_address().query(&address)).await;
    let result = stream.next().await;
    assert!(result["data"]["caseChanges"]["position"].is_string(), "{result}");
    let named = [("query", "query A { a: __typename } query B { b: __typename }"), ("operationName", "B")];
    assert_eq!(EventStream::open(by_address().query(&named)).await.only().await, json!({"data": {"b": "Query"}}));
    let errors = EventStream::open(server.request("GET", PATH).query(&named)).await.refusal().await;
    assert!(text(&errors[0]["message"]).contains("graphql-require-preflight"), "{errors:?}");
    // Whoever is led to an address changes nothing by it.
    let comment = format!("mutation {{ commentOnCase(input: {{caseId: \"{case}\", text: \"x\"}}) {{ case {{ version }} }} }}");
    EventStream::open(by_address().query(&[("query", comment.as_str())])).await.refusal().await;
    let version = server.graphql("query($id: ID!) { case(id: $id) { version } }", json!({"id": case})).await;
    assert_eq!(version["case"]["version"], 1);
}

/// The client that pages use takes 400, 401 and 403 for a fault of the network, and never shows what they say.
async fn refusals_are_told_within_the_stream(engine: Engine) {
    let server = Server::shared(engine);
    let table = [
        "",
        "{",
        "{ nothing }",
        "subscription { nothing }",
        "subscription { __typename }",
        "subscription { caseChanges(after: \"x\") { position } }",
        "subscription { caseChanges { position } newObservations { position } }",
        "subscription { caseChanges @skip(if: true) { position } }",
        "query($id: ID!) { case(id: $id) { id } actors(first: 1) { totalCount } }",
        "subscription($id: ID!) { caseChanges(id: $id) { position } }",
    ];
    for query in table {
        let errors = streamed(&server, query, json!({})).await.refusal().await;
        assert!(!errors.is_empty() && errors.iter().all(|error| error["message"].is_string()), "{query}: {errors:?}");
    }
    for body in ["{", "[]", "1", "{\"query\": 1}", "{}", "{\"query\": \"{ __typename }\", \"variables\": []}"] {
        let errors = EventStream::open(server.posting(PATH, body)).await.refusal().await;
        assert_eq!(errors[0]["extensions"]["code"], "INVALID", "{body}: {errors:?}");
    }
    let ingest = server.with_key(&key(&server, "INGEST").await.0);
    let errors = streamed(&ingest, "subscription { caseChanges { position } }", json!({})).await.refusal().await;
    assert_eq!(errors[0]["extensions"]["code"], "FORBIDDEN", "{errors:?}");
    // Errors of fields are in the result, as everywhere.
    let result = streamed(&server, "{ __typename case(id: \"x\") { id } }", json!({})).await.only().await;
    assert_eq!(result, server.graphql_answer("{ __typename case(id: \"x\") { id } }", json!({})).await);
}

async fn who_has_no_credentials_or_wants_no_stream_gets_none(engine: Engine) {
    let server = Server::shared(engine);
    let as_stream = |api: &Api| asking(api, TYPE_NAME, json!({})).header("accept", "text/event-stream");
    let refused = server.send(as_stream(&server.anonymous())).await.expect(401);
    assert!(!refused.header("www-authenticate").is_empty(), "{refused:?}");
    server.send(as_stream(&server.with_key("wrong"))).await.expect(401);
    let answer = server.send(asking(&server, TYPE_NAME, json!({})).header("accept", "application/json")).await.expect(406);
    assert!(answer.text.contains("text/event-stream"), "it says what would be right: {answer:?}");
    // Whatever is accepted may be a stream, and it is one.
    for accept in ["*/*", "text/*", "application/json, text/event-stream;q=0.5"] {
        let answer = server.send(asking(&server, TYPE_NAME, json!({})).header("accept", accept)).await.expect(200);
        assert!(answer.header("content-type").starts_with("text/event-stream"), "{accept}: {answer:?}");
        assert_eq!(answer.text.replace("\r\n", "\n").matches("event: next\n").count(), 1, "{answer:?}");
    }
    let answer = server.send(server.request("PUT", PATH).header("accept", "text/event-stream")).await;
    assert_eq!(answer.status, 405, "streams have connections of their own: {answer:?}");
}

async fn a_quiet_stream_is_kept_alive(engine: Engine) {
    let server = Server::shared(engine);
    // No case has this id: nothing is ever told.
    let case = uuid::Uuid::new_v4().to_string();
    let mut stream = streamed(&server, POSITIONS, json!({"id": case})).await;
    let begun = Instant::now();
    for _ in 0..2 {
        assert_eq!(stream.hear().await, Came::Comment);
    }
    println!("two heartbeats in {:?}", begun.elapsed());
}

/// How many subscriptions there are, as `/metrics` says: over sockets, and by streams.
async fn open_subscriptions(api: &Api) -> [f64; 2] {
    let text = api.anonymous().get("/metrics").await.expect(200).text;
    ["ws", "sse"].map(|transport| {
        let begin = format!("amlgraph_live_subscriptions{{transport=\"{transport}\"}} ");
        text.lines().find_map(|line| line.strip_prefix(&begin)).map_or(0.0, |value| value.parse().expect("a number"))
    })
}

async fn a_stream_that_its_client_leaves_is_over(engine: Engine) {
    let server = Server::with(Store::of(engine), &[]);
    let query = "subscription { caseChanges { position } }";
    let soon = Duration::from_secs(60);
    let (stream, mut socket) = (streamed(&server, query, json!({})).await, socket(&server).await);
    socket.subscribe("1", query, json!({})).await;
    socket.subscribe("2", query, json!({})).await;
    eventually("three are there", soon, async || open_subscriptions(&server).await == [2.0, 1.0]).await;
    drop(stream);
    eventually("the stream is over", soon, async || open_subscriptions(&server).await == [2.0, 0.0]).await;
    socket.complete("1").await;
    eventually("an operation is over", soon, async || open_subscriptions(&server).await == [1.0, 0.0]).await;
    drop(socket);
    eventually("all is over", soon, async || open_subscriptions(&server).await == [0.0, 0.0]).await;
}

/// A socket and a stream of one caller, each with a subscription that waits.
struct Waiting {
    socket: Socket,
    stream: EventStream,
}

impl Waiting {
    async fn of(server: &Server, case: &str, after: &str, header: (&str, &str)) -> Self {
        let (name, value) = header;
        let mut socket = Upgrade::of(server).opened().await;
        socket.sign_in(&json!({name: value})).await;
        let variables = json!({"id": case, "after": after});
        socket.subscribe("1", POSITIONS, variables.clone()).await;
        let request = asking(&server.anonymous(), POSITIONS, variables).header(name, value);
        let mut stream = EventStream::open(request).await;
        // Both are under way.
        socket.next("1").await;
        stream.next().await;
        Self { socket, stream }
    }

    /// That both end without anything more, since credentials do.
    async fn end(mut self, what: &str) {
        let began = Instant::now();
        let (code, reason, before) = self.socket.closed().await;
        println!("{what}: the socket was closed after {:?}: {reason}", began.elapsed());
        assert_eq!(code, 4401, "{reason}");
        assert!(before.iter().all(|message| message["type"] != "next"), "{before:?}");
        // What it is told last says why; a client that comes again is refused by its status.
        let mut errors = 0;
        loop {
            match self.stream.hear().await {
                Came::Comment => {}
                Came::Event(name, data) if name == "next" => {
                    let result: Value = serde_json::from_str(&data).expect("JSON");
                    assert!(result["data"].is_null(), "{data}");
                    assert_eq!(result["errors"][0]["extensions"]["code"], "UNAUTHENTICATED", "{data}");
                    errors += 1;
                }
                Came::Event(name, data) => break assert_eq!((name.as_str(), data.as_str()), ("complete", "")),
                end => panic!("{what}: {end:?}"),
            }
        }
        assert!(errors <= 1, "{what}");
        println!("{what}: the stream ended after {:?}", began.elapsed());
    }
}

/// A case, and the position before it was made.
async fn begun(server: &Server) -> (String, String) {
    let after = now(server).await;
    (made(server, json!({})).await, after)
}

async fn a_revoked_key_ends_its_streams(engine: Engine) {
    let server = Server::shared(engine);
    let (case, after) = begun(&server).await;
    let (secret, id) = key(&server, "ANALYST").await;
    let other = Waiting::of(&server, &case, &after, ("x-api-key", server.key())).await;
    let waiting = Waiting::of(&server, &case, &after, ("x-api-key", &secret)).await;
    server.delete(&format!("/admin/keys/{id}")).await.expect(204);
    waiting.end("a revoked key").await;
    // Those of others go on.
    server.patch(&format!("/api/cases/{case}"), r#"{"c__n": 1}"#).await.expect(200);
    let Waiting { mut socket, mut stream } = other;
    socket.next("1").await;
    stream.next().await;
}

/// A client of this role, and a token of its own.
async fn client_and_token(server: &Server) -> (String, String) {
    let client = server.post("/admin/clients", r#"{"role":"ANALYST"}"#).await.expect(201).json();
    let [id, secret] = ["client_id", "client_secret"].map(|field| text(&client[field]));
    let form = [("grant_type", "client_credentials"), ("client_id", id.as_str()), ("client_secret", secret.as_str())];
    let api = server.anonymous();
    let issued = api.send(api.request("POST", "/auth/token").form(&form)).await.expect(200).json();
    (id, text(&issued["access_token"]))
}

async fn a_revoked_client_ends_its_streams(engine: Engine) {
    let server = Server::shared(engine);
    let (case, after) = begun(&server).await;
    let (id, token) = client_and_token(&server).await;
    let waiting = Waiting::of(&server, &case, &after, ("authorization", &format!("Bearer {token}"))).await;
    server.delete(&format!("/admin/clients/{id}")).await.expect(204);
    waiting.end("a revoked client").await;
}

async fn a_token_that_expires_ends_its_streams(engine: Engine) {
    const SECRET: &str = "a-secret-of-the-tests-that-is-long-enough-Zq7Xw2";
    let server = Server::with(Store::of(engine), &[("AMLGRAPH_TOKEN__SECRET", SECRET)]);
    let (case, after) = begun(&server).await;
    let (_, token) = client_and_token(&server).await;
    let payload = token.split('.').nth(1).expect("claims");
    let claims: Value = serde_json::from_slice(&BASE64_URL_SAFE_NO_PAD.decode(payload).expect("base64")).expect("JSON");
    // The same in all but its end: long enough for both to begin.
    let claims = with(claims, json!({"exp": chrono::Utc::now().timestamp() + 12}));
    let signed = encode(&Header::new(Algorithm::HS256), &claims, &EncodingKey::from_secret(SECRET.as_bytes())).expect("it is signed");
    let waiting = Waiting::of(&server, &case, &after, ("authorization", &format!("Bearer {signed}"))).await;
    waiting.end("a token that expires").await;
}

async fn a_stop_ends_streams_so_that_clients_come_again(engine: Engine) {
    let server = Server::on(Store::of(engine));
    let (case, after) = begun(&server).await;
    let Waiting { mut socket, mut stream } = Waiting::of(&server, &case, &after, ("x-api-key", server.key())).await;
    let mut unsigned = Upgrade::of(&server).opened().await;
    server.terminate();
    let (code, reason, before) = socket.closed().await;
    assert_eq!(code, 1001, "{reason}");
    // A subscription that is complete is not asked for again.
    assert_eq!(before, Vec::<Value>::new());
    assert_eq!(unsigned.closed().await.0, 1001);
    // Nor is a stream that is complete: this one is over without that word, as a connection is that was lost.
    loop {
        match stream.hear().await {
            Came::Comment => {}
            Came::Event(name, data) => panic!("{name}: {data}"),
            Came::End | Came::Broken => break,
        }
    }
    let ended = server.ended();
    assert_eq!(ended.code(), Some(0), "{ended}");
}
