//! How much of a form its reader gets at once.
//!
//! The reader of forms takes all that is there, and keeps what stands before a boundary and in the head of a part until it has found their ends. So it
//! gets one piece at a time, and of all that is no content not more than a bound.

use std::{
    pin::Pin,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll},
};

use axum::body::{BodyDataStream, Bytes};
use futures::{Stream, StreamExt};

use crate::fault::BodyFault;

/// The most bytes before a boundary, and of a part's head.
pub(super) const AROUND: usize = 64 << 10;
/// A piece of what may be a head. Content that comes with it counts as head; so it is small.
const PIECE: usize = 4 << 10;
/// Content is not bounded here.
const CONTENT: usize = usize::MAX;

/// What the reader of a form is at.
pub(super) struct Pace {
    /// So much of what is no content may come yet.
    left: AtomicUsize,
    problem: Mutex<Option<String>>,
}

impl Default for Pace {
    fn default() -> Self {
        Self { left: AtomicUsize::new(AROUND), problem: Mutex::default() }
    }
}

impl Pace {
    /// A boundary is looked for, or the end of a head.
    pub(super) fn heading(&self) {
        self.left.store(AROUND, Ordering::Relaxed);
    }

    /// A part's content is read.
    pub(super) fn content(&self) {
        self.left.store(CONTENT, Ordering::Relaxed);
    }

    /// Why no more of the form was given out.
    pub(super) fn problem(&self) -> Option<String> {
        self.problem.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn stop(&self, problem: String) {
        *self.problem.lock().unwrap_or_else(PoisonError::into_inner) = Some(problem);
    }

    /// How many of so many bytes may be given out now.
    fn take(&self, there: usize) -> usize {
        let left = self.left.load(Ordering::Relaxed);
        if left == CONTENT {
            return there;
        }
        let taken = there.min(left).min(PIECE);
        self.left.store(left - taken, Ordering::Relaxed);
        taken
    }
}

/// A form's body, in pieces.
pub(super) struct Paced {
    body: BodyDataStream,
    /// What came and was not given out yet.
    piece: Bytes,
    pace: Arc<Pace>,
    /// Whether the reader has just got one.
    given: bool,
}

impl Paced {
    pub(super) fn new(body: BodyDataStream, pace: Arc<Pace>) -> Self {
        Self { body, piece: Bytes::new(), pace, given: false }
    }
}

impl Stream for Paced {
    type Item = Result<Bytes, axum::BoxError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if std::mem::take(&mut self.given) {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        while self.piece.is_empty() {
            match futures::ready!(self.body.poll_next_unpin(context)) {
                Some(Ok(piece)) => self.piece = piece,
                Some(Err(error)) => {
                    if let Some(BodyFault(problem)) = BodyFault::below(&error) {
                        self.pace.stop((*problem).to_owned());
                    }
                    return Poll::Ready(Some(Err(error.into())));
                }
                None => return Poll::Ready(None),
            }
        }
        let taken = self.pace.take(self.piece.len());
        if taken == 0 {
            self.pace.stop(format!("must be a form: before each boundary, and in the head of a part, there may be at most {AROUND} bytes"));
            return Poll::Ready(Some(Err("too much before a boundary".into())));
        }
        self.given = true;
        Poll::Ready(Some(Ok(self.piece.split_to(taken))))
    }
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use futures::stream;

    use super::*;

    fn paced(pieces: usize, length: usize) -> (Paced, Arc<Pace>) {
        let pieces = (0..pieces).map(move |_| Ok::<_, std::io::Error>(Bytes::from(vec![b'x'; length])));
        let pace = Arc::new(Pace::default());
        (Paced::new(Body::from_stream(stream::iter(pieces)).into_data_stream(), Arc::clone(&pace)), pace)
    }

    #[tokio::test]
    async fn what_is_no_content_is_bounded() {
        let (mut body, pace) = paced(100, 1 << 20);
        let mut given = 0;
        while let Some(Ok(piece)) = body.next().await {
            assert!(piece.len() <= PIECE);
            given += piece.len();
        }
        assert_eq!(given, AROUND);
        assert!(pace.problem().is_some_and(|problem| problem.contains("65536")));
    }

    #[tokio::test]
    async fn content_comes_as_it_is_and_a_piece_at_a_time() {
        let (mut body, pace) = paced(3, 1 << 20);
        pace.content();
        let mut context = Context::from_waker(std::task::Waker::noop());
        for _ in 0..3 {
            assert!(matches!(body.poll_next_unpin(&mut context), Poll::Ready(Some(Ok(piece))) if piece.len() == 1 << 20));
            assert!(body.poll_next_unpin(&mut context).is_pending());
        }
        assert!(body.next().await.is_none() && pace.problem().is_none());
    }
}
