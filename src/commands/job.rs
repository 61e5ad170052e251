//! `amlgraph jobs …`: work in the background of a running server.

use serde_json::{Value, json};

use super::graphql::{graphql, refused};
use super::print;
use crate::cli::{Jobs, Server};

const JOBS: &str = "query($first: Int!, $after: String, $filter: JobFilter) { jobs(first: $first, after: $after, filter: $filter) {
    pageInfo { hasNextPage endCursor } edges { node {
        id kind name status done of attempts createdAt createdByName startedAt endedAt lastError result } } } }";
const CANCEL: &str = "mutation($input: CancelJobInput!) { cancelJob(input: $input) { job { id status cancelRequestedAt } userErrors { message } } }";
/// How many are asked for at once.
const PAGE: usize = 100;

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
