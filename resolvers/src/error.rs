//! What an operation may answer instead of its result. Faces turn it into a status (REST) or an error (GraphQL), last of all.

use std::time::Duration;

use graph_schema::fault::{Fault, Unacceptable};

/// Why an operation was not done. Only [`Error::Internal`] and the log know anything of the inside.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// The request can't be read: 400.
    #[error("the request can't be read")]
    Unreadable(Vec<Fault>),
    /// It reads well but breaks the schema or a rule: 422, or 400 where the operation does not list 422.
    #[error("the request breaks a rule")]
    Invalid(Vec<Fault>),
    /// Credentials are missing or wrong: 401.
    #[error("{0}")]
    Unauthenticated(String),
    /// The credentials are right, but not for this: 403.
    #[error("{0}")]
    Forbidden(String),
    /// There is no such thing: 404.
    #[error("{0}")]
    NotFound(String),
    /// It would collide with something: 409.
    #[error("{0}")]
    Conflict(String),
    /// It can't be done with a case as it stands: 409.
    #[error("{0}")]
    CaseConflict(Box<crate::CaseConflict>),
    /// The database can't be used now, or too much is under way: 503. Whether a write was done is not known; sending it again is safe.
    #[error("the service can't answer now")]
    Unavailable { retry_after: Duration },
    /// A read took longer than it may.
    #[error("this took longer than it may; ask for less")]
    TimeLimit,
    /// A defect of ours; the text is for the log.
    #[error("internal error")]
    Internal(String),
}

/// The answer of an operation.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// One fault of a value.
    pub fn invalid(at: &str, problem: impl Into<String>) -> Self {
        Error::Invalid(vec![Fault::new(at, problem)])
    }
}

impl From<Unacceptable> for Error {
    fn from(unacceptable: Unacceptable) -> Self {
        match unacceptable {
            Unacceptable::Unreadable(faults) => Error::Unreadable(faults),
            Unacceptable::Invalid(faults) => Error::Invalid(faults),
        }
    }
}

impl From<cypher::Error> for Error {
    fn from(error: cypher::Error) -> Self {
        match error {
            cypher::Error::TimeLimit { .. } => Error::TimeLimit,
            cypher::Error::Unavailable { .. } | cypher::Error::OutcomeUnknown { .. } => {
                tracing::warn!(%error, "database unavailable");
                Error::Unavailable { retry_after: Duration::from_secs(2) }
            }
            cypher::Error::Conflict { .. } => {
                tracing::warn!(%error, "conflict that retries did not solve");
                Error::Unavailable { retry_after: Duration::from_secs(1) }
            }
            cypher::Error::Constraint { .. } | cypher::Error::Rejected { .. } => Error::Internal(error.to_string()),
        }
    }
}
