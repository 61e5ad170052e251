//! What all connections of a process share.

use std::sync::Arc;
use std::time::Duration;

use async_graphql::{Executor, Request};
use axum::http::HeaderMap;
use resolvers::{Caller, Resolvers};
use tokio::sync::Semaphore;

use super::close::Close;
use super::places::{Full, Memory, Place, Places};
use crate::graphql_request::VARIABLES;
use crate::refusal::Refusal;
use crate::serving::Serving;
use crate::settings::LiveLimits;
use crate::surroundings::{Recognise, Stopping};

/// How long something for a client may wait until it is taken. Who reads more slowly comes again, and goes on at his last position.
pub const WRITE: Duration = Duration::from_secs(30);
/// Queries and mutations that are under way on all connections, and on those of one caller: as many as requests by HTTP, unless that is set.
const QUERIES: usize = 512;
const QUERIES_OF_ONE: usize = QUERIES / 4;
/// Bytes that large messages of all connections may take, on top of 16 KiB for each; and as many may be on their way from clients that have not said yet who
/// they are, which bounds how many such there may be.
const MESSAGES: usize = 256 << 20;
/// The most bytes of one answer: less than by HTTP, because a connection keeps room for its largest.
const ANSWER: usize = 8 << 20;
/// Bytes of a message besides its document and its variables.
const AROUND: usize = 16 << 10;

/// What all connections share.
pub struct Live<S> {
    pub serving: Serving<S>,
    resolvers: Resolvers,
    pub places: Arc<Places>,
    pub queries: Arc<Places>,
    pub strangers: Arc<Semaphore>,
    pub memory: Arc<Memory>,
    /// The most bytes of one answer.
    pub answer_bytes: usize,
}

impl<S: Executor> Live<S> {
    pub fn new(serving: Serving<S>, resolvers: &Resolvers) -> Self {
        let LiveLimits { connections, connections_per_caller, .. } = serving.surroundings.live.limits;
        Self {
            places: Places::new(connections, connections_per_caller),
            queries: Places::new(QUERIES, QUERIES_OF_ONE),
            strangers: Arc::new(Semaphore::new((MESSAGES / message_bytes(&serving)).max(1))),
            memory: Memory::new(MESSAGES),
            answer_bytes: serving.answer_bytes.min(ANSWER),
            resolvers: resolvers.clone(),
            serving,
        }
    }

    pub fn limits(&self) -> &LiveLimits {
        &self.serving.surroundings.live.limits
    }

    pub fn recognise(&self) -> &Recognise {
        &self.serving.surroundings.live.recognise
    }

    /// The most bytes of a message.
    pub fn message_bytes(&self) -> usize {
        message_bytes(&self.serving)
    }

    /// A place for a connection of a caller.
    pub fn place(&self, caller: &Caller) -> Result<Place, Full> {
        self.places.take(&caller.id)
    }

    /// Why there is none.
    pub fn no_place(&self, full: Full) -> Close {
        match full {
            Full::Caller => Close::too_many_of_caller(self.places.share),
            Full::Everybody => Close::later("too many connections: try again later"),
        }
    }

    /// What ends a connection from outside: from now on the process, and the credentials of whoever was recognised.
    pub fn ending(&self, caller: Option<&Caller>) -> impl Future<Output = Ending> + Send + use<S> {
        let mut stopping = self.present();
        let watch = caller.map(|caller| self.resolvers.watch_credential(caller));
        async move { ended(&mut stopping, watch).await }
    }

    /// What a connection holds for as long as the process is to wait for it.
    pub fn present(&self) -> Stopping {
        self.serving.surroundings.live.stop.watched()
    }

    /// Notes what a caller has read; false where that was not possible in time.
    pub async fn noted(&self, caller: &Caller) -> bool {
        tokio::time::timeout(self.serving.limits.time, self.resolvers.request_ended(caller)).await.is_ok()
    }

    /// Why a request's headers are refused.
    pub fn header_fault(&self, headers: &HeaderMap) -> Option<Refusal> {
        self.serving.repeated_headers(headers)
    }
}

fn message_bytes<S>(serving: &Serving<S>) -> usize {
    serving.documents.longest().saturating_add(VARIABLES + AROUND)
}

/// Why a connection ends that nobody has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The process stops.
    Stop,
    Expired,
    Revoked,
}

impl Ending {
    /// In words, for whoever is at the other end.
    pub fn told(self) -> &'static str {
        match self {
            Ending::Stop => "the server stops: connect again",
            Ending::Expired => "the token has expired: connect again with a new one",
            Ending::Revoked => "the credentials were revoked, or what they give has changed",
        }
    }
}

async fn ended(stopping: &mut Stopping, watch: Option<resolvers::CredentialWatch>) -> Ending {
    let Some(mut watch) = watch else {
        stopping.begun().await;
        return Ending::Stop;
    };
    tokio::select! {
        biased;
        () = stopping.begun() => Ending::Stop,
        end = watch.ended() => match end {
            resolvers::CredentialEnd::Expired => Ending::Expired,
            resolvers::CredentialEnd::Revoked => Ending::Revoked,
        },
    }
}

/// Counts a connection's end by its code; 0 where the client has ended it, 1000 where all was told.
pub fn count_close(code: u16) {
    metrics::counter!("amlgraph_live_closes_total", "code" => code.to_string()).increment(1);
}

/// Counts a message to a client.
pub fn count_message(transport: &'static str) {
    metrics::counter!("amlgraph_live_messages_total", "transport" => transport).increment(1);
}

/// A refusal of too many operations.
pub fn too_many(most: usize) -> async_graphql::ServerError {
    crate::limits::refused("TOO_MANY", format!("too many at once on this connection: at most {most} operations"))
}

/// A request out of a message.
pub fn request_of(payload: &str) -> Result<Request, Refusal> {
    crate::graphql_request::in_message(payload)
}
