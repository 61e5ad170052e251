//! Transactions, and the lists of them that hang on other types.

use std::sync::Arc;

use async_graphql::{Context, Enum, InputObject, Object, Result};
use graph_schema::date::Timestamp;
use graph_schema::named::Named;
use graph_schema::number::Number;
use graph_schema::transaction::{Channel, Direction, Method, Purpose, TransactionRecord, TransactionStatus};
use resolvers::explore::{Link, NodeKind, TransactionFact, TransactionFilter, TransactionLink, TransactionSlice, TransactionSort};

use super::account::AccountNode;
use super::actor::ActorNode;
use super::channel_location::ChannelLocationNode;
use super::connection::{self, Actors, Counted, Names, Page, Transactions, reversed};
use super::device::DeviceNode;
use super::ip_address::IpAddressNode;
use super::page::{KeyCursor, Listing, PageArguments, SortCursor, Wanted, cost};
use super::{asking, refused};

/// A payment, as one side of it reported it.
#[derive(Clone)]
pub struct TransactionNode {
    pub fact: Arc<TransactionFact>,
}

impl TransactionNode {
    pub fn of(fact: TransactionFact) -> Self {
        Self { fact: Arc::new(fact) }
    }

    /// A column of what it is linked to.
    async fn end(&self, context: &Context<'_>, id: &str, name: &str) -> Result<Option<(Arc<str>, Arc<str>)>> {
        let (resolvers, caller) = asking(context)?;
        let rows = resolvers.ends(caller, &self.fact.id).await.map_err(refused)?;
        let column = |name: &str| rows.first().and_then(|row| row.get(name).as_text().map(Arc::<str>::from));
        Ok(column(id).map(|id| (Arc::clone(&id), column(name).unwrap_or(id))))
    }
}

/// A payment, as one side of it reported it.
#[Object(name = "Transaction")]
impl TransactionNode {
    /// The transaction's id, as it was ingested.
    pub async fn id(&self) -> async_graphql::ID {
        async_graphql::ID(self.fact.id.clone())
    }

    /// An id that `node` takes, unique across all types.
    pub async fn node_id(&self) -> async_graphql::ID {
        async_graphql::ID(format!("Transaction:{}", self.fact.id))
    }

    /// Amount and currency.
    async fn name(&self) -> &str {
        &self.fact.name
    }

    /// Exact to nine decimals; the record has them all.
    async fn amount(&self) -> Option<Number> {
        Number::parse(&self.fact.amount.to_string())
    }

    async fn currency(&self) -> &str {
        &self.fact.currency
    }

    /// The amount in the platform's default currency.
    async fn standardized_amount(&self) -> Option<Number> {
        Number::parse(&self.fact.standardized_amount.to_string())
    }

    async fn created_at(&self) -> Timestamp {
        Timestamp(self.fact.created_at)
    }

    /// Seen from `account`.
    async fn direction(&self) -> Option<Direction> {
        Direction::named(&self.fact.direction)
    }

    /// Only `COMPLETED` ones are added up in transfers.
    async fn status(&self) -> Option<TransactionStatus> {
        TransactionStatus::named(&self.fact.status)
    }

    /// How it was ordered.
    async fn channel(&self) -> Option<Channel> {
        self.fact.channel.as_deref().and_then(Channel::named)
    }

    /// How it was paid.
    async fn method(&self) -> Option<Method> {
        self.fact.method.as_deref().and_then(Method::named)
    }

    /// What it was for.
    async fn purpose(&self) -> Option<Purpose> {
        self.fact.purpose.as_deref().and_then(Purpose::named)
    }

    async fn description(&self) -> Option<&str> {
        self.fact.description.as_deref()
    }

    async fn counterparty_name(&self) -> Option<&str> {
        self.fact.counterparty_name.as_deref()
    }

    /// The account whose side reported it.
    async fn account(&self) -> AccountNode {
        AccountNode { key: self.fact.account_id.as_str().into(), caption: None, ahead: None }
    }

    /// Whose payment it is.
    async fn owner(&self) -> ActorNode {
        ActorNode { key: self.fact.account_owner_id.as_str().into(), caption: None }
    }

    /// Where the money came from.
    async fn sender(&self, context: &Context<'_>) -> Result<Option<AccountNode>> {
        Ok(self.end(context, "from", "fromName").await?.map(|(id, name)| AccountNode::new(id, name)))
    }

    /// Where the money went.
    async fn receiver(&self, context: &Context<'_>) -> Result<Option<AccountNode>> {
        Ok(self.end(context, "to", "toName").await?.map(|(id, name)| AccountNode::new(id, name)))
    }

    /// What it was made with.
    async fn device(&self, context: &Context<'_>) -> Result<Option<DeviceNode>> {
        Ok(self.end(context, "device", "deviceName").await?.map(|(id, name)| DeviceNode::new(id, name)))
    }

    /// From which address.
    async fn ip_address(&self, context: &Context<'_>) -> Result<Option<IpAddressNode>> {
        Ok(self.end(context, "ip", "ip").await?.map(|(id, name)| IpAddressNode::new(id, name)))
    }

    /// At which branch or machine.
    async fn channel_location(&self, context: &Context<'_>) -> Result<Option<ChannelLocationNode>> {
        Ok(self.end(context, "location", "locationName").await?.map(|(id, name)| ChannelLocationNode::new(id, name)))
    }

    /// Actors that are its counterparty.
    #[graphql(complexity = "cost(first, last, child_complexity)")]
    async fn parties(
        &self,
        context: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
    ) -> Result<Page<KeyCursor, ActorNode, connection::Nothing, Names<Actors>>> {
        let arguments = PageArguments { first, after, last, before };
        let id: Arc<str> = self.fact.id.as_str().into();
        connection::links(context, Link::TransactionParties, &id, arguments, |row| (ActorNode::new(row.id, row.name), connection::Nothing {})).await
    }

    /// The record as it was given.
    async fn record(&self, context: &Context<'_>) -> Result<Option<TransactionRecord>> {
        let (resolvers, caller) = asking(context)?;
        let record = resolvers.record_of(caller, NodeKind::Transaction, &self.fact.id).await.map_err(refused)?;
        Ok(record.map(|text| serde_json::from_str(&text)).transpose()?)
    }
}

/// Up or down.
#[derive(Enum, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// The smallest or oldest first.
    Asc,
    /// The largest or newest first.
    Desc,
}

/// What transactions are sorted by.
#[derive(Enum, Clone, Copy, PartialEq, Eq)]
pub enum TransactionOrderField {
    CreatedAt,
    Amount,
}

/// An order of transactions; newest first when none is given.
#[derive(InputObject, Clone, Copy)]
pub struct TransactionOrder {
    field: TransactionOrderField,
    #[graphql(default_with = "Order::Desc")]
    direction: Order,
}

/// Which transactions. All that is given must hold.
#[derive(InputObject, Default)]
#[graphql(name = "TransactionFilter")]
pub struct TransactionFilterInput {
    /// This amount or more, in whatever currency.
    min_amount: Option<f64>,
    /// This amount or less, in whatever currency.
    max_amount: Option<f64>,
    /// Made at this time or later.
    from: Option<Timestamp>,
    /// Made before this time.
    to: Option<Timestamp>,
    /// As seen from the account that reported it.
    direction: Option<Direction>,
    /// One of these.
    status: Option<Vec<TransactionStatus>>,
    /// One of these.
    channel: Option<Vec<Channel>>,
    /// One of these.
    method: Option<Vec<Method>>,
}

impl TransactionFilterInput {
    /// What can't hold for any transaction is a mistake, and said to be one.
    fn check(&self) -> Result<()> {
        let wrong = |problem: &str| Err(async_graphql::Error::new(format!("filter.{problem}")));
        if let (Some(min), Some(max)) = (self.min_amount, self.max_amount)
            && min > max
        {
            return wrong("maxAmount: must not be less than minAmount");
        }
        if let (Some(from), Some(to)) = (self.from, self.to)
            && from.millis() >= to.millis()
        {
            return wrong("to: must be later than from");
        }
        let nothing = [
            ("status", self.status.as_ref().is_some_and(Vec::is_empty)),
            ("channel", self.channel.as_ref().is_some_and(Vec::is_empty)),
            ("method", self.method.as_ref().is_some_and(Vec::is_empty)),
        ];
        match nothing.into_iter().find(|(_, is_empty)| *is_empty) {
            Some((name, _)) => wrong(&format!("{name}: must name at least one; leave it out for all")),
            None => Ok(()),
        }
    }

    pub fn into_filter(self) -> Result<TransactionFilter> {
        self.check()?;
        Ok(TransactionFilter {
            min_amount: self.min_amount,
            max_amount: self.max_amount,
            from: self.from.map(Timestamp::millis),
            to: self.to.map(Timestamp::millis),
            direction: self.direction,
            statuses: self.status,
            channels: self.channel,
            methods: self.method,
        })
    }
}

/// A page of transactions.
pub type TransactionPage = Page<SortCursor, TransactionNode, connection::Nothing, Names<Transactions>>;

/// The slice that a page asks for.
fn slice(
    context: &Context<'_>,
    arguments: &PageArguments,
    list: &'static str,
    filter: TransactionFilter,
    order_by: Option<TransactionOrder>,
) -> Result<(Asked, TransactionSlice)> {
    let sort = match order_by.map(|order| order.field) {
        Some(TransactionOrderField::Amount) => TransactionSort::Amount,
        _ => TransactionSort::CreatedAt,
    };
    let down = order_by.is_none_or(|order| order.direction == Order::Desc);
    let listing = Listing { list, sort: sort.name() };
    let wanted = arguments.wanted::<SortCursor>(context, listing)?;
    let slice = TransactionSlice {
        limit: wanted.limit(),
        after: wanted.after.as_ref().map(|cursor| (cursor.key, cursor.tie.clone())),
        sort,
        ascending: if down { reversed(wanted.way) } else { wanted.way },
        filter,
    };
    Ok((Asked { wanted, listing, sort }, slice))
}

/// A page that is asked for, and the list it is of.
struct Asked {
    wanted: Wanted<SortCursor>,
    listing: Listing,
    sort: TransactionSort,
}

impl Asked {
    fn page(self, rows: Vec<TransactionFact>, counted: Counted) -> TransactionPage {
        connection::page(self.wanted.page(rows), counted, |fact| {
            let cursor = SortCursor { listing: self.listing, key: fact.key(self.sort), tie: fact.id.clone() };
            (cursor, TransactionNode::of(fact), connection::Nothing {})
        })
    }
}

/// A page of a node's transactions.
pub async fn transactions(
    context: &Context<'_>,
    link: TransactionLink,
    id: &Arc<str>,
    arguments: PageArguments,
    filter: Option<TransactionFilterInput>,
    order_by: Option<TransactionOrder>,
) -> Result<TransactionPage> {
    let (resolvers, caller) = asking(context)?;
    let filter = filter.unwrap_or_default().into_filter()?;
    let (asked, slice) = slice(context, &arguments, link.label(), filter, order_by)?;
    let rows = resolvers.transactions_of(caller, link, id, &slice).await.map_err(refused)?;
    Ok(asked.page(rows, Counted::Transactions(link, Arc::clone(id), slice.filter)))
}

/// A page of all transactions, by time.
pub async fn all_transactions(
    context: &Context<'_>,
    arguments: PageArguments,
    filter: Option<TransactionFilterInput>,
    order: Option<Order>,
) -> Result<TransactionPage> {
    let (resolvers, caller) = asking(context)?;
    let filter = filter.unwrap_or_default().into_filter()?;
    let order_by = order.map(|direction| TransactionOrder { field: TransactionOrderField::CreatedAt, direction });
    let (asked, slice) = slice(context, &arguments, "transaction/all", filter, order_by)?;
    // A page that is counted and not read reads nothing.
    let rows = if super::page::selects(context.field(), "edges") || super::page::selects(context.field(), "pageInfo") {
        resolvers.transaction_list(caller, &slice).await.map_err(refused)?
    } else {
        Vec::new()
    };
    Ok(asked.page(rows, Counted::AllTransactions(slice.filter)))
}
