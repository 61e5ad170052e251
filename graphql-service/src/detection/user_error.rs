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

/// The most items of a list that one mutation acts on.
const MOST_ITEMS: usize = 500;

/// Why nothing is done of a list of so many items, where that is so.
pub fn refused_list(name: &str, items: usize) -> Option<DetectionUserError> {
    let message = format!("{name}: must name 1 to {MOST_ITEMS}");
    (!(1..=MOST_ITEMS).contains(&items)).then_some(DetectionUserError { code: DetectionErrorCode::Invalid, message })
}

/// What the one who asked can do something about is a `userError`; all else is an error of the field.
pub fn user_errors(error: Error) -> Result<Vec<DetectionUserError>> {
    refused::user_errors(error, [DetectionErrorCode::NotFound, DetectionErrorCode::Invalid], |code, message| DetectionUserError { code, message })
}
