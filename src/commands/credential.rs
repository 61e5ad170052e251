//! `amlgraph key …` and `amlgraph client …`: API keys and token clients of a running server, over its HTTP API.

use std::time::Duration;

use anyhow::{Context, bail};
use reqwest::header::RETRY_AFTER;
use reqwest::{Method, RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};

use super::{address, client, is_redirected, print};
use crate::cli::{Credential, Server};

/// How often a server is asked that can't answer now.
const TRIES: usize = 5;
/// The longest that is waited for such a server each time.
const LONGEST_PAUSE: u64 = 30;

/// Which of the two kinds of credentials.
#[derive(Clone, Copy)]
pub enum Kind {
    Key,
    Client,
}

impl Kind {
    fn path(self) -> &'static str {
        match self {
            Kind::Key => "keys",
            Kind::Client => "clients",
        }
    }
}

/// Carries out the command and prints one JSON object: what was made, each that is listed, what was revoked.
pub async fn run(kind: Kind, command: Credential) -> anyhow::Result<()> {
    match command {
        Credential::Create { role, name, server } => {
            let body = json!({ "role": role, "name": name });
            let body = without_nulls(body);
            print(&answer(request(&server, Method::POST, &["admin", kind.path()])?.json(&body)).await?);
        }
        Credential::List { server } => {
            let text = answer(request(&server, Method::GET, &["admin", kind.path()])?).await?;
            for entry in entries(&text)? {
                print(&entry.to_string());
            }
        }
        Credential::Revoke { id, server } => {
            answer(request(&server, Method::DELETE, &["admin", kind.path(), &id])?).await?;
            print(&json!({ "id": id, "revoked": true }).to_string());
        }
    }
    Ok(())
}

/// A request to a server, with the key of its administrator.
pub fn request(server: &Server, method: Method, path: &[&str]) -> anyhow::Result<RequestBuilder> {
    let mut url = address(&server.url)?;
    let client = client(&url).build().context("the HTTP client")?;
    // Ids go in as path segments, whatever is in them.
    url.path_segments_mut().map_err(|()| anyhow::anyhow!("--url {}: must be an http(s) address", server.url))?.pop_if_empty().extend(path);
    Ok(client.request(method, url).header("x-api-key", &server.key))
}

/// The answer's text; anything but success is an error that says what the server said.
pub async fn answer(request: RequestBuilder) -> anyhow::Result<String> {
    text_of(sent(request).await?).await
}

/// The same of what may be asked again: where the server can't answer now, it is asked again when it wants to be, some times.
pub async fn patient(request: RequestBuilder) -> anyhow::Result<String> {
    for _ in 1..TRIES {
        let Some(again) = request.try_clone() else { break };
        let response = sent(again).await?;
        if response.status() != StatusCode::SERVICE_UNAVAILABLE {
            return text_of(response).await;
        }
        let said = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.trim().parse::<u64>().ok());
        tokio::time::sleep(Duration::from_secs(said.unwrap_or(1).clamp(1, LONGEST_PAUSE))).await;
    }
    answer(request).await
}

async fn sent(request: RequestBuilder) -> anyhow::Result<Response> {
    request.send().await.map_err(|error| {
        let what = match error.url().filter(|_| error.is_connect()) {
            Some(url) => {
                format!("no server answers at {}; is it running, and is --url (or AMLGRAPH_URL) its address?", url.origin().ascii_serialization())
            }
            None => "asking the server".to_owned(),
        };
        anyhow::Error::new(error).context(what)
    })
}

async fn text_of(response: Response) -> anyhow::Result<String> {
    let status = response.status();
    is_redirected(status)?;
    let text = response.text().await.context("reading the server's answer")?;
    if !status.is_success() {
        bail!("the server refused: {}", reason(status, &text));
    }
    Ok(text)
}

/// What an error body says, in one line.
pub fn reason(status: StatusCode, text: &str) -> String {
    let body: Value = serde_json::from_str(text).unwrap_or_default();
    let errors: Vec<&str> = body["errors"].as_array().into_iter().flatten().chain([&body["error"]]).filter_map(Value::as_str).collect();
    if errors.is_empty() { status.to_string() } else { format!("{} {}", status.as_u16(), errors.join("; ")) }
}

/// The entries of a listing, whether it is an array or an object around one.
pub fn entries(text: &str) -> anyhow::Result<Vec<Value>> {
    match serde_json::from_str(text).context("reading the server's answer")? {
        Value::Array(entries) => Ok(entries),
        other => Ok(vec![other]),
    }
}

fn without_nulls(mut body: Value) -> Value {
    if let Some(fields) = body.as_object_mut() {
        fields.retain(|_, value| !value.is_null());
    }
    body
}
