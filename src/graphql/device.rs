//! Devices: what payments were made with and accounts were signed in to from.

use std::sync::Arc;

use async_graphql::{Context, Object, Result};
use resolvers::explore::{Link, NodeKind, TransactionLink};

use super::account::AccountNode;
use super::connection::{self, DeviceAccounts, IpAddresses, Names, Page, SignInFields, Transactions};
use super::facts::Facts;
use super::ip_address::IpAddressNode;
use super::page::{KeyCursor, PageArguments, SortCursor, cost};
use super::transaction::{TransactionFilterInput, TransactionNode, TransactionOrder, transactions};

/// A device.
#[derive(Clone)]
pub struct DeviceNode {
    pub key: Arc<str>,
    pub caption: Arc<str>,
}

impl DeviceNode {
    pub fn new(id: Arc<str>, name: Arc<str>) -> Self {
        Self { key: id, caption: name }
    }
}

impl Facts for DeviceNode {
    const KIND: NodeKind = NodeKind::Device;

    fn key(&self) -> &str {
        &self.key
    }
}

/// A device.
#[Object(name = "Device")]
impl DeviceNode {
    /// The device's id.
    pub async fn id(&self) -> async_graphql::ID {
        async_graphql::ID(self.key.to_string())
    }

    /// An id that `node` takes, unique across all types.
    pub async fn node_id(&self) -> async_graphql::ID {
        async_graphql::ID(format!("Device:{}", self.key))
    }

    async fn name(&self) -> &str {
        &self.caption
    }

    /// Whether its record has arrived; payments or sign-ins have only named it so far when not.
    async fn known(&self, context: &Context<'_>) -> Result<bool> {
        Ok(self.fact(context, "known").await?.as_bool().unwrap_or_default())
    }

    /// Such as `PHONE` or `POS`.
    #[graphql(name = "type")]
    async fn kind(&self, context: &Context<'_>) -> Result<Option<String>> {
        self.text(context, "kind").await
    }

    /// Whether it must not be used any more.
    async fn blocked(&self, context: &Context<'_>) -> Result<Option<bool>> {
        Ok(self.fact(context, "blocked").await?.as_bool())
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
    ) -> Result<Page<KeyCursor, AccountNode, SignInFields, Names<DeviceAccounts>>> {
        let arguments = PageArguments { first, after, last, before };
        connection::links(context, Link::DeviceAccounts, &self.key, arguments, |row| {
            let fields = SignInFields::of(&row);
            (AccountNode::new(row.id, row.name), fields)
        })
        .await
    }

    /// IP addresses it was seen at.
    #[graphql(complexity = "cost(first, last, child_complexity)")]
    async fn ip_addresses(
        &self,
        context: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
    ) -> Result<Page<KeyCursor, IpAddressNode, connection::Nothing, Names<IpAddresses>>> {
        let arguments = PageArguments { first, after, last, before };
        connection::links(context, Link::DeviceIpAddresses, &self.key, arguments, |row| {
            (IpAddressNode::new(row.id, row.name), connection::Nothing {})
        })
        .await
    }

    /// Payments made with it.
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
        transactions(context, TransactionLink::Device, &self.key, arguments, filter, order_by).await
    }
}
