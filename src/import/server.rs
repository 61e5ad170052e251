//! Sending lines to a server, one request a record, by the operations the reference documents; devices and sign-ins, for which it has none,
//! by GraphQL's mutations.
//!
//! A line has the bulk form of its record; it becomes the single form here, so that a line with faults is refused without a request. Several
//! requests are under way at once: the server commits those that come together as one, and one after the other would be far slower. Lines about
//! one thing go one after the other all the same, so that the last of them is the last word.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use futures::future::BoxFuture;
use futures::{StreamExt, stream};
use graph_schema::bulk::{BulkAccount, BulkAccountActor, BulkAccountBalance, BulkActor, BulkActorAssociates, BulkObservation, BulkTransaction};
use graph_schema::device::{DeviceRecord, SignInRecord};
use graph_schema::fault::Unacceptable;
use graph_schema::given::read;
use reqwest::header::{CONTENT_TYPE, RETRY_AFTER};
use reqwest::{Client, Response, StatusCode, Url};
use serde_json::json;

use super::{Line, List, Outcome};

/// Requests under way at once.
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
}

/// A request that carries a line's record.
struct Sending {
    /// What the line is about.
    about: String,
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
        Ok(Self(Arc::new(Inner { client, base, key: key.to_owned() })))
    }

    /// Sends lines of a list, when `turn` has come; the outcomes are in their order.
    pub async fn send(&self, list: List, lines: Vec<Line>, turn: BoxFuture<'static, ()>) -> anyhow::Result<Vec<Outcome>> {
        let count = lines.len();
        // On a thread of its own: reading and checking lines takes a core as much as the server does.
        let read = tokio::task::spawn_blocking(move || lines.iter().map(|line| sending(list, line.text.as_bytes())).collect::<Vec<_>>());
        let read = read.await.context("reading lines")?;
        turn.await;
        let mut outcomes = vec![Outcome::Accepted; count];
        let mut about: HashMap<String, Vec<(usize, Sending)>> = HashMap::new();
        for (at, read) in read.into_iter().enumerate() {
            match read {
                Ok(sending) => about.entry(sending.about.clone()).or_default().push((at, sending)),
                Err(unacceptable) => outcomes[at] = Outcome::Refused(unacceptable.faults().iter().map(ToString::to_string).collect()),
            }
        }
        let mut sent = stream::iter(about.into_values().map(|one| self.send_in_turn(one))).buffer_unordered(AT_ONCE);
        while let Some(answered) = sent.next().await {
            for (at, outcome) in answered? {
                outcomes[at] = outcome;
            }
        }
        Ok(outcomes)
    }

    async fn send_in_turn(&self, sendings: Vec<(usize, Sending)>) -> anyhow::Result<Vec<(usize, Outcome)>> {
        let mut answered = Vec::with_capacity(sendings.len());
        for (at, sending) in sendings {
            answered.push((at, self.send_one(sending).await?));
        }
        Ok(answered)
    }

    async fn send_one(&self, sending: Sending) -> anyhow::Result<Outcome> {
        let mut url = self.0.base.clone();
        if let Ok(mut path) = url.path_segments_mut() {
            // Ids go in as path segments, whatever is in them.
            path.pop_if_empty().extend(&sending.path);
        }
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
    let (about, path, record) = match list {
        List::Actors => {
            let actor = read::<BulkActor>(line)?.value.into_single();
            (actor.value.id.to_string(), segments(&["actors"]), actor.record)
        }
        List::Accounts => {
            let account = read::<BulkAccount>(line)?.value.into_single();
            (account.value.id.to_string(), segments(&["accounts"]), account.record)
        }
        List::Transactions => {
            let transaction = read::<BulkTransaction>(line)?.value.into_single();
            (transaction.value.id.to_string(), segments(&["v2", "transactions"]), transaction.record)
        }
        List::AccountActors => {
            let (account, actors) = read::<BulkAccountActor>(line)?.value.into_single();
            (account.to_string(), segments(&["accounts", account.as_str(), "actors"]), actors.record)
        }
        List::AccountBalances => {
            let (account, balance) = read::<BulkAccountBalance>(line)?.value.into_single();
            (account.to_string(), segments(&["accounts", account.as_str(), "balances"]), balance.record)
        }
        List::Associates => {
            let (actor, associates) = read::<BulkActorAssociates>(line)?.value.into_single();
            (actor.to_string(), segments(&["actors", actor.as_str(), "associates"]), associates.record)
        }
        List::Observations => {
            let observation = read::<BulkObservation>(line)?.value.into_single();
            (observation.value.id.to_string(), segments(&["observations"]), observation.record)
        }
        List::Devices => {
            // Its names are the same in GraphQL.
            let given = read::<DeviceRecord>(line)?;
            return Ok(mutation(given.value.id.to_string(), RECORD_DEVICES, json!(given.value)));
        }
        List::SignIns => {
            let SignInRecord { device_id, account_id, at, ip_address } = read::<SignInRecord>(line)?.value;
            let about = format!("{device_id}\n{account_id}");
            return Ok(mutation(
                about,
                RECORD_SIGN_INS,
                json!({ "deviceId": device_id, "accountId": account_id, "at": at, "ipAddress": ip_address }),
            ));
        }
    };
    Ok(Sending { about, path, record })
}

const RECORD_DEVICES: &str = "mutation($record: DeviceInput!) { recordDevices(devices: [$record]) }";
const RECORD_SIGN_INS: &str = "mutation($record: SignInInput!) { recordSignIns(signIns: [$record]) }";

fn mutation(about: String, document: &str, record: serde_json::Value) -> Sending {
    let body = json!({ "query": document, "variables": { "record": record } }).to_string();
    Sending { about, path: vec!["graphql".to_owned()], record: body.into() }
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
