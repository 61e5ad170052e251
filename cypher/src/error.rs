//! What can go wrong with a statement, the same on both engines.

use crate::Statement;

/// A failed statement. The texts are for logs: nothing of them may reach a client, and no value of a record is in them ([`without_values`]).
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// A uniqueness constraint said no. The transaction is gone.
    #[error("{statement}: constraint broken: {detail}")]
    Constraint { statement: &'static str, detail: String },
    /// Another transaction was in the way (deadlock, lost race). Nothing was written; the same again may succeed.
    #[error("{statement}: conflict: {detail}")]
    Conflict { statement: &'static str, detail: String },
    /// It took longer than it may, although the database answers others. It is over there, with its locks, and nothing was written; only a statement that is a
    /// transaction of its own may have been committed at the last moment.
    #[error("{statement}: time limit passed")]
    TimeLimit { statement: &'static str },
    /// The database can't be reached, does not answer, or can't store (a full disk). Nothing was written.
    #[error("{statement}: database unavailable: {detail}")]
    Unavailable { statement: &'static str, detail: String },
    /// The same, but it was asked to commit: whether it did is not known. Before the same is tried again, look whether it is there.
    #[error("{statement}: database unavailable, and whether it has committed is not known: {detail}")]
    OutcomeUnknown { statement: &'static str, detail: String },
    /// The database refused the statement: a defect of ours.
    #[error("{statement}: rejected: {detail}")]
    Rejected { statement: &'static str, detail: String },
}

impl Error {
    pub(crate) fn unavailable(statement: Statement, detail: impl ToString) -> Self {
        Error::Unavailable { statement: statement.label, detail: without_values(&detail.to_string()) }
    }

    /// An answer that is not what the statement was to answer with: a defect of ours.
    pub fn rejected(statement: &'static str, detail: impl ToString) -> Self {
        Error::Rejected { statement, detail: without_values(&detail.to_string()) }
    }

    /// Whether running the same transaction again may succeed.
    pub fn is_conflict(&self) -> bool {
        matches!(self, Error::Conflict { .. })
    }

    /// Whether the fault may lie in one row of a batch, so that splitting the batch makes sense: a row that breaks a rule, or takes too long.
    pub fn is_of_a_row(&self) -> bool {
        matches!(self, Error::Constraint { .. } | Error::Rejected { .. } | Error::TimeLimit { .. })
    }

    /// Whether the database can't be used now, whatever became of what was asked.
    pub fn is_outage(&self) -> bool {
        matches!(self, Error::Unavailable { .. } | Error::OutcomeUnknown { .. })
    }
}

/// The longest text of an error that is told.
const MOST_TOLD: usize = 300;

/// What a library says of a fault, as far as it can hold no value of a record: up to where it begins to quote. Engines and parsers quote what
/// they were given (`already exists with property 'id' = 'ada'`), and a value may have quotes itself, so that its end can't be told.
pub fn without_values(text: &str) -> String {
    let end = text.char_indices().take(MOST_TOLD).find(|(_, char)| QUOTES.contains(char)).map(|(at, _)| at);
    let end = end.or_else(|| text.char_indices().nth(MOST_TOLD).map(|(at, _)| at));
    match end {
        Some(end) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

const QUOTES: [char; 9] = ['"', '\'', '`', '“', '”', '‘', '’', '«', '»'];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_quoted_is_not_told() {
        for (said, told) in [
            ("", ""),
            ("connection refused (os error 111)", "connection refused (os error 111)"),
            ("Node(12) already exists with label `Actor` and property `id` = 'O'Brien'", "Node(12) already exists with label …"),
            (r#"invalid type: string "Anna \"Ann\" Ek", expected i64 at line 1"#, "invalid type: string …"),
            ("unknown variant `Anna`, expected one of `A`, `B`", "unknown variant …"),
            ("«Anna» is not known", "…"),
        ] {
            assert_eq!(without_values(said), told);
        }
        let long = "å".repeat(MOST_TOLD + 1);
        assert_eq!(without_values(&long), format!("{}…", "å".repeat(MOST_TOLD)));
    }
}
