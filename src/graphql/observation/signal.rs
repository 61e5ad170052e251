//! Signals that were kept from becoming observations.

use async_graphql::{Context, ID, Object, Result};
use graph_schema::date::Date;
use resolvers::explore::SuppressedSignalSummary;

use super::super::actor::ActorNode;
use super::super::connection::{graph_node, one};
use super::super::walk::Shown;

/// A signal that an exclusion of its actor or a snoozed rule has kept from becoming an observation.
#[derive(Clone)]
pub struct SignalNode(Shown<SuppressedSignalSummary>);

graph_node!(SignalNode shows SuppressedSignalSummary);

/// A signal that an exclusion of its actor or a snoozed rule has kept from becoming an observation.
#[Object(name = "SuppressedSignal")]
impl SignalNode {
    async fn id(&self) -> ID {
        ID(self.0.at.id().to_owned())
    }

    async fn review_date(&self, context: &Context<'_>) -> Result<Date> {
        Ok(self.0.summary(context).await?.review_date)
    }

    /// By what it would have been noticed.
    async fn detection_method_name(&self, context: &Context<'_>) -> Result<Option<String>> {
        Ok(self.0.summary(context).await?.detection_method_name.clone())
    }

    /// Why it was suppressed.
    async fn decision_reason(&self, context: &Context<'_>) -> Result<Option<String>> {
        Ok(self.0.summary(context).await?.decision_reason.clone())
    }

    async fn data_source(&self, context: &Context<'_>) -> Result<Option<String>> {
        Ok(self.0.summary(context).await?.data_source.clone())
    }

    /// Whom it was about.
    async fn actor(&self, context: &Context<'_>) -> Result<Option<ActorNode>> {
        one(context, self).await
    }
}
