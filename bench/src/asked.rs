//! Somebody who asks a GraphQL server the same things over and over, about roots drawn evenly and at random.

use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::{Result, ensure};
use serde_json::json;

use crate::cell::Work;
use crate::http::{self, Connection};
use crate::payments::Random;
use crate::service::KEY;

/// Asks on one connection.
pub struct Asked {
    connection: Connection,
    requests: Arc<Vec<Vec<u8>>>,
    random: Random,
}

impl Asked {
    /// So many, with a connection each.
    pub async fn on(address: SocketAddr, requests: &Arc<Vec<Vec<u8>>>, connections: usize) -> Result<Vec<Self>> {
        let mut asked = Vec::with_capacity(connections);
        for seed in 0..connections as u64 {
            let connection = Connection::open(address).await?;
            asked.push(Self { connection, requests: Arc::clone(requests), random: Random::new(seed) });
        }
        Ok(asked)
    }
}

impl Work for Asked {
    async fn once(&mut self) -> Result<()> {
        let request = &self.requests[self.random.below(self.requests.len() as u64) as usize];
        let body = self.connection.send_for_success(request).await?;
        has_no_errors(body)
    }
}

/// Whether a question was answered: an answer with errors begins or ends with them.
pub fn has_no_errors(body: &[u8]) -> Result<()> {
    ensure!(body.starts_with(b"{\"data\":{") && body.ends_with(b"}}"), "answered {}", String::from_utf8_lossy(body));
    Ok(())
}

/// The requests of a document, one for each root.
pub fn requests(document: &str, roots: &[String]) -> Arc<Vec<Vec<u8>>> {
    Arc::new(roots.iter().map(|root| request(document, root)).collect())
}

fn request(document: &str, root: &str) -> Vec<u8> {
    let variables = if document.contains("$id") { json!({ "id": root }) } else { json!({}) };
    http::post("/graphql", KEY, &json!({ "query": document, "variables": variables }).to_string())
}
