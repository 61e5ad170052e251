//! An administrator who imports lists and waits for the jobs that come of it.

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

/// Asks by GraphQL.
pub struct Desk {
    connection: Connection,
}

impl Desk {
    /// At a running service.
    pub async fn open(address: SocketAddr) -> Result<Self> {
        Ok(Self { connection: Connection::open(address).await? })
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

    async fn ask(&mut self, document: &str, variables: Value) -> Result<Value> {
        let request = http::post("/graphql", KEY, &json!({"query": document, "variables": variables}).to_string());
        let mut answer: Value = serde_json::from_slice(self.connection.send_for_success(&request).await?)?;
        ensure!(answer["errors"].is_null(), "answered {answer}");
        Ok(answer["data"].take())
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
