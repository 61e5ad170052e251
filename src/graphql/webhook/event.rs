//! Events: what happened to a case, as webhooks are told it.

use async_graphql::{Context, Error, ID, InputObject, Object, Result};
use graph_schema::date::Timestamp;
use graph_schema::json_text::JsonText;
use resolvers::explore::{EventFilter, EventSummary, ListFilter};

use super::super::case::CaseNode;
use super::super::connection::{graph_node, links, one};
use super::super::page::{cost, cost_of_filter};
use super::super::transaction::MOST_WORDS;
use super::super::walk::Shown;
use super::{DeliveryConnection, DeliveryFilterInput};

/// Something that happened, as webhooks are told it.
#[derive(Clone)]
pub struct EventNode(Shown<EventSummary>);

graph_node!(EventNode shows EventSummary);

/// Which events. All that is given must hold.
#[derive(InputObject, Default)]
#[graphql(name = "EventFilter")]
pub struct EventFilterInput {
    /// One of these.
    name: Option<Vec<String>>,
    /// Happened at this time or later.
    created_from: Option<Timestamp>,
    /// Happened at this time or earlier.
    created_to: Option<Timestamp>,
}

impl EventFilterInput {
    pub fn into_filter(self) -> Result<ListFilter> {
        let Self { name: names, created_from, created_to } = self;
        checked("name", EventFilter { names, created_from, created_to }).map(ListFilter::Events)
    }
}

/// What can't hold for any event is a mistake, and said to be one. `at` is what the filter calls the names.
pub(super) fn checked(at: &str, filter: EventFilter) -> Result<EventFilter> {
    not_too_many(at, filter.names.as_deref())?;
    if filter.created_from.zip(filter.created_to).is_some_and(|(from, to)| to < from) {
        return Err(Error::new("filter.createdTo: must not be before createdFrom"));
    }
    Ok(filter)
}

/// A list of what one must be of is short and not empty.
pub(super) fn not_too_many<T>(at: &str, list: Option<&[T]>) -> Result<()> {
    match list.map(<[T]>::len) {
        Some(0) => Err(Error::new(format!("filter.{at}: must name at least one; leave it out for all"))),
        Some(length) if length > MOST_WORDS => Err(Error::new(format!("filter.{at}: must name at most {MOST_WORDS}"))),
        _ => Ok(()),
    }
}

/// Something that happened, as webhooks are told it.
#[Object(name = "Event")]
impl EventNode {
    /// What deliveries of it have as `webhook-id`.
    pub async fn id(&self) -> ID {
        ID(self.0.at.id().to_owned())
    }

    /// An id that `node` takes, unique across all types.
    pub async fn node_id(&self) -> ID {
        ID(format!("Event:{}", self.0.at.id()))
    }

    /// Such as `case.created`.
    async fn name(&self) -> &str {
        self.0.at.name()
    }

    /// Its place among the events of its case, from 1 on; 0 where there was no case.
    async fn sequence(&self, context: &Context<'_>) -> Result<i64> {
        Ok(self.0.summary(context).await?.sequence)
    }

    async fn created_at(&self, context: &Context<'_>) -> Result<Timestamp> {
        Ok(self.0.summary(context).await?.created_at)
    }

    /// What is said of it, as the document has it for its name.
    async fn data(&self, context: &Context<'_>) -> Result<JsonText> {
        Ok(self.0.summary(context).await?.data.clone())
    }

    /// What it happened to; null where there is no such case, or it is of none.
    async fn case(&self, context: &Context<'_>) -> Result<Option<CaseNode>> {
        one(context, self).await
    }

    /// Who was told, or is to be told of it. For administrators.
    #[graphql(complexity = "cost(first, last, child_complexity) + cost_of_filter(&filter)")]
    #[allow(unused_variables, clippy::too_many_arguments)]
    async fn deliveries(
        &self,
        context: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
        filter: Option<DeliveryFilterInput>,
    ) -> Result<DeliveryConnection> {
        links(context, self).await
    }
}
