//! Why something was not done about detection.

use async_graphql::{Enum, Result, SimpleObject};
use graphql_http::refused;
use resolvers::Error;

/// Why something was not done.
#[derive(SimpleObject)]
pub struct DetectionUserError {
    /// The kind of error, for programs.
    code: DetectionErrorCode,
    /// The error in a sentence, with the path of the input field where one is wrong.
    message: String,
}

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
    refused::user_errors(error, [DetectionErrorCode::NotFound, DetectionErrorCode::Invalid], |code, message| DetectionUserError { code, message })
}
