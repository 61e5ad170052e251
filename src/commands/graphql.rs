//! Asking a running server by GraphQL.

use std::time::Duration;

use anyhow::{Context, bail};
use reqwest::Method;
use serde_json::{Value, json};

use super::credential::{answer, patient, request};
use crate::cli::Server;

/// The data of an answer. Errors are what is shown, all of them.
pub async fn graphql(server: &Server, query: &str, variables: Value) -> anyhow::Result<Value> {
    let body = json!({"query": query, "variables": variables});
    let text = answer(request(server, Method::POST, &["graphql"])?.json(&body)).await?;
    let mut answer: Value = serde_json::from_str(&text).context("reading the server's answer")?;
    refused(&answer["errors"])?;
    Ok(answer["data"].take())
}

/// How often something is asked that can't be answered now, and how long is waited each time.
const TRIES: usize = 5;
const PAUSE: Duration = Duration::from_secs(1);

/// The whole answer to a question that changes nothing, with its errors. Where the server can't answer now it is asked again, some times.
pub async fn asked_patiently(server: &Server, query: &str, variables: &Value) -> anyhow::Result<Value> {
    let body = json!({"query": query, "variables": variables});
    let mut tries = 0;
    loop {
        let text = patient(request(server, Method::POST, &["graphql"])?.json(&body)).await?;
        let answer: Value = serde_json::from_str(&text).context("reading the server's answer")?;
        tries += 1;
        if tries == TRIES || !has_code(&answer["errors"], &["UNAVAILABLE"]) {
            return Ok(answer);
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// Whether one of the errors has one of the codes.
pub fn has_code(errors: &Value, codes: &[&str]) -> bool {
    errors.as_array().into_iter().flatten().any(|error| error["extensions"]["code"].as_str().is_some_and(|code| codes.contains(&code)))
}

/// Whether a list of errors, or of a payload's `userErrors`, says why nothing was done.
pub fn refused(errors: &Value) -> anyhow::Result<()> {
    let told: Vec<&str> = errors.as_array().into_iter().flatten().filter_map(|error| error["message"].as_str()).collect();
    if !told.is_empty() {
        bail!("the server refused: {}", told.join("; "));
    }
    Ok(())
}
