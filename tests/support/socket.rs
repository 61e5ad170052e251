//! A WebSocket by hand, for what no well-behaved client does: the upgrade header by header, messages letter by letter, and the close with its code.

use std::io;
use std::time::Duration;

use futures::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Message, Role};

use super::Api;

const PATH: &str = "/graphql/ws";
const PROTOCOL: &str = "graphql-transport-ws";
/// Far longer than anything takes that a socket is told, on a busy machine with a cold database.
pub const SOON: Duration = Duration::from_secs(120);
/// The example of RFC 6455: a key, and what accepts it.
const KEY: &str = "dGhlIHNhbXBsZSBub25jZQ==";
const ACCEPT: &str = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";
/// The code of a close frame without one (RFC 6455, 7.4.1).
const NO_STATUS: u16 = 1005;
/// More than any head of an answer.
const LONGEST_HEAD: usize = 16 << 10;

/// What comes next over a socket.
#[derive(Debug, Clone, PartialEq)]
pub enum Heard {
    Message(Value),
    Closed(u16, String),
    /// The connection ended without a close frame.
    Gone,
}

/// The head of the answer to an upgrade.
#[derive(Debug, Clone)]
pub struct Head {
    pub status: u16,
    text: String,
}

impl Head {
    /// A header's value; empty when there is none.
    pub fn header(&self, name: &str) -> &str {
        let mut headers = self.text.lines().skip(1).filter_map(|line| line.split_once(':'));
        headers.find(|(header, _)| header.eq_ignore_ascii_case(name)).map_or("", |(_, value)| value.trim())
    }
}

/// A request for a socket, with the headers of a client that does all as it should, until a test says otherwise.
#[derive(Clone)]
pub struct Upgrade {
    address: String,
    headers: Vec<(String, String)>,
}

impl Upgrade {
    pub fn of(api: &Api) -> Self {
        let address = api.base.strip_prefix("http://").expect("an http address").to_owned();
        let upgrade = Self { headers: Vec::new(), address: address.clone() };
        upgrade
            .with("host", &address)
            .with("connection", "Upgrade")
            .with("upgrade", "websocket")
            .with("sec-websocket-version", "13")
            .with("sec-websocket-key", KEY)
            .with("sec-websocket-protocol", PROTOCOL)
    }

    /// With this header, in place of any of the same name.
    pub fn with(self, name: &str, value: &str) -> Self {
        let mut upgrade = self.without(name);
        upgrade.headers.push((name.to_owned(), value.to_owned()));
        upgrade
    }

    pub fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(header, _)| header != name);
        self
    }

    /// The socket, or the answer that refuses it, or why there is none: a server that was killed has none.
    pub async fn try_open(&self) -> io::Result<Result<Socket, Head>> {
        let mut stream = TcpStream::connect(&self.address).await?;
        let headers: String = self.headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        stream.write_all(format!("GET {PATH} HTTP/1.1\r\n{headers}\r\n").as_bytes()).await?;
        let head = read_head(&mut stream).await?;
        if head.status != 101 {
            return Ok(Err(head));
        }
        assert_eq!(head.header("sec-websocket-accept"), ACCEPT, "{head:?}");
        Ok(Ok(Socket { stream: WebSocketStream::from_raw_socket(stream, Role::Client, None).await, head }))
    }

    /// The socket, or the answer that refuses it.
    pub async fn open(&self) -> Result<Socket, Head> {
        self.try_open().await.expect("an answer")
    }

    /// The socket there must be.
    pub async fn opened(&self) -> Socket {
        self.open().await.unwrap_or_else(|head| panic!("no socket: {head:?}"))
    }
}

/// Byte by byte: what follows belongs to the socket.
async fn read_head(stream: &mut TcpStream) -> io::Result<Head> {
    let mut read = Vec::new();
    while !read.ends_with(b"\r\n\r\n") {
        assert!(read.len() < LONGEST_HEAD, "a head ends");
        read.push(tokio::time::timeout(SOON, stream.read_u8()).await.expect("an answer comes")?);
    }
    let text = String::from_utf8(read).expect("a head is text");
    let status = text.split(' ').nth(1).and_then(|status| status.parse().ok());
    Ok(Head { status: status.unwrap_or_else(|| panic!("a status: {text}")), text })
}

/// A socket. It is cut off, without a word, when it is dropped.
pub struct Socket {
    stream: WebSocketStream<TcpStream>,
    pub head: Head,
}

impl Socket {
    /// One that the service has acknowledged.
    pub async fn signed_in(api: &Api, key: &str) -> Self {
        let mut socket = Upgrade::of(api).opened().await;
        socket.sign_in(&json!({"x-api-key": key})).await;
        socket
    }

    /// Says who it is, and is acknowledged.
    pub async fn sign_in(&mut self, payload: &Value) {
        self.say(&json!({"type": "connection_init", "payload": payload})).await;
        let heard = self.hear().await;
        assert!(matches!(&heard, Heard::Message(message) if message["type"] == "connection_ack"), "{payload}: {heard:?}");
    }

    pub async fn say(&mut self, message: &Value) {
        self.say_text(&message.to_string()).await;
    }

    /// Text as it is. What a server that is about to close no longer takes is no fault here.
    pub async fn say_text(&mut self, text: &str) {
        let _ = self.stream.send(Message::text(text)).await;
    }

    pub async fn say_bytes(&mut self, bytes: Vec<u8>) {
        let _ = self.stream.send(Message::binary(bytes)).await;
    }

    /// Begins a message of text of so many bytes, and says no more of it.
    pub async fn announce(&mut self, bytes: u64) {
        // The head of a frame that is the last one of its text, with a length of eight bytes and a mask that changes nothing.
        let head = [&[0x81, 0xFF][..], &bytes.to_be_bytes(), &[0; 4]].concat();
        self.stream.get_mut().write_all(&head).await.expect("it is sent");
    }

    /// Says goodbye, as a client does that has no more operations.
    pub async fn close(&mut self, code: u16) {
        let _ = self.stream.close(Some(CloseFrame { code: code.into(), reason: "".into() })).await;
    }

    pub async fn subscribe(&mut self, id: &str, query: &str, variables: Value) {
        self.say(&json!({"id": id, "type": "subscribe", "payload": {"query": query, "variables": variables}})).await;
    }

    pub async fn complete(&mut self, id: &str) {
        self.say(&json!({"id": id, "type": "complete"})).await;
    }

    /// What comes next, whatever it is; none: nothing within this time.
    pub async fn hear_within(&mut self, limit: Duration) -> Option<Heard> {
        let heard = tokio::time::timeout(limit, async {
            loop {
                match self.stream.next().await {
                    Some(Ok(Message::Text(text))) => {
                        return Heard::Message(serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}")));
                    }
                    // The library answers pings of the WebSocket itself.
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                    Some(Ok(Message::Close(Some(frame)))) => return Heard::Closed(frame.code.into(), frame.reason.to_string()),
                    Some(Ok(Message::Close(None))) => return Heard::Closed(NO_STATUS, String::new()),
                    Some(Ok(other)) => panic!("the protocol has text alone: {other:?}"),
                    Some(Err(_)) | None => return Heard::Gone,
                }
            }
        });
        heard.await.ok()
    }

    /// What comes next but for pings, which are answered.
    pub async fn hear(&mut self) -> Heard {
        loop {
            let heard = self.hear_within(SOON).await.expect("something is heard");
            match &heard {
                Heard::Message(message) if message["type"] == "ping" => self.say(&json!({"type": "pong", "payload": message["payload"]})).await,
                _ => return heard,
            }
        }
    }

    /// The next message, which there must be.
    pub async fn message(&mut self) -> Value {
        match self.hear().await {
            Heard::Message(message) => message,
            end => panic!("a message: {end:?}"),
        }
    }

    /// The next message, which must be a result of this operation.
    pub async fn next(&mut self, id: &str) -> Value {
        let mut message = self.message().await;
        assert_eq!((&message["type"], &message["id"]), (&json!("next"), &json!(id)), "{message}");
        message["payload"].take()
    }

    /// What one operation answers that has one result: as a query or a mutation does.
    pub async fn answer(&mut self, id: &str, query: &str, variables: Value) -> Value {
        self.subscribe(id, query, variables).await;
        let result = self.next(id).await;
        assert_eq!(self.message().await, json!({"id": id, "type": "complete"}));
        result
    }

    /// The errors that refuse an operation: nothing comes before them.
    pub async fn refusal(&mut self, id: &str) -> Vec<Value> {
        let mut message = self.message().await;
        assert_eq!((&message["type"], &message["id"]), (&json!("error"), &json!(id)), "{message}");
        let errors = message["payload"].take();
        let errors = errors.as_array().unwrap_or_else(|| panic!("a list of errors: {errors}")).clone();
        assert!(!errors.is_empty() && errors.iter().all(|error| error["message"].is_string()), "{errors:?}");
        errors
    }

    /// The code and the reason of the close, and what came before it.
    pub async fn closed(&mut self) -> (u16, String, Vec<Value>) {
        let mut before = Vec::new();
        loop {
            match self.hear().await {
                Heard::Message(message) => before.push(message),
                Heard::Closed(code, reason) => {
                    assert!(reason.len() <= 123, "a reason fits into its frame: {reason}");
                    return (code, reason, before);
                }
                Heard::Gone => panic!("closed without a word, behind {before:?}"),
            }
        }
    }
}
