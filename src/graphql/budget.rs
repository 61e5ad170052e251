//! How large an answer may become, in bytes.
//!
//! Records are what makes one large: each may be as large as a request's body, and a page has hundreds. They are counted as they are read, so that
//! the answer is given up before it is built; all else is counted as it is written.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use async_graphql::{Context, Error, ErrorExtensions, Result};
use serde::Serialize;

const CODE: &str = "TOO_LARGE";

/// What is left of one request's answer. Cheap to clone; all clones share.
#[derive(Clone)]
pub struct AnswerBudget {
    most: usize,
    left: Arc<AtomicUsize>,
    is_exceeded: Arc<AtomicBool>,
}

impl AnswerBudget {
    pub fn of(most: usize) -> Self {
        Self { most, left: Arc::new(AtomicUsize::new(most)), is_exceeded: Arc::default() }
    }

    /// Takes so many bytes of the answer under way; refused where there are not so many left.
    pub fn take(context: &Context<'_>, bytes: usize) -> Result<()> {
        // The operator of the store has no bounds.
        let Ok(budget) = context.data::<Self>() else { return Ok(()) };
        let taken = budget.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(bytes));
        taken.map(drop).map_err(|_| {
            budget.is_exceeded.store(true, Ordering::Relaxed);
            Error::new(too_much(budget.most)).extend_with(|_, extensions| extensions.set("code", CODE))
        })
    }

    /// An answer as JSON, or what is answered in its place when it is too large: all of it, as a part would be taken for the whole.
    pub fn written(&self, answer: &impl Serialize) -> serde_json::Result<Vec<u8>> {
        if self.is_exceeded.load(Ordering::Relaxed) { refusal(self.most) } else { written(answer, self.most) }
    }
}

fn too_much(most: usize) -> String {
    format!("the answer would be larger than {most} bytes; ask for smaller pages (first: 5), or for less of each item")
}

fn refusal(most: usize) -> serde_json::Result<Vec<u8>> {
    serde_json::to_vec(&serde_json::json!({"errors": [{"message": too_much(most), "extensions": {"code": CODE}}]}))
}

fn written(answer: &impl Serialize, most: usize) -> serde_json::Result<Vec<u8>> {
    let mut text = Bounded { text: Vec::new(), most };
    match serde_json::to_writer(&mut text, answer) {
        Err(error) if error.is_io() => refusal(most),
        written => written.map(|()| text.text),
    }
}

/// Takes no more than it may.
struct Bounded {
    text: Vec<u8>,
    most: usize,
}

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.text.len() + bytes.len() > self.most {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.text.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_is_too_large_says_what_to_ask_for() {
        let answer = serde_json::json!({"data": {"a": "0123456789"}});
        let whole = answer.to_string();
        assert_eq!(written(&answer, whole.len()).expect("JSON"), whole.as_bytes());
        let refused: serde_json::Value = serde_json::from_slice(&written(&answer, whole.len() - 1).expect("JSON")).expect("JSON");
        assert_eq!(refused["errors"][0]["extensions"]["code"], CODE);
        assert!(refused.get("data").is_none());
    }
}
