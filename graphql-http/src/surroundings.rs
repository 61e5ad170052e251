//! What the server around says of a request, for all that is behind it alike.

use std::sync::Arc;

use axum::http::HeaderMap;
use axum::response::Response;
use futures::future::BoxFuture;
use graph_schema::fault::Fault;
use resolvers::{Caller, Origin};
use tokio::sync::watch;

use crate::settings::LiveLimits;

/// What the server around says of a request.
#[derive(Clone)]
pub struct Surroundings {
    /// The page for browsers, where there is one.
    pub page: Option<fn() -> Response>,
    /// A fault for each header that says one thing and was given more than once.
    pub header_faults: fn(&HeaderMap) -> Vec<Fault>,
    /// The answer to a request without a caller.
    pub no_caller: fn() -> Response,
    /// What connections need that stay open.
    pub live: Arc<LiveSurroundings>,
}

/// What connections need that stay open.
pub struct LiveSurroundings {
    pub recognise: Recognise,
    pub limits: LiveLimits,
    pub stop: LiveStop,
}

/// Says who asks, by credentials that come later than a request's headers and are written as they would be.
pub type Recognise = Box<dyn Fn(HeaderMap, Origin) -> BoxFuture<'static, Result<Caller, Stranger>> + Send + Sync>;

/// Why somebody is not recognised, in words for him.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stranger {
    /// The credentials are wrong: it is of no use to send them again.
    Refused(String),
    /// It can't be told now, and may be later.
    NotNow(String),
}

/// Tells all connections that stay open when the process stops, and knows when they are gone. Cheap to clone; all clones share.
#[derive(Clone)]
pub struct LiveStop(Arc<watch::Sender<bool>>);

impl Default for LiveStop {
    fn default() -> Self {
        Self(Arc::new(watch::Sender::new(false)))
    }
}

impl LiveStop {
    /// Asks them to end, those that come later included.
    pub fn begin(&self) {
        self.0.send_replace(true);
    }

    /// Done when none is left.
    pub async fn done(&self) {
        self.0.closed().await;
    }

    /// What a connection holds for as long as it is there.
    pub(crate) fn watched(&self) -> Stopping {
        Stopping(self.0.subscribe())
    }
}

/// A connection's ear.
pub(crate) struct Stopping(watch::Receiver<bool>);

impl Stopping {
    /// Done when the process stops.
    pub async fn begun(&mut self) {
        // An error says that nobody is left who could tell.
        let _ = self.0.wait_for(|stops| *stops).await;
    }
}
