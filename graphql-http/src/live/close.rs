//! Why the server closes a WebSocket.
//!
//! By the code the client `graphql-ws` decides whether it comes again: with 1001, 1012, 1013 it does, with 4400, 4401, 4406, 4409, 4429 and the other codes of
//! WebSocket itself (1002, 1007, 1009, 1011) it does not. Its own 4403, after which it tries wrong credentials again, is not used.

use axum::extract::ws::{CloseFrame, Message};

/// Bytes of a reason: a frame of control has 125, two of which are the code.
const REASON: usize = 123;

/// A code and what is told with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Close {
    pub code: u16,
    pub reason: String,
}

impl Close {
    /// A reason that is too long loses its end.
    fn new(code: u16, reason: impl Into<String>) -> Self {
        let mut reason = reason.into();
        reason.truncate(reason.floor_char_boundary(REASON));
        Self { code, reason }
    }

    /// The server stops; another may be there.
    pub fn going_away() -> Self {
        Self::new(1001, "the server stops: connect again")
    }

    /// What came is no WebSocket.
    pub fn broken() -> Self {
        Self::new(1002, "a frame breaks the rules of WebSockets (RFC 6455)")
    }

    pub fn no_text() -> Self {
        Self::new(1007, "a message of text must be UTF-8")
    }

    pub fn too_large(most: usize) -> Self {
        Self::new(1009, format!("a message has at most {most} bytes"))
    }

    /// It may be otherwise after a while.
    pub fn later(reason: impl Into<String>) -> Self {
        Self::new(1013, reason)
    }

    /// A message is not as the protocol has it.
    pub fn invalid(reason: impl Into<String>) -> Self {
        Self::new(4400, reason)
    }

    pub fn unauthorized(reason: impl Into<String>) -> Self {
        Self::new(4401, reason)
    }

    pub fn no_subprotocol() -> Self {
        Self::new(4406, "sec-websocket-protocol: must have graphql-transport-ws")
    }

    pub fn init_too_late(seconds: u64) -> Self {
        Self::new(4408, format!("no connection_init within {seconds} s"))
    }

    pub fn subscriber_exists(id: &str) -> Self {
        Self::new(4409, format!("Subscriber for {id} already exists"))
    }

    pub fn second_init() -> Self {
        Self::new(4429, "Too many initialisation requests")
    }

    pub fn too_many_of_caller(most: usize) -> Self {
        Self::new(4429, format!("too many connections of this caller: at most {most}"))
    }

    /// Whether the client may still be sending what is not read any more.
    pub fn is_of_unread(&self) -> bool {
        matches!(self.code, 1002 | 1007 | 1009)
    }

    pub fn message(&self) -> Message {
        Message::Close(Some(CloseFrame { code: self.code, reason: self.reason.as_str().into() }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_fits_its_frame() {
        let Close { code, reason } = Close::subscriber_exists(&"é".repeat(200));
        assert_eq!(code, 4409);
        assert!(reason.len() <= REASON && reason.starts_with("Subscriber for éé"), "{reason}");
    }
}
