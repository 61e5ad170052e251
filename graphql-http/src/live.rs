//! Connections that stay open, for results that come for as long as somebody listens: WebSockets at `/graphql/ws` with the subprotocol
//! `graphql-transport-ws`, and streams of events (SSE) at `/graphql/stream`.
//!
//! A request for a WebSocket needs no credentials, because a page in a browser can send none with it: they come in the first message, and until then nothing
//! else is done for it. Streams have theirs in headers, as all other requests.

mod close;
mod events;
mod introduction;
mod message;
mod operation;
mod origin;
mod places;
mod results;
mod session;
mod shared;
mod socket;
mod wire;

use std::sync::Arc;

use async_graphql::Executor;
use axum::body::Bytes;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{WebSocket, WebSocketUpgrade};
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use resolvers::{Caller, Origin, Resolvers};
use tracing::Instrument;

pub use results::in_time;

use crate::accept;
use crate::graphql_request::{self, GraphqlRequest};
use crate::refusal::Refusal;
use crate::serving::{SOCKET, STREAM, Serving};
use close::Close;
use shared::Live;
use socket::Visitor;

const SUBPROTOCOL: &str = "graphql-transport-ws";
/// What is read at once: a message of a client is short, and there are many clients.
const READ: usize = 2 << 10;

/// The routes.
pub fn routes<S: Executor>(serving: Serving<S>, resolvers: &Resolvers) -> Router {
    Router::new()
        .route(SOCKET, get(upgraded::<S>))
        .route(STREAM, get(streamed_by_get::<S>).post(streamed_by_post::<S>))
        .with_state(Arc::new(Live::new(serving, resolvers)))
}

async fn upgraded<S: Executor>(
    State(live): State<Arc<Live<S>>>,
    caller: Option<Extension<Caller>>,
    origin: Option<Extension<Origin>>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
    headers: HeaderMap,
) -> Response {
    if let Some(refusal) = live.header_fault(&headers) {
        return refusal.into_response();
    }
    let upgrade = match upgrade {
        Ok(upgrade) => upgrade,
        Err(why) => return no_upgrade(&why).into_response(),
    };
    if !origin::is_welcome(&headers, &live.limits().origins) {
        return Refusal::ForeignOrigin.into_response();
    }
    let Ok(permit) = Arc::clone(&live.strangers).try_acquire_owned() else { return Refusal::TooManyStrangers.into_response() };
    let caller = caller.map(|Extension(caller)| caller);
    let Some(origin) = origin.map(|Extension(origin)| origin).or_else(|| caller.as_ref().map(origin_of)) else {
        return (live.serving.surroundings.no_caller)();
    };
    let visitor = Visitor { caller, headers: introduction::of_headers(&headers), origin, _permit: permit };
    let most = live.message_bytes();
    let upgrade = upgrade.read_buffer_size(READ).write_buffer_size(0).max_message_size(most).max_frame_size(most).protocols([SUBPROTOCOL]);
    let is_understood = upgrade.selected_protocol().is_some();
    // Held from here on: a process that stops waits for what is being upgraded, too, and until the last word is out.
    let present = live.present();
    let span = tracing::Span::current();
    upgrade.on_upgrade(move |socket| {
        async move {
            take_up(live, socket, visitor, is_understood).await;
            drop(present);
        }
        .instrument(span)
    })
}

async fn take_up<S: Executor>(live: Arc<Live<S>>, socket: WebSocket, visitor: Visitor, is_understood: bool) {
    if is_understood {
        socket::attend(live, socket, visitor).await;
    } else {
        let close = Close::no_subprotocol();
        shared::count_close(close.code);
        wire::Wire::new(socket).close(&close).await;
    }
}

fn origin_of(caller: &Caller) -> Origin {
    Origin { ip: caller.ip, request_id: Arc::clone(&caller.request_id) }
}

fn no_upgrade(why: &WebSocketUpgradeRejection) -> Refusal {
    let status = if why.status() == StatusCode::UPGRADE_REQUIRED { StatusCode::UPGRADE_REQUIRED } else { StatusCode::BAD_REQUEST };
    Refusal::NoWebSocket(status, why.body_text())
}

async fn streamed_by_post<S: Executor>(
    State(live): State<Arc<Live<S>>>,
    caller: Option<Extension<Caller>>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    streamed(&live, caller, &headers, true, || match graphql_request::posted(&headers, &body, 0)? {
        GraphqlRequest::One(request) => Ok(*request),
        GraphqlRequest::Several(_) => Err(Refusal::Malformed("there are no batches here: send one request at a time".into())),
    })
}

async fn streamed_by_get<S: Executor>(
    State(live): State<Arc<Live<S>>>,
    caller: Option<Extension<Caller>>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Response {
    streamed(&live, caller, &headers, false, || graphql_request::in_address(&headers, query.as_deref().unwrap_or_default()))
}

/// The stream of what comes of a request. What is wrong with it is told as a stream, too, because clients show no text of any other answer.
fn streamed<S: Executor>(
    live: &Arc<Live<S>>,
    caller: Option<Extension<Caller>>,
    headers: &HeaderMap,
    may_change: bool,
    read: impl FnOnce() -> Result<async_graphql::Request, Refusal>,
) -> Response {
    let Some(Extension(caller)) = caller else { return (live.serving.surroundings.no_caller)() };
    if !accept::takes_events(headers) {
        return Refusal::NoEvents.into_response();
    }
    let request = live.header_fault(headers).map_or_else(read, Err);
    match request {
        Ok(request) => events::of_request(live, &caller, request, may_change),
        Err(refusal) => events::of_refusal(&live.serving.limits, refusal),
    }
}
