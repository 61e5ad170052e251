//! Where a walk begins: a node by its id, or a page of all nodes of a kind.

use async_graphql::{Context, Interface, Object, Result};
use graph_schema::identity;
use resolvers::explore::{ListKind, ListSlice, Named, NodeKind, Reached, TransactionFact};

use super::account::AccountNode;
use super::actor::ActorNode;
use super::case::CaseNode;
use super::channel_location::ChannelLocationNode;
use super::connection::{self, Accounts, Actors, ChannelLocations, Counted, Devices, Names, Page};
use super::device::DeviceNode;
use super::facts::named;
use super::ip_address::IpAddressNode;
use super::page::{KeyCursor, Listing, PageArguments, cost, selects};
use super::transaction::{Order, TransactionFilterInput, TransactionNode, TransactionPage, all_transactions};
use super::{asking, refused};

/// Anything that has an id of its own.
// Two fields may well be of one type.
#[allow(clippy::duplicated_attributes)]
#[derive(Interface)]
#[graphql(
    field(name = "id", ty = "async_graphql::ID", desc = "The business id, unique among its type."),
    field(name = "node_id", ty = "async_graphql::ID", desc = "An id that `node` takes, unique across all types.")
)]
pub enum Node {
    Actor(ActorNode),
    Account(AccountNode),
    Transaction(TransactionNode),
    ChannelLocation(ChannelLocationNode),
    Device(DeviceNode),
    IpAddress(IpAddressNode),
    Case(CaseNode),
}

pub struct Query;

#[Object]
impl Query {
    /// A node by its `nodeId`, such as `Account:account-1`.
    async fn node(&self, context: &Context<'_>, id: async_graphql::ID) -> Result<Option<Node>> {
        let Some((kind, id)) = id.split_once(':') else {
            return Err(async_graphql::Error::new("id: must be a nodeId, such as Account:account-1"));
        };
        let id = async_graphql::ID(id.to_owned());
        Ok(match kind {
            "Actor" => self.actor(context, id).await?.map(Node::Actor),
            "Account" => self.account(context, id).await?.map(Node::Account),
            "Transaction" => self.transaction(context, id).await?.map(Node::Transaction),
            "ChannelLocation" => self.channel_location(context, id).await?.map(Node::ChannelLocation),
            "Device" => self.device(context, id).await?.map(Node::Device),
            "IpAddress" => self.ip_address(context, id).await?.map(Node::IpAddress),
            "Case" => self.case(context, id).await?.map(Node::Case),
            _ => {
                let kinds = "Actor, Account, Transaction, ChannelLocation, Device, IpAddress or Case";
                return Err(async_graphql::Error::new(format!("id: must begin with a type: {kinds}")));
            }
        })
    }

    /// An actor by its id; placeholders too.
    async fn actor(&self, context: &Context<'_>, id: async_graphql::ID) -> Result<Option<ActorNode>> {
        Ok(named(context, NodeKind::Actor, &id).await?.map(|(id, name)| ActorNode::new(id, name)))
    }

    /// An account by its id; placeholders and external accounts too.
    async fn account(&self, context: &Context<'_>, id: async_graphql::ID) -> Result<Option<AccountNode>> {
        AccountNode::find(context, &id).await
    }

    /// A transaction by its id.
    async fn transaction(&self, context: &Context<'_>, id: async_graphql::ID) -> Result<Option<TransactionNode>> {
        let (resolvers, caller) = asking(context)?;
        let rows = resolvers.facts(caller, NodeKind::Transaction, &id, Reached::ByName).await.map_err(refused)?;
        Ok(rows.first().map(|row| TransactionNode::of(TransactionFact::of(row.get("row").as_list()))))
    }

    /// A channel location by its id.
    async fn channel_location(&self, context: &Context<'_>, id: async_graphql::ID) -> Result<Option<ChannelLocationNode>> {
        Ok(named(context, NodeKind::ChannelLocation, &id).await?.map(|(id, name)| ChannelLocationNode::new(id, name)))
    }

    /// A device by its id.
    async fn device(&self, context: &Context<'_>, id: async_graphql::ID) -> Result<Option<DeviceNode>> {
        Ok(named(context, NodeKind::Device, &id).await?.map(|(id, name)| DeviceNode::new(id, name)))
    }

    /// An IP address, however it is written.
    async fn ip_address(&self, context: &Context<'_>, id: async_graphql::ID) -> Result<Option<IpAddressNode>> {
        let Some(canonical) = identity::ip(&id) else { return Ok(None) };
        Ok(named(context, NodeKind::IpAddress, &canonical.id).await?.map(|(id, name)| IpAddressNode::new(id, name)))
    }

    /// A case by its id.
    async fn case(&self, context: &Context<'_>, id: async_graphql::ID) -> Result<Option<CaseNode>> {
        Ok(named(context, NodeKind::Case, &id).await?.map(|(id, name)| CaseNode::new(id, name)))
    }

    /// All actors by id; `known` keeps those whose record has arrived, or the others.
    #[graphql(complexity = "cost(first, last, child_complexity)")]
    async fn actors(
        &self,
        context: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
        known: Option<bool>,
    ) -> Result<Page<KeyCursor, ActorNode, connection::Nothing, Names<Actors>>> {
        let arguments = PageArguments { first, after, last, before };
        list(context, ListKind::Actors, arguments, known, |named| ActorNode::new(named.id, named.name)).await
    }

    /// All accounts by id; `known` keeps those whose record has arrived, or the others.
    #[graphql(complexity = "cost(first, last, child_complexity)")]
    async fn accounts(
        &self,
        context: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
        known: Option<bool>,
    ) -> Result<Page<KeyCursor, AccountNode, connection::Nothing, Names<Accounts>>> {
        let arguments = PageArguments { first, after, last, before };
        list(context, ListKind::Accounts, arguments, known, |named| AccountNode::new(named.id, named.name)).await
    }

    /// All transactions, newest first unless `order` says otherwise.
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
        order: Option<Order>,
    ) -> Result<TransactionPage> {
        all_transactions(context, PageArguments { first, after, last, before }, filter, order).await
    }

    /// All channel locations by id.
    #[graphql(complexity = "cost(first, last, child_complexity)")]
    async fn channel_locations(
        &self,
        context: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
    ) -> Result<Page<KeyCursor, ChannelLocationNode, connection::Nothing, Names<ChannelLocations>>> {
        let arguments = PageArguments { first, after, last, before };
        list(context, ListKind::ChannelLocations, arguments, None, |named| ChannelLocationNode::new(named.id, named.name)).await
    }

    /// All devices by id.
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
        list(context, ListKind::Devices, arguments, None, |named| DeviceNode::new(named.id, named.name)).await
    }
}

async fn list<N, Name>(
    context: &Context<'_>,
    kind: ListKind,
    arguments: PageArguments,
    known: Option<bool>,
    node: impl Fn(Named) -> N,
) -> Result<Page<KeyCursor, N, connection::Nothing, Name>>
where
    N: async_graphql::OutputType,
    Name: async_graphql::connection::ConnectionNameType + async_graphql::connection::EdgeNameType,
{
    let (resolvers, caller) = asking(context)?;
    let listing = Listing::of(kind.label());
    let wanted = arguments.wanted::<KeyCursor>(context, listing)?;
    let slice = ListSlice { limit: wanted.limit(), after: wanted.after.as_ref().map(|cursor| cursor.key.clone()), way: wanted.way, known };
    // A page that is counted and not read reads nothing.
    let rows = if selects(context.field(), "edges") || selects(context.field(), "pageInfo") {
        resolvers.list(caller, kind, &slice).await.map_err(refused)?
    } else {
        Vec::new()
    };
    Ok(connection::page(wanted.page(rows), Counted::List(kind, known), |named| {
        (KeyCursor { listing, key: named.id.to_string() }, node(named), connection::Nothing {})
    }))
}
