//! Channel locations: branches and machines at which payments are made.

use async_graphql::{ID, Result};
use graph_schema::channel_location::ChannelLocationType;
use resolvers::explore::ChannelLocationSummary;

use super::object::{graph_node, object_with_links};
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
    }
    shown {
        kind as "type": Option<ChannelLocationType> = |it| it.kind;
        street: Option<String> = |it| it.street.clone(), counted;
        city: Option<String> = |it| it.city.clone(), counted;
        postal_code: Option<String> = |it| it.postal_code.clone();
        state: Option<String> = |it| it.state.clone(), counted;
        country: Option<String> = |it| it.country.clone();
    }
    payments {
        /// Payments made at it.
        transactions;
    }
}
