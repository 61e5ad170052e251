//! Asking a running server by GraphQL.

use anyhow::{Context, bail};
use reqwest::Method;
use serde_json::{Value, json};

use super::credential::{answer, request};
use crate::cli::Server;

/// The data of an answer. Errors are what is shown, all of them.
pub async fn graphql(server: &Server, query: &str, variables: Value) -> anyhow::Result<Value> {
    let body = json!({"query": query, "variables": variables});
    let text = answer(request(server, Method::POST, &["graphql"])?.json(&body)).await?;
    let mut answer: Value = serde_json::from_str(&text).context("reading the server's answer")?;
    refused(&answer["errors"])?;
    Ok(answer["data"].take())
}

/// Whether a list of errors, or of a payload's `userErrors`, says why nothing was done.
pub fn refused(errors: &Value) -> anyhow::Result<()> {
    let told: Vec<&str> = errors.as_array().into_iter().flatten().filter_map(|error| error["message"].as_str()).collect();
    if !told.is_empty() {
        bail!("the server refused: {}", told.join("; "));
    }
    Ok(())
}
