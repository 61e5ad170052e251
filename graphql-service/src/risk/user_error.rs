//! Why something was not done about scores and their rules.

use async_graphql::{Enum, Result, SimpleObject};
use graphql_http::refused;
use resolvers::Error;

/// Why nothing was done.
#[derive(SimpleObject)]
pub struct RiskUserError {
    /// The kind of error, for programs.
    code: RiskErrorCode,
    /// The error in a sentence, with the path of the input field where one is wrong.
    message: String,
}

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
    refused::user_errors(error, [RiskErrorCode::NotFound, RiskErrorCode::Invalid], |code, message| RiskUserError { code, message })
}
