//! Sending lines to a server, one request a record, by the operations the reference documents.
//!
//! A line has the bulk form of its record; it becomes the single form here, so that a line with faults is refused without a request. Several
//! requests are under way at once: the server commits those that come together as one, and one after the other would be far slower.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use futures::{StreamExt, TryStreamExt, stream};
use graph_schema::bulk::{BulkAccount, BulkAccountActor, BulkAccountBalance, BulkActor, BulkActorAssociates, BulkTransaction};
use graph_schema::fault::Unacceptable;
use graph_schema::given::read;
use reqwest::header::{CONTENT_TYPE, RETRY_AFTER};
use reqwest::{Client, Response, StatusCode, Url};
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
            Ok(Some(sending)) => sending,
            Ok(None) => return Ok(Outcome::NotTaken),
            Err(unacceptable) => return Ok(Outcome::Refused(unacceptable.faults().iter().map(ToString::to_string).collect())),
        };
        let mut url = self.0.base.clone();
        if let Ok(mut path) = url.path_segments_mut() {
            // Ids go in as path segments, whatever is in them.
            path.pop_if_empty().push("api").extend(&sending.path);
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

/// The request that a line becomes; `None` for lists the documented operations know nothing of.
fn sending(list: List, line: &[u8]) -> Result<Option<Sending>, Unacceptable> {
    let segments = |segments: &[&str]| segments.iter().map(|segment| (*segment).to_owned()).collect();
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
        List::Devices | List::SignIns => return Ok(None),
    };
    Ok(Some(Sending { path, record }))
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
    if status.is_success() {
        // Read to its end, so that the connection can be used again.
        response.bytes().await.context("reading the server's answer")?;
        return Ok(Outcome::Accepted);
    }
    let text = response.text().await.unwrap_or_default();
    let body: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    let errors: Vec<String> = body["errors"].as_array().into_iter().flatten().filter_map(|error| error.as_str().map(str::to_owned)).collect();
    if matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN | StatusCode::NOT_FOUND) || may_pass(status) {
        bail!("the server refused: {status} {}", errors.join("; "));
    }
    Ok(Outcome::Refused(if errors.is_empty() { vec![format!("answer: {status}")] } else { errors }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(list: List, line: &str) -> Option<String> {
        sending(list, line.as_bytes()).expect("a good line").map(|sending| sending.path.join("/"))
    }

    #[test]
    fn lines_become_the_documented_requests() {
        assert_eq!(path(List::Actors, r#"{"id":"a","type":"INDIVIDUAL","as_of_date":"2024-01-01"}"#).as_deref(), Some("actors"));
        assert_eq!(path(List::AccountActors, r#"{"account_id":"k","actor_id":"a","actor_role":"OWNER"}"#).as_deref(), Some("accounts/k/actors"));
        assert_eq!(path(List::Associates, r#"{"actor_id":"a","actorAssociates":[]}"#).as_deref(), Some("actors/a/associates"));
        assert_eq!(path(List::Devices, "{}"), None);
        assert!(sending(List::Actors, b"{").is_err());
    }
}
