#!/usr/bin/env bash
# async-graphql 7.2.1, `http::WebSocket`: five things go otherwise than the protocol graphql-transport-ws says, so that clients misunderstand them.
# A second subscription under an id that is in use silently takes the place of the first. A `complete` of the client is answered by another one, which ends
# the subscription that has the same id next. An operation that is refused comes as a result, and then completes. A refused connection, or a subscription
# before `connection_ack`, is closed with a code of WebSocket's own (1002, 1011) and not with that of the protocol.
# And a subscription that always has a next result keeps those behind it from having one: behind is what a hash map says, so it differs by connection.
# Expected: the text of the protocol (PROTOCOL.md of graphql-ws), and what the server of npm graphql-ws 6.4.2 does with the same messages.
# Needs a stable Rust of 2026; it compiles for some minutes. Exits with 1 when an answer has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/src"
cat > "$folder/Cargo.toml" << 'TOML'
[package]
name = "async-graphql-websocket"
version = "0.0.0"
edition = "2024"

[dependencies]
async-graphql = { version = "=7.2.1", default-features = false }
futures-util = { version = "=0.3.34", default-features = false, features = ["std"] }
serde_json = "=1.0.154"
TOML
cat > "$folder/src/main.rs" << 'RUST'
use async_graphql::http::{WebSocket, WebSocketProtocols, WsMessage};
use async_graphql::{Data, EmptyMutation, Error, Object, Schema, Subscription};
use futures_util::{Stream, StreamExt, stream};
use serde_json::Value;
use std::{cell::RefCell, collections::VecDeque, future::ready, pin::Pin, rc::Rc, task::{Context, Poll, Waker}};

struct Query;
#[Object]
impl Query {
    async fn ok(&self) -> bool {
        true
    }
}

struct Payments;
#[Subscription]
impl Payments {
    /// One payment, and then none, but no end.
    async fn one(&self, id: i32) -> impl Stream<Item = i32> {
        stream::once(ready(id)).chain(stream::pending())
    }
    /// Payments without a pause.
    async fn busy(&self) -> impl Stream<Item = i32> {
        stream::repeat(0)
    }
}

/// A connection that is driven by hand.
struct Connection {
    sent: Rc<RefCell<VecDeque<String>>>,
    socket: Pin<Box<dyn Stream<Item = WsMessage>>>,
}

impl Connection {
    fn new(refuses: bool) -> Self {
        let sent = Rc::new(RefCell::new(VecDeque::<String>::new()));
        let from = sent.clone();
        let messages = stream::poll_fn(move |_| from.borrow_mut().pop_front().map_or(Poll::Pending, |text| Poll::Ready(Some(text))));
        let schema = Schema::new(Query, EmptyMutation, Payments);
        let accept = move |_| ready(if refuses { Err(Error::new("no")) } else { Ok(Data::default()) });
        let socket = WebSocket::new(schema, messages, WebSocketProtocols::GraphQLWS).on_connection_init(accept);
        Self { sent, socket: Box::pin(socket) }
    }

    /// Sends these together, and gives what comes until nothing more does, at most so many messages.
    fn send(&mut self, messages: &[&str], limit: usize) -> Vec<WsMessage> {
        self.sent.borrow_mut().extend(messages.iter().map(|text| text.to_string()));
        let mut context = Context::from_waker(Waker::noop());
        let mut found = Vec::new();
        while found.len() < limit
            && let Poll::Ready(Some(message)) = self.socket.poll_next_unpin(&mut context)
        {
            found.push(message);
        }
        found
    }
}

/// A message in short: its type, its id, and the payment in it or "errors".
fn short(message: &WsMessage) -> String {
    let text = match message {
        WsMessage::Close(code, _) => return format!("closed with {code}"),
        WsMessage::Text(text) => text,
    };
    let message: Value = serde_json::from_str(text).expect("the server sends JSON");
    let kind = message["type"].as_str().unwrap_or_default();
    let id = message["id"].as_str().map_or(String::new(), |id| format!(" {id}"));
    let payload = &message["payload"];
    let holds = if let Some(payment) = payload["data"]["one"].as_i64() {
        format!(": payment {payment}")
    } else if payload["errors"].is_array() {
        ": errors".to_owned()
    } else {
        String::new()
    };
    format!("{kind}{id}{holds}")
}

const INIT: &str = r#"{"type":"connection_init"}"#;
const FIRST: &str = r#"{"type":"subscribe","id":"1","payload":{"query":"subscription { one(id: 1) }"}}"#;
const SECOND: &str = r#"{"type":"subscribe","id":"1","payload":{"query":"subscription { one(id: 2) }"}}"#;
const REFUSED: &str = r#"{"type":"subscribe","id":"1","payload":{"query":"subscription { none }"}}"#;
const BUSY: &str = r#"{"type":"subscribe","id":"2","payload":{"query":"subscription { busy }"}}"#;
const COMPLETE: &str = r#"{"type":"complete","id":"1"}"#;

/// Each: what happens; whether the connection is refused; what the client sends, in steps; what comes; what one expects.
const CASES: [(&str, bool, &[&[&str]], &str, &str); 6] = [
    ("one subscription", false, &[&[INIT], &[FIRST]], "connection_ack, next 1: payment 1", "the same"),
    ("the connection is refused", true, &[&[INIT]], "closed with 1002", "closed with 4403"),
    ("a subscription before connection_ack", false, &[&[FIRST]], "closed with 1011", "closed with 4401"),
    ("the second of one id", false, &[&[INIT], &[FIRST], &[SECOND]], "connection_ack, next 1: payment 1, next 1: payment 2", "… closed with 4409"),
    ("an operation that is refused", false, &[&[INIT], &[REFUSED]], "connection_ack, next 1: errors, complete 1", "connection_ack, error 1"),
    (
        "the client completes, and subscribes to something else",
        false,
        &[&[INIT], &[FIRST], &[COMPLETE, SECOND]],
        "connection_ack, next 1: payment 1, complete 1, next 1: payment 2",
        "the same without `complete 1`, which seems to be the end of the second",
    ),
];

const CONNECTIONS: usize = 64;
const LIMIT: usize = 1000;

fn main() {
    let mut changed = 0;
    println!("async-graphql 7.2.1");
    for (asked, refuses, steps, known, expected) in CASES {
        let mut connection = Connection::new(refuses);
        let found: Vec<WsMessage> = steps.iter().flat_map(|messages| connection.send(messages, LIMIT)).collect();
        let found = found.iter().map(short).collect::<Vec<_>>().join(", ");
        println!("\n  {asked}\n    comes:    {found}\n    expected: {expected}");
        if found != known {
            println!("    CHANGED:  it was {known}");
            changed += 1;
        }
    }
    let mut without = 0;
    for _ in 0..CONNECTIONS {
        let mut connection = Connection::new(false);
        connection.send(&[INIT], 1);
        let found = connection.send(&[BUSY, FIRST], LIMIT);
        if !found.iter().any(|message| short(message) == "next 1: payment 1") {
            without += 1;
        }
    }
    println!("\n  a payment beside a busy subscription of the same connection, {CONNECTIONS} connections");
    println!("    comes:    {without} have not shown it among the first {LIMIT} messages");
    println!("    expected: 0");
    if without == 0 {
        println!("    CHANGED:  it was about half of them");
        changed += 1;
    }
    std::process::exit(i32::from(changed > 0));
}
RUST
cd "$folder"
cargo run --quiet
