//! A lean HTTP/1.1 client: one connection, one request under way, nothing that costs more than it must. The client shares the machine with
//! what it measures.

use std::net::SocketAddr;

use anyhow::{Context, Result, bail};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A kept connection. The server closes one on which nothing has come for `limits.header_time`, as happens while the other side of a cell is
/// measured; then another is made.
pub struct Connection {
    address: SocketAddr,
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
        Ok(Self { address, stream: connected(address).await?, buffer: Vec::with_capacity(64 << 10) })
    }

    /// Sends a whole request and waits for the whole answer.
    pub async fn send(&mut self, request: &[u8]) -> Result<Answer<'_>> {
        self.buffer.clear();
        if self.stream.write_all(request).await.is_err() || self.stream.read_buf(&mut self.buffer).await.unwrap_or_default() == 0 {
            self.stream = connected(self.address).await?;
            self.stream.write_all(request).await?;
            self.more().await?;
        }
        let head = loop {
            if let Some(end) = self.buffer.windows(4).position(|window| window == b"\r\n\r\n") {
                break end;
            }
            self.more().await?;
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
        if !(200..300).contains(&answer.status) {
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

async fn connected(address: SocketAddr) -> Result<TcpStream> {
    let stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    Ok(stream)
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

/// A request without a body, by nobody.
pub fn get(path: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nhost: bench\r\n\r\n").into_bytes()
}

/// A request without a body.
pub fn get_with_key(path: &str, key: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nhost: bench\r\nx-api-key: {key}\r\n\r\n").into_bytes()
}

/// A request that makes something of a JSON body.
pub fn post(path: &str, key: &str, body: &str) -> Vec<u8> {
    with_body("POST", path, key, body)
}

/// A request that changes something by a JSON body.
pub fn patch(path: &str, key: &str, body: &str) -> Vec<u8> {
    with_body("PATCH", path, key, body)
}

/// A request that sends something under a name of its own.
pub fn post_as(name: &str, path: &str, key: &str, body: &str) -> Vec<u8> {
    request(&format!("POST {path}"), key, &format!("x-request-id: {name}\r\n"), body)
}

/// A request that changes something under a name of its own.
pub fn patch_as(name: &str, path: &str, key: &str, body: &str) -> Vec<u8> {
    request(&format!("PATCH {path}"), key, &format!("x-request-id: {name}\r\n"), body)
}

/// A request that sends a text as a file of a form.
pub fn upload(path: &str, key: &str, name: &str, text: &str) -> Vec<u8> {
    let form = format!("--x\r\ncontent-disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\r\n{text}\r\n--x--\r\n");
    of_type("multipart/form-data; boundary=x", &format!("POST {path}"), key, "", &form)
}

fn with_body(method: &str, path: &str, key: &str, body: &str) -> Vec<u8> {
    request(&format!("{method} {path}"), key, "", body)
}

fn request(line: &str, key: &str, headers: &str, body: &str) -> Vec<u8> {
    of_type("application/json", line, key, headers, body)
}

fn of_type(media_type: &str, line: &str, key: &str, headers: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!("{line} HTTP/1.1\r\nhost: bench\r\nx-api-key: {key}\r\n{headers}content-type: {media_type}\r\ncontent-length: {length}\r\n\r\n{body}")
        .into_bytes()
}
