//! A lean HTTP/1.1 client: one connection, one request under way, nothing that costs more than it must. The client shares the machine with
//! what it measures.

use std::net::SocketAddr;

use anyhow::{Context, Result, bail};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A kept connection.
pub struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

/// What came back.
pub struct Answer<'a> {
    pub status: u16,
    pub body: &'a [u8],
}

impl Connection {
    /// Connects.
    pub async fn open(address: SocketAddr) -> Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, buffer: Vec::with_capacity(64 << 10) })
    }

    /// Sends a whole request and waits for the whole answer.
    pub async fn send(&mut self, request: &[u8]) -> Result<Answer<'_>> {
        self.stream.write_all(request).await?;
        self.buffer.clear();
        let head = loop {
            self.more().await?;
            if let Some(end) = self.buffer.windows(4).position(|window| window == b"\r\n\r\n") {
                break end;
            }
        };
        let (status, length) = read_head(&self.buffer[..head])?;
        let end = head + 4 + length;
        while self.buffer.len() < end {
            self.more().await?;
        }
        Ok(Answer { status, body: &self.buffer[head + 4..end] })
    }

    /// The same, and anything but 200 is an error.
    pub async fn send_for_success(&mut self, request: &[u8]) -> Result<&[u8]> {
        let answer = self.send(request).await?;
        if answer.status != 200 {
            bail!("answered {}: {}", answer.status, String::from_utf8_lossy(answer.body));
        }
        Ok(answer.body)
    }

    async fn more(&mut self) -> Result<()> {
        if self.stream.read_buf(&mut self.buffer).await? == 0 {
            bail!("the server closed the connection");
        }
        Ok(())
    }
}

/// Status and length of the body.
fn read_head(head: &[u8]) -> Result<(u16, usize)> {
    let head = std::str::from_utf8(head).context("the head of an answer is text")?;
    let mut lines = head.split("\r\n");
    let status =
        lines.next().and_then(|line| line.split(' ').nth(1)).and_then(|status| status.parse().ok()).context("an answer begins with its status")?;
    let length = lines.filter_map(|line| line.split_once(':')).find(|(name, _)| name.eq_ignore_ascii_case("content-length"));
    let length = length.and_then(|(_, value)| value.trim().parse().ok()).context("an answer says how long it is")?;
    Ok((status, length))
}

/// A request without a body.
pub fn get(path: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nhost: bench\r\n\r\n").into_bytes()
}

/// A request with a JSON body.
pub fn post(path: &str, key: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!("POST {path} HTTP/1.1\r\nhost: bench\r\nx-api-key: {key}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}")
        .into_bytes()
}
