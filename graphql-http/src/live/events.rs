//! One operation as a stream of events (SSE): the "distinct connections mode" of PROTOCOL.md of npm graphql-sse 2.
//!
//! The stream is read by whoever writes it to the client, so that an operation is as fast as its client. When the client goes the stream is dropped, and all
//! of the operation with it. A stream that the server breaks off ends without `complete`: a client takes that for a lost connection, and asks again.

use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use async_graphql::{Executor, Request};
use axum::body::{Body, Bytes};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use futures::channel::mpsc;
use futures::future::BoxFuture;
use futures::{FutureExt, StreamExt, stream};
use resolvers::Caller;

use super::operation::{self, Operation, Outlet};
use super::places::{Full, Open, Place};
use super::results::Told;
use super::shared::{Ending, Live, count_close, count_message};
use crate::limits::refused;
use crate::refusal::Refusal;
use crate::settings::GraphqlLimits;

/// How often something is sent, so that nobody on the way takes the connection for dead.
const HEARTBEAT: Duration = Duration::from_secs(12);
/// A comment, which clients pass over.
const COMMENT: &[u8] = b":\n\n";
const COMPLETE: &[u8] = b"event: complete\ndata: \n\n";

/// Asks nginx and its like to hold nothing back.
const UNBUFFERED: HeaderName = HeaderName::from_static("x-accel-buffering");

/// The stream of what comes of a request.
pub fn of_request<S: Executor>(live: &Arc<Live<S>>, caller: &Caller, request: Request, may_change: bool) -> Response {
    let place = match live.place(caller) {
        Ok(place) => place,
        Err(full) => {
            let text = match full {
                Full::Caller => format!("too many connections of this caller: at most {}", live.places.share),
                Full::Everybody => "too many connections: try again later".to_owned(),
            };
            return of_end(&Told::failed(&live.serving.limits, vec![refused("TOO_MANY", text)]));
        }
    };
    let (sender, told) = mpsc::channel(0);
    let outlet = || Outlet::new(sender.clone(), Arc::from(""), 0, Arc::default());
    let (to_tell, mut in_place) = (outlet(), outlet());
    let operation = Operation::new(caller, request, may_change, "sse");
    let owned = Arc::clone(live);
    let work = async move {
        // The panic itself is logged where it happens.
        if AssertUnwindSafe(operation.carry_out(Arc::clone(&owned), to_tell)).catch_unwind().await.is_err() {
            in_place.tell(Told::refused(&owned.serving.limits, Refusal::Defect("a panic".into()))).await;
        }
    };
    let connection = Connection {
        work: Some(work.boxed()),
        told,
        ending: live.ending(Some(caller)).boxed(),
        limits: live.serving.limits.clone(),
        is_over: false,
        _place: place,
        _open: Open::count(metrics::gauge!("amlgraph_live_connections", "transport" => "sse")),
    };
    let events = stream::unfold(connection, |mut connection| async move { Some((Ok::<_, Infallible>(connection.event().await?), connection)) });
    let first = stream::once(std::future::ready(Ok(Bytes::from_static(COMMENT))));
    response(Body::from_stream(first.chain(events)))
}

/// The stream of a request that can't be carried out.
pub fn of_refusal(limits: &GraphqlLimits, refusal: Refusal) -> Response {
    of_end(&Told::refused(limits, refusal))
}

fn of_end(told: &Told) -> Response {
    response(Body::from(written(told)))
}

fn response(body: Body) -> Response {
    let headers = [(CONTENT_TYPE, HeaderValue::from_static("text/event-stream")), (UNBUFFERED, HeaderValue::from_static("no"))];
    (StatusCode::OK, headers, body).into_response()
}

/// A stream under way.
struct Connection {
    /// The operation, until it has ended.
    work: Option<BoxFuture<'static, ()>>,
    told: mpsc::Receiver<operation::Message>,
    ending: BoxFuture<'static, Ending>,
    limits: GraphqlLimits,
    is_over: bool,
    _place: Place,
    _open: Open,
}

impl Connection {
    /// What is sent next; none at the end.
    async fn event(&mut self) -> Option<Bytes> {
        while !self.is_over {
            let is_working = self.work.is_some();
            tokio::select! {
                biased;
                ending = &mut self.ending => return self.end(ending),
                told = self.told.next() => {
                    self.is_over = !matches!(told, Some((_, _, Told::Next(_))));
                    let (_, _, told) = told?;
                    count_message("sse");
                    return Some(written(&told).into());
                }
                () = progress(&mut self.work), if is_working => self.work = None,
                () = tokio::time::sleep(HEARTBEAT) => return Some(Bytes::from_static(COMMENT)),
            }
        }
        None
    }

    fn end(&mut self, ending: Ending) -> Option<Bytes> {
        self.is_over = true;
        self.work = None;
        match ending {
            Ending::Stop => {
                count_close(1001);
                None
            }
            Ending::Expired | Ending::Revoked => {
                count_close(4401);
                let errors = vec![refused("UNAUTHENTICATED", ending.told().into())];
                Some(written(&Told::failed(&self.limits, errors)).into())
            }
        }
    }
}

async fn progress(work: &mut Option<BoxFuture<'static, ()>>) {
    if let Some(work) = work {
        work.await;
    }
}

/// As events: errors are a result, too, and the last one. JSON has no line breaks in it as it is written here.
fn written(told: &Told) -> Vec<u8> {
    let next = |result: &[&[u8]]| [b"event: next\ndata: ".as_slice(), result.concat().as_slice(), b"\n\n".as_slice()].concat();
    match told {
        Told::Next(result) => next(&[result.as_slice()]),
        Told::Failed(errors) => [next(&[b"{\"errors\":".as_slice(), errors.as_slice(), b"}".as_slice()]).as_slice(), COMPLETE].concat(),
        Told::Complete => COMPLETE.to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_is_written_as_events() {
        for (told, text) in [
            (Told::Next(b"{\"data\":null}".to_vec()), "event: next\ndata: {\"data\":null}\n\n"),
            (Told::Failed(b"[]".to_vec()), "event: next\ndata: {\"errors\":[]}\n\nevent: complete\ndata: \n\n"),
            (Told::Complete, "event: complete\ndata: \n\n"),
        ] {
            assert_eq!(String::from_utf8_lossy(&written(&told)), text);
        }
    }
}
