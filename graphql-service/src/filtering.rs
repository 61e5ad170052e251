//! What the filters and orders of all lists share.

use async_graphql::{Enum, Error, Result};
use graph_schema::date::Timestamp;
use resolvers::explore;

/// Up or down.
#[derive(Enum, Clone, Copy, PartialEq, Eq)]
#[graphql(remote = "explore::SortDirection")]
pub enum SortDirection {
    /// The smallest or oldest first.
    #[graphql(name = "ASC")]
    Ascending,
    /// The largest or newest first.
    #[graphql(name = "DESC")]
    Descending,
}

/// The most words of one filter: it is kept for every node at which it is asked.
const MOST_WORDS: usize = 100;

/// A list of what one must be of is short and not empty, where it is given: `length` of the member `at` of a filter.
pub fn not_too_many(at: &str, length: Option<usize>) -> Result<()> {
    match length {
        Some(0) => Err(Error::new(format!("filter.{at}: must name at least one; leave it out for all"))),
        Some(length) if length > MOST_WORDS => Err(Error::new(format!("filter.{at}: must name at most {MOST_WORDS}"))),
        _ => Ok(()),
    }
}

/// The values of a member, or of the one in whose place it is.
pub fn one_of<T>((name, values): (&str, Option<Vec<T>>), (former, former_values): (&str, Option<Vec<T>>)) -> Result<Option<Vec<T>>> {
    not_too_many(name, values.as_ref().map(Vec::len))?;
    not_too_many(former, former_values.as_ref().map(Vec::len))?;
    match (values, former_values) {
        (Some(_), Some(_)) => Err(Error::new(format!("filter.{former}: give {name} alone, which is in its place"))),
        (values, former_values) => Ok(values.or(former_values)),
    }
}

/// The last moment of a span of two members of a filter, such as `createdFrom` and `createdTo`. The first one is included and the second one is not, which a
/// list says as the moment before: times are of whole milliseconds. A span without a moment is a mistake.
pub fn end_of_span((from_name, from): (&str, Option<Timestamp>), (to_name, to): (&str, Option<Timestamp>)) -> Result<Option<Timestamp>> {
    match from.zip(to) {
        Some((from, to)) if from >= to => Err(Error::new(format!("filter.{to_name}: must be later than {from_name}"))),
        _ => Ok(to.map(|to| Timestamp(to.millis().saturating_sub(1)))),
    }
}
