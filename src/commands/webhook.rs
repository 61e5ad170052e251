//! `amlgraph webhook listen`: a receiver on this machine, for those who build one.
//!
//! It registers itself at a running server for as long as it runs, checks each delivery as a receiver has to, with the library that the makers of Standard
//! Webhooks publish, and prints what came. It answers with a status, or hands on to another address and answers as that does.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use reqwest::redirect::Policy;
use reqwest::{Client, Method};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::credential::{answer, request};
use super::print;
use crate::cli::{Listen, Server, Webhook};
use crate::http::stop_signal;

/// As long as a server waits for an answer.
const PATIENCE: Duration = Duration::from_secs(15);

/// Listens until it is told to stop; the webhook is removed then.
pub async fn run(command: Webhook) -> anyhow::Result<()> {
    let Webhook::Listen(options) = command;
    let status = StatusCode::from_u16(options.status).context("--status")?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, options.port)).await.with_context(|| format!("listening on port {}", options.port))?;
    let address = listener.local_addr().context("the address listened on")?;
    let (id, secret) = register(&options, address).await?;
    // Whatever goes wrong from here on, the webhook does not stay.
    let listened = listen(listener, &options, status, &id, &secret).await;
    remove(&options.server, &id).await.with_context(|| format!("removing webhook {id}"))?;
    listened
}

async fn listen(listener: TcpListener, options: &Listen, status: StatusCode, id: &str, secret: &str) -> anyhow::Result<()> {
    let verifier = standardwebhooks::Webhook::new(secret).map_err(|error| anyhow::anyhow!("the server gave a secret that is none: {error}"))?;
    let client = Client::builder().redirect(Policy::none()).timeout(PATIENCE).build().context("a client")?;
    let receiver = Receiver { verifier, status, forward: options.forward.clone(), client };
    let app = Router::new().fallback(receive).with_state(Arc::new(receiver));
    print(&format!("webhook {id} is told of {} at http://{}/ until Ctrl-C", options.events.join(", "), listener.local_addr()?));
    axum::serve(listener, app).with_graceful_shutdown(stop_signal()).await.context("listening")
}

/// Makes the webhook; answers with its id and secret.
async fn register(options: &Listen, address: SocketAddr) -> anyhow::Result<(String, String)> {
    let body = json!({"name": "amlgraph webhook listen", "url": format!("http://{address}/"), "events": options.events});
    let made = answer(request(&options.server, Method::POST, &["api", "webhooks"])?.json(&body)).await;
    let made = made.context("registering a webhook on this machine (a server takes one only with AMLGRAPH_WEBHOOKS__ALLOW_PRIVATE=true)")?;
    let made: Value = serde_json::from_str(&made).context("reading the server's answer")?;
    match (made["id"].as_str(), made["secret"].as_str()) {
        (Some(id), Some(secret)) => Ok((id.to_owned(), secret.to_owned())),
        _ => bail!("the server's answer has no id or no secret"),
    }
}

async fn remove(server: &Server, id: &str) -> anyhow::Result<()> {
    answer(request(server, Method::DELETE, &["api", "webhooks", id])?).await.map(drop)
}

struct Receiver {
    verifier: standardwebhooks::Webhook,
    status: StatusCode,
    forward: Option<String>,
    client: Client,
}

async fn receive(State(receiver): State<Arc<Receiver>>, headers: HeaderMap, body: Bytes) -> Response {
    let verified = receiver.verifier.verify(&body, &headers).map_err(|error| error.to_string());
    let answered = match &receiver.forward {
        Some(url) => forwarded(&receiver.client, url, &headers, body.clone()).await,
        None => Ok(Answered { status: receiver.status, content_type: None, body: Bytes::new() }),
    };
    print(&shown(&headers, &body, &verified, &answered));
    // A server is to try again what could not be handed on.
    answered.map_or_else(|_| response(Answered { status: StatusCode::BAD_GATEWAY, content_type: None, body: Bytes::new() }), response)
}

/// What is answered to a delivery.
struct Answered {
    status: StatusCode,
    content_type: Option<axum::http::HeaderValue>,
    body: Bytes,
}

fn response(answered: Answered) -> Response {
    let mut response = Response::new(Body::from(answered.body));
    *response.status_mut() = answered.status;
    if let Some(content_type) = answered.content_type {
        response.headers_mut().insert(CONTENT_TYPE, content_type);
    }
    response
}

/// Sends on what came, with all that a receiver checks it by.
async fn forwarded(client: &Client, url: &str, headers: &HeaderMap, body: Bytes) -> Result<Answered, String> {
    let mut request = client.post(url).body(body);
    for (name, value) in headers.iter().filter(|(name, _)| is_told(name.as_str()) || **name == CONTENT_TYPE) {
        request = request.header(name, value);
    }
    let answer = request.send().await.map_err(|error| error.to_string())?;
    let (status, content_type) = (answer.status(), answer.headers().get(CONTENT_TYPE).cloned());
    Ok(Answered { status, content_type, body: answer.bytes().await.map_err(|error| error.to_string())? })
}

/// Whether a header is one of deliveries.
fn is_told(name: &str) -> bool {
    name.starts_with("webhook-")
}

/// What came, and what was answered, for people.
fn shown(headers: &HeaderMap, body: &[u8], verified: &Result<(), String>, answered: &Result<Answered, String>) -> String {
    let tree: Option<Value> = serde_json::from_slice(body).ok();
    let name = tree.as_ref().and_then(|tree| tree["name"].as_str()).unwrap_or("(no event)");
    let id = headers.get("webhook-id").and_then(|id| id.to_str().ok()).unwrap_or("(no id)");
    let verified = verified.as_ref().map_or_else(|why| format!("NOT VERIFIED: {why}"), |()| "verified".to_owned());
    let mut lines = vec![format!("\n{name}  {id}  {verified}")];
    for (name, value) in headers.iter().filter(|(name, _)| is_told(name.as_str())) {
        lines.push(format!("  {name}: {}", String::from_utf8_lossy(value.as_bytes())));
    }
    let pretty = tree.and_then(|tree| serde_json::to_string_pretty(&tree).ok()).unwrap_or_else(|| String::from_utf8_lossy(body).into_owned());
    lines.extend(pretty.lines().map(|line| format!("  {line}")));
    lines.push(match answered {
        Ok(answered) => format!("  answered {}", answered.status),
        Err(why) => format!("  answered 502: it could not be handed on: {why}"),
    });
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_is_shown_with_what_is_wrong_with_it() {
        let mut headers = HeaderMap::new();
        headers.insert("webhook-id", "e-1".parse().unwrap());
        headers.insert("webhook-attempt", "2".parse().unwrap());
        headers.insert("x-other", "not shown".parse().unwrap());
        let answered = Ok(Answered { status: StatusCode::OK, content_type: None, body: Bytes::new() });
        let text = shown(&headers, br#"{"id":"e-1","name":"case.created","data":{"id":"c"}}"#, &Ok(()), &answered);
        for part in ["case.created  e-1  verified", "webhook-attempt: 2", "\"id\": \"c\"", "answered 200"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(!text.contains("not shown"));
        let text = shown(&HeaderMap::new(), b"no json", &Err("no header".to_owned()), &Err("refused".to_owned()));
        for part in ["(no event)  (no id)  NOT VERIFIED: no header", "no json", "answered 502: it could not be handed on: refused"] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}
