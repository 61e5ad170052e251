//! Lists of names as files, and the files that ask about names.
//!
//! Readers take bytes and give entries. What is wrong is told all at once, each with its line and column; nothing is read by halves.

mod columns;
mod sdn;
mod simple;

use crate::evidence::Facts;
use crate::name::Kind;

pub use columns::{Problem, Problems};
pub use sdn::{looks_like_sdn, read_sdn, read_sdn_aliases};
pub use simple::{Query, read_queries, read_simple};

/// Somebody or something on a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    pub id: String,
    /// As the list calls it: `Person`, `Vessel`.
    pub schema: String,
    /// The main name first, then the others.
    pub names: Vec<String>,
    pub facts: Facts,
}

impl Entry {
    pub fn kind(&self) -> Kind {
        Kind::of_schema(&self.schema)
    }
}

/// What was read, and what of it could not be used: a date that is none, say.
#[derive(Clone, Debug, PartialEq)]
pub struct Read<T> {
    pub items: Vec<T>,
    pub notes: Vec<Problem>,
}
