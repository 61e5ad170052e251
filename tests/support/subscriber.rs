//! A subscriber that keeps its position, as a page would: whatever ends its connection, it goes on behind the last event that it has.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::Api;
use super::reader::{place, text};
use super::socket::{Heard, SOON, Socket, Upgrade};

/// How long a part of a sign-in is waited for, before another is tried.
const SIGNED_IN_WITHIN: Duration = Duration::from_secs(20);
/// Before another connection, where there was none or it said that something is wrong.
const PAUSE: Duration = Duration::from_millis(50);

/// Who subscribes to what, and what has come.
pub struct Subscriber {
    /// Of its sign-in.
    payload: Value,
    query: &'static str,
    /// The name of the root field.
    field: &'static str,
    variables: Value,
    /// The position of the last event.
    pub after: String,
    pub events: Vec<Value>,
    socket: Option<Socket>,
    /// What has last been in its way.
    trouble: Option<String>,
}

impl Subscriber {
    /// One that begins behind a position; `variables` has all but this.
    pub fn behind(after: &str, key: &str, (query, field): (&'static str, &'static str), variables: Value) -> Self {
        let (after, payload) = (after.to_owned(), json!({"x-api-key": key}));
        Self { payload, query, field, variables, after, events: Vec::new(), socket: None, trouble: None }
    }

    /// The same with a token.
    pub fn with_token(self, token: &str) -> Self {
        Self { payload: json!({"authorization": format!("Bearer {token}")}), ..self }
    }

    /// Hears what comes next within this time; whether it was an event. A connection that is over, or on which something is wrong, is given up: the next
    /// call begins another.
    pub async fn read_on(&mut self, api: &Api, limit: Duration) -> bool {
        if self.socket.is_none() {
            match self.begin(api).await {
                Ok(socket) => self.socket = Some(socket),
                Err(trouble) => {
                    self.leave(trouble).await;
                    return false;
                }
            }
        }
        let Some(socket) = &mut self.socket else { return false };
        match socket.hear_within(limit).await {
            None => false,
            Some(Heard::Message(message)) if message["type"] == "ping" => {
                socket.say(&json!({"type": "pong", "payload": message["payload"]})).await;
                false
            }
            Some(Heard::Message(message)) if message["type"] == "next" && message["payload"]["errors"].is_null() => {
                self.take(&message["payload"]);
                true
            }
            Some(other) => {
                self.leave(format!("{other:?}")).await;
                false
            }
        }
    }

    fn take(&mut self, result: &Value) {
        assert!(result["extensions"]["gap"].is_null(), "nothing is forgotten here: {result}");
        let event = &result["data"][self.field];
        let position = text(&event["position"]);
        assert!(place(&position) > place(&self.after), "positions go up: {position} behind {}", self.after);
        self.after = position;
        self.events.push(event.clone());
    }

    /// Connects, signs in and subscribes; or says why that was not to be.
    async fn begin(&self, api: &Api) -> Result<Socket, String> {
        let mut socket = match Upgrade::of(api).try_open().await {
            Ok(Ok(socket)) => socket,
            Ok(Err(head)) => return Err(format!("{head:?}")),
            Err(error) => return Err(error.to_string()),
        };
        socket.say(&json!({"type": "connection_init", "payload": self.payload})).await;
        match socket.hear_within(SIGNED_IN_WITHIN).await {
            Some(Heard::Message(message)) if message["type"] == "connection_ack" => {}
            other => return Err(format!("{other:?}")),
        }
        let mut variables = self.variables.clone();
        variables["after"] = json!(self.after);
        socket.subscribe("s", self.query, variables).await;
        Ok(socket)
    }

    async fn leave(&mut self, trouble: String) {
        self.socket = None;
        self.trouble = Some(trouble);
        tokio::time::sleep(PAUSE).await;
    }

    /// Whether its subscription stands, as far as it knows: one that is refused is given up.
    pub fn is_there(&self) -> bool {
        self.socket.is_some()
    }

    /// Cuts the connection off, without a word.
    pub fn cut_off(&mut self) {
        self.socket = None;
    }

    /// Reads on until what has come is enough.
    pub async fn read_until(&mut self, api: &Api, what: &str, is_enough: impl Fn(&[Value]) -> bool) {
        let began = Instant::now();
        while !is_enough(&self.events) {
            let trouble = self.trouble.as_deref().unwrap_or("no trouble");
            assert!(began.elapsed() < SOON, "{what}: not within {SOON:?}, with {} events; {trouble}", self.events.len());
            self.read_on(api, Duration::from_secs(1)).await;
        }
    }
}
