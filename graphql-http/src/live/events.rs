//! One operation as a stream of events (SSE): the "distinct connections mode" of PROTOCOL.md of npm graphql-sse 2.
//!
//! A task carries the operation out, and hands events one by one to whoever writes them to the client, so that an operation is as fast as its client. When the
//! client goes the task ends, and all of the operation with it. It ends, too, when the client reads nothing for a while: such a client would keep its place for
//! as long as it likes. A stream that the server breaks off ends without `complete`: a client takes that for a lost connection, and asks again.

use std::convert::Infallible;
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
use tokio::sync::mpsc::Sender;
use tracing::Instrument;

use super::operation::{self, Operation, Outlet};
use super::places::{Full, Open, Place, Share};
use super::results::Told;
use super::shared::{Ending, Live, WRITE, count_close, count_message};
use crate::limits::refused;
use crate::refusal::Refusal;
use crate::settings::GraphqlLimits;

/// How often something is sent, so that nobody on the way takes the connection for dead.
const HEARTBEAT: Duration = Duration::from_secs(12);
/// Of how many events there is room at once: one is written, one waits, and one is handed over.
const BUFFERED: usize = 3;
/// A comment, which clients pass over.
const COMMENT: &[u8] = b":\n\n";
const COMPLETE: &[u8] = b"event: complete\ndata: \n\n";

/// Asks nginx and its like to hold nothing back.
const UNBUFFERED: HeaderName = HeaderName::from_static("x-accel-buffering");

/// The stream of what comes of a request.
pub fn of_request<S: Executor>(live: &Arc<Live<S>>, caller: &Caller, request: Request, may_change: bool) -> Response {
    let place = match live.place(caller) {
        Ok(place) => place,
        Err(Full::Caller) => {
            let text = format!("too many connections of this caller: at most {}", live.places.share);
            return of_end(&Told::failed(&live.serving.limits, vec![refused("TOO_MANY", text)]));
        }
        Err(Full::Everybody) => return Refusal::TooManyConnections.into_response(),
    };
    let (sender, told) = mpsc::channel(0);
    let operation = Operation::new(caller, request, may_change, "sse");
    let work = operation.carry_out(Arc::clone(live), Outlet::new(sender, Arc::from(""), 0, Arc::default()));
    let connection = Connection {
        work: Some(work.boxed()),
        told,
        ending: live.ending(Some(caller)).boxed(),
        limits: live.serving.limits.clone(),
        share: live.memory.share(),
        is_over: false,
        code: 1000,
        _place: place,
        _open: Open::count(metrics::gauge!("amlgraph_live_connections", "transport" => "sse")),
    };
    let (body, events) = tokio::sync::mpsc::channel(1);
    tokio::spawn(connection.attend(body).in_current_span());
    let events = stream::unfold(events, |mut events| async move { Some((Ok::<_, Infallible>(events.recv().await?), events)) });
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
    /// What its events take of the memory for large ones.
    share: Share,
    is_over: bool,
    /// Why it ends, once it is over, as a code of WebSocket.
    code: u16,
    _place: Place,
    _open: Open,
}

impl Connection {
    /// Sees the stream to its end.
    async fn attend(mut self, body: Sender<Bytes>) {
        let code = loop {
            let event = tokio::select! {
                biased;
                () = body.closed() => break 0,
                event = self.event() => event,
            };
            let Some(event) = event else { break self.code };
            if let Err(code) = hand_on(&body, event, WRITE).await {
                break code;
            }
        };
        count_close(code);
    }

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
                    let event = written(&told);
                    if !self.share.grow_to(BUFFERED * event.len()) {
                        return self.break_off(1013);
                    }
                    count_message("sse");
                    return Some(event.into());
                }
                () = progress(&mut self.work), if is_working => self.work = None,
                () = tokio::time::sleep(HEARTBEAT) => return Some(Bytes::from_static(COMMENT)),
            }
        }
        None
    }

    /// Ends it for this code, without a word.
    fn break_off(&mut self, code: u16) -> Option<Bytes> {
        self.is_over = true;
        self.work = None;
        self.code = code;
        None
    }

    fn end(&mut self, ending: Ending) -> Option<Bytes> {
        match ending {
            Ending::Stop => self.break_off(1001),
            Ending::Expired | Ending::Revoked => {
                self.break_off(4401);
                let errors = vec![refused("UNAUTHENTICATED", ending.told().into())];
                Some(written(&Told::failed(&self.limits, errors)).into())
            }
        }
    }
}

/// Hands an event on, once the one before was taken; the code of the end where nobody takes it.
async fn hand_on(body: &Sender<Bytes>, event: Bytes, within: Duration) -> Result<(), u16> {
    match tokio::time::timeout(within, body.send(event)).await {
        Ok(taken) => taken.map_err(|_| 0),
        Err(_) => Err(1013),
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

    #[tokio::test]
    async fn who_does_not_read_loses_the_stream() {
        let (body, events) = tokio::sync::mpsc::channel(1);
        let event = || Bytes::from_static(COMMENT);
        assert_eq!(hand_on(&body, event(), Duration::ZERO).await, Ok(()), "one event waits");
        assert_eq!(hand_on(&body, event(), Duration::from_millis(10)).await, Err(1013));
        drop(events);
        assert_eq!(hand_on(&body, event(), Duration::from_secs(60)).await, Err(0), "the client has gone");
    }

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
