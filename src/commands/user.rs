//! `amlgraph user …`: users of a running server, over its API.

use anyhow::{Context, bail};
use reqwest::Method;
use serde_json::{Value, json};

use super::credential::{answer, entries, request};
use super::print;
use crate::cli::{Server, User};

/// Users that are asked for at once: the longest page.
const PAGE: usize = 1000;

/// What is printed of a user.
const SHOWN: &str = "user { id username firstName lastName enabled groups }";

/// Carries out the command and prints one JSON object: who was made, each who is listed, who was shut out or let in.
pub async fn run(command: User) -> anyhow::Result<()> {
    match command {
        User::Create { username, first_name, last_name, groups, id, subject, server } => {
            let input = json!({ "username": username, "firstName": first_name, "lastName": last_name, "groups": groups, "userId": id,
                "subject": subject });
            print(&changed(&server, "createUser", input).await?.to_string());
        }
        User::List { server } => list(&server).await?,
        User::Disable { id, server } => {
            print(&changed(&server, "updateUser", json!({ "userId": id, "enabled": false })).await?.to_string());
        }
        User::Enable { id, server } => {
            print(&changed(&server, "updateUser", json!({ "userId": id, "enabled": true })).await?.to_string());
        }
    }
    Ok(())
}

async fn list(server: &Server) -> anyhow::Result<()> {
    let mut offset = 0;
    loop {
        let page = request(server, Method::GET, &["api", "users"])?.query(&[("limit", PAGE), ("offset", offset)]);
        let users = entries(&answer(page).await?)?;
        users.iter().for_each(|user| print(&user.to_string()));
        if users.len() < PAGE {
            return Ok(());
        }
        offset += PAGE;
    }
}

/// The user as a mutation has made or changed it.
async fn changed(server: &Server, mutation: &str, input: Value) -> anyhow::Result<Value> {
    let kind = if mutation == "createUser" { "CreateUserInput" } else { "UpdateUserInput" };
    let query = format!("mutation($input: {kind}!) {{ {mutation}(input: $input) {{ {SHOWN} userErrors {{ message }} }} }}");
    let body = json!({ "query": query, "variables": { "input": input } });
    let text = answer(request(server, Method::POST, &["graphql"])?.json(&body)).await?;
    let mut answered: Value = serde_json::from_str(&text).context("reading the server's answer")?;
    let mut payload = answered["data"][mutation].take();
    let told = |errors: &Value| -> Vec<String> {
        errors.as_array().into_iter().flatten().filter_map(|error| error["message"].as_str().map(str::to_owned)).collect()
    };
    let refused: Vec<String> = told(&answered["errors"]).into_iter().chain(told(&payload["userErrors"])).collect();
    if !refused.is_empty() {
        bail!("the server refused: {}", refused.join("; "));
    }
    Ok(payload["user"].take())
}
