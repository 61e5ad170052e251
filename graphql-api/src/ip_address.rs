//! IP addresses: where payments and sign-ins came from. What two devices or payments share shows here.

use async_graphql::ID;
use async_graphql::connection::EmptyFields;
use graph_schema::edge::SignInFields;
use resolvers::explore::NothingSaid;

use super::account::AccountNode;
use super::device::DeviceNode;
use super::object::{graph_node, object_with_links};
use super::walk::Shown;

/// An IP address from which payments are made or accounts are signed in to.
#[derive(Clone)]
pub struct IpAddressNode(Shown<NothingSaid>);

graph_node!(IpAddressNode shows NothingSaid);

object_with_links! {
    /// An IP address from which payments are made or accounts are signed in to.
    IpAddressNode as "IpAddress" {
        /// The address in its canonical form.
        pub async fn id(&self) -> ID {
            ID(self.0.at.id().to_owned())
        }

        /// An id that `node` takes, unique across all types.
        pub async fn node_id(&self) -> ID {
            ID(format!("IpAddress:{}", self.0.at.id()))
        }

        /// The address as it was first written.
        async fn name(&self) -> &str {
            self.0.at.name()
        }
    }
    links {
        /// Devices that were seen at it.
        devices: Devices, DeviceNode, EmptyFields;
        /// Accounts that were signed in to from it.
        accounts: IpAddressAccounts, AccountNode, SignInFields;
    }
    payments {
        /// Payments made from it.
        transactions;
    }
}
