//! Answers to requests that get no further than the edge, worded as the reference words the errors of the operation that was asked for.

use std::time::Duration;

use axum::body::Body;
use axum::http::header::{ACCEPT_ENCODING, CONNECTION, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, Method, StatusCode};
use axum::response::Response;
use graphql_http::Stranger;
use resolvers::wording;
use rest_compat::{CHALLENGES, ErrorBody, OPERATIONS};
use serde_json::json;

/// Why a request is not carried out.
#[derive(Debug, PartialEq)]
pub enum Refusal {
    /// Credentials are missing or wrong.
    Unauthenticated(String),
    /// Too many wrong ones came from this address; worth another try after this time.
    TooManyGuesses(Duration),
    /// They are right, but not for this.
    Forbidden(String),
    /// What was asked can't be read, or is more than may be asked at once.
    Malformed(String),
    /// The body is compressed in this way, which is not understood.
    ContentCoding(String),
    /// The body comes in this way, which is not understood.
    TransferCoding(String),
    /// The body's text is in this character set, which is not understood.
    Charset(String),
    /// More than this many bytes.
    BodyTooLarge(usize),
    /// The body did not come in this time.
    BodyTooSlow(Duration),
    /// The body broke off, or was framed wrongly.
    BodyBroken,
    /// As much is under way as may be.
    Busy,
    /// As much of this caller's is under way as may be of one.
    CallersShare,
    /// As many requests that may wait for events are under way as may be, of all callers or of this one.
    TooManyPolls,
    /// What the credentials give has changed while the request waited.
    CredentialsChanged,
    /// The store can't be used yet.
    Starting,
    /// The database does not answer; worth another try after this time.
    Unavailable(Duration),
    /// It took longer than a request may.
    OutOfTime(Duration),
    /// A defect. The log has the request id and the reason.
    Defect(String),
}

impl Refusal {
    fn status(&self) -> StatusCode {
        match self {
            Refusal::Unauthenticated(_) | Refusal::CredentialsChanged => StatusCode::UNAUTHORIZED,
            Refusal::TooManyGuesses(_) | Refusal::TooManyPolls => StatusCode::TOO_MANY_REQUESTS,
            Refusal::Forbidden(_) => StatusCode::FORBIDDEN,
            Refusal::BodyTooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Refusal::BodyTooSlow(_) => StatusCode::REQUEST_TIMEOUT,
            Refusal::Malformed(_) | Refusal::BodyBroken => StatusCode::BAD_REQUEST,
            Refusal::ContentCoding(_) | Refusal::Charset(_) => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Refusal::TransferCoding(_) => StatusCode::NOT_IMPLEMENTED,
            Refusal::Busy | Refusal::CallersShare | Refusal::Starting | Refusal::Unavailable(_) | Refusal::OutOfTime(_) => {
                StatusCode::SERVICE_UNAVAILABLE
            }
            Refusal::Defect(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    fn text(&self) -> String {
        match self {
            Refusal::Unauthenticated(text) | Refusal::Forbidden(text) | Refusal::Malformed(text) => text.clone(),
            Refusal::ContentCoding(coding) => format!("content-encoding: must be gzip, or left out; {coding} is not understood"),
            Refusal::TransferCoding(coding) => format!("transfer-encoding: must be chunked, or left out; {coding} is not understood"),
            Refusal::Charset(charset) => format!("content-type: its charset must be utf-8; {charset} is not understood"),
            Refusal::BodyTooLarge(limit) => format!("body: larger than {limit} bytes"),
            Refusal::BodyTooSlow(limit) => format!("body: not complete within {} s", limit.as_secs_f64()),
            Refusal::BodyBroken => "body: could not be read to its end".into(),
            Refusal::TooManyGuesses(_) => wording::TOO_MANY_GUESSES.into(),
            Refusal::CallersShare => "service: too much of this caller's is under way, try again later".into(),
            Refusal::TooManyPolls => "service: too many requests for events are under way, try again later".into(),
            Refusal::CredentialsChanged => "credentials: have changed while the request waited; send it again".into(),
            Refusal::Busy => "service: too much under way, try again later".into(),
            Refusal::Starting => "service: it starts, and its store is opened or brought up to date; try again later".into(),
            Refusal::Unavailable(_) => "service: the database does not answer, try again later".into(),
            Refusal::OutOfTime(limit) => format!("service: not done within {} s; whether a change was made is not known", limit.as_secs_f64()),
            Refusal::Defect(_) => wording::DEFECT.into(),
        }
    }

    fn retry_after(&self) -> Option<Duration> {
        match self {
            Refusal::Busy | Refusal::CallersShare | Refusal::TooManyPolls | Refusal::OutOfTime(_) => Some(Duration::from_secs(1)),
            Refusal::Starting => Some(Duration::from_secs(5)),
            Refusal::Unavailable(after) | Refusal::TooManyGuesses(after) => Some(*after),
            _ => None,
        }
    }
}

impl From<resolvers::Error> for Refusal {
    /// What can go wrong while credentials are checked.
    fn from(error: resolvers::Error) -> Self {
        match error {
            resolvers::Error::Unauthenticated(reason) => Refusal::Unauthenticated(wording::unauthenticated(reason).to_owned()),
            resolvers::Error::TooManyGuesses { retry_after } => Refusal::TooManyGuesses(retry_after),
            resolvers::Error::Forbidden { roles, .. } => Refusal::Forbidden(wording::forbidden(roles)),
            resolvers::Error::Unavailable { retry_after } => Refusal::Unavailable(retry_after),
            resolvers::Error::TooLong => Refusal::Unavailable(Duration::from_secs(1)),
            other => Refusal::Defect(format!("checking credentials: {other}")),
        }
    }
}

impl Refusal {
    /// The answer, worded as what was asked for words its errors.
    pub fn worded(self, shape: ErrorFormat) -> Response {
        if let Refusal::Defect(reason) = &self {
            tracing::error!(reason = resolvers::without_values(reason), "defect");
        }
        let body = match shape {
            ErrorFormat::Graphql => graphql_http::error_body(self.graphql_code(), &self.text()),
            ErrorFormat::Operation(ErrorBody::Errors) => json!({ "errors": [self.text()] }),
            ErrorFormat::Operation(ErrorBody::Error) => json!({ "error": self.text() }),
            ErrorFormat::Operation(ErrorBody::OAuth) => json!({ "error": self.oauth_code(), "error_description": self.text() }),
        };
        let mut response = Response::new(Body::from(body.to_string()));
        *response.status_mut() = self.status();
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if let Some(after) = self.retry_after() {
            headers.insert(RETRY_AFTER, HeaderValue::from(after.as_secs_f64().ceil().max(1.0) as u64));
        }
        match self {
            Refusal::Unauthenticated(_) | Refusal::CredentialsChanged => {
                for challenge in CHALLENGES {
                    headers.append(WWW_AUTHENTICATE, HeaderValue::from_static(challenge));
                }
            }
            // RFC 9110, section 15.5.16.
            Refusal::ContentCoding(_) => {
                headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("gzip"));
            }
            // What is left of the body would be taken for the next request.
            Refusal::BodyTooSlow(_) | Refusal::BodyTooLarge(_) | Refusal::BodyBroken | Refusal::TransferCoding(_) => {
                headers.insert(CONNECTION, HeaderValue::from_static("close"));
            }
            _ => {}
        }
        response
    }

    /// What somebody is told who opens a connection and is not recognised: to come with others, or later.
    pub fn of_stranger(self) -> Stranger {
        if let Refusal::Defect(reason) = &self {
            tracing::error!(reason = resolvers::without_values(reason), "defect");
        }
        match self.status() {
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN | StatusCode::BAD_REQUEST => Stranger::Refused(self.text()),
            _ => Stranger::NotNow(self.text()),
        }
    }

    /// The codes that errors of fields have, too.
    fn graphql_code(&self) -> &'static str {
        match self {
            Refusal::Unauthenticated(_) | Refusal::CredentialsChanged => "UNAUTHENTICATED",
            Refusal::Forbidden(_) => "FORBIDDEN",
            Refusal::Malformed(_) => "INVALID",
            Refusal::ContentCoding(_) | Refusal::TransferCoding(_) | Refusal::Charset(_) => "INVALID",
            Refusal::BodyTooLarge(_) | Refusal::BodyTooSlow(_) | Refusal::BodyBroken => "INVALID",
            Refusal::Busy | Refusal::CallersShare | Refusal::Starting | Refusal::Unavailable(_) => "UNAVAILABLE",
            Refusal::TooManyGuesses(_) | Refusal::TooManyPolls => "TOO_MANY_REQUESTS",
            Refusal::OutOfTime(_) => "TIME_LIMIT",
            Refusal::Defect(_) => "INTERNAL",
        }
    }

    /// RFC 6749, section 5.2.
    fn oauth_code(&self) -> &'static str {
        match self {
            Refusal::Unauthenticated(_) | Refusal::CredentialsChanged => "invalid_client",
            Refusal::Forbidden(_) => "unauthorized_client",
            Refusal::Malformed(_) => "invalid_request",
            Refusal::ContentCoding(_) | Refusal::TransferCoding(_) | Refusal::Charset(_) => "invalid_request",
            Refusal::BodyTooLarge(_) | Refusal::BodyTooSlow(_) | Refusal::BodyBroken => "invalid_request",
            Refusal::Busy
            | Refusal::CallersShare
            | Refusal::TooManyPolls
            | Refusal::TooManyGuesses(_)
            | Refusal::Starting
            | Refusal::Unavailable(_)
            | Refusal::OutOfTime(_) => "temporarily_unavailable",
            Refusal::Defect(_) => "server_error",
        }
    }
}

/// How errors are worded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorFormat {
    /// As the reference words those of an operation.
    Operation(ErrorBody),
    /// As GraphQL does.
    Graphql,
}

/// How what is behind a route words its errors.
pub fn shape(method: &Method, template: Option<&str>) -> ErrorFormat {
    if template.is_some_and(|template| template == "/graphql" || template.starts_with("/graphql/")) {
        return ErrorFormat::Graphql;
    }
    let asked = OPERATIONS.iter().find(|operation| Some(operation.path) == template && operation.method.as_str() == method.as_str());
    ErrorFormat::Operation(asked.map_or(ErrorBody::Errors, |operation| operation.error_body))
}
