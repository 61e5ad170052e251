//! One WebSocket, from its upgrade to its close: a single task that hears, carries out and writes.
//!
//! An idle connection costs its buffers and this task, so that many thousands can be open. Only one message is on its way out at a time. What comes next
//! waits with the operation that made it, and an operation with something to tell does not go on; answers to a client's messages wait in a short queue,
//! and no more is heard while that is full.

use std::collections::VecDeque;
use std::future::{pending, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_graphql::Executor;
use axum::body::Bytes;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket};
use axum::http::HeaderMap;
use futures::channel::mpsc;
use futures::future::{AbortHandle, Abortable, BoxFuture};
use futures::stream::FuturesUnordered;
use futures::{FutureExt, StreamExt};
use resolvers::{Caller, Origin};
use serde_json::value::RawValue;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::Sleep;

use super::close::Close;
use super::introduction;
use super::message::told;
use super::operation::{self, Operation, Outlet};
use super::places::{Open, Place, Share};
use super::results::Told;
use super::session::{Session, Step};
use super::shared::{Ending, Live, WRITE, count_close, count_message, request_of, too_many};
use super::wire::{Progress, Wire};
use crate::surroundings::Stranger;

/// How long a client may take until it has sent `connection_init`.
const INIT: Duration = Duration::from_secs(10);
/// How often a client of which nothing was heard is asked whether it is there.
const PULSE: Duration = Duration::from_secs(25);
/// After so long without a word, not even an answer to that, it is taken for gone.
const SILENCE: Duration = Duration::from_secs(60);
/// Once the server stops: how often it is looked whether something is left to be done, and how long a message may be on its way then.
const LEAVING: Duration = Duration::from_millis(250);
const LAST_WRITE: Duration = Duration::from_secs(5);
/// Answers to a client's messages that may wait, and their bytes.
const REPLIES: usize = 16;
const REPLY_BYTES: usize = 64 << 10;

/// Who opens a connection, as far as its request says.
pub struct Visitor {
    /// Recognised by the request's headers.
    pub caller: Option<Caller>,
    /// Those of its headers that may have credentials.
    pub headers: HeaderMap,
    pub origin: Origin,
    /// Its place among those that have not said yet who they are.
    pub _permit: OwnedSemaphorePermit,
}

/// Sees a connection to its end.
pub async fn attend<S: Executor>(live: Arc<Live<S>>, socket: WebSocket, visitor: Visitor) {
    let _open = Open::count(metrics::gauge!("amlgraph_live_connections", "transport" => "ws"));
    let mut wire = Wire::new(socket);
    let end = Connection::new(live, visitor).run(&mut wire).await;
    // What the connection held is free by now; what is left is to say why.
    match end {
        End::Server(close) => {
            count_close(close.code);
            Box::pin(wire.close(&close)).await;
        }
        End::Client => {
            count_close(0);
            Box::pin(wire.closed()).await;
        }
        End::Lost(code) => count_close(code),
    }
}

/// How a connection has ended.
enum End {
    /// The server closes it.
    Server(Close),
    /// The client has closed it.
    Client,
    /// It broke off, or has to be broken off, as nothing gets through; the code that says what for.
    Lost(u16),
}

/// What is there to be dealt with.
enum Event {
    Ending(Ending),
    Wire(Progress),
    Recognised(Result<Caller, Close>),
    Told(operation::Message),
    /// An operation has ended, and has told so before.
    Worked,
    Pulse,
}

struct Connection<S> {
    live: Arc<Live<S>>,
    session: Session,
    visitor: Option<Visitor>,
    /// Who it is, once that was found out, and the place taken for him.
    caller: Option<(Caller, Place)>,
    recognition: Option<BoxFuture<'static, Result<Caller, Close>>>,
    ending: BoxFuture<'static, Ending>,
    /// For operations to tell what comes of them.
    outlet: mpsc::Sender<operation::Message>,
    told: mpsc::Receiver<operation::Message>,
    running: FuturesUnordered<BoxFuture<'static, ()>>,
    /// Answers to messages, in their order.
    replies: VecDeque<Message>,
    share: Share,
    pulse: Pin<Box<Sleep>>,
    heard_at: Instant,
}

impl<S: Executor> Connection<S> {
    fn new(live: Arc<Live<S>>, visitor: Visitor) -> Self {
        let (outlet, told) = mpsc::channel(0);
        Self {
            session: Session::new(live.limits().operations_per_connection),
            visitor: Some(visitor),
            caller: None,
            recognition: None,
            ending: live.ending(None).boxed(),
            outlet,
            told,
            running: FuturesUnordered::new(),
            replies: VecDeque::new(),
            share: live.memory.share(),
            pulse: Box::pin(tokio::time::sleep(INIT)),
            heard_at: Instant::now(),
            live,
        }
    }

    async fn run(mut self, wire: &mut Wire) -> End {
        loop {
            if !wire.is_writing()
                && let Some(reply) = self.replies.pop_front()
                && wire.write(reply).is_err()
            {
                return End::Lost(0);
            }
            let outcome = match self.event(wire).await {
                Event::Ending(ending) => self.end(ending),
                Event::Wire(Progress::Written) => Ok(()),
                Event::Wire(Progress::Heard(Message::Close(_))) => Err(End::Client),
                Event::Wire(Progress::Heard(message)) => self.hear(message),
                Event::Wire(Progress::Broken(close)) => Err(End::Server(close)),
                Event::Wire(Progress::Lost) => Err(End::Lost(0)),
                Event::Recognised(recognised) => self.recognised(recognised),
                Event::Told(told) => self.pass_on(wire, told),
                Event::Worked => Ok(()),
                Event::Pulse => self.pulse(wire),
            };
            if let Err(end) = outcome {
                return end;
            }
            if self.session.has_left() && !wire.is_writing() && self.replies.is_empty() {
                return End::Server(Close::going_away());
            }
        }
    }

    async fn event(&mut self, wire: &mut Wire) -> Event {
        let may_hear = self.replies.len() < REPLIES && self.replies.iter().map(bytes_of).sum::<usize>() < REPLY_BYTES;
        let may_tell = !wire.is_writing() && self.replies.is_empty();
        let (most, is_working) = (self.live.message_bytes(), !self.running.is_empty());
        tokio::select! {
            biased;
            ending = &mut self.ending => Event::Ending(ending),
            // Before what is heard: a client that never stops talking is looked at, too.
            () = self.pulse.as_mut() => Event::Pulse,
            progress = poll_fn(|context| wire.poll(context, may_hear, most)) => Event::Wire(progress),
            recognised = outcome(&mut self.recognition) => Event::Recognised(recognised),
            Some(told) = self.told.next(), if may_tell => Event::Told(told),
            Some(()) = self.running.next(), if is_working => Event::Worked,
        }
    }

    fn end(&mut self, ending: Ending) -> Result<(), End> {
        match ending {
            Ending::Stop => {
                self.session.leave();
                self.pulse.as_mut().reset(tokio::time::Instant::now() + LEAVING);
                self.ending = pending().boxed();
                Ok(())
            }
            Ending::Expired | Ending::Revoked => Err(End::Server(Close::unauthorized(ending.told()))),
        }
    }

    fn hear(&mut self, message: Message) -> Result<(), End> {
        self.heard_at = Instant::now();
        let text = match message {
            Message::Text(text) => text,
            Message::Binary(_) => return Err(End::Server(Close::invalid("binary messages are not understood: send text"))),
            // The library answers a ping of WebSocket itself.
            Message::Ping(_) | Message::Pong(_) | Message::Close(_) => return Ok(()),
        };
        if !self.share.grow_to(text.len()) {
            return Err(End::Server(Close::later("large messages take too much memory: try again later")));
        }
        match self.session.hear(&text) {
            Step::Nothing => {}
            Step::Pong(payload) => self.replies.push_back(text_message(told::pong(payload).into_bytes())),
            Step::Recognise(payload) => self.recognise(payload).map_err(End::Server)?,
            Step::Begin { id, payload } => self.begin(id, payload),
            Step::TooMany { id } => {
                let refused = too_many(self.live.limits().operations_per_connection);
                self.refuse(&id, &Told::failed(&self.live.serving.limits, vec![refused]));
            }
            Step::Close(close) => return Err(End::Server(close)),
        }
        Ok(())
    }

    /// Begins to find out who it is. What the payload says counts; without credentials in it, what the request's headers have said.
    fn recognise(&mut self, payload: Option<&RawValue>) -> Result<(), Close> {
        let said = introduction::of_payload(payload)?;
        let Some(visitor) = &self.visitor else { return Err(Close::second_init()) };
        self.recognition = Some(match &visitor.caller {
            Some(caller) if said.is_empty() || !introduction::differ(&said, &visitor.headers) => {
                std::future::ready(Ok::<_, Close>(caller.clone())).boxed()
            }
            Some(_) => return Err(Close::invalid("credentials: those of connection_init are others than those of the request's headers")),
            None if said.is_empty() => {
                return Err(Close::unauthorized("credentials are missing: x-api-key or authorization in the payload of connection_init"));
            }
            None => {
                let recognised = (self.live.recognise())(said, visitor.origin.clone());
                let refused = |stranger: Stranger| match stranger {
                    Stranger::Refused(why) => Close::unauthorized(why),
                    Stranger::NotNow(why) => Close::later(why),
                };
                recognised.map(move |recognised| recognised.map_err(refused)).boxed()
            }
        });
        Ok(())
    }

    fn recognised(&mut self, recognised: Result<Caller, Close>) -> Result<(), End> {
        self.recognition = None;
        let caller = recognised.map_err(End::Server)?;
        let place = self.live.place(&caller).map_err(|full| End::Server(self.live.no_place(full)))?;
        self.ending = self.live.ending(Some(&caller)).boxed();
        self.caller = Some((caller, place));
        // With it its place among strangers.
        self.visitor = None;
        self.session.acknowledge();
        self.replies.push_back(Message::Text(Utf8Bytes::from_static(told::ACK)));
        Ok(())
    }

    fn begin(&mut self, id: Arc<str>, payload: &RawValue) {
        let Some((caller, _)) = &self.caller else { return };
        let request = match request_of(payload.get()) {
            Ok(request) => request,
            Err(refusal) => {
                self.refuse(&id, &Told::refused(&self.live.serving.limits, refusal));
                return;
            }
        };
        let ((abort, registration), is_stream) = (AbortHandle::new_pair(), Arc::default());
        let number = self.session.begin(Arc::clone(&id), abort, Arc::clone(&is_stream));
        let operation = Operation::new(caller, request, true, "ws");
        let work = operation.carry_out(Arc::clone(&self.live), Outlet::new(self.outlet.clone(), id, number, is_stream));
        self.running.push(Abortable::new(work, registration).map(drop).boxed());
    }

    /// Tells why an operation is not begun.
    fn refuse(&mut self, id: &str, told: &Told) {
        if let Told::Failed(errors) = told {
            self.replies.push_back(text_message(told::error(id, errors)));
        }
    }

    fn pass_on(&mut self, wire: &mut Wire, (id, number, told): operation::Message) -> Result<(), End> {
        if !self.session.is_under_way(&id, number) {
            return Ok(());
        }
        let text = match told {
            Told::Next(result) => told::next(&id, &result),
            Told::Failed(errors) => {
                self.session.end(&id);
                told::error(&id, &errors)
            }
            Told::Complete => {
                self.session.end(&id);
                told::complete(&id)
            }
        };
        if !self.share.grow_to(text.len()) {
            return Err(End::Server(Close::later("large results take too much memory: try again later, or ask by POST")));
        }
        count_message("ws");
        wire.write(text_message(text)).map_err(|_| End::Lost(0))
    }

    /// Looks whether the client is there, and whether it reads.
    fn pulse(&mut self, wire: &Wire) -> Result<(), End> {
        let is_leaving = self.session.is_leaving();
        let (next, write) = if is_leaving { (LEAVING, LAST_WRITE) } else { (PULSE, WRITE) };
        self.pulse.as_mut().reset(tokio::time::Instant::now() + next);
        if self.session.is_waiting() {
            return Err(End::Server(Close::init_too_late(INIT.as_secs())));
        }
        if wire.writes_for() > write {
            // Why can't be told either.
            return Err(End::Lost(1013));
        }
        let silent_for = self.heard_at.elapsed();
        if silent_for > SILENCE {
            return Err(End::Server(Close::later(format!("nothing was heard for {} s", silent_for.as_secs()))));
        }
        if !is_leaving && silent_for > PULSE / 2 && self.replies.len() < REPLIES {
            self.replies.push_back(Message::Ping(Bytes::new()));
        }
        Ok(())
    }
}

/// What comes of a future, where there is one.
async fn outcome<T>(future: &mut Option<BoxFuture<'static, T>>) -> T {
    match future {
        Some(future) => future.await,
        None => pending().await,
    }
}

fn bytes_of(message: &Message) -> usize {
    match message {
        Message::Text(text) => text.len(),
        Message::Binary(bytes) | Message::Ping(bytes) | Message::Pong(bytes) => bytes.len(),
        Message::Close(_) => 0,
    }
}

/// All that is told is JSON, which is text.
fn text_message(text: Vec<u8>) -> Message {
    Message::Text(Utf8Bytes::try_from(text).unwrap_or_default())
}
