//! Accounts and the money that went between them.

use std::sync::Arc;

use async_graphql::{Context, Enum, InputObject, Object, Result, SimpleObject};
use graph_schema::account::{AccountRecord, AccountStatus, AccountType};
use graph_schema::code::Currency;
use graph_schema::date::{Date, Timestamp};
use graph_schema::number::Number;
use resolvers::explore::{Flow, Link, NodeKind, TransactionLink, Transfer, TransferChain, TransferFilter, TransferSlice, TransferSort};

use super::actor::ActorNode;
use super::chain;
use super::connection::{
    self, AccountDevices, Counted, Identities, Names, Page, RoleFields, RolesOnAccount, SignInFields, Transactions, Transfers, reversed,
};
use super::device::DeviceNode;
use super::facts::{Facts, named};
use super::identity::IdentityNode;
use super::page::{KeyCursor, Listing, PageArguments, SortCursor, cost};
use super::transaction::{Order, TransactionFilterInput, TransactionNode, TransactionOrder, transactions};
use super::{asking, refused};

/// An account: one of the institution's, one that was only named so far (`known: false`), or one elsewhere (`external: true`).
#[derive(Clone)]
pub struct AccountNode {
    pub key: Arc<str>,
    /// Known already where the node came with a list.
    pub caption: Option<Arc<str>>,
    /// Steps of the same link that were fetched with this node.
    pub ahead: Option<(Flow, TransferChain, Arc<[Transfer]>)>,
}

impl AccountNode {
    pub fn new(id: Arc<str>, name: Arc<str>) -> Self {
        Self { key: id, caption: Some(name), ahead: None }
    }

    /// The account with an id, if there is one. A chain of transfers that is asked of it comes with it: the chain's answer tells as well
    /// whether there is such an account.
    pub async fn find(context: &Context<'_>, id: &str) -> Result<Option<Self>> {
        let named = named(context, NodeKind::Account, id);
        let Some((flow, chain)) = chain::at(context.field()) else {
            return Ok(named.await?.map(|(id, name)| Self::new(id, name)));
        };
        let (resolvers, caller) = asking(context)?;
        let transfers = async { resolvers.largest_transfers(caller, flow, id, chain).await.map_err(refused) };
        let (caption, rows) = if chain::asks_for_the_link_alone(context.field()) {
            (None, transfers.await?)
        } else {
            let (named, transfers) = futures::try_join!(named, transfers)?;
            (named.map(|(_, name)| name), transfers)
        };
        Ok(rows.map(|rows| Self { key: id.into(), caption, ahead: Some((flow, chain, rows)) }))
    }
}

impl Facts for AccountNode {
    const KIND: NodeKind = NodeKind::Account;

    fn key(&self) -> &str {
        &self.key
    }
}

/// An account: one of the institution's, one that was only named so far (`known: false`), or one elsewhere (`external: true`).
#[Object(name = "Account")]
impl AccountNode {
    /// The account's id, as it was ingested.
    pub async fn id(&self) -> async_graphql::ID {
        async_graphql::ID(self.key.to_string())
    }

    /// An id that `node` takes, unique across all types.
    pub async fn node_id(&self) -> async_graphql::ID {
        async_graphql::ID(format!("Account:{}", self.key))
    }

    /// What a human knows it by.
    async fn name(&self, context: &Context<'_>) -> Result<String> {
        match &self.caption {
            Some(name) => Ok(name.to_string()),
            None => Ok(self.text(context, "name").await?.unwrap_or_default()),
        }
    }

    /// Whether its record has arrived; others have only named it so far when not.
    async fn known(&self, context: &Context<'_>) -> Result<bool> {
        Ok(self.fact(context, "known").await?.as_bool().unwrap_or_default())
    }

    /// Whether it is an account elsewhere, known by what payments say of it.
    async fn external(&self, context: &Context<'_>) -> Result<bool> {
        Ok(self.fact(context, "external").await?.as_bool().unwrap_or_default())
    }

    /// What kind of account it is.
    async fn account_type(&self, context: &Context<'_>) -> Result<Option<AccountType>> {
        self.word(context, "accountType").await
    }

    async fn status(&self, context: &Context<'_>) -> Result<Option<AccountStatus>> {
        self.word(context, "status").await
    }

    /// ISO 4217.
    async fn currency_code(&self, context: &Context<'_>) -> Result<Option<String>> {
        self.text(context, "currencyCode").await
    }

    async fn iban(&self, context: &Context<'_>) -> Result<Option<String>> {
        self.text(context, "iban").await
    }

    async fn account_number(&self, context: &Context<'_>) -> Result<Option<String>> {
        self.text(context, "accountNumber").await
    }

    /// The country of the account, ISO 3166-1 alpha-2.
    async fn domicile(&self, context: &Context<'_>) -> Result<Option<String>> {
        self.text(context, "domicile").await
    }

    /// The record as it was given: the present one, or as it was known to be on a date.
    async fn record(&self, context: &Context<'_>, as_of: Option<Date>) -> Result<Option<AccountRecord>> {
        let (resolvers, caller) = asking(context)?;
        let record = match as_of {
            Some(date) => resolvers.record_as_of(caller, NodeKind::Account, &self.key, date).await,
            None => resolvers.record_of(caller, NodeKind::Account, &self.key).await,
        };
        let record = record.map_err(refused)?;
        Ok(record.map(|text| serde_json::from_str(&text)).transpose()?)
    }

    /// All versions, the latest date first.
    async fn history(&self, context: &Context<'_>) -> Result<Vec<AccountVersion>> {
        let (resolvers, caller) = asking(context)?;
        let versions = resolvers.versions(caller, NodeKind::Account, &self.key).await.map_err(refused)?;
        let version = |(as_of_date, recorded_at, record): (String, i64, String)| {
            Ok(AccountVersion { as_of_date, recorded_at: Timestamp(recorded_at), record: serde_json::from_str(&record)? })
        };
        versions.into_iter().map(version).collect()
    }

    /// Who has a role on it.
    #[graphql(complexity = "cost(first, last, child_complexity)")]
    async fn actors(
        &self,
        context: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
    ) -> Result<Page<KeyCursor, ActorNode, RoleFields, Names<RolesOnAccount>>> {
        let arguments = PageArguments { first, after, last, before };
        connection::links(context, Link::AccountActors, &self.key, arguments, |row| {
            let fields = RoleFields::of(&row);
            (ActorNode::new(row.id, row.name), fields)
        })
        .await
    }

    /// Devices from which it was signed in to.
    #[graphql(complexity = "cost(first, last, child_complexity)")]
    async fn devices(
        &self,
        context: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
    ) -> Result<Page<KeyCursor, DeviceNode, SignInFields, Names<AccountDevices>>> {
        let arguments = PageArguments { first, after, last, before };
        connection::links(context, Link::AccountDevices, &self.key, arguments, |row| {
            let fields = SignInFields::of(&row);
            (DeviceNode::new(row.id, row.name), fields)
        })
        .await
    }

    /// What identifies it: IBAN, account number, references.
    #[graphql(complexity = "cost(first, last, child_complexity)")]
    async fn identities(
        &self,
        context: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
    ) -> Result<Page<KeyCursor, IdentityNode, connection::Nothing, Names<Identities>>> {
        let arguments = PageArguments { first, after, last, before };
        connection::links(context, Link::AccountIdentities, &self.key, arguments, IdentityNode::of_link).await
    }

    /// Payments it sent or received, whichever side reported them.
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
        transactions(context, TransactionLink::Account(None), &self.key, arguments, filter, order_by).await
    }

    /// Payments it sent.
    #[graphql(complexity = "cost(first, last, child_complexity)")]
    #[allow(clippy::too_many_arguments)]
    async fn sent(
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
        transactions(context, TransactionLink::Account(Some(Flow::Out)), &self.key, arguments, filter, order_by).await
    }

    /// Payments it received.
    #[graphql(complexity = "cost(first, last, child_complexity)")]
    #[allow(clippy::too_many_arguments)]
    async fn received(
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
        transactions(context, TransactionLink::Account(Some(Flow::In)), &self.key, arguments, filter, order_by).await
    }

    /// Where its money went, added up by account and currency; the largest totals first.
    #[graphql(complexity = "cost(first, last, child_complexity)")]
    #[allow(clippy::too_many_arguments)]
    async fn transferred_to(
        &self,
        context: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
        filter: Option<TransferFilterInput>,
        order_by: Option<TransferOrder>,
    ) -> Result<Page<SortCursor, AccountNode, TransferFields, Names<Transfers>>> {
        let arguments = PageArguments { first, after, last, before };
        self.transfers(context, Flow::Out, arguments, filter, order_by).await
    }

    /// Where its money came from, added up by account and currency; the largest totals first.
    #[graphql(complexity = "cost(first, last, child_complexity)")]
    #[allow(clippy::too_many_arguments)]
    async fn received_from(
        &self,
        context: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
        filter: Option<TransferFilterInput>,
        order_by: Option<TransferOrder>,
    ) -> Result<Page<SortCursor, AccountNode, TransferFields, Names<Transfers>>> {
        let arguments = PageArguments { first, after, last, before };
        self.transfers(context, Flow::In, arguments, filter, order_by).await
    }
}

impl AccountNode {
    async fn transfers(
        &self,
        context: &Context<'_>,
        flow: Flow,
        arguments: PageArguments,
        filter: Option<TransferFilterInput>,
        order_by: Option<TransferOrder>,
    ) -> Result<Page<SortCursor, AccountNode, TransferFields, Names<Transfers>>> {
        let (resolvers, caller) = asking(context)?;
        let sort = order_by.map_or(TransferSort::Total, |order| order.field.sort());
        let listing = Listing { list: flow.label(), sort: sort.name() };
        let wanted = arguments.wanted::<SortCursor>(context, listing)?;
        let plain = arguments.is_plain() && filter.is_none() && order_by.is_none();
        let filter = filter.map(TransferFilterInput::into_filter).transpose()?.unwrap_or_default();
        let (rows, chain) = if plain {
            let chain = match &self.ahead {
                Some((fetched, chain, rows)) if *fetched == flow && chain.limit() == wanted.limit() => Some((*chain, Arc::clone(rows))),
                _ => None,
            };
            match chain {
                Some((chain, rows)) => (rows, chain.rest()),
                None => {
                    // There is at least this step, so that there is a chain.
                    let chain = chain::behind(context.field(), wanted.limit()).ok_or("no steps")?;
                    let rows = resolvers.largest_transfers(caller, flow, &self.key, chain).await.map_err(refused)?;
                    (rows.unwrap_or_default(), chain.rest())
                }
            }
        } else {
            let down = order_by.is_none_or(|order| order.direction == Order::Desc);
            let slice = TransferSlice {
                limit: wanted.limit(),
                after: wanted.after.as_ref().map(|cursor| (cursor.key, cursor.tie.clone())),
                sort,
                ascending: if down { reversed(wanted.way) } else { wanted.way },
                filter: filter.clone(),
            };
            (resolvers.transfers(caller, flow, &self.key, &slice).await.map_err(refused)?, None)
        };
        let items = wanted.page(rows.iter().cloned().collect());
        Ok(connection::page(items, Counted::Transfers(flow, Arc::clone(&self.key), filter), |transfer| {
            let cursor = SortCursor { listing, key: transfer.key(sort), tie: transfer.tie() };
            let ahead = chain.zip(transfer.next.clone()).map(|(chain, rows)| (flow, chain, rows));
            let node = AccountNode { key: Arc::clone(&transfer.id), caption: Some(Arc::clone(&transfer.name)), ahead };
            (cursor, node, TransferFields::of(transfer))
        }))
    }
}

/// Payments between two accounts in one currency, added up. Reported by one side or both, nothing counts twice.
#[derive(SimpleObject)]
pub struct TransferFields {
    /// Completed payments.
    pub count: i64,
    /// Their exact sum.
    pub total: Option<Number>,
    pub currency: String,
    /// When the first of them was made.
    pub first: Timestamp,
    /// When the last of them was made.
    pub last: Timestamp,
}

impl TransferFields {
    fn of(transfer: Transfer) -> Self {
        Self {
            count: transfer.count,
            total: Number::parse(&transfer.total.to_string()),
            currency: transfer.currency,
            first: Timestamp(transfer.first),
            last: Timestamp(transfer.last),
        }
    }
}

/// Which transfers.
#[derive(InputObject)]
#[graphql(name = "TransferFilter")]
pub struct TransferFilterInput {
    /// ISO 4217, such as `EUR`.
    currency: Option<Currency>,
    /// This total or more, in whatever currency.
    min_total: Option<f64>,
}

impl TransferFilterInput {
    fn into_filter(self) -> Result<TransferFilter> {
        if self.min_total.is_some_and(|least| least < 0.0) {
            return Err(async_graphql::Error::new("filter.minTotal: must not be negative"));
        }
        Ok(TransferFilter { currency: self.currency.map(|currency| currency.to_string()), min_total: self.min_total })
    }
}

/// What transfers are sorted by.
#[derive(Enum, Clone, Copy, PartialEq, Eq)]
pub enum TransferOrderField {
    Total,
    Count,
    First,
    Last,
}

impl TransferOrderField {
    fn sort(self) -> TransferSort {
        match self {
            Self::Total => TransferSort::Total,
            Self::Count => TransferSort::Count,
            Self::First => TransferSort::First,
            Self::Last => TransferSort::Last,
        }
    }
}

/// An order of transfers.
#[derive(InputObject, Clone, Copy)]
pub struct TransferOrder {
    field: TransferOrderField,
    #[graphql(default_with = "Order::Desc")]
    direction: Order,
}

/// What was known of an account as of a date.
#[derive(SimpleObject)]
pub struct AccountVersion {
    pub as_of_date: String,
    pub recorded_at: Timestamp,
    pub record: AccountRecord,
}
