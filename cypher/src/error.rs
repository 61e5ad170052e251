//! What can go wrong with a statement, the same on both engines.

use crate::Statement;

/// A failed statement. The texts are for logs: nothing of them may reach a client.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// A uniqueness constraint said no. The transaction is gone.
    #[error("{statement}: constraint broken: {detail}")]
    Constraint { statement: &'static str, detail: String },
    /// Another transaction was in the way (deadlock, lost race). Nothing was written; the same again may succeed.
    #[error("{statement}: conflict: {detail}")]
    Conflict { statement: &'static str, detail: String },
    /// The statement was ended because its time was over; the database has stopped working on it.
    #[error("{statement}: time limit passed")]
    TimeLimit { statement: &'static str },
    /// The database can't be reached, does not answer, or can't store (a full disk). For a write the outcome is not known.
    #[error("{statement}: database unavailable: {detail}")]
    Unavailable { statement: &'static str, detail: String },
    /// The database refused the statement: a defect of ours.
    #[error("{statement}: rejected: {detail}")]
    Rejected { statement: &'static str, detail: String },
}

impl Error {
    pub(crate) fn unavailable(statement: Statement, detail: impl ToString) -> Self {
        Error::Unavailable { statement: statement.label, detail: detail.to_string() }
    }

    /// Whether running the same transaction again may succeed.
    pub fn is_conflict(&self) -> bool {
        matches!(self, Error::Conflict { .. })
    }

    /// Whether the fault may lie in one row of a batch, so that splitting the batch makes sense.
    pub fn is_of_a_row(&self) -> bool {
        matches!(self, Error::Constraint { .. } | Error::Rejected { .. } | Error::TimeLimit { .. })
    }
}
