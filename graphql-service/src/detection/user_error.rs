//! Why something was not done about detection.

use async_graphql::{Enum, Result};
use graphql_http::user_error::{self, UserErrorOf};
use resolvers::Error;

/// Why something was not done.
pub type DetectionUserError = UserErrorOf<DetectionErrorCode>;

/// Why something was not done.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum DetectionErrorCode {
    /// There is no such actor or observation.
    NotFound,
    /// The input breaks a rule.
    Invalid,
}

/// What the one who asked can do something about is a `userError`; all else is an error of the field.
pub fn user_errors(error: Error) -> Result<Vec<DetectionUserError>> {
    user_error::user_errors(error, [DetectionErrorCode::NotFound, DetectionErrorCode::Invalid])
}
