//! Answers: what a handler gives back, and how a refusal is worded.

use std::{sync::Arc, time::Duration};

use axum::{
    body::{Body, Bytes},
    http::{HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use graph_schema::fault::Fault;
use resolvers::{Answered, Replayed, without_values};
use serde::Serialize;

use crate::{
    fault::Failure,
    operation::{ErrorBody, Operation},
    request_id::RequestId,
};

/// What every handler gives back.
pub(crate) type Answer = Result<Response, Failure>;

/// The schemes by which a caller can say who it is, the simpler one first.
pub const CHALLENGES: [&str; 2] = [r#"ApiKey realm="amlgraph", header="x-api-key""#, r#"Bearer realm="amlgraph""#];
/// RFC 6749 wants a client that used HTTP Basic to be answered with that scheme.
const CLIENT_CHALLENGE: &str = r#"Basic realm="amlgraph""#;

/// 200 with a record's text as it is, byte for byte.
pub(crate) fn verbatim(record: Arc<str>) -> Answer {
    Ok(json_text(StatusCode::OK, Bytes::from_owner(Text(record))))
}

/// Says that the answer is that of the first request with this idempotency key.
pub(crate) const REPLAYED: &str = "idempotent-replayed";

/// 200 with the answer of a write, which is JSON text.
pub(crate) fn written(answered: Answered) -> Answer {
    answered_as("application/json", answered)
}

/// 202 with the answer of a write that is carried out later, which is JSON text.
pub(crate) fn accepted(answered: Answered) -> Answer {
    let mut response = answered_as("application/json", answered)?;
    *response.status_mut() = StatusCode::ACCEPTED;
    Ok(response)
}

/// 200 with the answer of a write, which is plain text.
pub(crate) fn written_text(answered: Answered) -> Answer {
    answered_as("text/plain; charset=utf-8", answered)
}

fn answered_as(media_type: &'static str, answered: Answered) -> Answer {
    let media_type = HeaderValue::from_static(media_type);
    let body = Body::from(Bytes::from_owner(Text(answered.text)));
    let mut response = (StatusCode::OK, [(header::CONTENT_TYPE, media_type)], body).into_response();
    if answered.replayed == Replayed::Yes {
        response.headers_mut().insert(HeaderName::from_static(REPLAYED), HeaderValue::from_static("true"));
    }
    Ok(response)
}

/// 200 with JSON text that was made here.
pub(crate) fn made(text: String) -> Answer {
    Ok(json_text(StatusCode::OK, text.into()))
}

/// 200 with the page of a list, where it keeps within so many bytes. One item alone always does: it can't be asked for in parts.
pub(crate) fn bounded_page(most: usize, items: usize, value: &impl Serialize) -> Answer {
    let mut text = Bounded { text: Vec::new(), most: if items > 1 { most } else { usize::MAX } };
    match serde_json::to_writer(&mut text, value) {
        Ok(()) => Ok(json_text(StatusCode::OK, text.text.into())),
        Err(error) if error.is_io() => Err(too_much(most)),
        Err(error) => Err(Failure::Internal(format!("answer can't be written: {error}"))),
    }
}

/// The same of items that are JSON texts: `around` makes the whole of their array.
pub(crate) fn page_of_texts<T: AsRef<str>>(most: usize, items: &[T], around: impl FnOnce(String) -> String) -> Answer {
    if items.len() > 1 && items.iter().map(|item| item.as_ref().len() + 1).sum::<usize>() > most {
        return Err(too_much(most));
    }
    made(around(array_text(items)))
}

fn too_much(most: usize) -> Failure {
    Failure::unreadable("limit", format!("the page would be larger than {most} bytes; ask for fewer items at once, such as limit=10"))
}

/// Takes no more than it may.
struct Bounded {
    text: Vec<u8>,
    most: usize,
}

impl std::io::Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.text.len() + bytes.len() > self.most {
            return Err(std::io::ErrorKind::FileTooLarge.into());
        }
        self.text.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A JSON array of texts that are JSON each, as they are.
fn array_text<T: AsRef<str>>(items: &[T]) -> String {
    let length = items.iter().map(|item| item.as_ref().len() + 1).sum::<usize>();
    let mut text = String::with_capacity(length + 2);
    text.push('[');
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        text.push_str(item.as_ref());
    }
    text.push(']');
    text
}

/// `value` as JSON, with a status of success.
pub(crate) fn json(status: StatusCode, value: &impl Serialize) -> Answer {
    match serde_json::to_vec(value) {
        Ok(text) => Ok(json_text(status, text.into())),
        Err(error) => Err(Failure::Internal(format!("answer can't be written: {error}"))),
    }
}

fn json_text(status: StatusCode, text: Bytes) -> Response {
    let json = HeaderValue::from_static("application/json");
    (status, [(header::CONTENT_TYPE, json)], Body::from(text)).into_response()
}

/// A record that is shared with a cache, as the bytes of a body.
struct Text(Arc<str>);

impl AsRef<[u8]> for Text {
    fn as_ref(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

/// The documented wording of a refusal; the inside of a failure of ours goes to the log under the same request id.
pub(crate) fn refusal(operation: &Operation, failure: &Failure, request_id: &RequestId) -> Response {
    match failure {
        Failure::Internal(inside) => {
            tracing::error!(operation = operation.name, request_id = %request_id, error = without_values(inside), "failed");
        }
        Failure::Misconfigured(what) => tracing::error!(operation = operation.name, request_id = %request_id, error = what, "failed"),
        _ => {}
    }
    let status = status(operation, failure);
    let lines = lines(failure, request_id);
    let mut response = match operation.error_body {
        ErrorBody::Errors => match failure {
            // Positions are texts wherever they are told.
            Failure::Forgotten { oldest } => body(status, &serde_json::json!({ "errors": lines, "oldest": oldest.to_string() })),
            _ => errors(status, &lines),
        },
        ErrorBody::Error => body(status, &serde_json::json!({ "error": lines.join("; ") })),
        ErrorBody::OAuth => oauth(status, failure, &lines),
    };
    let headers = response.headers_mut();
    match failure {
        Failure::Unauthenticated(_) if operation.error_body == ErrorBody::OAuth => {
            let challenge = HeaderValue::from_static(CLIENT_CHALLENGE);
            headers.insert(header::WWW_AUTHENTICATE, challenge);
        }
        Failure::Unauthenticated(_) => {
            for challenge in CHALLENGES.map(HeaderValue::from_static) {
                headers.append(header::WWW_AUTHENTICATE, challenge);
            }
        }
        Failure::Unavailable { retry_after, .. } | Failure::TooManyGuesses { retry_after } => {
            headers.insert(header::RETRY_AFTER, whole_seconds(*retry_after).into());
        }
        _ => {}
    }
    response
}

/// `{"errors": […]}`, the body of most errors.
pub(crate) fn errors(status: StatusCode, lines: &[String]) -> Response {
    body(status, &serde_json::json!({ "errors": lines }))
}

fn body(status: StatusCode, value: &serde_json::Value) -> Response {
    json_text(status, value.to_string().into())
}

/// RFC 6749, section 5.2.
fn oauth(status: StatusCode, failure: &Failure, lines: &[String]) -> Response {
    let code = match failure {
        Failure::Unauthenticated(_) => "invalid_client",
        Failure::Forbidden(_) => "unauthorized_client",
        Failure::UnsupportedGrant(_) => "unsupported_grant_type",
        Failure::Unavailable { .. } | Failure::TooManyGuesses { .. } => "temporarily_unavailable",
        Failure::Internal(_) => "server_error",
        _ => "invalid_request",
    };
    let description = lines.join("; ");
    let value = serde_json::json!({ "error": code, "error_description": description });
    unstored(body(status, &value))
}

/// Keeps what is secret out of caches, as RFC 6749 asks for.
pub(crate) fn unstored(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::PRAGMA, HeaderValue::from_static("no-cache"));
    response
}

/// The status of a failure. Where an operation lists only one of 400 and 422, it uses that one for both; where it lists
/// neither, only its path or query can be wrong, and that is 400.
fn status(operation: &Operation, failure: &Failure) -> StatusCode {
    let first_listed = |wanted: [StatusCode; 2]| {
        let listed = wanted.into_iter().find(|status| operation.lists(status.as_u16()));
        listed.unwrap_or(StatusCode::BAD_REQUEST)
    };
    match failure {
        Failure::Unreadable(_) | Failure::UnsupportedGrant(_) => first_listed([StatusCode::BAD_REQUEST, StatusCode::UNPROCESSABLE_ENTITY]),
        Failure::Invalid(_) => first_listed([StatusCode::UNPROCESSABLE_ENTITY, StatusCode::BAD_REQUEST]),
        Failure::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
        // A token request has no other status for it (RFC 6749 knows 400 and 401).
        Failure::MediaType(_) if operation.error_body == ErrorBody::OAuth => StatusCode::BAD_REQUEST,
        Failure::MediaType(_) => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        Failure::UnsupportedFile(_) => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        Failure::Unauthenticated(_) => StatusCode::UNAUTHORIZED,
        Failure::TooManyGuesses { .. } => StatusCode::TOO_MANY_REQUESTS,
        Failure::Forbidden(_) => StatusCode::FORBIDDEN,
        Failure::NotFound(_) => StatusCode::NOT_FOUND,
        Failure::Forgotten { .. } => StatusCode::GONE,
        Failure::Conflict(_) => StatusCode::CONFLICT,
        Failure::Unavailable { .. } => StatusCode::SERVICE_UNAVAILABLE,
        Failure::Misconfigured(_) | Failure::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

/// What is wrong, one line for each fault, each beginning with where.
fn lines(failure: &Failure, request_id: &RequestId) -> Vec<String> {
    let line = match failure {
        Failure::Unreadable(faults) | Failure::Invalid(faults) => {
            return faults.iter().map(Fault::to_string).collect();
        }
        Failure::MediaType(right) => format!("content-type: must be {right}"),
        Failure::Unauthenticated(text) | Failure::Forbidden(text) => text.clone(),
        Failure::TooManyGuesses { .. } => resolvers::wording::TOO_MANY_GUESSES.to_owned(),
        Failure::NotFound(text) => text.clone(),
        Failure::Forgotten { oldest } => resolvers::wording::forgotten(*oldest),
        Failure::Conflict(text) | Failure::TooLarge(text) | Failure::UnsupportedFile(text) => text.clone(),
        Failure::UnsupportedGrant(text) => format!("grant_type: {text}"),
        Failure::Unavailable { reason, .. } => format!("service: {reason}"),
        Failure::Misconfigured(what) => format!("service: {what}"),
        Failure::Internal(_) => {
            format!("service: failed inside; the request id for its operator is {request_id}")
        }
    };
    vec![line]
}

/// At least one: zero would be an invitation to come back at once.
fn whole_seconds(wait: Duration) -> u64 {
    let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    seconds.max(1)
}

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;

    use super::*;
    use crate::OPERATIONS;

    fn named(name: &str) -> &'static Operation {
        OPERATIONS.iter().find(|operation| operation.name == name).unwrap()
    }

    async fn refused(name: &str, failure: Failure) -> (u16, Response, String) {
        let id = RequestId(Arc::from("r1"));
        let (parts, body) = refusal(named(name), &failure, &id).into_parts();
        let body = to_bytes(body, usize::MAX).await.unwrap();
        let text = String::from_utf8(body.to_vec()).unwrap();
        (parts.status.as_u16(), Response::from_parts(parts, Body::empty()), text)
    }

    #[test]
    fn one_of_400_and_422_stands_for_both_where_only_one_is_listed() {
        let unreadable = Failure::unreadable("a", "b");
        let invalid = Failure::Invalid(vec![Fault::new("a", "b")]);
        let table = [("Add Actor", 400, 422), ("Add Account", 422, 422), ("Add Transaction", 400, 400), ("Get Actor Extended Info", 400, 400)];
        for (name, of_unreadable, of_invalid) in table {
            assert_eq!(status(named(name), &unreadable).as_u16(), of_unreadable, "{name}");
            assert_eq!(status(named(name), &invalid).as_u16(), of_invalid, "{name}");
        }
    }

    #[tokio::test]
    async fn bodies_are_worded_as_the_operation_documents() {
        let faults = vec![Fault::new("a[1].b", "is wrong"), Fault::new("", "is odd")];
        let (status, response, body) = refused("Add Actor", Failure::Invalid(faults)).await;
        assert_eq!((status, body.as_str()), (422, r#"{"errors":["a[1].b: is wrong","body: is odd"]}"#));
        assert_eq!(response.headers()[header::CONTENT_TYPE], "application/json");

        let gone = Failure::NotFound("no such relation".to_owned());
        let (status, _, body) = refused("Remove Actor from Account", gone).await;
        assert_eq!((status, body.as_str()), (404, r#"{"error":"no such relation"}"#));

        let nobody = Failure::Unauthenticated("unknown client".to_owned());
        let (status, response, body) = refused("Token request", nobody).await;
        let wanted = r#"{"error":"invalid_client","error_description":"unknown client"}"#;
        assert_eq!((status, body.as_str()), (401, wanted));
        assert_eq!(response.headers()[header::CACHE_CONTROL], "no-store");
        assert_eq!(response.headers()[header::WWW_AUTHENTICATE], CLIENT_CHALLENGE);
    }

    #[tokio::test]
    async fn headers_say_what_to_do_next() {
        let nobody = Failure::Unauthenticated("unknown key".to_owned());
        let (status, response, _) = refused("Get Actor", nobody).await;
        let challenges: Vec<_> = response.headers().get_all(header::WWW_AUTHENTICATE).iter().collect();
        assert_eq!(status, 401);
        assert_eq!(challenges, CHALLENGES);

        for (millis, seconds) in [(0, "1"), (1, "1"), (2000, "2"), (2001, "3")] {
            let retry_after = Duration::from_millis(millis);
            let busy = Failure::Unavailable { retry_after, reason: "busy" };
            let (status, response, _) = refused("Get Actor", busy).await;
            assert_eq!((status, &response.headers()[header::RETRY_AFTER]), (503, &HeaderValue::from_static(seconds)));
        }
    }

    #[tokio::test]
    async fn a_failure_of_ours_says_its_request_and_nothing_of_the_inside() {
        let inside = Failure::Internal("MATCH (n) failed".to_owned());
        let (status, _, body) = refused("Get Actor", inside).await;
        assert_eq!(status, 500);
        assert!(body.contains("r1") && !body.contains("MATCH"), "{body}");
    }

    #[tokio::test]
    async fn what_is_forgotten_is_told_with_the_position_to_begin_at() {
        let (status, _, body) = refused("Get Actor", Failure::Forgotten { oldest: 17 }).await;
        let body: serde_json::Value = serde_json::from_str(&body).unwrap();
        assert_eq!((status, &body["oldest"]), (410, &serde_json::json!("17")));
        assert!(body["errors"][0].as_str().unwrap().starts_with("after: "), "{body}");
    }

    #[test]
    fn a_page_keeps_within_its_bytes() {
        let items = ["\"aaaa\"", "\"bbbb\""];
        let values = ["aaaa", "bbbb"];
        for most in 0..20 {
            let fits = most >= "[\"aaaa\",\"bbbb\"]".len();
            assert_eq!(bounded_page(most, 2, &values).is_ok(), fits, "{most}");
            assert!(bounded_page(most, 1, &["aaaa"]).is_ok(), "one item is no page that could be smaller");
        }
        let refused = page_of_texts(10, &items, |array| array);
        assert!(matches!(refused, Err(Failure::Unreadable(faults)) if faults[0].to_string().starts_with("limit: ")));
        assert!(page_of_texts(10, &items[..1], |array| array).is_ok() && page_of_texts(20, &items, |array| array).is_ok());
    }

    #[test]
    fn arrays_are_made_of_texts_as_they_are() {
        assert_eq!(array_text::<&str>(&[]), "[]");
        assert_eq!(array_text(&[r#"{"a":1.50}"#, "2"]), r#"[{"a":1.50},2]"#);
    }
}
