//! Connections: taking them, serving them, and letting them go in order when the service stops.
//!
//! hyper is driven here and not by `axum::serve`, because only so a request's head is bounded in size and time.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::time::Duration;

use anyhow::Context;
use axum::Router;
use axum::http::Request;
use axum::response::Response;
use graphql_http::LiveStop;
use hyper::body::Incoming;
use hyper::server::conn::http1::{self, UpgradeableConnection};
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::watch;
use tower::Service;

use super::{Peer, starting};
use crate::config::Limits;

/// Connections that the kernel may hold ready for us.
const BACKLOG: u32 = 4096;
/// How long requests under way may take to finish once the service stops.
const LAST_REQUESTS: Duration = Duration::from_secs(30);
/// Pause after a failed accept: without free descriptors the next would fail at once, and so on, at full speed.
const AFTER_A_FAILURE: Duration = Duration::from_millis(50);

/// Listens on an address.
pub fn listen(address: SocketAddr) -> anyhow::Result<TcpListener> {
    let open = || {
        let socket = if address.is_ipv6() { TcpSocket::new_v6() } else { TcpSocket::new_v4() }?;
        // A restart must not wait for the last connections of the process before.
        socket.set_reuseaddr(true)?;
        socket.bind(address)?;
        socket.listen(BACKLOG)
    };
    open().with_context(|| format!("listening on {address}"))
}

/// Serves until `stop` is done, then takes no more connections and gives those there are time to finish.
/// Connections that stay open are told by `live`.
pub async fn serve(listener: TcpListener, app: Router, limits: &Limits, live: &LiveStop, stop: impl Future<Output = ()>) {
    // Each connection holds a receiver: a message asks them all to end, and the channel is closed when they have.
    let (end, ending) = watch::channel(());
    take(&listener, &app, limits, &ending, stop).await;
    drop((listener, ending));
    tracing::info!(connections = end.receiver_count(), "no more connections are taken");
    // Without a receiver there is nobody to tell.
    let _ = end.send(());
    live.begin();
    // A connection may become one that stays open meanwhile, so that those are waited for last.
    let gone = async {
        end.closed().await;
        live.done().await;
    };
    if tokio::time::timeout(LAST_REQUESTS, gone).await.is_err() {
        tracing::warn!("some requests did not finish in time");
    }
}

/// Answers as a service that starts, for as long as some work takes; answers with what came of the work.
pub async fn serve_meanwhile<T>(listener: &TcpListener, limits: &Limits, work: impl Future<Output = T>) -> T {
    let (end, ending) = watch::channel(());
    let outcome = take(listener, &starting::app(), limits, &ending, work).await;
    // Whoever has one of these connections opens another one, to the whole service.
    let _ = end.send(());
    outcome
}

/// Takes connections until something is done; answers with what came of that.
async fn take<T>(listener: &TcpListener, app: &Router, limits: &Limits, ending: &watch::Receiver<()>, until: impl Future<Output = T>) -> T {
    let http = protocol(limits);
    tokio::pin!(until);
    loop {
        let accepted = tokio::select! {
            biased;
            outcome = &mut until => return outcome,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, peer)) => {
                let connection = http.serve_connection(TokioIo::new(prompt(stream)), service(app.clone(), peer)).with_upgrades();
                tokio::spawn(attend(connection, ending.clone()));
            }
            Err(error) => {
                tracing::warn!(%error, "no connection could be accepted");
                tokio::time::sleep(AFTER_A_FAILURE).await;
            }
        }
    }
}

/// Sees a connection to its end. Asked to end, it finishes the request it is at and takes no other.
async fn attend<S>(connection: UpgradeableConnection<TokioIo<TcpStream>, S>, mut ending: watch::Receiver<()>)
where
    S: hyper::service::Service<Request<Incoming>, Response = Response, Error = Infallible>,
{
    let mut connection = std::pin::pin!(connection);
    let outcome = tokio::select! {
        biased;
        outcome = connection.as_mut() => outcome,
        _ = ending.changed() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    // A connection ends in an error when its client goes away, is too slow or speaks something else: nothing to act on.
    if let Err(error) = outcome {
        tracing::debug!(%error, "connection ended");
    }
}

fn protocol(limits: &Limits) -> http1::Builder {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(limits.header_time)
        .max_header_size(limits.header)
        // `pipeline_flush` stays off: it holds an answer back while more bytes are waiting, and so loses the 400 or 431 to a head that is wrong.
        .half_close(false)
        .keep_alive(true);
    http
}

/// Small answers leave at once.
fn prompt(stream: TcpStream) -> TcpStream {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "a connection keeps its delay");
    }
    stream
}

fn service(app: Router, peer: SocketAddr) -> impl Serves {
    let peer = Peer(peer.ip().to_canonical());
    service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(peer);
        app.clone().call(request)
    })
}

/// What a connection is served by, without a box around each answer's future.
trait Serves: hyper::service::Service<Request<Incoming>, Response = Response, Error = Infallible, Future: Send> + Send + 'static {}
impl<S: hyper::service::Service<Request<Incoming>, Response = Response, Error = Infallible, Future: Send> + Send + 'static> Serves for S {}

/// Done when the process is told to stop: SIGTERM, or SIGINT from a terminal.
pub async fn stop_signal() {
    let interrupt = async {
        if tokio::signal::ctrl_c().await.is_err() {
            // Without a way to hear it, only SIGTERM is left.
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                () = interrupt => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    interrupt.await;
}
