//! Webhooks, what they are told, and how that goes. Webhooks and deliveries are for administrators; events are for whoever may see cases.

mod delivery;
mod event;
mod work;

use async_graphql::connection::EmptyFields;
use async_graphql::{Context, ID, Object, Result};
use graph_schema::date::Timestamp;
use graph_schema::webhook::{DisabledBecause, WebhookStatus};
use resolvers::explore::WebhookSummary;

use super::connection::{Deliveries, Events, NodeConnection, Webhooks, graph_node, links};
use super::page::{cost, cost_of_filter};
use super::walk::Shown;

pub use delivery::{DeliveryFilterInput, DeliveryNode};
pub use event::{EventFilterInput, EventNode};
pub use work::WebhookMutation;

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

/// An address that is told of events. For administrators.
#[Object(name = "Webhook")]
impl WebhookNode {
    pub async fn id(&self) -> ID {
        ID(self.0.at.id().to_owned())
    }

    /// An id that `node` takes, unique across all types.
    pub async fn node_id(&self) -> ID {
        ID(format!("Webhook:{}", self.0.at.id()))
    }

    async fn name(&self) -> &str {
        self.0.at.name()
    }

    async fn url(&self, context: &Context<'_>) -> Result<String> {
        Ok(self.0.summary(context).await?.url.clone())
    }

    /// Of what it is told: names of events, or `*` for every one.
    async fn events(&self, context: &Context<'_>) -> Result<Vec<String>> {
        Ok(self.0.summary(context).await?.events.clone())
    }

    async fn status(&self, context: &Context<'_>) -> Result<WebhookStatus> {
        Ok(self.0.summary(context).await?.status)
    }

    /// Why the service itself has made it `INACTIVE`; null when it has not.
    async fn disabled_because(&self, context: &Context<'_>) -> Result<Option<DisabledBecause>> {
        Ok(self.0.summary(context).await?.disabled_because)
    }

    /// Since when nothing could be delivered to it; null when the last attempt was good.
    async fn failing_since(&self, context: &Context<'_>) -> Result<Option<Timestamp>> {
        Ok(self.0.summary(context).await?.failing_since)
    }

    async fn created_at(&self, context: &Context<'_>) -> Result<Timestamp> {
        Ok(self.0.summary(context).await?.created_at)
    }

    async fn tenant(&self, context: &Context<'_>) -> Result<String> {
        Ok(self.0.summary(context).await?.tenant.clone())
    }

    /// Until when deliveries are signed with the former secret too; null when its secret was never rotated with an overlap.
    async fn former_secret_until(&self, context: &Context<'_>) -> Result<Option<Timestamp>> {
        Ok(self.0.summary(context).await?.former_secret_until)
    }

    /// What it was told, and is still to be told, the newest first.
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
