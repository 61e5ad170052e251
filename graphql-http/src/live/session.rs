//! What a WebSocket's client may say when, and what comes of it: the protocol without its transport.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures::future::AbortHandle;
use serde_json::value::RawValue;

use super::close::Close;
use super::message::{self, Asked};

/// One client's state.
pub struct Session {
    phase: Phase,
    /// By their ids; one that is over is not in here, and its id may come again.
    operations: HashMap<Arc<str>, Operation>,
    /// The most operations at once.
    most: usize,
    /// Operations that have been begun.
    begun: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Before `connection_init`.
    Waiting,
    /// The credentials are being looked at.
    Introduced,
    Acknowledged,
    /// The server stops: what has been begun is finished, and nothing else is begun.
    Leaving,
}

struct Operation {
    number: u64,
    abort: AbortHandle,
    is_stream: Arc<AtomicBool>,
}

/// What is to be done for a message.
#[derive(Debug)]
pub enum Step<'a> {
    Nothing,
    /// Find out who it is, by this payload.
    Recognise(Option<&'a RawValue>),
    Pong(Option<&'a RawValue>),
    Begin {
        id: Arc<str>,
        payload: &'a RawValue,
    },
    /// There are too many operations for this one.
    TooMany {
        id: String,
    },
    Close(Close),
}

impl Session {
    pub fn new(most: usize) -> Self {
        Self { phase: Phase::Waiting, operations: HashMap::new(), most, begun: 0 }
    }

    /// Takes a message.
    pub fn hear<'a>(&mut self, text: &'a str) -> Step<'a> {
        match message::read(text) {
            Err(problem) => Step::Close(Close::invalid(problem)),
            Ok(Asked::Init(payload)) if self.phase == Phase::Waiting => {
                self.phase = Phase::Introduced;
                Step::Recognise(payload)
            }
            Ok(Asked::Init(_)) => Step::Close(Close::second_init()),
            Ok(Asked::Ping(payload)) => Step::Pong(payload),
            Ok(Asked::Pong) => Step::Nothing,
            Ok(Asked::Subscribe { id, payload }) => self.subscribe(id, payload),
            Ok(Asked::Complete { id }) => {
                // Of one that is over, or was never there, nothing is left to do.
                if let Some(operation) = self.operations.remove(id.as_str()) {
                    operation.abort.abort();
                }
                Step::Nothing
            }
        }
    }

    fn subscribe<'a>(&mut self, id: String, payload: &'a RawValue) -> Step<'a> {
        match self.phase {
            Phase::Waiting | Phase::Introduced => Step::Close(Close::unauthorized("Unauthorized: subscribe comes after connection_ack")),
            // The client asks again where it connects next.
            Phase::Leaving => Step::Nothing,
            Phase::Acknowledged if self.operations.contains_key(id.as_str()) => Step::Close(Close::subscriber_exists(&id)),
            Phase::Acknowledged if self.operations.len() >= self.most => Step::TooMany { id },
            Phase::Acknowledged => Step::Begin { id: id.into(), payload },
        }
    }

    /// Whether nothing has been said that lets the server find out who it is.
    pub fn is_waiting(&self) -> bool {
        self.phase == Phase::Waiting
    }

    /// Who it is has been found out.
    pub fn acknowledge(&mut self) {
        if self.phase == Phase::Introduced {
            self.phase = Phase::Acknowledged;
        }
    }

    /// Notes that an operation has been begun, and gives it a number that no other has. `is_stream` is told by the operation.
    pub fn begin(&mut self, id: Arc<str>, abort: AbortHandle, is_stream: Arc<AtomicBool>) -> u64 {
        self.begun += 1;
        self.operations.insert(id, Operation { number: self.begun, abort, is_stream });
        self.begun
    }

    /// Whether this operation still has its id: what one that is over has told is not passed on.
    pub fn is_under_way(&self, id: &str, number: u64) -> bool {
        self.operations.get(id).is_some_and(|operation| operation.number == number)
    }

    /// Notes that an operation is over.
    pub fn end(&mut self, id: &str) {
        self.operations.remove(id);
    }

    /// Ends all operations that give any number of results; the client is to ask for them elsewhere.
    pub fn leave(&mut self) {
        self.phase = Phase::Leaving;
        self.operations.retain(|_, operation| {
            let stays = !operation.is_stream.load(Ordering::Relaxed);
            if !stays {
                operation.abort.abort();
            }
            stays
        });
    }

    /// Whether the server stops.
    pub fn is_leaving(&self) -> bool {
        self.phase == Phase::Leaving
    }

    /// Whether the server stops, and nothing is left to be finished.
    pub fn has_left(&self) -> bool {
        // What was read only after the end had begun may be a stream, too.
        self.is_leaving() && self.operations.values().all(|operation| operation.is_stream.load(Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INIT: &str = r#"{"type":"connection_init"}"#;

    fn subscribe(id: &str) -> String {
        format!(r#"{{"type":"subscribe","id":"{id}","payload":{{"query":"subscription {{ a }}"}}}}"#)
    }

    fn complete(id: &str) -> String {
        format!(r#"{{"type":"complete","id":"{id}"}}"#)
    }

    fn acknowledged(most: usize) -> Session {
        let mut session = Session::new(most);
        assert!(matches!(session.hear(INIT), Step::Recognise(None)));
        session.acknowledge();
        session
    }

    fn begin(session: &mut Session, id: &str, is_stream: bool) -> (u64, AbortHandle) {
        let text = subscribe(id);
        let Step::Begin { id, .. } = session.hear(&text) else { panic!("{id} is not begun") };
        let abort = AbortHandle::new_pair().0;
        (session.begin(id, abort.clone(), Arc::new(AtomicBool::new(is_stream))), abort)
    }

    fn code(step: &Step<'_>) -> Option<u16> {
        match step {
            Step::Close(close) => Some(close.code),
            _ => None,
        }
    }

    #[test]
    fn each_fault_has_its_close_code() {
        let subscribe = subscribe("1");
        // What was said before, and what is said then.
        let table: [(&[&str], &str, Option<u16>); 10] = [
            (&[], "nonsense", Some(4400)),
            (&[], r#"{"type":"next","id":"1","payload":{}}"#, Some(4400)),
            (&[], &subscribe, Some(4401)),
            (&[INIT], &subscribe, Some(4401)),
            (&[INIT], INIT, Some(4429)),
            (&[INIT, "ack"], INIT, Some(4429)),
            (&[INIT, "ack", &subscribe], &subscribe, Some(4409)),
            (&[], r#"{"type":"ping"}"#, None),
            (&[], r#"{"type":"complete","id":"1"}"#, None),
            (&[INIT], r#"{"type":"pong"}"#, None),
        ];
        for (before, then, closed) in table {
            let mut session = Session::new(10);
            for text in before {
                if *text == "ack" {
                    session.acknowledge();
                    continue;
                }
                match session.hear(text) {
                    Step::Begin { id, .. } => assert_eq!(session.begin(id, AbortHandle::new_pair().0, Arc::default()), 1),
                    step => assert_eq!(code(&step), None, "{before:?}"),
                }
            }
            assert_eq!(code(&session.hear(then)), closed, "{before:?} {then}");
        }
    }

    #[test]
    fn an_id_is_free_again_when_its_operation_is_over() {
        let mut session = acknowledged(10);
        let (first, abort) = begin(&mut session, "1", true);
        assert!(session.is_under_way("1", first));
        assert!(matches!(session.hear(&complete("1")), Step::Nothing) && abort.is_aborted());
        assert!(matches!(session.hear(&complete("1")), Step::Nothing), "it may have crossed the server's own");
        let (second, _) = begin(&mut session, "1", true);
        assert!(!session.is_under_way("1", first) && session.is_under_way("1", second), "what the first still tells is not passed on");
        session.end("1");
        assert!(!session.is_under_way("1", second));
        begin(&mut session, "1", false);
    }

    #[test]
    fn operations_are_bounded() {
        let mut session = acknowledged(2);
        begin(&mut session, "1", true);
        begin(&mut session, "2", false);
        assert!(matches!(session.hear(&subscribe("3")), Step::TooMany { id } if id == "3"));
        session.hear(&complete("1"));
        begin(&mut session, "3", true);
    }

    #[test]
    fn a_server_that_stops_finishes_what_has_an_end() {
        let mut session = acknowledged(10);
        let (_, stream) = begin(&mut session, "1", true);
        let (query, other) = begin(&mut session, "2", false);
        session.leave();
        assert!(stream.is_aborted() && !other.is_aborted() && !session.has_left());
        assert!(session.is_under_way("2", query));
        assert!(matches!(session.hear(&subscribe("3")), Step::Nothing));
        session.end("2");
        assert!(session.has_left());
    }
}
