//! Devices: what payments were made with and accounts were signed in to from.

use async_graphql::connection::EmptyFields;
use async_graphql::{Context, ID, Result};
use graph_schema::edge::SignInFields;
use resolvers::explore::DeviceSummary;

use super::account::AccountNode;
use super::connection::{graph_node, object_with_links};
use super::ip_address::IpAddressNode;
use super::walk::Shown;

/// A device.
#[derive(Clone)]
pub struct DeviceNode(Shown<DeviceSummary>);

graph_node!(DeviceNode shows DeviceSummary);

object_with_links! {
    /// A device.
    DeviceNode as "Device" {
        /// The device's id.
        pub async fn id(&self) -> ID {
            ID(self.0.at.id().to_owned())
        }

        /// An id that `node` takes, unique across all types.
        pub async fn node_id(&self) -> ID {
            ID(format!("Device:{}", self.0.at.id()))
        }

        async fn name(&self) -> &str {
            self.0.at.name()
        }

        /// Whether its record has arrived; payments or sign-ins have only named it so far when not.
        async fn known(&self, context: &Context<'_>) -> Result<bool> {
            Ok(self.0.summary(context).await?.known)
        }

        /// Such as `PHONE` or `POS`.
        #[graphql(name = "type")]
        async fn kind(&self, context: &Context<'_>) -> Result<Option<String>> {
            Ok(self.0.summary(context).await?.kind.clone())
        }

        /// Whether it must not be used any more.
        async fn blocked(&self, context: &Context<'_>) -> Result<Option<bool>> {
            Ok(self.0.summary(context).await?.blocked)
        }
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
    transfers {}
}
