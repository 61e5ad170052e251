//! Sending lines to a server, one request a record, by the operations the reference documents; devices and sign-ins, for which it has none,
//! by GraphQL's mutations.
//!
//! A line has the bulk form of its record; it becomes the single form here, so that a line with faults is refused without a request. Several
//! requests are under way at once: the server commits those that come together as one, and one after the other would be far slower.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use futures::{StreamExt, TryStreamExt, stream};
use graph_schema::bulk::{BulkAccount, BulkAccountActor, BulkAccountBalance, BulkActor, BulkActorAssociates, BulkTransaction};
use graph_schema::device::{DeviceRecord, SignInRecord};
use graph_schema::fault::Unacceptable;
use graph_schema::given::read;
use reqwest::header::{CONTENT_TYPE, RETRY_AFTER};
use reqwest::{Client, Response, StatusCode, Url};
use serde_json::json;
use tokio::sync::Semaphore;

use super::{Line, List, Outcome};

/// Requests under way at once, over all batches.
const AT_ONCE: usize = 64;
/// A server that is away or overloaded is asked this often, with growing pauses: about a minute.
const TRIES: u32 = 8;
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
const TIMEOUT: Duration = Duration::from_secs(40);

/// A server and the key to it.
#[derive(Clone)]
pub struct Server(Arc<Inner>);

struct Inner {
    client: Client,
    base: Url,
    key: String,
    places: Semaphore,
}

/// A request that carries a line's record.
struct Sending {
    path: Vec<String>,
    record: Arc<str>,
}

impl Server {
    pub fn new(url: &str, key: &str) -> anyhow::Result<Self> {
        let base = Url::parse(url).with_context(|| format!("--url {url}"))?;
        if base.cannot_be_a_base() {
            bail!("--url {url}: must be an http(s) address");
        }
        let client = Client::builder().timeout(TIMEOUT).pool_max_idle_per_host(AT_ONCE).tcp_nodelay(true).build().context("the HTTP client")?;
        Ok(Self(Arc::new(Inner { client, base, key: key.to_owned(), places: Semaphore::new(AT_ONCE) })))
    }

    /// Sends lines of a list; the outcomes are in their order.
    pub async fn send(&self, list: List, lines: Vec<Line>) -> anyhow::Result<Vec<Outcome>> {
        stream::iter(lines)
            .map(|line| {
                let server = self.clone();
                // On a task of its own: reading and checking a line takes a core as much as the server does.
                let sent = tokio::spawn(async move { server.send_one(list, line).await });
                async { sent.await.context("sending a line")? }
            })
            .buffered(AT_ONCE)
            .try_collect()
            .await
    }

    async fn send_one(&self, list: List, line: Line) -> anyhow::Result<Outcome> {
        let sending = match sending(list, line.text.as_bytes()) {
            Ok(sending) => sending,
            Err(unacceptable) => return Ok(Outcome::Refused(unacceptable.faults().iter().map(ToString::to_string).collect())),
        };
        let mut url = self.0.base.clone();
        if let Ok(mut path) = url.path_segments_mut() {
            // Ids go in as path segments, whatever is in them.
            path.pop_if_empty().extend(&sending.path);
        }
        let _place = self.0.places.acquire().await.context("the places are never closed")?;
        let mut pause = FIRST_PAUSE;
        let mut tries = 1;
        loop {
            let request = self.0.client.post(url.clone()).header("x-api-key", &self.0.key).header(CONTENT_TYPE, "application/json");
            let wait = match request.body(sending.record.to_string()).send().await {
                Ok(response) if may_pass(response.status()) && tries < TRIES => after(&response).unwrap_or(pause),
                Ok(response) => return outcome(response).await,
                Err(_) if tries < TRIES => pause,
                Err(error) => return Err(error).context("asking the server"),
            };
            tokio::time::sleep(wait.min(LONGEST_PAUSE)).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
            tries += 1;
        }
    }
}

/// The request that a line becomes.
fn sending(list: List, line: &[u8]) -> Result<Sending, Unacceptable> {
    let segments = |segments: &[&str]| ["api"].iter().chain(segments).map(|segment| (*segment).to_owned()).collect();
    let (path, record) = match list {
        List::Actors => (segments(&["actors"]), read::<BulkActor>(line)?.value.into_single().record),
        List::Accounts => (segments(&["accounts"]), read::<BulkAccount>(line)?.value.into_single().record),
        List::Transactions => (segments(&["v2", "transactions"]), read::<BulkTransaction>(line)?.value.into_single().record),
        List::AccountActors => {
            let (account, actors) = read::<BulkAccountActor>(line)?.value.into_single();
            (segments(&["accounts", account.as_str(), "actors"]), actors.record)
        }
        List::AccountBalances => {
            let (account, balance) = read::<BulkAccountBalance>(line)?.value.into_single();
            (segments(&["accounts", account.as_str(), "balances"]), balance.record)
        }
        List::Associates => {
            let (actor, associates) = read::<BulkActorAssociates>(line)?.value.into_single();
            (segments(&["actors", actor.as_str(), "associates"]), associates.record)
        }
        List::Devices => {
            // Its names are the same in GraphQL.
            let given = read::<DeviceRecord>(line)?;
            return Ok(mutation(RECORD_DEVICES, json!(given.value)));
        }
        List::SignIns => {
            let SignInRecord { device_id, account_id, at, ip_address } = read::<SignInRecord>(line)?.value;
            return Ok(mutation(RECORD_SIGN_INS, json!({ "deviceId": device_id, "accountId": account_id, "at": at, "ipAddress": ip_address })));
        }
    };
    Ok(Sending { path, record })
}

const RECORD_DEVICES: &str = "mutation($record: DeviceInput!) { recordDevices(devices: [$record]) }";
const RECORD_SIGN_INS: &str = "mutation($record: SignInInput!) { recordSignIns(signIns: [$record]) }";

fn mutation(document: &str, record: serde_json::Value) -> Sending {
    let body = json!({ "query": document, "variables": { "record": record } }).to_string();
    Sending { path: vec!["graphql".to_owned()], record: body.into() }
}

/// Whether the same request may be answered otherwise a little later.
fn may_pass(status: StatusCode) -> bool {
    matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::BAD_GATEWAY | StatusCode::SERVICE_UNAVAILABLE | StatusCode::GATEWAY_TIMEOUT)
}

fn after(response: &Response) -> Option<Duration> {
    response.headers().get(RETRY_AFTER)?.to_str().ok()?.parse().ok().map(Duration::from_secs)
}

/// What an answer says of a line. One that says nothing of the line, but of us or of the server, is an error.
async fn outcome(response: Response) -> anyhow::Result<Outcome> {
    let status = response.status();
    // Read to its end, so that the connection can be used again.
    let text = response.text().await.context("reading the server's answer")?;
    let body: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    let errors: Vec<String> = body["errors"].as_array().into_iter().flatten().map(text_of).collect();
    if status.is_success() && errors.is_empty() {
        return Ok(Outcome::Accepted);
    }
    if matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN | StatusCode::NOT_FOUND) || may_pass(status) || not_of_the_record(&body) {
        bail!("the server refused: {status} {}", errors.join("; "));
    }
    Ok(Outcome::Refused(if errors.is_empty() { vec![format!("answer: {status}")] } else { errors }))
}

/// Whether GraphQL refused for another reason than what the record says.
fn not_of_the_record(body: &serde_json::Value) -> bool {
    let codes = body["errors"].as_array().into_iter().flatten().filter_map(|error| error["extensions"]["code"].as_str());
    codes.into_iter().any(|code| matches!(code, "UNAVAILABLE" | "FORBIDDEN" | "TIME_LIMIT" | "INTERNAL"))
}

/// An error's text, whether the operation words it as a text or as GraphQL does.
fn text_of(error: &serde_json::Value) -> String {
    error.as_str().or(error["message"].as_str()).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(list: List, line: &str) -> String {
        sending(list, line.as_bytes()).expect("a good line").path.join("/")
    }

    #[test]
    fn lines_become_the_documented_requests() {
        assert_eq!(path(List::Actors, r#"{"id":"a","type":"INDIVIDUAL","as_of_date":"2024-01-01"}"#), "api/actors");
        assert_eq!(path(List::AccountActors, r#"{"account_id":"k","actor_id":"a","actor_role":"OWNER"}"#), "api/accounts/k/actors");
        assert_eq!(path(List::Associates, r#"{"actor_id":"a","actorAssociates":[]}"#), "api/actors/a/associates");
        assert_eq!(path(List::Devices, r#"{"id":"d"}"#), "graphql");
        assert!(sending(List::Actors, b"{").is_err());
    }
}
