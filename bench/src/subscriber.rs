//! Subscribers of `caseChanges`: each has a WebSocket of its own, follows one case, and notes when a change has arrived.
//!
//! Ten thousand of them share the machine with the service. So each is one task with small buffers, and reads no more of an event than it must.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use futures::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::{Message, Role, WebSocketConfig};

use crate::metrics::Metrics;

/// Subscribers of each case.
pub const FOLLOWERS: usize = 10;
/// What each of them asks for.
const DOCUMENT: &str = "subscription($id: ID!) { caseChanges(id: $id) { position action at requestId case { id version } } }";

/// Subscribers that connect at once: the service has places for several hundred connections that have not said yet whose they are.
const CONNECTING: usize = 64;
const BUFFER: usize = 2 << 10;
const LONGEST_HEAD: usize = 16 << 10;
const PATIENCE: Duration = Duration::from_secs(300);
const LOOK: Duration = Duration::from_millis(20);
/// The gauge of subscriptions that have begun.
const UNDER_WAY: &str = "amlgraph_live_subscriptions";
/// How names of requests begin whose changes are noted.
const REQUEST: &str = "live-";

type Socket = WebSocketStream<TcpStream>;

/// When a change has arrived, by its number and the number of the subscriber.
pub type Arrivals = HashMap<(usize, usize), Instant>;

/// The name under which a change is sent (`x-request-id`), which its event shows.
pub fn request_name(change: usize) -> String {
    format!("{REQUEST}{change}")
}

/// Subscribers at a service; they are cut off when this is dropped.
pub struct Subscribers {
    address: SocketAddr,
    tasks: JoinSet<Result<()>>,
    arrivals: Arc<Mutex<Arrivals>>,
}

impl Subscribers {
    /// Connects so many with a key, and waits until all their subscriptions have begun. [`FOLLOWERS`] follow the first case, as many the second one, and so
    /// on.
    pub async fn connect(address: SocketAddr, key: &str, cases: &[String], count: usize) -> Result<Self> {
        let (places, connected) = (Arc::new(Semaphore::new(CONNECTING)), Arc::new(AtomicUsize::new(0)));
        let mut subscribers = Self { address, tasks: JoinSet::new(), arrivals: Arc::default() };
        for number in 0..count {
            let case = cases.get(number / FOLLOWERS).context("a case for each ten subscribers")?.clone();
            let (key, places, connected) = (key.to_owned(), Arc::clone(&places), Arc::clone(&connected));
            let arrivals = Arc::clone(&subscribers.arrivals);
            subscribers.tasks.spawn(async move {
                let place = places.acquire().await?;
                let mut socket = subscribed(address, &key, &case).await.with_context(|| format!("connecting subscriber {number} of {count}"))?;
                drop(place);
                connected.fetch_add(1, Ordering::Relaxed);
                follow(&mut socket, number, &arrivals).await.with_context(|| format!("subscriber {number} of {count}"))
            });
        }
        let deadline = Instant::now() + PATIENCE;
        while connected.load(Ordering::Relaxed) < count {
            subscribers.check()?;
            ensure!(Instant::now() < deadline, "{} of {count} subscribers were connected after {PATIENCE:?}", connected.load(Ordering::Relaxed));
            tokio::time::sleep(LOOK).await;
        }
        subscribers.until_under_way(count).await?;
        Ok(subscribers)
    }

    /// Waits until so many have arrived, and takes all that have.
    pub async fn take(&mut self, count: usize) -> Result<Arrivals> {
        let deadline = Instant::now() + PATIENCE;
        while self.arrivals().len() < count {
            self.check()?;
            ensure!(Instant::now() < deadline, "{} of {count} events had come after {PATIENCE:?}", self.arrivals().len());
            tokio::time::sleep(LOOK).await;
        }
        Ok(std::mem::take(&mut *self.arrivals()))
    }

    /// Cuts all off, and waits until the service has noticed.
    pub async fn leave(mut self) -> Result<()> {
        self.tasks.shutdown().await;
        self.until_under_way(0).await
    }

    /// Fails where one has ended: none does before it is cut off.
    fn check(&mut self) -> Result<()> {
        let Some(ended) = self.tasks.try_join_next() else { return Ok(()) };
        ended??;
        bail!("a subscriber has ended")
    }

    async fn until_under_way(&mut self, count: usize) -> Result<()> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            self.check()?;
            let under_way = Metrics::of(self.address).await?.sum(UNDER_WAY) as usize;
            if under_way == count {
                return Ok(());
            }
            ensure!(Instant::now() < deadline, "{under_way} subscriptions were under way after {PATIENCE:?}, not {count}");
            tokio::time::sleep(LOOK).await;
        }
    }

    fn arrivals(&self) -> MutexGuard<'_, Arrivals> {
        lock(&self.arrivals)
    }
}

fn lock(arrivals: &Mutex<Arrivals>) -> MutexGuard<'_, Arrivals> {
    arrivals.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A socket on which a subscription was asked for.
async fn subscribed(address: SocketAddr, key: &str, case: &str) -> Result<Socket> {
    let mut socket = upgraded(address, key).await?;
    say(&mut socket, &json!({"type": "connection_init"})).await?;
    let (heard, _) = hear(&mut socket).await?;
    ensure!(heard["type"] == "connection_ack", "connection_init was answered {heard}");
    say(&mut socket, &json!({"id": "1", "type": "subscribe", "payload": {"query": DOCUMENT, "variables": {"id": case}}})).await?;
    Ok(socket)
}

async fn upgraded(address: SocketAddr, key: &str) -> Result<Socket> {
    let mut stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    // The key of RFC 6455's example: nobody stands between, so that it need not differ.
    let request = format!(
        "GET /graphql/ws HTTP/1.1\r\nhost: bench\r\nx-api-key: {key}\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n\
         sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-protocol: graphql-transport-ws\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await?;
    let mut head = Vec::with_capacity(1 << 10);
    let end = loop {
        if let Some(at) = head.windows(4).position(|window| window == b"\r\n\r\n") {
            break at + 4;
        }
        let read = stream.read_buf(&mut head).await?;
        ensure!(read > 0 && head.len() < LONGEST_HEAD, "an upgrade was answered {}", String::from_utf8_lossy(&head));
    };
    ensure!(head.starts_with(b"HTTP/1.1 101 "), "an upgrade was answered {}", String::from_utf8_lossy(&head));
    // What has come behind the head belongs to the socket.
    let rest = head.split_off(end);
    let config = WebSocketConfig::default().read_buffer_size(BUFFER).write_buffer_size(0);
    Ok(WebSocketStream::from_partially_read(stream, rest, Role::Client, Some(config)).await)
}

async fn say(socket: &mut Socket, message: &Value) -> Result<()> {
    socket.send(Message::text(message.to_string())).await?;
    Ok(())
}

/// The next message, and when it came. The library answers the service's pings while it waits for more.
async fn hear(socket: &mut Socket) -> Result<(Value, Instant)> {
    loop {
        match socket.next().await {
            Some(Ok(Message::Text(text))) => {
                let at = Instant::now();
                return Ok((serde_json::from_str(&text)?, at));
            }
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
            Some(Ok(other)) => bail!("the service said {other:?}"),
            Some(Err(error)) => return Err(error.into()),
            None => bail!("the service has closed the connection"),
        }
    }
}

/// Notes what comes, until the connection ends.
async fn follow(socket: &mut Socket, subscriber: usize, arrivals: &Mutex<Arrivals>) -> Result<()> {
    loop {
        let (message, at) = hear(socket).await?;
        if let Some(change) = change_of(&message)? {
            lock(arrivals).entry((change, subscriber)).or_insert(at);
        }
    }
}

/// The number of the change that an event tells of; none where it was not sent by [`request_name`]. Anything but an event, such as a gap, is an error.
fn change_of(message: &Value) -> Result<Option<usize>> {
    let change = &message["payload"]["data"]["caseChanges"];
    let is_event = message["type"] == "next" && change["case"].is_object() && message["payload"]["errors"].is_null();
    ensure!(is_event, "what came is no event: {message}");
    Ok(change["requestId"].as_str().and_then(|name| name.strip_prefix(REQUEST)).and_then(|number| number.parse().ok()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(request: &str) -> Value {
        json!({"id": "1", "type": "next", "payload": {"data": {"caseChanges": {"requestId": request, "case": {"id": "a", "version": 2}}}}})
    }

    #[test]
    fn a_change_is_known_by_the_name_of_its_request() {
        assert_eq!(change_of(&event(&request_name(17))).expect("an event"), Some(17));
        assert_eq!(change_of(&event("somebody-else-17")).expect("an event"), None);
    }

    #[test]
    fn what_is_no_event_is_an_error() {
        let gap = json!({"id": "1", "type": "next", "payload": {"data": null, "extensions": {"gap": {"after": "1", "resumesAfter": "2"}}}});
        let complete = json!({"id": "1", "type": "complete"});
        assert!(change_of(&gap).is_err() && change_of(&complete).is_err());
    }
}
