//! Reading a request's body whole, within bounds of size and time, before anyone works on it.
//!
//! Every operation wants its body complete; reading it here means that a large or slow one is refused while it comes in, that no handler
//! has to think of it, and that a body in one piece (nearly all) is handed on without a copy.

use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::http::HeaderMap;
use axum::http::header::CONTENT_LENGTH;
use bytes::BytesMut;
use http_body_util::BodyExt;

use crate::config::Limits;
use crate::refusal::Refusal;

/// A sender that is still sending does not read. So what is refused is thrown away for a moment, and the refusal arrives.
const LINGER: Duration = Duration::from_secs(2);

/// The whole body.
pub async fn read(headers: &HeaderMap, mut body: Body, limits: &Limits) -> Result<Bytes, Refusal> {
    if body.is_end_stream() {
        return Ok(Bytes::new());
    }
    if declared(headers).is_some_and(|length| length > limits.body as u64) {
        discard(body).await;
        return Err(Refusal::BodyTooLarge(limits.body));
    }
    let outcome = match tokio::time::timeout(limits.body_time, collect(&mut body, limits.body)).await {
        Ok(outcome) => outcome,
        Err(_) => Err(Refusal::BodyTooSlow(limits.body_time)),
    };
    if matches!(outcome, Err(Refusal::BodyTooLarge(_))) {
        discard(body).await;
    }
    outcome
}

async fn collect(body: &mut Body, limit: usize) -> Result<Bytes, Refusal> {
    let mut first = Bytes::new();
    let mut more = BytesMut::new();
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame.map_err(|_| Refusal::BodyBroken)?.into_data() else { continue };
        if first.len() + more.len() + data.len() > limit {
            return Err(Refusal::BodyTooLarge(limit));
        }
        if first.is_empty() && more.is_empty() {
            first = data;
        } else {
            // From the second piece on they are gathered in one place.
            more.extend_from_slice(&std::mem::take(&mut first));
            more.extend_from_slice(&data);
        }
    }
    Ok(if more.is_empty() { first } else { more.freeze() })
}

fn declared(headers: &HeaderMap) -> Option<u64> {
    headers.get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// Reads on without keeping anything, so that the sender comes to read the answer.
pub async fn discard(mut body: Body) {
    let rest = async { while let Some(Ok(_)) = body.frame().await {} };
    // Whoever sends for longer loses the answer with the connection.
    let _ = tokio::time::timeout(LINGER, rest).await;
}

#[cfg(test)]
mod tests {
    use futures::{StreamExt, stream};

    use super::*;

    fn limits(body: usize) -> Limits {
        let second = Duration::from_secs(1);
        let body_time = Duration::from_millis(50);
        Limits { body, body_time, header: 0, header_time: second, in_flight: 1, request_time: second }
    }

    fn pieces(pieces: &[&'static str]) -> Body {
        let pieces: Vec<_> = pieces.iter().map(|piece| Ok::<_, std::io::Error>(Bytes::from_static(piece.as_bytes()))).collect();
        Body::from_stream(stream::iter(pieces))
    }

    #[tokio::test]
    async fn pieces_become_one() {
        let none = HeaderMap::new();
        assert_eq!(read(&none, Body::empty(), &limits(4)).await, Ok(Bytes::new()));
        assert_eq!(read(&none, pieces(&["abcd"]), &limits(4)).await, Ok(Bytes::from("abcd")));
        assert_eq!(read(&none, pieces(&["a", "b", "cd"]), &limits(4)).await, Ok(Bytes::from("abcd")));
    }

    #[tokio::test]
    async fn what_is_too_large_too_slow_or_broken_is_refused() {
        let none = HeaderMap::new();
        assert_eq!(read(&none, pieces(&["abc", "de"]), &limits(4)).await, Err(Refusal::BodyTooLarge(4)));
        let silent = stream::once(async { Ok::<_, std::io::Error>(Bytes::from("a")) }).chain(stream::pending());
        assert_eq!(read(&none, Body::from_stream(silent), &limits(4)).await, Err(Refusal::BodyTooSlow(Duration::from_millis(50))));
        let broken = stream::iter([Err::<Bytes, _>(std::io::Error::other("gone"))]);
        assert_eq!(read(&none, Body::from_stream(broken), &limits(4)).await, Err(Refusal::BodyBroken));
        let declared = HeaderMap::from_iter([(CONTENT_LENGTH, "5".parse().expect("a header value"))]);
        assert_eq!(read(&declared, pieces(&["abcde"]), &limits(4)).await, Err(Refusal::BodyTooLarge(4)));
    }
}
