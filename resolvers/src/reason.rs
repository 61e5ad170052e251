//! The reason of an act, in the words of the person who does it.

use graph_schema::fault::Fault;
use graph_schema::identity::visible;

/// Characters of a reason.
const LONGEST: usize = 4_000;

/// That a reason can be seen, and is not too long.
pub fn reason_fault(reason: &str) -> Option<Fault> {
    let is_one = visible(reason).is_some() && reason.chars().count() <= LONGEST;
    (!is_one).then(|| Fault::new("reason", format!("must be 1 to {LONGEST} characters that can be seen")))
}

/// Characters of a comment.
const LONGEST_COMMENT: usize = 10_000;

/// The same of a comment.
pub fn comment_fault(comment: &str) -> Option<Fault> {
    let is_one = visible(comment).is_some() && comment.chars().count() <= LONGEST_COMMENT;
    (!is_one).then(|| Fault::new("comment", format!("must be 1 to {LONGEST_COMMENT} characters that can be seen")))
}

/// Characters of feedback.
const LONGEST_FEEDBACK: usize = 1_000;

/// The same of feedback.
pub fn feedback_fault(feedback: &str) -> Option<Fault> {
    let is_one = visible(feedback).is_some() && feedback.chars().count() <= LONGEST_FEEDBACK;
    (!is_one).then(|| Fault::new("feedback", format!("must be 1 to {LONGEST_FEEDBACK} characters that can be seen")))
}
