//! How large an answer may become, in bytes.
//!
//! Records and texts of people's own are what makes one large: each may be as large as a request's body, and a page has hundreds. They are counted as
//! they are read, so that the answer is given up before it is built; all else is counted as it is written.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use async_graphql::{Context, ContextBase, Error, ErrorExtensions, Result};
use graph_schema::custom_property::CustomProperties;
use graph_schema::json_object::JsonObject;
use graph_schema::json_text::JsonText;
use serde::Serialize;

use crate::error_body;

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

    /// Begins the next answer of a request that gets several.
    pub fn renew(&self) {
        self.left.store(self.most, Ordering::Relaxed);
        self.is_exceeded.store(false, Ordering::Relaxed);
    }

    /// Takes so many bytes of the answer under way; refused where there are not so many left.
    pub fn take<T>(context: &ContextBase<'_, T>, bytes: usize) -> Result<()> {
        // The operator of the store has no bounds.
        let Ok(budget) = context.data::<Self>() else { return Ok(()) };
        let taken = budget.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(bytes));
        taken.map(drop).map_err(|_| {
            budget.is_exceeded.store(true, Ordering::Relaxed);
            Error::new(too_much(budget.most)).extend_with(|_, extensions| extensions.set("code", CODE))
        })
    }

    /// A value that the answer under way gets, where it has room for it.
    pub fn counted<L: Large>(context: &Context<'_>, value: L) -> Result<L> {
        Self::take(context, value.bytes())?;
        Ok(value)
    }

    /// An answer as JSON, or what is answered in its place when it is too large: all of it, as a part would be taken for the whole.
    pub fn written(&self, answer: &impl Serialize) -> serde_json::Result<Vec<u8>> {
        if self.is_exceeded.load(Ordering::Relaxed) { refusal(self.most) } else { written(answer, self.most) }
    }
}

/// What may be large.
pub trait Large {
    /// How many bytes of an answer it is, about: as a text, without what is put around it.
    fn bytes(&self) -> usize;
}

impl Large for String {
    fn bytes(&self) -> usize {
        self.len()
    }
}

impl Large for JsonObject {
    fn bytes(&self) -> usize {
        self.as_str().len()
    }
}

impl Large for JsonText {
    fn bytes(&self) -> usize {
        self.as_str().len()
    }
}

impl Large for CustomProperties {
    fn bytes(&self) -> usize {
        self.iter().map(|(name, value)| name.len() + value.bytes()).sum()
    }
}

impl<L: Large> Large for Option<L> {
    fn bytes(&self) -> usize {
        self.as_ref().map_or(0, L::bytes)
    }
}

impl<L: Large> Large for Vec<L> {
    fn bytes(&self) -> usize {
        self.iter().map(L::bytes).sum()
    }
}

fn too_much(most: usize) -> String {
    format!("the answer would be larger than {most} bytes; ask for smaller pages (first: 5), or for less of each item")
}

fn refusal(most: usize) -> serde_json::Result<Vec<u8>> {
    serde_json::to_vec(&error_body(CODE, &too_much(most)))
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
    use async_graphql::{EmptyMutation, EmptySubscription, Object, Request, Schema};

    use super::*;

    struct Query;

    #[Object]
    impl Query {
        async fn text(&self, context: &Context<'_>, length: usize) -> Result<Option<String>> {
            AnswerBudget::counted(context, Some("x".repeat(length)))
        }
    }

    #[tokio::test]
    async fn what_is_large_is_counted_before_it_is_written() {
        let schema = Schema::new(Query, EmptyMutation, EmptySubscription);
        for (document, fits) in [("{ a: text(length: 6) b: text(length: 4) }", true), ("{ a: text(length: 6) b: text(length: 5) }", false)] {
            let budget = AnswerBudget::of(10);
            let answer = schema.execute(Request::new(document).data(budget.clone())).await;
            assert_eq!(answer.errors.is_empty(), fits, "{document}: {:?}", answer.errors);
            assert_eq!(budget.is_exceeded.load(Ordering::Relaxed), !fits, "{document}");
        }
    }

    #[test]
    fn values_are_as_large_as_their_texts() {
        let object = r#"{"a":[1,2]}"#;
        assert_eq!(JsonObject::parse(object).bytes(), object.len());
        assert_eq!(JsonText::parse(object).bytes(), object.len());
        assert_eq!(CustomProperties::of_text(r#"{"c__a":"xyz"}"#).bytes(), "c__a".len() + "\"xyz\"".len());
        assert_eq!((vec!["ab".to_owned(), "c".to_owned()].bytes(), None::<String>.bytes()), (3, 0));
    }

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
