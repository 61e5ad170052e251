//! Somebody who works with a service by a key: who imports lists and waits for the jobs that come of it, sends records, and acts on cases.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use crate::http::{self, Connection};
use crate::service::KEY;

const LOOK: Duration = Duration::from_millis(100);
/// Longer than anybody should wait for it.
const LONGEST: Duration = Duration::from_secs(1_800);

const IMPORT: &str = "mutation($input: ImportWatchlistInput!) { importWatchlist(input: $input) { job { id } userErrors { message } } }";
const JOBS: &str = "{ jobs(first: 50) { edges { node { id kind status payload result lastError } } } }";

/// Asks by GraphQL, and sends by REST.
pub struct Desk {
    connection: Connection,
    key: String,
}

impl Desk {
    /// The administrator's, at a running service.
    pub async fn open(address: SocketAddr) -> Result<Self> {
        Self::with_key(address, KEY).await
    }

    /// Of whoever has this key.
    pub async fn with_key(address: SocketAddr, key: &str) -> Result<Self> {
        Ok(Self { connection: Connection::open(address).await?, key: key.to_owned() })
    }

    /// Imports a version of a list; how long that took.
    pub async fn import(&mut self, file: &str) -> Result<Duration> {
        let began = Instant::now();
        let upload: Value = serde_json::from_slice(self.connection.send_for_success(&http::post("/lists/uploads", KEY, file)).await?)?;
        let started = self.ask(IMPORT, json!({"input": {"name": "bench", "uploadId": upload["id"]}})).await?;
        let id = started["importWatchlist"]["job"]["id"].as_str().with_context(|| format!("answered {started}"))?.to_owned();
        self.done(|job| job["id"] == id.as_str()).await?;
        Ok(began.elapsed())
    }

    /// Waits until all actors are screened by a version.
    pub async fn screened_all(&mut self, version: u64) -> Result<Value> {
        self.done(|job| job["kind"] == "actor-rescreening" && as_object(&job["payload"]).is_ok_and(|payload| payload["version"] == version)).await
    }

    /// The data of an answer without errors.
    pub async fn ask(&mut self, document: &str, variables: Value) -> Result<Value> {
        let request = http::post("/graphql", &self.key, &json!({"query": document, "variables": variables}).to_string());
        let mut answer: Value = serde_json::from_slice(self.connection.send_for_success(&request).await?)?;
        ensure!(answer["errors"].is_null(), "answered {answer}");
        Ok(answer["data"].take())
    }

    /// The payload of the only mutation of a document, when nothing speaks against it, nor against any of its results.
    pub async fn act(&mut self, document: &str, input: Value) -> Result<Value> {
        let mut data = self.ask(document, json!({ "input": input })).await?;
        let payload = data.as_object_mut().and_then(|fields| fields.values_mut().next()).context("a payload")?.take();
        let results = payload["results"].as_array().into_iter().flatten();
        for part in results.chain([&payload]) {
            ensure!(part["userErrors"].as_array().is_some_and(Vec::is_empty), "answered {payload}");
        }
        Ok(payload)
    }

    /// What REST answers to something that is sent; null where that is nothing.
    pub async fn send(&mut self, path: &str, body: &Value) -> Result<Value> {
        let request = http::post(path, &self.key, &body.to_string());
        let answer = self.connection.send_for_success(&request).await?;
        if answer.is_empty() { Ok(Value::Null) } else { Ok(serde_json::from_slice(answer)?) }
    }

    /// Sends a text as a file.
    pub async fn upload(&mut self, path: &str, name: &str, text: &str) -> Result<()> {
        let request = http::upload(path, &self.key, name, text);
        self.connection.send_for_success(&request).await.map(drop)
    }

    /// The first job of which this is so.
    async fn job(&mut self, is_it: impl Fn(&Value) -> bool) -> Result<Option<Value>> {
        let data = self.ask(JOBS, json!({})).await?;
        let edges = data["jobs"]["edges"].as_array().cloned().unwrap_or_default();
        Ok(edges.into_iter().map(|edge| edge["node"].clone()).find(|job| is_it(job)))
    }

    /// Waits until such a job is done; answers with what it has come to.
    async fn done(&mut self, is_it: impl Fn(&Value) -> bool) -> Result<Value> {
        let began = Instant::now();
        while began.elapsed() < LONGEST {
            if let Some(job) = self.job(&is_it).await? {
                match job["status"].as_str() {
                    Some("DONE") => return as_object(&job["result"]),
                    Some("QUEUED" | "RUNNING") => {}
                    _ => bail!("the job is {job}"),
                }
            }
            tokio::time::sleep(LOOK).await;
        }
        bail!("a job is not done within {LONGEST:?}")
    }
}

/// JSON that may come as text.
fn as_object(value: &Value) -> Result<Value> {
    match value.as_str() {
        Some(text) => Ok(serde_json::from_str(text)?),
        None => Ok(value.clone()),
    }
}
