//! Channel locations: branches and machines at which payments are made.

use async_graphql::{ID, Result};
use graph_schema::channel_location::ChannelLocationType;
use graph_schema::date::Timestamp;
use resolvers::explore::ChannelLocationSummary;

use super::object::{graph_node, object_with_links};
use super::walk::Shown;

/// A branch, machine or other place at which payments are made.
#[derive(Clone)]
pub struct ChannelLocationNode(Shown<ChannelLocationSummary>);

graph_node!(ChannelLocationNode shows ChannelLocationSummary);

object_with_links! {
    /// A branch, machine or other place at which payments are made.
    ChannelLocationNode as "ChannelLocation" {
        /// The location's id.
        pub async fn id(&self) -> ID {
            ID(self.0.at.id().to_owned())
        }

        /// An id that `node` takes, unique across all types.
        pub async fn node_id(&self) -> ID {
            ID(format!("ChannelLocation:{}", self.0.at.id()))
        }

        /// The type with the address, or with the id where no address is known.
        async fn name(&self) -> &str {
            self.0.at.name()
        }
    }
    shown {
        /// What kind of place it is; null when the record does not say.
        kind as "type": Option<ChannelLocationType> = |it| it.kind;
        /// The lines of the street address, joined.
        street: Option<String> = |it| it.street.clone(), counted;
        /// The town or city of the place.
        city: Option<String> = |it| it.city.clone(), counted;
        /// The postal code, in the country's own form.
        postal_code: Option<String> = |it| it.postal_code.clone();
        /// The state, province or region.
        state: Option<String> = |it| it.state.clone(), counted;
        /// The country of the place, as the sender writes it.
        country: Option<String> = |it| it.country.clone();
        /// The time at which its present record came; null when payments have only named it so far.
        recorded_at: Option<Timestamp> = |it| it.recorded_at;
    }
    payments {
        /// Payments made at it.
        transactions;
    }
}
