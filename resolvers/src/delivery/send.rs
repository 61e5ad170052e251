//! One attempt: a signed POST (Standard Webhooks 1.0), and what came of it.

use std::error::Error as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use chrono::Utc;
use graph_schema::date::Timestamp;
use graph_schema::delivery::DeliveryAttempt;
use reqwest::{Client, Response, StatusCode, header, redirect};
use standardwebhooks::Webhook as Signer;
use url::Url;

use super::address::{ForbiddenAddress, Reach, Resolver};
use super::verdict::{Answered, retry_after};
use crate::webhook::WebhookSecret;
use crate::{Error, Result};

/// So much of an answer is read ...
const READ: usize = 16 << 10;
/// ... and so much kept, in bytes.
const KEPT: usize = 512;
/// How long a connection may take to come about.
const CONNECT: Duration = Duration::from_secs(5);
/// Connections that are kept open for the next delivery, to each receiver and for how long: with ten thousand receivers, what is kept adds up.
const IDLE_PER_RECEIVER: usize = 4;
const IDLE_FOR: Duration = Duration::from_secs(2);

/// The document's envelope of an event ("Events"): `created_at` in milliseconds, `data` as JSON text.
pub(crate) fn envelope(id: &str, name: &str, created_at: i64, data: &str) -> String {
    let text = |text: &str| serde_json::Value::from(text).to_string();
    format!(r#"{{"id":{},"name":{},"createdAt":{created_at},"data":{data}}}"#, text(id), text(name))
}

/// What is sent.
#[derive(Debug, Clone)]
pub struct Message {
    pub url: String,
    pub event_id: String,
    pub event_name: String,
    pub created_at: i64,
    /// JSON text.
    pub data: Arc<str>,
    /// The newest first: while a secret is being replaced, both sign.
    pub secrets: Vec<WebhookSecret>,
}

impl Message {
    pub fn body(&self) -> String {
        envelope(&self.event_id, &self.event_name, self.created_at, &self.data)
    }

    /// A signature for each secret, as the header has them.
    pub fn signatures(&self, at: i64, body: &str) -> Result<String> {
        let unsigned = |error| Error::Internal(format!("a delivery can't be signed: {error}"));
        let sign = |secret: &WebhookSecret| {
            let signer = Signer::new(&BASE64_STANDARD.encode(secret.bytes())).map_err(unsigned)?;
            signer.sign(&self.event_id, at, body.as_bytes()).map_err(unsigned)
        };
        let signatures: Vec<String> = self.secrets.iter().map(sign).collect::<Result<_>>()?;
        Ok(signatures.join(" "))
    }
}

/// How an attempt went: for the rules, and for people.
#[derive(Debug, Clone)]
pub struct Attempted {
    pub answered: Answered,
    pub attempt: DeliveryAttempt,
    pub took: Duration,
}

/// A client that connects to what a resolver allows, follows nobody elsewhere, and gives a request so much time.
pub(crate) fn guarded_client(resolver: Resolver, limit: Duration) -> Result<Client> {
    let client = Client::builder()
        .user_agent(concat!("amlgraph/", env!("CARGO_PKG_VERSION")))
        // Where it leads nobody has checked, and who is redirected does not see that his address is wrong.
        .redirect(redirect::Policy::none())
        // A proxy would connect wherever it likes.
        .no_proxy()
        .dns_resolver(Arc::new(resolver))
        .connect_timeout(CONNECT.min(limit))
        .timeout(limit)
        .pool_max_idle_per_host(IDLE_PER_RECEIVER)
        .pool_idle_timeout(IDLE_FOR);
    client.build().map_err(|error| Error::Internal(format!("no client for requests to others: {error}")))
}

/// Makes attempts. Cheap to clone; all clones share their connections.
#[derive(Clone)]
pub struct Sender {
    client: Client,
    reach: Reach,
}

impl Sender {
    /// `limit` is how long an attempt may take, from its beginning to the end of the answer.
    pub fn new(reach: Reach, resolver: Resolver, limit: Duration) -> Result<Self> {
        Ok(Self { client: guarded_client(resolver, limit)?, reach })
    }

    /// Tries to deliver, once. An error is one of our own; what goes wrong on the way is an answer.
    pub async fn attempt(&self, message: &Message) -> Result<Attempted> {
        let (at, begun) = (Utc::now(), Instant::now());
        let sent = self.post(message, at.timestamp()).await?;
        let (answered, status, answer, problem) = match sent {
            Ok(response) => {
                let status = response.status();
                let asked = response.headers().get(header::RETRY_AFTER).and_then(|value| value.to_str().ok()).and_then(|text| retry_after(text, at));
                let answer = beginning(response).await;
                (Answered::Status { status: status.as_u16(), retry_after: asked }, Some(status.as_u16()), Some(answer), redirected(status))
            }
            Err(NotSent::Late) => (Answered::TooLate, None, None, Some("no answer in time".to_owned())),
            Err(NotSent::Failed(problem)) => (Answered::NotAtAll, None, None, Some(problem)),
        };
        let took = begun.elapsed();
        let millis = i32::try_from(took.as_millis()).unwrap_or(i32::MAX);
        Ok(Attempted { answered, attempt: DeliveryAttempt { at: Timestamp(at.timestamp_millis()), millis, status, answer, problem }, took })
    }

    async fn post(&self, message: &Message, at: i64) -> Result<std::result::Result<Response, NotSent>> {
        let parsed = Url::parse(&message.url).map_err(|error| error.to_string());
        let url = match parsed.and_then(|url| self.reach.check_scheme(&url).and_then(|()| self.reach.check_url(&url)).map(|()| url)) {
            Ok(url) => url,
            Err(problem) => return Ok(Err(NotSent::Failed(format!("the URL {problem}")))),
        };
        let body = message.body();
        let signatures = message.signatures(at, &body)?;
        let request = self
            .client
            .post(url)
            .header(header::CONTENT_TYPE, "application/json")
            .header("webhook-id", &message.event_id)
            .header("webhook-timestamp", at)
            .header("webhook-signature", signatures)
            .body(body);
        Ok(request.send().await.map_err(|error| NotSent::of(&error)))
    }
}

/// Why there was no answer.
enum NotSent {
    Late,
    Failed(String),
}

impl NotSent {
    /// In words for whoever looks after the receiver, without what is ours.
    fn of(error: &reqwest::Error) -> Self {
        if error.is_timeout() {
            return Self::Late;
        }
        let mut causes = Vec::new();
        let mut cause = error.source();
        while let Some(found) = cause {
            if let Some(forbidden) = found.downcast_ref::<ForbiddenAddress>() {
                return Self::Failed(forbidden.to_string());
            }
            causes.push(found.to_string());
            cause = found.source();
        }
        let kind = if error.is_connect() { "no connection" } else { "the connection broke" };
        match causes.last() {
            Some(cause) => Self::Failed(format!("{kind}: {}", cut(cause, KEPT))),
            None => Self::Failed(kind.to_owned()),
        }
    }
}

fn redirected(status: StatusCode) -> Option<String> {
    status.is_redirection().then(|| "redirections are not followed".to_owned())
}

/// What an answer begins with. More than is kept is read, so that the connection can be used again after a usual answer; what breaks off has its say.
async fn beginning(mut response: Response) -> String {
    let mut bytes = Vec::new();
    while bytes.len() < READ {
        match response.chunk().await {
            Ok(Some(chunk)) => bytes.extend_from_slice(&chunk[..chunk.len().min(READ - bytes.len())]),
            Ok(None) | Err(_) => break,
        }
    }
    cut(&String::from_utf8_lossy(&bytes), KEPT)
}

/// At most so many bytes of a text, whole characters, none of which does anything to a terminal.
fn cut(text: &str, most: usize) -> String {
    let printable = text.chars().map(|character| if character.is_control() && character != '\n' { '\u{fffd}' } else { character });
    let mut kept = String::new();
    for character in printable {
        if kept.len() + character.len_utf8() > most {
            break;
        }
        kept.push(character);
    }
    kept
}
