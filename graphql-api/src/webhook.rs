//! Webhooks, what they are told, and how that goes. Webhooks and deliveries are for administrators; events are for whoever may see cases.

mod delivery;
mod event;
mod statistics;

use async_graphql::connection::EmptyFields;
use async_graphql::{Context, ID, Result};
use graph_schema::date::Timestamp;
use graph_schema::webhook::{DisabledBecause, WebhookStatus};
use graphql_service::orders::DeliveryOrder;
use resolvers::explore::WebhookSummary;

use super::connection::{Deliveries, Events, NodeConnection, Webhooks};
use super::object::{graph_node, object_with_links};
use super::walk::Shown;

pub use delivery::{DeliveryFilterInput, DeliveryNode, cost_of_order};
pub use event::{EventFilterInput, EventNode};
pub use statistics::DeliveryStatistics;
use statistics::statistics;

/// A page of webhooks.
pub type WebhookConnection = NodeConnection<WebhookNode, EmptyFields, Webhooks>;
/// A page of events.
pub type EventConnection = NodeConnection<EventNode, EmptyFields, Events>;
/// A page of deliveries.
pub type DeliveryConnection = NodeConnection<DeliveryNode, EmptyFields, Deliveries>;

/// An address that is told of events. For administrators.
#[derive(Clone)]
pub struct WebhookNode(Shown<WebhookSummary>);

graph_node!(WebhookNode shows WebhookSummary);

object_with_links! {
    /// An address that is told of events. For administrators.
    WebhookNode as "Webhook" {
        /// The service's own id of the webhook, a UUID.
        pub async fn id(&self) -> ID {
            ID(self.0.at.id().to_owned())
        }

        /// An id that `node` takes, unique across all types.
        pub async fn node_id(&self) -> ID {
            ID(format!("Webhook:{}", self.0.at.id()))
        }

        /// The name that its creator gave it, for people.
        async fn name(&self) -> &str {
            self.0.at.name()
        }

        /// What became of deliveries that were queued from a time on, and before another, 92 days later at most: those of the last seven days before `to` when
        /// `from` is null, and up to now when `to` is.
        // As dear as a filter, as all that it was told in that time is looked at, and its seven fields: what is asked below has no name within the macro.
        #[graphql(complexity = 107)]
        async fn statistics(
            &self,
            context: &Context<'_>,
            #[graphql(desc = "Queued at this time or later.")] from: Option<Timestamp>,
            #[graphql(desc = "Queued before this time.")] to: Option<Timestamp>,
        ) -> Result<DeliveryStatistics> {
            statistics(context, self.0.at.id(), (from, to)).await
        }
    }
    shown {
        /// The address to which events are posted.
        url: String = |it| it.url.clone();
        /// Of what it is told: names of events, or `*` for every one.
        events: Vec<String> = |it| it.events.clone();
        /// Whether events are delivered to it.
        status: WebhookStatus = |it| it.status;
        /// Why the service itself has made it `INACTIVE`; null when it has not.
        disabled_because: Option<DisabledBecause> = |it| it.disabled_because;
        /// Since when nothing could be delivered to it; null when the last attempt was good.
        failing_since: Option<Timestamp> = |it| it.failing_since;
        /// The time at which it was registered.
        created_at: Timestamp = |it| it.created_at;
        /// The tenant that the webhook belongs to. The service has one, `default`.
        tenant: String = |it| it.tenant.clone();
        /// Until when deliveries are signed with the former secret too; null when its secret was never rotated with an overlap.
        former_secret_until: Option<Timestamp> = |it| it.former_secret_until;
    }
    ordered {
        /// What it was told, and is still to be told, the newest first unless `orderBy` says otherwise.
        deliveries: DeliveryFilterInput, DeliveryOrder, DeliveryConnection;
    }
}
