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
