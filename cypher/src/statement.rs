//! A statement: one `.cypher` file, known by its place below `statements/`.
//!
//! The file's header says what it is for, which parameters it takes and which columns it answers with. The label (`transaction/record`) names
//! the statement in metrics, logs and errors. The catalogue of all statements is in [`crate::statements`].

use std::ops::Deref;
use std::sync::Arc;

use crate::{Error, Row};

/// One Cypher statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Statement {
    /// Its path below `statements/` without the ending.
    pub label: &'static str,
    /// Its text, header included.
    pub text: &'static str,
}

impl Statement {
    /// A statement of a given label and text; used by the catalogue and by tests.
    pub const fn new(label: &'static str, text: &'static str) -> Self {
        Self { label, text }
    }

    /// The `id` of a row: what a statement answers with that was asked for several things at once.
    pub fn id_of(self, row: &Row) -> Result<&str, Error> {
        row.get("id").as_text().ok_or_else(|| Error::rejected(self.label, "column id is missing or no text"))
    }
}

/// The text of a statement: one of ours as it stands in its file, one that was composed, or one that came as data.
#[derive(Debug, Clone)]
pub(crate) enum Text {
    Kept(&'static str),
    Composed(Arc<str>),
    Loaded(Arc<str>),
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Self::Kept(text) => text,
            Self::Composed(text) | Self::Loaded(text) => text,
        }
    }
}

/// A statement that only writes: it takes `$rows` and answers with nothing. At its end it has `trail/append`, and takes the parameters of that
/// too, so that the last statement of a transaction leaves behind what the transaction has to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct WriteStatement(Statement);

impl WriteStatement {
    /// A statement whose text ends with that of `trail/append`; for the catalogue.
    pub(crate) const fn new(label: &'static str, text: &'static str) -> Self {
        Self(Statement::new(label, text))
    }

    pub const fn label(self) -> &'static str {
        self.0.label
    }

    pub const fn statement(self) -> Statement {
        self.0
    }
}
