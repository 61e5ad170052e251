//! `amlgraph user …`: users of a running server, over its API.

use reqwest::Method;
use serde_json::{Value, json};

use super::credential::{answer, entries, request};
use super::graphql::{graphql, refused};
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
    let mut payload = graphql(server, &query, json!({ "input": input })).await?[mutation].take();
    refused(&payload["userErrors"])?;
    Ok(payload["user"].take())
}
