//! What is wrong with a CSV file: all that was found, each with its place, up to [`MOST_FAULTS`].

use std::fmt;

/// The most faults that are told.
pub const MOST_FAULTS: usize = 20;

#[derive(Debug, PartialEq, Eq)]
pub struct Faults {
    /// What the lines are.
    what: &'static str,
    faults: Vec<Fault>,
    /// Whether reading ended at the last of them.
    may_be_more: bool,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Fault {
    pub line: u64,
    /// The number of the column in the file, from one, and its name; `None` where the whole line is meant.
    pub column: Option<(usize, &'static str)>,
    pub problem: String,
}

impl Faults {
    /// The first of the faults that were found.
    pub fn new(what: &'static str, mut faults: Vec<Fault>, may_be_more: bool) -> Self {
        let may_be_more = may_be_more || faults.len() > MOST_FAULTS;
        faults.truncate(MOST_FAULTS);
        Self { what, faults, may_be_more }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.column {
            Some((number, name)) => write!(f, "line {}, column {number} ({name}): {}", self.line, self.problem),
            None => write!(f, "line {}: {}", self.line, self.problem),
        }
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the {} can't be read", self.what)?;
        for fault in &self.faults {
            write!(f, "\n  {fault}")?;
        }
        if self.may_be_more {
            write!(f, "\n  … there may be more: reading ended at the first {}", self.faults.len())?;
        }
        Ok(())
    }
}

impl std::error::Error for Faults {}
