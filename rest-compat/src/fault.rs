//! Why a request is refused, before it is known how the operation at hand words that.

use std::time::Duration;

use axum::response::{IntoResponse, Response};
use graph_schema::fault::{Fault, Unacceptable};

use crate::wording;

/// Why a request is refused. What [`resolvers::Error`] says, and what only HTTP can get wrong.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Failure {
    /// The request can't be read.
    Unreadable(Vec<Fault>),
    /// It reads well but breaks the schema or a rule.
    Invalid(Vec<Fault>),
    /// The body, or a record in it, is larger than the service takes.
    TooLarge(String),
    /// The body is not of the media type that the operation takes; the text names the right one.
    MediaType(&'static str),
    /// A file is of a type that is not taken.
    UnsupportedFile(String),
    /// Credentials are missing or wrong.
    Unauthenticated(String),
    /// Too many wrong credentials came from this address.
    TooManyGuesses {
        retry_after: Duration,
    },
    /// Credentials are right, but not for this.
    Forbidden(String),
    NotFound(String),
    /// What comes behind a position of the change feed is kept no more; behind `oldest` all is.
    Forgotten {
        oldest: i64,
    },
    Conflict(String),
    /// The token request asks for a kind of grant that is not offered.
    UnsupportedGrant(String),
    /// Nothing is wrong with the request; the service can't serve it now.
    Unavailable {
        retry_after: Duration,
        reason: &'static str,
    },
    /// The service lacks a setting, or has a wrong one.
    Misconfigured(String),
    /// The service's own fault; the text is for the log only.
    Internal(String),
}

/// What is wrong with a body, where that shows only while it is read: the error of what reads it.
#[derive(Debug)]
pub struct BodyFault(pub &'static str);

impl std::fmt::Display for BodyFault {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.0)
    }
}

impl std::error::Error for BodyFault {}

impl BodyFault {
    /// What is wrong, where that is at the bottom of an error.
    pub fn below<'a>(error: &'a (dyn std::error::Error + 'static)) -> Option<&'a Self> {
        std::iter::successors(Some(error), |error| error.source()).find_map(|error| error.downcast_ref())
    }
}

/// How long to wait after what ran into its time limit: it will be as slow right away.
const AFTER_TIME_LIMIT: Duration = Duration::from_secs(5);

impl Failure {
    /// One fault of what can't be read.
    pub(crate) fn unreadable(at: impl Into<String>, problem: impl Into<String>) -> Self {
        Self::Unreadable(vec![Fault::new(at, problem)])
    }

    /// Both: all faults at once, when both are lists of faults; else the one that is not, since it comes first.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Invalid(mut faults), Self::Invalid(more)) => {
                faults.extend(more);
                Self::Invalid(faults)
            }
            (Self::Unreadable(mut faults) | Self::Invalid(mut faults), Self::Unreadable(more) | Self::Invalid(more)) => {
                faults.extend(more);
                Self::Unreadable(faults)
            }
            (Self::Unreadable(_) | Self::Invalid(_), graver) => graver,
            (graver, _) => graver,
        }
    }
}

impl From<Unacceptable> for Failure {
    fn from(unacceptable: Unacceptable) -> Self {
        match unacceptable {
            Unacceptable::Unreadable(faults) => Self::Unreadable(faults),
            Unacceptable::Invalid(faults) => Self::Invalid(faults),
        }
    }
}

impl From<resolvers::Error> for Failure {
    fn from(error: resolvers::Error) -> Self {
        match error {
            resolvers::Error::Unreadable(faults) => Self::Unreadable(faults),
            resolvers::Error::Invalid(faults) => Self::Invalid(faults),
            resolvers::Error::Unauthenticated(reason) => Self::Unauthenticated(resolvers::wording::unauthenticated(reason).to_owned()),
            resolvers::Error::TooManyGuesses { retry_after } => Self::TooManyGuesses { retry_after },
            resolvers::Error::Forbidden { roles, .. } => Self::Forbidden(resolvers::wording::forbidden(roles)),
            resolvers::Error::NotFound { kind, .. } => Self::NotFound(wording::not_found(kind).to_owned()),
            resolvers::Error::Forgotten { oldest } => Self::Forgotten { oldest },
            resolvers::Error::Conflict(conflict) => Self::Conflict(resolvers::wording::conflict(conflict).to_owned()),
            resolvers::Error::CaseConflict(conflict) => Self::Conflict(resolvers::wording::case_conflict(&conflict)),
            resolvers::Error::TooLarge(too_large) => Self::TooLarge(format!("body: {too_large}")),
            resolvers::Error::UnsupportedFile(fault) => Self::UnsupportedFile(format!("file: {fault}")),
            resolvers::Error::Unavailable { retry_after } => Self::Unavailable { retry_after, reason: wording::UNAVAILABLE },
            resolvers::Error::TooLong => Self::Unavailable { retry_after: AFTER_TIME_LIMIT, reason: wording::TOO_LONG },
            resolvers::Error::Misconfigured(text) => Self::Misconfigured(text),
            resolvers::Error::Internal(text) => Self::Internal(text),
        }
    }
}

/// A refusal on its way to the layer that words it, see [`crate::operation`].
impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let mut response = axum::http::StatusCode::INTERNAL_SERVER_ERROR.into_response();
        response.extensions_mut().insert(self);
        response
    }
}

/// Parts of a request that were read one by one, and whose faults are to be told all at once.
pub(crate) trait Together {
    /// All that was read.
    type Whole;
    /// All parts, or the faults of all of them.
    fn together(self) -> Result<Self::Whole, Failure>;
}

impl<A, B> Together for (Result<A, Failure>, Result<B, Failure>) {
    type Whole = (A, B);

    fn together(self) -> Result<(A, B), Failure> {
        match self {
            (Ok(a), Ok(b)) => Ok((a, b)),
            (Err(one), Err(other)) => Err(one.and(other)),
            (Err(one), Ok(_)) | (Ok(_), Err(one)) => Err(one),
        }
    }
}

impl<A, B, C> Together for (Result<A, Failure>, Result<B, Failure>, Result<C, Failure>) {
    type Whole = (A, B, C);

    fn together(self) -> Result<(A, B, C), Failure> {
        let (a, b, c) = self;
        let ((a, b), c) = ((a, b).together(), c).together()?;
        Ok((a, b, c))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_of_all_parts_are_told_and_the_unreadable_one_decides() {
        let invalid = |at: &str| Failure::Invalid(vec![Fault::new(at, "wrong")]);
        let parts: (Result<(), _>, Result<u8, _>, Result<(), _>) = (Err(invalid("a")), Ok(1), Err(Failure::unreadable("b", "wrong")));
        let whole = Failure::Unreadable(vec![Fault::new("a", "wrong"), Fault::new("b", "wrong")]);
        assert_eq!(parts.together(), Err(whole));

        let parts: (Result<(), _>, Result<(), _>) = (Err(invalid("a")), Err(invalid("b")));
        let whole = Failure::Invalid(vec![Fault::new("a", "wrong"), Fault::new("b", "wrong")]);
        assert_eq!(parts.together(), Err(whole));

        let too_large = || Failure::TooLarge("body".to_owned());
        let parts: (Result<(), _>, Result<(), _>) = (Err(invalid("a")), Err(too_large()));
        assert_eq!(parts.together(), Err(too_large()));
        assert_eq!((Ok(1), Ok(2)).together(), Ok((1, 2)));
    }
}
