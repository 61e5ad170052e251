//! What is wrong with a row. Never says a value: they are personal data.

use std::fmt::{self, Display};

use serde::de::{self, Expected, Unexpected};

/// Where something is wrong, and what.
#[derive(Debug)]
pub(super) struct Wrong {
    /// A column, and the place in it; empty while it is not known yet.
    at: String,
    problem: String,
}

impl Wrong {
    pub fn new(problem: impl Into<String>) -> Self {
        Self { at: String::new(), problem: problem.into() }
    }

    /// Seen from the row or map that has it under this name.
    pub fn within(self, name: &str) -> Self {
        let at = match self.at.chars().next() {
            None => name.to_owned(),
            Some('[') => format!("{name}{}", self.at),
            Some(_) => format!("{name}.{}", self.at),
        };
        Self { at, ..self }
    }

    /// Seen from the list that has it in this place.
    pub fn within_item(self, place: usize) -> Self {
        self.within(&format!("[{place}]"))
    }
}

impl Display for Wrong {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.at.as_str() {
            "" => write!(formatter, "a row is {}", self.problem),
            at => write!(formatter, "column {at} is {}", self.problem),
        }
    }
}

impl std::error::Error for Wrong {}

impl de::Error for Wrong {
    fn custom<T: Display>(problem: T) -> Self {
        Self::new(problem.to_string())
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::new(format!("{}, not {expected}", kind(found)))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::invalid_type(found, expected)
    }

    fn unknown_variant(_: &str, expected: &'static [&'static str]) -> Self {
        Self::new(format!("none of {}", expected.join(", ")))
    }
}

fn kind(found: Unexpected<'_>) -> &'static str {
    match found {
        Unexpected::Unit | Unexpected::Option => "null",
        Unexpected::Bool(_) => "a boolean",
        Unexpected::Signed(_) | Unexpected::Unsigned(_) => "an integer",
        Unexpected::Float(_) => "a float",
        Unexpected::Str(_) | Unexpected::Char(_) => "a text",
        Unexpected::Seq => "a list",
        Unexpected::Map => "a map",
        _ => "of another type",
    }
}
