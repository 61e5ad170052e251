//! IP addresses: where payments and sign-ins came from. What two devices or payments share shows here.

use std::sync::Arc;

use async_graphql::{Context, Object, Result};
use resolvers::explore::{Link, TransactionLink};

use super::account::AccountNode;
use super::connection::{self, Devices, IpAddressAccounts, Names, Page, SignInFields, Transactions};
use super::device::DeviceNode;
use super::page::{KeyCursor, PageArguments, SortCursor, cost};
use super::transaction::{TransactionFilterInput, TransactionNode, TransactionOrder, transactions};

/// An IP address.
#[derive(Clone)]
pub struct IpAddressNode {
    pub key: Arc<str>,
    pub caption: Arc<str>,
}

impl IpAddressNode {
    pub fn new(id: Arc<str>, name: Arc<str>) -> Self {
        Self { key: id, caption: name }
    }
}

/// An IP address.
#[Object(name = "IpAddress")]
impl IpAddressNode {
    /// The address in its canonical form.
    pub async fn id(&self) -> async_graphql::ID {
        async_graphql::ID(self.key.to_string())
    }

    /// An id that `node` takes, unique across all types.
    pub async fn node_id(&self) -> async_graphql::ID {
        async_graphql::ID(format!("IpAddress:{}", self.key))
    }

    async fn name(&self) -> &str {
        &self.caption
    }

    /// Devices that were seen at it.
    #[graphql(complexity = "cost(first, last, child_complexity)")]
    async fn devices(
        &self,
        context: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
    ) -> Result<Page<KeyCursor, DeviceNode, connection::Nothing, Names<Devices>>> {
        let arguments = PageArguments { first, after, last, before };
        connection::links(context, Link::IpAddressDevices, &self.key, arguments, |row| (DeviceNode::new(row.id, row.name), connection::Nothing {}))
            .await
    }

    /// Accounts that were signed in to from it.
    #[graphql(complexity = "cost(first, last, child_complexity)")]
    async fn accounts(
        &self,
        context: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
    ) -> Result<Page<KeyCursor, AccountNode, SignInFields, Names<IpAddressAccounts>>> {
        let arguments = PageArguments { first, after, last, before };
        connection::links(context, Link::IpAddressAccounts, &self.key, arguments, |row| {
            let fields = SignInFields::of(&row);
            (AccountNode::new(row.id, row.name), fields)
        })
        .await
    }

    /// Payments made from it.
    #[graphql(complexity = "cost(first, last, child_complexity)")]
    #[allow(clippy::too_many_arguments)]
    async fn transactions(
        &self,
        context: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
        filter: Option<TransactionFilterInput>,
        order_by: Option<TransactionOrder>,
    ) -> Result<Page<SortCursor, TransactionNode, connection::Nothing, Names<Transactions>>> {
        let arguments = PageArguments { first, after, last, before };
        transactions(context, TransactionLink::IpAddress, &self.key, arguments, filter, order_by).await
    }
}
