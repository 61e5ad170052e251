//! Servers that deliver events, and webhooks to the receivers of tests.

use std::time::Duration;

use serde_json::json;

use super::receiver::{Received, Receiver};
use super::{Api, Engine, Server, eventually};

/// As long as anything may take.
pub const SOON: Duration = Duration::from_secs(240);
/// Another try comes soon. An answer that comes too late on a busy machine counts as none, and the event is sent again: so it has time.
pub const SETTINGS: [(&str, &str); 3] =
    [("AMLGRAPH_WEBHOOKS__ALLOW_PRIVATE", "true"), ("AMLGRAPH_WEBHOOKS__RETRY_SCHEDULE", "100ms,200ms,300ms"), ("AMLGRAPH_WEBHOOKS__TIMEOUT", "10s")];

pub fn server(engine: Engine) -> Server {
    Server::for_deliveries(engine, &SETTINGS)
}

/// A webhook to a receiver; its id and secret.
pub async fn registered(api: &Api, receiver: &Receiver, events: &[&str]) -> (String, String) {
    let body = json!({"name": "receiver", "url": receiver.url(), "events": events});
    let webhook = api.post("/api/webhooks", body.to_string()).await.expect(201).json();
    let text = |name: &str| webhook[name].as_str().expect("a text").to_owned();
    (text("id"), text("secret"))
}

/// What a receiver has taken, once it is as much as is wanted.
pub async fn taken(receiver: &Receiver, wanted: usize) -> Vec<Received> {
    eventually("requests are taken", SOON, async || receiver.taken_count() >= wanted).await;
    receiver.taken()
}
