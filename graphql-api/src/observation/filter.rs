//! Which observations, feedback and signals.

use async_graphql::{Error, InputObject, Result};
use graph_schema::date::{Date, Timestamp};
use graph_schema::id::ActorId;
use graph_schema::observation::ObservationType;
use resolvers::explore::{FeedbackFilter, ListFilter, ObservationFilter, SignalFilter};

use super::super::transaction::MOST_WORDS;

/// Which observations. All that is given must hold.
#[derive(InputObject, Default)]
#[graphql(name = "ObservationFilter")]
pub struct ObservationFilterInput {
    /// One of these.
    #[graphql(name = "type")]
    types: Option<Vec<ObservationType>>,
    /// One of these.
    behavior_id: Option<Vec<String>>,
    /// Made at this time or later.
    from: Option<Timestamp>,
    /// Made before this time.
    to: Option<Timestamp>,
    /// About this actor.
    actor_id: Option<ActorId>,
}

/// No behavior's id is longer.
const LONGEST_BEHAVIOR: usize = 256;

impl ObservationFilterInput {
    /// What can't hold for any observation is a mistake, and said to be one.
    pub fn into_filter(self) -> Result<ListFilter> {
        let wrong = |name: &str, problem: &str| Err(Error::new(format!("filter.{name}: {problem}")));
        if self.from.zip(self.to).is_some_and(|(from, to)| from >= to) {
            return wrong("to", "must be later than from");
        }
        for (name, length) in [("type", self.types.as_ref().map(Vec::len)), ("behaviorId", self.behavior_id.as_ref().map(Vec::len))] {
            match length {
                Some(0) => return wrong(name, "must name at least one; leave it out for all"),
                Some(length) if length > MOST_WORDS => return wrong(name, &format!("must name at most {MOST_WORDS}")),
                _ => {}
            }
        }
        if self.behavior_id.iter().flatten().any(|id| id.len() > LONGEST_BEHAVIOR) {
            return wrong("behaviorId", &format!("must be of at most {LONGEST_BEHAVIOR} bytes each"));
        }
        let Self { types, behavior_id: behaviors, from, to, actor_id: actor } = self;
        Ok(ListFilter::Observations(ObservationFilter { types, behaviors, from, to, actor }))
    }
}

/// Which feedback. All that is given must hold.
#[derive(InputObject, Default)]
#[graphql(name = "ObservationFeedbackFilter")]
pub struct FeedbackFilterInput {
    /// Given at this time or later.
    from: Option<Timestamp>,
    /// Given at this time or earlier.
    to: Option<Timestamp>,
}

impl FeedbackFilterInput {
    pub fn into_filter(self) -> Result<ListFilter> {
        in_order(self.from, self.to)?;
        Ok(ListFilter::Feedback(FeedbackFilter { from: self.from, to: self.to }))
    }
}

/// Which suppressed signals. All that is given must hold.
#[derive(InputObject, Default)]
#[graphql(name = "SuppressedSignalFilter")]
pub struct SignalFilterInput {
    /// Reviewed on this day or later.
    from: Option<Date>,
    /// Reviewed on this day or earlier.
    to: Option<Date>,
}

impl SignalFilterInput {
    pub fn into_filter(self) -> Result<ListFilter> {
        in_order(self.from, self.to)?;
        Ok(ListFilter::Signals(SignalFilter { from: self.from, to: self.to }))
    }
}

fn in_order<T: PartialOrd>(from: Option<T>, to: Option<T>) -> Result<()> {
    match from.zip(to) {
        Some((from, to)) if to < from => Err(Error::new("filter.to: must not be before from")),
        _ => Ok(()),
    }
}
