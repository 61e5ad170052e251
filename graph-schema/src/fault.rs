//! What is wrong with a request, said so that its sender can repair all of it at once.

use std::fmt;

/// One thing that is wrong, and where.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fault {
    /// JSON path of the value (`addresses[1].country`), or `body` for the whole.
    pub at: String,
    /// What is wrong and what would be right.
    pub problem: String,
}

impl Fault {
    /// A fault at `at`; an empty path means the whole body.
    pub fn new(at: impl Into<String>, problem: impl Into<String>) -> Self {
        let at = at.into();
        let at = if at.is_empty() { "body".to_owned() } else { at };
        Self { at, problem: problem.into() }
    }

    /// The same fault seen from the value that contains it: `prefix` is the path of what was read.
    pub(crate) fn within(self, prefix: &str) -> Self {
        let at = match self.at.as_str() {
            "body" => prefix.to_owned(),
            inner if inner.starts_with('[') => format!("{prefix}{inner}"),
            inner => join(prefix, inner),
        };
        Self::new(at, self.problem)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.at, self.problem)
    }
}

/// Why a body was not taken. The two are answered with different statuses.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unacceptable {
    /// Not JSON, or not UTF-8: nothing could be read.
    #[error("unreadable: {}", listed(.0))]
    Unreadable(Vec<Fault>),
    /// It reads well but breaks the schema or a rule.
    #[error("invalid: {}", listed(.0))]
    Invalid(Vec<Fault>),
}

impl Unacceptable {
    /// All faults, whichever kind it is.
    pub fn faults(&self) -> &[Fault] {
        match self {
            Self::Unreadable(faults) | Self::Invalid(faults) => faults,
        }
    }
}

/// The path of `name` inside `parent`.
pub(crate) fn join(parent: &str, name: &str) -> String {
    if parent.is_empty() { name.to_owned() } else { format!("{parent}.{name}") }
}

fn listed(faults: &[Fault]) -> String {
    let texts: Vec<String> = faults.iter().map(ToString::to_string).collect();
    texts.join("; ")
}
