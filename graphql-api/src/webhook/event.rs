//! Events: what happened to a case, as webhooks are told it.

use async_graphql::{ID, InputObject, Result};
use graph_schema::date::Timestamp;
use graph_schema::json_text::JsonText;
use graphql_service::filtering::{end_of_span, one_of};
use graphql_service::orders::DeliveryOrder;
use resolvers::explore::{EventFilter, EventSummary, ListFilter};

use super::super::case::CaseNode;
use super::super::object::{graph_node, object_with_links};
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
    /// Of one of these names, such as `case.created`.
    names: Option<Vec<String>>,
    /// Happened at this time or later.
    created_from: Option<Timestamp>,
    /// Happened before this time.
    created_to: Option<Timestamp>,
    /// One of these.
    #[graphql(deprecation = "Use `names`.")]
    name: Option<Vec<String>>,
}

impl EventFilterInput {
    pub fn into_filter(self) -> Result<ListFilter> {
        let Self { names, created_from, created_to, name } = self;
        let event_names = one_of(("names", names), ("name", name))?;
        let created_to = end_of_span(("createdFrom", created_from), ("createdTo", created_to))?;
        Ok(ListFilter::Events(EventFilter { event_names, created_from, created_to }))
    }
}

object_with_links! {
    /// Something that happened, as webhooks are told it.
    EventNode as "Event" {
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
    }
    shown {
        /// Its place among the events of its case, from 1 on; 0 where there was no case.
        sequence: i64 = |it| it.sequence;
        /// The time at which it happened.
        created_at: Timestamp = |it| it.created_at;
        /// What is said of it, as the document has it for its name.
        data: JsonText = |it| it.data.clone(), counted;
    }
    leads_to {
        /// What it happened to; null where there is no such case, or it is of none.
        case: CaseNode;
    }
    ordered {
        /// Who was told, or is to be told of it, the newest first unless `orderBy` says otherwise. For administrators.
        deliveries: DeliveryFilterInput, DeliveryOrder, DeliveryConnection;
    }
}
