//! Connections: pages of nodes with what their links say, and a `totalCount` that costs nothing unless it is asked for.

use async_graphql::connection::{Connection, ConnectionNameType, CursorType, DisableNodesField, Edge, EdgeNameType, EmptyFields};
use async_graphql::{Context, Object, OutputType, Result, SimpleObject};
use graph_schema::date::Timestamp;
use resolvers::explore::{Link, LinkRow, LinkSlice, ListKind, TransactionFilter, TransactionLink, TransferFilter, Way};
use std::sync::Arc;

use super::page::{KeyCursor, Listing, PageArguments};
use super::{asking, refused};

/// A page of nodes. `C` cursor, `N` node, `E` what the link says, `Name` how the types are called.
pub type Page<C, N, E, Name> = Connection<C, N, Total, E, Name, Name, DisableNodesField>;

/// What `totalCount` counts, should it be asked for.
pub struct Total {
    pub of: Counted,
}

/// A question for a count.
pub enum Counted {
    List(ListKind, Option<bool>),
    Links(Link, Arc<str>),
    Transfers(resolvers::explore::Flow, Arc<str>, TransferFilter),
    Transactions(TransactionLink, Arc<str>, TransactionFilter),
    AllTransactions(TransactionFilter),
    /// What can't be there: the rules of the graph say so.
    Nothing,
}

#[Object]
impl Total {
    /// How many there are in all, whatever the page.
    async fn total_count(&self, context: &Context<'_>) -> Result<i64> {
        let (resolvers, caller) = asking(context)?;
        let total = match &self.of {
            Counted::List(kind, known) => resolvers.list_count(caller, *kind, *known).await,
            Counted::Links(link, id) => resolvers.link_count(caller, *link, id).await,
            Counted::Transfers(flow, id, filter) => resolvers.transfer_count(caller, *flow, id, filter).await,
            Counted::Transactions(link, id, filter) => resolvers.transactions_of_count(caller, *link, id, filter).await,
            Counted::AllTransactions(filter) => resolvers.transaction_count(caller, filter).await,
            Counted::Nothing => Ok(0),
        };
        total.map_err(refused)
    }
}

/// Puts a fetched page together.
pub fn page<C, N, E, Name, T>((items, previous, next): (Vec<T>, bool, bool), of: Counted, edge: impl Fn(T) -> (C, N, E)) -> Page<C, N, E, Name>
where
    C: CursorType + Send + Sync,
    N: OutputType,
    E: async_graphql::ObjectType,
    Name: ConnectionNameType + EdgeNameType,
{
    let mut connection = Connection::with_additional_fields(previous, next, Total { of });
    connection.edges.extend(items.into_iter().map(|item| {
        let (cursor, node, fields) = edge(item);
        Edge::with_additional_fields(cursor, node, fields)
    }));
    connection
}

/// A page of a node's links of one kind.
pub async fn links<N, E, Name>(
    context: &Context<'_>,
    link: Link,
    id: &Arc<str>,
    arguments: PageArguments,
    edge: impl Fn(LinkRow) -> (N, E),
) -> Result<Page<KeyCursor, N, E, Name>>
where
    N: OutputType,
    E: async_graphql::ObjectType,
    Name: ConnectionNameType + EdgeNameType,
{
    let (resolvers, caller) = asking(context)?;
    let listing = Listing::of(link.label());
    let wanted = arguments.wanted::<KeyCursor>(context, listing)?;
    let slice = LinkSlice { limit: wanted.limit(), after: wanted.after.as_ref().map(|cursor| cursor.key.clone()), way: wanted.way };
    let rows = resolvers.links(caller, link, id, &slice).await.map_err(refused)?;
    Ok(page(wanted.page(rows), Counted::Links(link, Arc::clone(id)), |row| {
        let cursor = KeyCursor { listing, key: row.key.clone() };
        let (node, fields) = edge(row);
        (cursor, node, fields)
    }))
}

/// The page of a list that has nothing in it.
pub fn nothing<C, N, E, Name>() -> Page<C, N, E, Name>
where
    C: CursorType + Send + Sync,
    N: OutputType,
    E: async_graphql::ObjectType,
    Name: ConnectionNameType + EdgeNameType,
{
    Connection::with_additional_fields(false, false, Total { of: Counted::Nothing })
}

/// Names `XConnection` and `XEdge`.
pub trait Called: Send + Sync {
    const NAME: &'static str;
}

/// Gives a connection and its edges the names of a [`Called`].
pub struct Names<T>(std::marker::PhantomData<T>);

impl<T: Called> ConnectionNameType for Names<T> {
    fn type_name<N: OutputType>() -> String {
        format!("{}Connection", T::NAME)
    }
}
impl<T: Called> EdgeNameType for Names<T> {
    fn type_name<N: OutputType>() -> String {
        format!("{}Edge", T::NAME)
    }
}

/// A role on an account.
#[derive(SimpleObject)]
pub struct RoleFields {
    /// Such as `OWNER`.
    pub role: Option<String>,
    /// The date from which it is known.
    pub as_of_date: Option<String>,
}

impl RoleFields {
    pub fn of(row: &LinkRow) -> Self {
        Self { role: row.text(0), as_of_date: row.text(1) }
    }
}

/// Sign-ins to one account from one device or address.
#[derive(SimpleObject)]
pub struct SignInFields {
    /// How many.
    pub count: i64,
    /// When the first of them was.
    pub first: Timestamp,
    /// When the last of them was.
    pub last: Timestamp,
}

impl SignInFields {
    pub fn of(row: &LinkRow) -> Self {
        Self { count: row.int(0), first: Timestamp(row.int(1)), last: Timestamp(row.int(2)) }
    }
}

/// Nothing is said of the link.
pub type Nothing = EmptyFields;

/// The other way round.
pub fn reversed(way: Way) -> Way {
    match way {
        Way::Forward => Way::Backward,
        Way::Backward => Way::Forward,
    }
}

/// A type with a name for its connection, for lists that say nothing of the link.
macro_rules! called {
    ($($type:ident => $name:literal),* $(,)?) => {
        $(
            #[doc = concat!("Names `", $name, "Connection`.")]
            pub struct $type;
            impl Called for $type {
                const NAME: &'static str = $name;
            }
        )*
    };
}

called! {
    Actors => "Actor",
    Accounts => "Account",
    Transactions => "Transaction",
    ChannelLocations => "ChannelLocation",
    Devices => "Device",
    IpAddresses => "IpAddress",
    RolesOfActor => "ActorAccount",
    RolesOnAccount => "AccountActor",
    Associates => "Associate",
    Identities => "Identity",
    IpAddressAccounts => "IpAddressAccount",
    Sharing => "SharedIdentity",
    Transfers => "Transfer",
    AccountDevices => "AccountDevice",
    DeviceAccounts => "DeviceAccount",
    CaseActors => "CaseActor",
    CaseComments => "CaseComment",
    ActorCases => "ActorCase",
}
