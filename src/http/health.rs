//! For those who watch over the service: is it alive, is it ready, what has it measured.

use std::time::{Duration, Instant};

use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use metrics_exporter_prometheus::PrometheusHandle;
use resolvers::Resolvers;
use tokio::sync::Mutex;

/// How long an answer of the database counts: a watcher that asks often must not be a burden.
const FRESH: Duration = Duration::from_secs(1);
/// A database that needs longer for nothing is not ready.
const PATIENCE: Duration = Duration::from_secs(2);

/// Whether the service is ready, asked of the database at most once a second however many ask.
pub struct Readiness {
    resolvers: Resolvers,
    engine: &'static str,
    last: Mutex<Option<(Instant, State)>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Ready,
    /// The database makes the plans of what is written most, or was away and has taken no write since.
    Planning,
    NotReady,
}

impl Readiness {
    /// `engine` is the name of the database's kind, as the answer shows it.
    pub fn new(resolvers: Resolvers, engine: &'static str) -> Self {
        Self { resolvers, engine, last: Mutex::new(None) }
    }

    /// `GET /health/ready`: 200 when the database answers, is migrated, knows how to do what is written most, and takes writes; 503 otherwise.
    pub async fn answer(&self) -> Response {
        let (status, word) = match self.state().await {
            State::Ready => (StatusCode::OK, "ready"),
            State::Planning => (StatusCode::SERVICE_UNAVAILABLE, "planning"),
            State::NotReady => (StatusCode::SERVICE_UNAVAILABLE, "unavailable"),
        };
        let body = serde_json::json!({ "status": word, "engine": self.engine }).to_string();
        (status, [(CONTENT_TYPE, "application/json")], body).into_response()
    }

    async fn state(&self) -> State {
        // Held while the database is asked: who comes meanwhile shares the answer.
        let mut last = self.last.lock().await;
        if let Some((at, state)) = *last
            && at.elapsed() < FRESH
        {
            return state;
        }
        let state = match tokio::time::timeout(PATIENCE, self.resolvers.ready()).await {
            Ok(Ok(true)) => State::Ready,
            Ok(Ok(false)) => State::Planning,
            Ok(Err(error)) => {
                tracing::warn!(%error, "not ready");
                State::NotReady
            }
            Err(_) => {
                tracing::warn!("not ready: the database does not answer");
                State::NotReady
            }
        };
        *last = Some((Instant::now(), state));
        state
    }
}

/// `GET /health/live`: the process answers, whatever its database does.
pub async fn live() -> impl IntoResponse {
    ([(CONTENT_TYPE, "application/json")], r#"{"status":"live"}"#)
}

/// `GET /metrics`, in Prometheus' text format.
pub fn metrics(handle: &PrometheusHandle) -> Response {
    ([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], handle.render()).into_response()
}
