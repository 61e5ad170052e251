//! Runs that are asked for by REST and followed by GraphQL to their end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use chrono::NaiveDate;
use graph_schema::date::Timestamp;
use serde_json::{Value as Json, json};

use crate::http::{self, Connection};
use crate::service::{KEY, Service};

const LOOK: Duration = Duration::from_millis(100);
const RUNS: &str =
    "{ detectionRuns(first: 1) { edges { node { closeOfBusinessDate lineOfBusiness status requestedAt endedAt lastError result } } } }";

/// The lines of business that select by type.
pub const LINES: [&str; 2] = ["INDIVIDUAL", "LEGAL_ENTITY"];

/// Whoever starts the batch.
pub struct Batches {
    connection: Connection,
}

/// A run that is done.
pub struct Run {
    /// From when it was asked for to its end.
    pub took: Duration,
    result: Json,
}

impl Run {
    /// A number of what it has come to.
    pub fn number(&self, path: &str) -> u64 {
        self.result.pointer(path).and_then(Json::as_u64).unwrap_or_default()
    }

    /// What each rule has found.
    pub fn by_rule(&self) -> &Json {
        &self.result["byRule"]
    }
}

impl Batches {
    pub async fn of(service: &Service) -> Result<Self> {
        Ok(Self { connection: Connection::open(service.address).await? })
    }

    /// Asks for a day's run of a line of business, and waits for its end.
    pub async fn run(&mut self, date: NaiveDate, line: &str) -> Result<Run> {
        let batch = json!({"closeOfBusinessDate": date.to_string(), "lineOfBusiness": line, "processType": "AML"});
        self.connection.send_for_success(&http::post("/api/detection/initialize", KEY, &batch.to_string())).await?;
        loop {
            let run = self.latest().await?;
            ensure!(run["closeOfBusinessDate"] == date.to_string() && run["lineOfBusiness"] == line, "another run was asked for: {run}");
            match run["status"].as_str() {
                Some("DONE") => return done(&run),
                Some("QUEUED" | "RUNNING") => tokio::time::sleep(LOOK).await,
                _ => bail!("the run is {run}"),
            }
        }
    }

    /// A day's runs of both lines of business, one after the other.
    pub async fn day(&mut self, date: NaiveDate) -> Result<[Run; 2]> {
        let [first, second] = LINES;
        Ok([self.run(date, first).await?, self.run(date, second).await?])
    }

    /// That which was asked for last.
    async fn latest(&mut self) -> Result<Json> {
        let request = http::post("/graphql", KEY, &json!({"query": RUNS}).to_string());
        let mut answer: Json = serde_json::from_slice(self.connection.send_for_success(&request).await?)?;
        ensure!(answer["errors"].is_null(), "answered {answer}");
        Ok(answer["data"]["detectionRuns"]["edges"][0]["node"].take())
    }
}

fn done(run: &Json) -> Result<Run> {
    let at = |field: &str| run[field].as_str().and_then(Timestamp::parse).map(Timestamp::millis).with_context(|| format!("{field} of {run}"));
    let millis = at("endedAt")? - at("requestedAt")?;
    let result = &run["result"];
    let result: Json = result.as_str().map(serde_json::from_str).transpose()?.unwrap_or_else(|| result.clone());
    Ok(Run { took: Duration::from_millis(u64::try_from(millis)?), result })
}

/// What is measured while a day's runs follow one another; and how many of them ended meanwhile. The last one is waited for.
pub async fn beside<T>(service: &Service, date: NaiveDate, measure: impl AsyncFnOnce() -> Result<T>) -> Result<(u64, T)> {
    let (go_on, ended) = (Arc::new(AtomicBool::new(true)), Arc::new(AtomicU64::new(0)));
    let mut batches = Batches::of(service).await?;
    let running = {
        let (go_on, ended) = (Arc::clone(&go_on), Arc::clone(&ended));
        tokio::spawn(async move {
            for line in LINES.iter().cycle() {
                if !go_on.load(Ordering::Relaxed) {
                    break;
                }
                batches.run(date, line).await?;
                ended.fetch_add(1, Ordering::Relaxed);
            }
            anyhow::Ok(())
        })
    };
    let measured = measure().await?;
    let meanwhile = ended.load(Ordering::Relaxed);
    go_on.store(false, Ordering::Relaxed);
    running.await??;
    Ok((meanwhile, measured))
}
