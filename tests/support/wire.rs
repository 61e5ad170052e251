//! HTTP by hand, for what no well-behaved client sends.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::Api;

/// A connection to a server.
pub struct Wire(TcpStream);

impl Wire {
    pub async fn open(api: &Api) -> Self {
        let address = api.base.strip_prefix("http://").expect("an http address");
        Self(TcpStream::connect(address).await.expect("a connection"))
    }

    /// Sends text as it is; what the server no longer wants to read is no fault here.
    pub async fn say(&mut self, text: &str) {
        self.send(text.as_bytes()).await;
    }

    /// Sends bytes; whether the server still took them.
    pub async fn send(&mut self, bytes: &[u8]) -> bool {
        self.0.write_all(bytes).await.is_ok()
    }

    /// All that comes until the server closes the connection, or falls silent for two seconds after it has said something.
    pub async fn hear(&mut self, limit: Duration) -> String {
        let mut heard = Vec::new();
        let mut buffer = [0; 4096];
        let mut patience = limit;
        while let Ok(Ok(count)) = tokio::time::timeout(patience, self.0.read(&mut buffer)).await {
            if count == 0 {
                break;
            }
            heard.extend_from_slice(&buffer[..count]);
            patience = Duration::from_secs(2);
        }
        String::from_utf8_lossy(&heard).into_owned()
    }
}

/// The status of an answer; 0 when there was none.
pub fn status(answer: &str) -> u16 {
    answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_default()
}

/// What the server holds of large bodies, in bytes, as `/metrics` says.
pub async fn held_bytes(api: &Api) -> usize {
    let text = api.anonymous().get("/metrics").await.expect(200).text;
    let value = text.lines().find_map(|line| line.strip_prefix("amlgraph_http_body_bytes "));
    value.map_or(0, |value| value.parse().expect("a number of bytes"))
}
