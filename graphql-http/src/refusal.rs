//! Requests that get no further than HTTP.

use axum::http::header::{ALLOW, CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use resolvers::wording;
use serde_json::json;

/// Why a request is not carried out.
#[derive(Debug, PartialEq)]
pub enum Refusal {
    /// What was asked can't be read, or is more than may be asked at once.
    Malformed(String),
    /// The body is not said to be JSON.
    NotJson,
    /// It changes something, and was sent by a method that may not.
    NeedsPost,
    /// A page of another site asks for a connection.
    ForeignOrigin,
    /// It is no request for a WebSocket; the status, and why not.
    NoWebSocket(StatusCode, String),
    /// No stream of events is accepted, and nothing else is sent there.
    NoEvents,
    /// As many connections as may be are open. A client of streams comes again after its status alone.
    TooManyConnections,
    /// As many connections as may be have not said yet who opens them.
    TooManyStrangers,
    /// A browser asks for a page that is shown only where a setting says so.
    NoPage,
    /// A defect. The log has the request id and the reason.
    Defect(String),
}

/// An answer that has nothing but an error: a code for programs, a sentence for people.
pub fn error_body(code: &str, message: &str) -> serde_json::Value {
    json!({"errors": [{"message": message, "extensions": {"code": code}}]})
}

impl Refusal {
    /// Its status, the code that errors of fields have, too, and a sentence.
    pub fn parts(self) -> (StatusCode, &'static str, String) {
        match self {
            Refusal::Malformed(text) => (StatusCode::BAD_REQUEST, "INVALID", text),
            Refusal::NotJson => (StatusCode::UNSUPPORTED_MEDIA_TYPE, "INVALID", "content-type: must be application/json".into()),
            Refusal::ForeignOrigin => {
                let text = "origin: pages of this origin may open no connection, unless the setting live.origins names it";
                (StatusCode::FORBIDDEN, "FORBIDDEN", text.into())
            }
            Refusal::NoWebSocket(status, why) => {
                let text = format!("this is for WebSockets with the subprotocol graphql-transport-ws: {why}");
                (status, "INVALID", text)
            }
            Refusal::NoEvents => {
                let text = "accept: must take text/event-stream; one result as JSON is answered at /graphql";
                (StatusCode::NOT_ACCEPTABLE, "INVALID", text.into())
            }
            Refusal::TooManyConnections => (StatusCode::SERVICE_UNAVAILABLE, "UNAVAILABLE", "service: too many connections, try again later".into()),
            Refusal::TooManyStrangers => {
                let text = "service: too many connections have not said yet who opens them, try again later";
                (StatusCode::SERVICE_UNAVAILABLE, "UNAVAILABLE", text.into())
            }
            Refusal::NeedsPost => (StatusCode::METHOD_NOT_ALLOWED, "INVALID", "a mutation is sent by POST".into()),
            Refusal::NoPage => {
                let text = "there is no page for browsers here, unless the setting graphql.graphiql is on; programs send queries by POST";
                (StatusCode::NOT_FOUND, "NOT_FOUND", text.into())
            }
            Refusal::Defect(reason) => {
                tracing::error!(reason = resolvers::without_values(&reason), "defect");
                (StatusCode::INTERNAL_SERVER_ERROR, "INTERNAL", wording::DEFECT.into())
            }
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let (status, code, message) = self.parts();
        let body = error_body(code, &message);
        let mut response = (status, [(CONTENT_TYPE, "application/json")], body.to_string()).into_response();
        if status == StatusCode::METHOD_NOT_ALLOWED {
            response.headers_mut().insert(ALLOW, HeaderValue::from_static("POST"));
        }
        if status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}
