//! Devices: what payments were made with and accounts were signed in to from.

use async_graphql::connection::EmptyFields;
use async_graphql::{ID, Result};
use graph_schema::date::Timestamp;
use graph_schema::edge::SignInFields;
use graph_schema::json_object::JsonObject;
use resolvers::explore::DeviceSummary;

use super::account::AccountNode;
use super::ip_address::IpAddressNode;
use super::object::{graph_node, object_with_links};
use super::walk::Shown;

/// A device with which payments are made or accounts are signed in to.
#[derive(Clone)]
pub struct DeviceNode(Shown<DeviceSummary>);

graph_node!(DeviceNode shows DeviceSummary);

object_with_links! {
    /// A device with which payments are made or accounts are signed in to.
    DeviceNode as "Device" {
        /// The device's id.
        pub async fn id(&self) -> ID {
            ID(self.0.at.id().to_owned())
        }

        /// An id that `node` takes, unique across all types.
        pub async fn node_id(&self) -> ID {
            ID(format!("Device:{}", self.0.at.id()))
        }

        /// The type and the id of the device, or the id alone, for people.
        async fn name(&self) -> &str {
            self.0.at.name()
        }
    }
    shown {
        /// Whether its record has arrived; payments or sign-ins have only named it so far when not.
        known: bool = |it| it.known;
        /// Such as `PHONE` or `POS`.
        kind as "type": Option<String> = |it| it.kind.clone();
        /// Whether it must not be used any more.
        blocked: Option<bool> = |it| it.blocked;
        /// What the sender said of it besides.
        metadata: Option<JsonObject> = |it| it.metadata.clone(), counted;
        /// The time at which its present record came; null when others have only named it so far.
        recorded_at: Option<Timestamp> = |it| it.recorded_at;
    }
    links {
        /// Accounts that were signed in to from it.
        accounts: DeviceAccounts, AccountNode, SignInFields;
        /// IP addresses it was seen at.
        ip_addresses: IpAddresses, IpAddressNode, EmptyFields;
    }
    payments {
        /// Payments made with it.
        transactions;
    }
}
