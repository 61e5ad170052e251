//! Deliveries: events on their way to webhooks, and how that goes.

use async_graphql::{Context, Error, ID, InputObject, Result};
use graph_schema::date::Timestamp;
use graph_schema::delivery::{DeliveryAttempt, DeliveryState};
use graph_schema::id::{CaseId, WebhookId};
use graphql_service::filtering::{end_of_span, one_of};
use graphql_service::orders::{DeliveryOrder, DeliveryOrderField};
use resolvers::explore::{DeliveryFilter, DeliverySummary, ListFilter};

use super::super::case::CaseNode;
use super::super::object::{graph_node, object_with_links};
use super::super::walk::Shown;
use super::{EventNode, WebhookNode};

/// An event that one webhook is to be told of. For administrators.
#[derive(Clone)]
pub struct DeliveryNode(Shown<DeliverySummary>);

graph_node!(DeliveryNode shows DeliverySummary);

/// Which deliveries. All that is given must hold.
#[derive(InputObject, Default)]
#[graphql(name = "DeliveryFilter")]
pub struct DeliveryFilterInput {
    /// In one of these states.
    states: Option<Vec<DeliveryState>>,
    /// Of an event of one of these names.
    event_names: Option<Vec<String>>,
    /// To one of these webhooks.
    webhook_ids: Option<Vec<WebhookId>>,
    /// Of events of one of these cases.
    case_ids: Option<Vec<CaseId>>,
    /// One of these.
    #[graphql(deprecation = "Use `states`.")]
    state: Option<Vec<DeliveryState>>,
    /// Of an event of one of these names.
    #[graphql(deprecation = "Use `eventNames`.")]
    event_name: Option<Vec<String>>,
    /// Deliveries to this webhook; to any, when null.
    #[graphql(deprecation = "Use `webhookIds`.")]
    webhook_id: Option<WebhookId>,
    /// Deliveries of events of this case; of any, when null.
    #[graphql(deprecation = "Use `caseIds`.")]
    case_id: Option<CaseId>,
    /// Made at this time or later.
    created_from: Option<Timestamp>,
    /// Made before this time.
    created_to: Option<Timestamp>,
}

impl DeliveryFilterInput {
    /// Whether an index finds what it names.
    fn has_index(&self) -> bool {
        self.webhook_ids.is_some() || self.case_ids.is_some() || self.webhook_id.is_some() || self.case_id.is_some()
    }

    pub fn into_filter(self) -> Result<ListFilter> {
        let Self { states, event_names, webhook_ids, case_ids, state, event_name, webhook_id, case_id, created_from, created_to } = self;
        let created_to = end_of_span(("createdFrom", created_from), ("createdTo", created_to))?;
        Ok(ListFilter::Deliveries(DeliveryFilter {
            event_names: one_of(("eventNames", event_names), ("eventName", event_name))?,
            created_from,
            created_to,
            states: one_of(("states", states), ("state", state))?,
            webhooks: one_of(("webhookIds", webhook_ids), ("webhookId", webhook_id.map(|id| vec![id])))?,
            cases: one_of(("caseIds", case_ids), ("caseId", case_id.map(|id| vec![id])))?,
        }))
    }
}

/// What it costs to read all deliveries for the order of a page.
const COST_OF_ALL: usize = 5_000;

/// What an order costs more in the list of all deliveries: nothing where an index has it, or finds what the filter names.
pub fn cost_of_order(filter: &Option<DeliveryFilterInput>, order: &Option<DeliveryOrder>) -> usize {
    let has_index = order.as_ref().is_none_or(|order| order.field == DeliveryOrderField::CreatedAt);
    if has_index || filter.as_ref().is_some_and(DeliveryFilterInput::has_index) { 0 } else { COST_OF_ALL }
}

object_with_links! {
    /// An event that one webhook is to be told of. For administrators.
    DeliveryNode as "Delivery" {
        /// The service's own id of the delivery.
        pub async fn id(&self) -> ID {
            ID(self.0.at.id().to_owned())
        }

        /// An id that `node` takes, unique across all types.
        pub async fn node_id(&self) -> ID {
            ID(format!("Delivery:{}", self.0.at.id()))
        }

        /// The name of the event, as the caption of the delivery.
        async fn name(&self) -> &str {
            self.0.at.name()
        }

        /// What was tried so far, the oldest first.
        async fn attempts(&self, context: &Context<'_>) -> Result<Vec<DeliveryAttempt>> {
            let unreadable = |error| Error::new(format!("an attempt can't be read: {error}"));
            self.0.summary(context).await?.attempt_log.iter().map(|text| serde_json::from_str(text).map_err(unreadable)).collect()
        }
    }
    shown {
        /// How far the delivery is.
        state: DeliveryState = |it| it.state;
        /// The name of the event, such as `case.created`.
        event_name: String = |it| it.event_name.clone();
        /// The event's place among those of its case: before one is delivered, those before it are.
        sequence: i64 = |it| it.sequence;
        /// The time at which the delivery was queued.
        created_at: Timestamp = |it| it.created_at;
        /// When it was delivered or given up; null while it waits.
        finished_at: Option<Timestamp> = |it| it.finished_at;
    }
    leads_to {
        /// The event to deliver.
        event: EventNode;
        /// To whom it goes; null when the webhook was removed.
        webhook: WebhookNode;
        /// What the event happened to.
        case: CaseNode;
    }
}
