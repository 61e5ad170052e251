//! A receiver of webhooks that costs next to nothing: it answers 204 to everything but paths that begin with `/hang`, which it never answers, and
//! notes what came when.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// Where paths begin that are never answered.
pub const HANGS: &str = "/hang";
const TAKEN: &[u8] = b"HTTP/1.1 204 No Content\r\ncontent-length: 0\r\n\r\n";

/// One request that was answered.
pub struct Arrival {
    pub at: Instant,
    /// The case that it is about.
    pub case: String,
}

/// A receiver; it ends when it is dropped.
pub struct Receiver {
    pub address: SocketAddr,
    arrivals: Arc<Mutex<Vec<Arrival>>>,
    accepting: JoinHandle<()>,
}

impl Receiver {
    pub async fn start() -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let arrivals: Arc<Mutex<Vec<Arrival>>> = Arc::default();
        let noted = Arc::clone(&arrivals);
        let accepting = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let noted = Arc::clone(&noted);
                // Whoever sends has closed the connection, or it was broken off.
                tokio::spawn(async move { serve(stream, &noted).await.unwrap_or_default() });
            }
        });
        Ok(Self { address, arrivals, accepting })
    }

    fn arrivals(&self) -> MutexGuard<'_, Vec<Arrival>> {
        self.arrivals.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until so many have come, and takes them.
    pub async fn take(&self, count: usize, patience: Duration) -> Result<Vec<Arrival>> {
        let started = Instant::now();
        while self.arrivals().len() < count {
            if started.elapsed() > patience {
                bail!("{} of {count} events came within {patience:?}", self.arrivals().len());
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        Ok(std::mem::take(&mut *self.arrivals()))
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn serve(mut stream: TcpStream, noted: &Mutex<Vec<Arrival>>) -> Result<()> {
    stream.set_nodelay(true)?;
    let mut buffer = Vec::with_capacity(4 << 10);
    loop {
        let end = loop {
            if let Some(end) = buffer.windows(4).position(|window| window == b"\r\n\r\n") {
                break end + 4;
            }
            if stream.read_buf(&mut buffer).await? == 0 {
                return Ok(());
            }
        };
        let head = std::str::from_utf8(&buffer[..end]).context("the head of a request is text")?.to_ascii_lowercase();
        let hangs = head.split(' ').nth(1).is_some_and(|path| path.starts_with(HANGS));
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse::<usize>().ok()).unwrap_or_default();
        while buffer.len() < end + length {
            if stream.read_buf(&mut buffer).await? == 0 {
                return Ok(());
            }
        }
        if hangs {
            return std::future::pending().await;
        }
        let body: serde_json::Value = serde_json::from_slice(&buffer[end..end + length])?;
        let case = body["data"]["id"].as_str().unwrap_or_default().to_owned();
        noted.lock().unwrap_or_else(PoisonError::into_inner).push(Arrival { at: Instant::now(), case });
        buffer.drain(..end + length);
        stream.write_all(TAKEN).await?;
    }
}
