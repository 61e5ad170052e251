//! Channel locations: branches and machines at which payments are made.

use std::sync::Arc;

use async_graphql::{Context, Object, Result};
use resolvers::explore::{NodeKind, TransactionLink};

use super::connection::{self, Names, Page, Transactions};
use super::facts::Facts;
use super::page::{PageArguments, SortCursor, cost};
use super::transaction::{TransactionFilterInput, TransactionNode, TransactionOrder, transactions};

/// A channel location.
#[derive(Clone)]
pub struct ChannelLocationNode {
    pub key: Arc<str>,
    pub caption: Arc<str>,
}

impl ChannelLocationNode {
    pub fn new(id: Arc<str>, name: Arc<str>) -> Self {
        Self { key: id, caption: name }
    }
}

impl Facts for ChannelLocationNode {
    const KIND: NodeKind = NodeKind::ChannelLocation;

    fn key(&self) -> &str {
        &self.key
    }
}

/// A channel location.
#[Object(name = "ChannelLocation")]
impl ChannelLocationNode {
    /// The location's id.
    pub async fn id(&self) -> async_graphql::ID {
        async_graphql::ID(self.key.to_string())
    }

    /// An id that `node` takes, unique across all types.
    pub async fn node_id(&self) -> async_graphql::ID {
        async_graphql::ID(format!("ChannelLocation:{}", self.key))
    }

    async fn name(&self) -> &str {
        &self.caption
    }

    /// `ATM`, `BRANCH` or `OTHER`.
    #[graphql(name = "type")]
    async fn kind(&self, context: &Context<'_>) -> Result<Option<String>> {
        self.text(context, "kind").await
    }

    async fn street(&self, context: &Context<'_>) -> Result<Option<String>> {
        self.text(context, "street").await
    }

    async fn city(&self, context: &Context<'_>) -> Result<Option<String>> {
        self.text(context, "city").await
    }

    async fn postal_code(&self, context: &Context<'_>) -> Result<Option<String>> {
        self.text(context, "postalCode").await
    }

    async fn state(&self, context: &Context<'_>) -> Result<Option<String>> {
        self.text(context, "state").await
    }

    async fn country(&self, context: &Context<'_>) -> Result<Option<String>> {
        self.text(context, "country").await
    }

    /// Payments made at it.
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
        transactions(context, TransactionLink::ChannelLocation, &self.key, arguments, filter, order_by).await
    }
}
