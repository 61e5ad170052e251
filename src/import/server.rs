//! Sending lines to a server: by its bulk operation ([`super::bulk`]), and what that has no list for one by one ([`super::single`]).
//!
//! A line is checked here, so that one with faults is refused without a request.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use futures::future::BoxFuture;
use graph_schema::bulk::BulkList;
use reqwest::header::{CONTENT_TYPE, RETRY_AFTER};
use reqwest::{Client, Response, StatusCode, Url};
use serde_json::Value;
use tokio::sync::Mutex;

use super::bulk::{self, Taken};
use super::single::{self, SingleList};
use super::{Line, List, Outcome};
use crate::commands;

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
    /// Names this import: the ids of its bulk requests begin with it.
    run: String,
    taken: Mutex<Taken>,
}

/// What a server has answered.
pub(super) struct Answer {
    pub status: StatusCode,
    pub body: Value,
}

/// By which way a list goes.
enum Sending {
    InBulk(BulkList),
    OneByOne(SingleList),
}

impl Server {
    pub fn new(url: &str, key: &str, run: &str) -> anyhow::Result<Self> {
        let base = commands::address(url)?;
        let client =
            commands::client(&base).timeout(TIMEOUT).pool_max_idle_per_host(single::AT_ONCE).tcp_nodelay(true).build().context("the HTTP client")?;
        Ok(Self(Arc::new(Inner { client, base, key: key.to_owned(), run: run.to_owned(), taken: Mutex::default() })))
    }

    /// Sends lines of a list, when `turn` has come; the outcomes are in their order. What is taken in bulk counts as accepted until it is known what
    /// became of it.
    pub async fn send(&self, list: List, lines: Vec<Line>, turn: BoxFuture<'static, ()>) -> anyhow::Result<Vec<Outcome>> {
        // On a thread of its own: reading and checking lines takes a core as much as the server does.
        match way(list) {
            Sending::InBulk(list) => {
                let read = tokio::task::spawn_blocking(move || bulk::checked(list, lines)).await.context("reading lines")?;
                turn.await;
                self.send_in_bulk(list, read).await
            }
            Sending::OneByOne(list) => {
                let read = tokio::task::spawn_blocking(move || single::read_lines(list, &lines)).await.context("reading lines")?;
                turn.await;
                self.send_one_by_one(read).await
            }
        }
    }

    /// Posts a body, again where the server is away or overloaded.
    pub(super) async fn post(&self, path: &[&str], body: &Arc<str>, request_id: Option<&str>) -> anyhow::Result<Answer> {
        let mut url = self.0.base.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            // Ids go in as path segments, whatever is in them.
            segments.pop_if_empty().extend(path);
        }
        let mut pause = FIRST_PAUSE;
        let mut tries = 1;
        loop {
            let mut request = self.0.client.post(url.clone()).header("x-api-key", &self.0.key).header(CONTENT_TYPE, "application/json");
            if let Some(id) = request_id {
                request = request.header("x-request-id", id);
            }
            let wait = match request.body(body.to_string()).send().await {
                Ok(response) if may_pass(response.status()) && tries < TRIES => after(&response).unwrap_or(pause),
                Ok(response) => {
                    commands::is_redirected(response.status())?;
                    return Answer::read(response).await;
                }
                Err(_) if tries < TRIES => pause,
                Err(error) => return Err(error).context("asking the server"),
            };
            tokio::time::sleep(wait.min(LONGEST_PAUSE)).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
            tries += 1;
        }
    }

    pub(super) fn run(&self) -> &str {
        &self.0.run
    }

    pub(super) fn taken(&self) -> &Mutex<Taken> {
        &self.0.taken
    }
}

fn way(list: List) -> Sending {
    match list {
        List::Actors => Sending::InBulk(BulkList::Actors),
        List::Accounts => Sending::InBulk(BulkList::Accounts),
        List::AccountActors => Sending::InBulk(BulkList::AccountActors),
        List::AccountBalances => Sending::InBulk(BulkList::AccountBalances),
        List::Transactions => Sending::InBulk(BulkList::Transactions),
        List::ActorSegmentationGroups => Sending::InBulk(BulkList::ActorSegmentationGroups),
        List::Observations => Sending::InBulk(BulkList::Observations),
        List::Communications => Sending::InBulk(BulkList::Communications),
        List::Cases => Sending::InBulk(BulkList::Cases),
        List::Associates => Sending::OneByOne(SingleList::Associates),
        List::Devices => Sending::OneByOne(SingleList::Devices),
        List::SignIns => Sending::OneByOne(SingleList::SignIns),
    }
}

/// Whether the same request may be answered otherwise a little later.
pub(super) fn may_pass(status: StatusCode) -> bool {
    matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::BAD_GATEWAY | StatusCode::SERVICE_UNAVAILABLE | StatusCode::GATEWAY_TIMEOUT)
}

fn after(response: &Response) -> Option<Duration> {
    response.headers().get(RETRY_AFTER)?.to_str().ok()?.parse().ok().map(Duration::from_secs)
}

impl Answer {
    /// Read to its end, so that the connection can be used again.
    async fn read(response: Response) -> anyhow::Result<Self> {
        let status = response.status();
        let text = response.text().await.context("reading the server's answer")?;
        Ok(Self { status, body: serde_json::from_str(&text).unwrap_or_default() })
    }

    fn each_error(&self) -> impl Iterator<Item = &Value> {
        self.body["errors"].as_array().into_iter().flatten()
    }

    /// Its errors, whether the operation words them as texts or as GraphQL does.
    pub fn errors(&self) -> Vec<String> {
        self.each_error().map(|error| error.as_str().or(error["message"].as_str()).unwrap_or_default().to_owned()).collect()
    }

    /// The codes of GraphQL's errors.
    pub fn codes(&self) -> impl Iterator<Item = &str> {
        self.each_error().filter_map(|error| error["extensions"]["code"].as_str())
    }
}
