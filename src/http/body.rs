//! Reading a request's body whole, within bounds of size, time and memory, before anyone works on it.
//!
//! Every operation wants its body complete; reading it here means that a large or slow one is refused while it comes in, that no handler
//! has to think of it, and that a body in one piece (nearly all) is handed on without a copy.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::http::HeaderMap;
use axum::http::header::CONTENT_LENGTH;
use http_body_util::BodyExt;
use hyper::body::{Frame, SizeHint};
use rest_compat::BodyFault;

use super::memory::{FREE, Share};
use crate::config::Limits;
use crate::refusal::Refusal;

/// A sender that is still sending does not read. So what is refused is thrown away for a moment, and the refusal arrives ...
const LINGER: Duration = Duration::from_secs(2);
/// ... but no more of it than this: whoever sends fast must not have us read for two seconds at full speed.
const THROWN_AWAY: usize = 1 << 20;

/// How large a body may be, and how long it may take to come.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    pub bytes: usize,
    pub time: Duration,
}

impl Bounds {
    /// Those of the settings.
    pub fn of(limits: &Limits) -> Self {
        Self { bytes: limits.body, time: limits.body_time }
    }
}

/// How some programs begin a text in UTF-8: it says nothing, and is no part of it.
const MARK: &[u8] = b"\xEF\xBB\xBF";

/// The whole body, which is a text. It takes its memory from `share` while it comes.
pub async fn read(headers: &HeaderMap, mut body: Body, bounds: Bounds, share: &mut Share<'_>) -> Result<Bytes, Refusal> {
    if body.is_end_stream() {
        return Ok(Bytes::new());
    }
    let declared = declared(headers);
    if declared.is_some_and(|length| length > bounds.bytes as u64) {
        discard(body).await;
        return Err(Refusal::BodyTooLarge(bounds.bytes));
    }
    let most = declared.and_then(|length| usize::try_from(length).ok()).unwrap_or(bounds.bytes);
    let outcome = match tokio::time::timeout(bounds.time, collect(&mut body, bounds.bytes, most, share)).await {
        Ok(outcome) => outcome,
        Err(_) => Err(Refusal::BodyTooSlow(bounds.time)),
    };
    if matches!(outcome, Err(Refusal::BodyTooLarge(_) | Refusal::Busy)) {
        discard(body).await;
    }
    outcome.map(|body| if body.starts_with(MARK) { body.slice(MARK.len()..) } else { body })
}

/// `most`: what may come of it.
async fn collect(body: &mut Body, limit: usize, most: usize, share: &mut Share<'_>) -> Result<Bytes, Refusal> {
    let mut first = Bytes::new();
    let mut whole = Vec::new();
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame.map_err(broken)?.into_data() else { continue };
        let length = first.len() + whole.len() + data.len();
        if length > limit {
            return Err(Refusal::BodyTooLarge(limit));
        }
        share.grow_to(length)?;
        if first.is_empty() && whole.is_empty() {
            first = data;
        } else {
            // From the second piece on they are gathered in one place.
            make_room(&mut whole, length, most)?;
            whole.extend_from_slice(&std::mem::take(&mut first));
            whole.extend_from_slice(&data);
        }
    }
    Ok(if whole.is_empty() { first } else { whole.into() })
}

/// Room for so many bytes: for what is not counted, or at once for all that may come, of which the system gives only what is written to. So what is
/// there is never copied from one place to a larger one, for which both would be held.
fn make_room(whole: &mut Vec<u8>, length: usize, most: usize) -> Result<(), Refusal> {
    if length <= whole.capacity() {
        return Ok(());
    }
    let room = if length <= FREE { FREE.min(most.max(length)) } else { most.max(length) };
    whole.try_reserve_exact(room - whole.len()).map_err(|_| Refusal::Busy)
}

/// What was sent is not what it was said to be, or did not come.
fn broken(error: axum::Error) -> Refusal {
    BodyFault::below(&error).map_or(Refusal::BodyBroken, |problem| Refusal::Malformed(format!("body: {problem}")))
}

/// A body that a route reads while it comes. What the route leaves of it can be thrown away afterwards, so that the answer arrives.
#[derive(Clone, Default)]
pub struct Shared(Arc<Mutex<Body>>);

impl Shared {
    pub fn of(body: Body) -> Self {
        Self(Arc::new(Mutex::new(body)))
    }

    /// Reads on for a little what nobody wants, see [`discard`].
    pub async fn discard(self) {
        let rest = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        discard(rest).await;
    }
}

impl HttpBody for Shared {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner)).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).size_hint()
    }
}

fn declared(headers: &HeaderMap) -> Option<u64> {
    headers.get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// Reads on for a little without keeping anything, so that the sender comes to read the answer.
pub async fn discard(mut body: Body) {
    let rest = async {
        let mut left = THROWN_AWAY;
        while left > 0
            && let Some(Ok(frame)) = body.frame().await
        {
            left = left.saturating_sub(frame.data_ref().map_or(0, Bytes::len));
        }
    };
    // Whoever sends more, or for longer, may lose the answer with the connection.
    let _ = tokio::time::timeout(LINGER, rest).await;
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use futures::{StreamExt, stream};

    use super::super::memory::{FREE, Memory};
    use super::*;

    const TIME: Duration = Duration::from_millis(50);

    /// What reading up to four bytes comes to.
    async fn up_to_four(headers: &HeaderMap, body: Body) -> Result<Bytes, Refusal> {
        read(headers, body, Bounds { bytes: 4, time: TIME }, &mut Memory::new(1).share(None)).await
    }

    fn pieces(pieces: &[&'static str]) -> Body {
        let pieces: Vec<_> = pieces.iter().map(|piece| Ok::<_, std::io::Error>(Bytes::from_static(piece.as_bytes()))).collect();
        Body::from_stream(stream::iter(pieces))
    }

    #[tokio::test]
    async fn pieces_become_one() {
        let none = HeaderMap::new();
        assert_eq!(up_to_four(&none, Body::empty()).await, Ok(Bytes::new()));
        assert_eq!(up_to_four(&none, pieces(&["abcd"])).await, Ok(Bytes::from("abcd")));
        assert_eq!(up_to_four(&none, pieces(&["a", "b", "cd"])).await, Ok(Bytes::from("abcd")));
    }

    #[tokio::test]
    async fn a_mark_at_the_start_is_no_part_of_the_text() {
        let none = HeaderMap::new();
        assert_eq!(up_to_four(&none, pieces(&["\u{feff}a"])).await, Ok(Bytes::from("a")));
        assert_eq!(up_to_four(&none, pieces(&["\u{feff}", "a"])).await, Ok(Bytes::from("a")));
        assert_eq!(up_to_four(&none, pieces(&["a\u{feff}"])).await, Ok(Bytes::from("a\u{feff}")));
    }

    #[test]
    fn what_is_there_is_copied_once_at_most() {
        let (mut whole, mut places) = (Vec::new(), std::collections::BTreeSet::new());
        for _ in 0..1000 {
            let length = whole.len() + 1000;
            make_room(&mut whole, length, 2 << 20).expect("room");
            whole.resize(length, 0_u8);
            places.insert(whole.as_ptr() as usize);
        }
        assert!(places.len() <= 2, "{places:?}");
    }

    #[tokio::test]
    async fn what_is_too_large_too_slow_or_broken_is_refused() {
        let none = HeaderMap::new();
        assert_eq!(up_to_four(&none, pieces(&["abc", "de"])).await, Err(Refusal::BodyTooLarge(4)));
        let silent = stream::once(async { Ok::<_, std::io::Error>(Bytes::from("a")) }).chain(stream::pending());
        assert_eq!(up_to_four(&none, Body::from_stream(silent)).await, Err(Refusal::BodyTooSlow(TIME)));
        let broken = stream::iter([Err::<Bytes, _>(std::io::Error::other("gone"))]);
        assert_eq!(up_to_four(&none, Body::from_stream(broken)).await, Err(Refusal::BodyBroken));
        let declared = HeaderMap::from_iter([(CONTENT_LENGTH, "5".parse().expect("a header value"))]);
        assert_eq!(up_to_four(&declared, pieces(&["abcde"])).await, Err(Refusal::BodyTooLarge(4)));
    }

    /// So many pieces of 64 KiB, and how many of them were taken.
    fn flood(pieces: usize) -> (Body, Arc<AtomicUsize>) {
        let taken = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&taken);
        let stream = stream::iter(0..pieces).map(move |_| {
            counter.fetch_add(1, Ordering::Relaxed);
            Ok::<_, std::io::Error>(Bytes::from_static(&[0; 64 << 10]))
        });
        (Body::from_stream(stream), taken)
    }

    #[tokio::test]
    async fn little_of_what_is_refused_is_thrown_away() {
        let (body, taken) = flood(1000);
        discard(body).await;
        assert_eq!(taken.load(Ordering::Relaxed), 16);
    }

    #[tokio::test]
    async fn a_body_that_would_take_more_than_its_share_is_refused() {
        let memory = Memory::new(4 * FREE);
        let (body, taken) = flood(1000);
        let bounds = Bounds { bytes: usize::MAX, time: TIME };
        assert_eq!(read(&HeaderMap::new(), body, bounds, &mut memory.share(Some("a"))).await, Err(Refusal::Busy));
        assert_eq!(taken.load(Ordering::Relaxed), 17, "one is one too many, and a MiB is thrown away");
    }
}
