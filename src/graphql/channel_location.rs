//! Channel locations: branches and machines at which payments are made.

use async_graphql::{Context, ID, Result};
use graph_schema::channel_location::ChannelLocationType;
use resolvers::explore::ChannelLocationSummary;

use super::connection::{graph_node, object_with_links};
use super::walk::Shown;

/// A channel location.
#[derive(Clone)]
pub struct ChannelLocationNode(Shown<ChannelLocationSummary>);

graph_node!(ChannelLocationNode shows ChannelLocationSummary);

object_with_links! {
    /// A channel location.
    ChannelLocationNode as "ChannelLocation" {
        /// The location's id.
        pub async fn id(&self) -> ID {
            ID(self.0.at.id().to_owned())
        }

        /// An id that `node` takes, unique across all types.
        pub async fn node_id(&self) -> ID {
            ID(format!("ChannelLocation:{}", self.0.at.id()))
        }

        async fn name(&self) -> &str {
            self.0.at.name()
        }

        #[graphql(name = "type")]
        async fn kind(&self, context: &Context<'_>) -> Result<Option<ChannelLocationType>> {
            Ok(self.0.summary(context).await?.kind)
        }

        async fn street(&self, context: &Context<'_>) -> Result<Option<String>> {
            Ok(self.0.summary(context).await?.street.clone())
        }

        async fn city(&self, context: &Context<'_>) -> Result<Option<String>> {
            Ok(self.0.summary(context).await?.city.clone())
        }

        async fn postal_code(&self, context: &Context<'_>) -> Result<Option<String>> {
            Ok(self.0.summary(context).await?.postal_code.clone())
        }

        async fn state(&self, context: &Context<'_>) -> Result<Option<String>> {
            Ok(self.0.summary(context).await?.state.clone())
        }

        async fn country(&self, context: &Context<'_>) -> Result<Option<String>> {
            Ok(self.0.summary(context).await?.country.clone())
        }
    }
    links {}
    payments {
        /// Payments made at it.
        transactions;
    }
    transfers {}
}
