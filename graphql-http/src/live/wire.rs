//! A WebSocket to which one message is written at a time, while others are heard.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::Error;
use axum::extract::ws::{Message, WebSocket};
use futures::{Sink, StreamExt};

use super::close::Close;

/// How long it may take until a client has closed, too.
const LAST_WORDS: Duration = Duration::from_secs(5);
/// How long a client may take to read why, which is still sending what is not read any more.
const LINGER: Duration = Duration::from_secs(1);

/// A socket, and whether something is on its way out.
pub struct Wire {
    socket: WebSocket,
    writing_since: Option<Instant>,
}

/// What a wire has to tell.
pub enum Progress {
    Heard(Message),
    /// What was written is out.
    Written,
    /// What came breaks the rules; what can be told is this.
    Broken(Close),
    /// The client is gone.
    Lost,
}

impl Wire {
    pub fn new(socket: WebSocket) -> Self {
        Self { socket, writing_since: None }
    }

    pub fn is_writing(&self) -> bool {
        self.writing_since.is_some()
    }

    /// How long the last message has been on its way.
    pub fn writes_for(&self) -> Duration {
        self.writing_since.map(|since| since.elapsed()).unwrap_or_default()
    }

    /// Writes a message. Only where nothing is being written: the socket has room then.
    pub fn write(&mut self, message: Message) -> Result<(), Error> {
        Pin::new(&mut self.socket).start_send(message)?;
        self.writing_since = Some(Instant::now());
        Ok(())
    }

    /// Goes on with what is written, and listens where the last thing heard has been dealt with. `most`: bytes of a message.
    pub fn poll(&mut self, context: &mut Context<'_>, may_hear: bool, most: usize) -> Poll<Progress> {
        if self.is_writing()
            && let Poll::Ready(outcome) = Pin::new(&mut self.socket).poll_flush(context)
        {
            self.writing_since = None;
            return Poll::Ready(outcome.map_or(Progress::Lost, |()| Progress::Written));
        }
        if !may_hear {
            return Poll::Pending;
        }
        self.socket.poll_next_unpin(context).map(|heard| match heard {
            Some(Ok(message)) => Progress::Heard(message),
            Some(Err(error)) => why(&error, most).map_or(Progress::Lost, Progress::Broken),
            None => Progress::Lost,
        })
    }

    /// Tells why the connection ends, and waits a little until the client has read it.
    pub async fn close(mut self, close: &Close) {
        let told = tokio::time::timeout(LAST_WORDS, async {
            if self.is_writing() {
                std::future::poll_fn(|context| Pin::new(&mut self.socket).poll_flush(context)).await?;
            }
            self.socket.send(close.message()).await?;
            // What else it says is of no use any more, but for its own end.
            while let Some(Ok(_)) = self.socket.next().await {}
            Ok::<(), Error>(())
        });
        if matches!(told.await, Ok(Ok(()))) && close.is_of_unread() {
            // With something unread the system would break the connection off, and the client would lose what it was told.
            tokio::time::sleep(LINGER).await;
        }
    }

    /// Answers a client that has closed.
    pub async fn closed(mut self) {
        let answered = async { while let Some(Ok(_)) = self.socket.next().await {} };
        // Whoever closes and does not read the answer loses nothing.
        let _ = tokio::time::timeout(LINGER, answered).await;
    }
}

/// What is told of an error of the library, by the beginning of its text: its type is that of a crate below axum, which axum does not show.
fn why(error: &Error, most: usize) -> Option<Close> {
    let text = error.to_string();
    if text.starts_with("Space limit exceeded") {
        return Some(Close::too_large(most));
    }
    if text.starts_with("UTF-8 encoding error") {
        return Some(Close::no_text());
    }
    (text.starts_with("WebSocket protocol error") && !text.contains("without closing")).then(Close::broken)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_wrongly_is_told_by_its_code() {
        for (text, code) in [
            ("Space limit exceeded: Message too long: 9 > 8", Some(1009)),
            ("UTF-8 encoding error: invalid utf-8 sequence", Some(1007)),
            ("WebSocket protocol error: Received an unmasked frame from client", Some(1002)),
            ("WebSocket protocol error: Connection reset without closing handshake", None),
            ("IO error: Connection reset by peer (os error 104)", None),
        ] {
            assert_eq!(why(&Error::new(text), 8).map(|close| close.code), code, "{text}");
        }
    }
}
