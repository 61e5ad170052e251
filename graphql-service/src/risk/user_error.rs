//! Why something was not done about scores and their rules.

use async_graphql::{Enum, Result};
use graphql_http::user_error::{self, UserErrorOf};
use resolvers::Error;

/// Why something was not done.
pub type RiskUserError = UserErrorOf<RiskErrorCode>;

/// Why nothing was done.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum RiskErrorCode {
    /// There is no such actor.
    NotFound,
    /// The actor has no score, or the input breaks a rule.
    Invalid,
}

/// What the one who asked can do something about is a `userError`; all else is an error of the field.
pub fn user_errors(error: Error) -> Result<Vec<RiskUserError>> {
    user_error::user_errors(error, [RiskErrorCode::NotFound, RiskErrorCode::Invalid])
}
