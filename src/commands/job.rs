//! `amlgraph jobs …`: work in the background of a running server.

use std::time::Duration;

use anyhow::{Context, bail};
use serde_json::{Value, json};

use super::graphql::{asked_patiently, graphql, refused};
use super::print;
use crate::cli::{Jobs, Server};
use crate::http::stop_signal;

const JOBS: &str = "query($first: Int!, $after: String, $filter: JobFilter) { jobs(first: $first, after: $after, filter: $filter) {
    pageInfo { hasNextPage endCursor } edges { node {
        id kind name status done of: total attempts createdAt createdByName startedAt endedAt lastError result } } } }";
const CANCEL: &str = "mutation($input: CancelJobInput!) { cancelJob(input: $input) { job { id status cancelRequestedAt } userErrors { message } } }";
const JOB: &str = "query($id: ID!) { job(id: $id) { status done total endedAt lastError result } }";
/// How many are asked for at once.
const PAGE: usize = 100;
/// How long is waited before it is looked again whether a job has ended.
const PAUSE: Duration = Duration::from_millis(300);

/// Carries out the command and prints one JSON object a job.
pub async fn run(command: Jobs) -> anyhow::Result<()> {
    match command {
        Jobs::List { kind, status, most, server } => list(&server, (kind, status), most).await,
        Jobs::Cancel { id, server } => {
            let data = graphql(&server, CANCEL, json!({"input": {"jobId": id}})).await?;
            let payload = &data["cancelJob"];
            refused(&payload["userErrors"])?;
            print(&payload["job"].to_string());
            Ok(())
        }
    }
}

/// Waits for a job that was started: what people call it, and its kind and id. Answers with the job once it has ended; Ctrl-C ends the waiting, not the job.
pub async fn awaited(server: &Server, (what, kind, id): (&str, &str, &str)) -> anyhow::Result<Value> {
    eprintln!("the {what} is the job {id}");
    let goes_on =
        || format!("the {what} goes on as the job {id}: `amlgraph jobs list --kind {kind}` shows it, `amlgraph jobs cancel {id}` cancels it");
    tokio::select! {
        job = ended(server, what, id) => job.with_context(goes_on),
        () = stop_signal() => bail!("stopped waiting; {}", goes_on()),
    }
}

async fn ended(server: &Server, what: &str, id: &str) -> anyhow::Result<Value> {
    loop {
        let mut answer = asked_patiently(server, JOB, &json!({"id": id})).await?;
        refused(&answer["errors"])?;
        let mut data = answer["data"].take();
        if !data["job"]["endedAt"].is_null() {
            return Ok(data["job"].take());
        }
        if data["job"].is_null() {
            bail!("the {what}'s job {id} is there no more");
        }
        tokio::time::sleep(PAUSE).await;
    }
}

async fn list(server: &Server, (kinds, statuses): (Vec<String>, Vec<String>), most: usize) -> anyhow::Result<()> {
    let some = |names: Vec<String>| if names.is_empty() { Value::Null } else { json!(names) };
    let filter = json!({"kind": some(kinds), "status": some(statuses)});
    let (mut left, mut after) = (most, Value::Null);
    while left > 0 {
        let data = graphql(server, JOBS, json!({"first": left.min(PAGE), "after": after, "filter": filter})).await?;
        let page = &data["jobs"];
        let jobs = page["edges"].as_array().map_or(&[][..], Vec::as_slice);
        jobs.iter().for_each(|edge| print(&edge["node"].to_string()));
        if page["pageInfo"]["hasNextPage"] != true {
            break;
        }
        left -= jobs.len().min(left);
        after = page["pageInfo"]["endCursor"].clone();
    }
    Ok(())
}
