//! Lists of transactions: of an account, an actor, a device, an IP address, a channel location, or all of them; filtered, sorted, paged.

use cypher::{Params, Statement, Value, statements};
use graph_schema::money::Money;
use graph_schema::transaction::{Channel, Direction, Method, TransactionStatus};

use super::transfer::Flow;
use super::{Way, int, items, text, text_or_none};
use crate::loader::Ask;
use crate::policy::{Action, Subject};
use crate::values::word;
use crate::{Caller, Resolvers, Result};

/// Whose transactions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TransactionLink {
    /// Those an account sent, received, or both, whichever side reported them.
    Account(Option<Flow>),
    /// Those an actor owns.
    Actor,
    /// Of an actor that they name as the counterparty.
    InvolvedActor,
    Device,
    IpAddress,
    ChannelLocation,
}

/// Which transactions. All parts must hold.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TransactionFilter {
    pub min_amount: Option<f64>,
    pub max_amount: Option<f64>,
    /// Epoch milliseconds, included.
    pub from: Option<i64>,
    /// Epoch milliseconds, not included.
    pub to: Option<i64>,
    pub direction: Option<Direction>,
    pub statuses: Option<Vec<TransactionStatus>>,
    pub channels: Option<Vec<Channel>>,
    pub methods: Option<Vec<Method>>,
}

impl TransactionFilter {
    fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    fn params(&self, params: Params) -> Params {
        self.but_time(params).with("from", self.from).with("to", self.to)
    }

    /// Without the time, which pages by time have as their bounds.
    fn but_time(&self, params: Params) -> Params {
        fn words<T: serde::Serialize>(list: Option<&Vec<T>>) -> Value {
            list.map(|items| Value::List(items.iter().map(word).collect())).unwrap_or_default()
        }
        params
            .with("minAmount", self.min_amount)
            .with("maxAmount", self.max_amount)
            .with("direction", self.direction.as_ref().map(word))
            .with("statuses", words(self.statuses.as_ref()))
            .with("channels", words(self.channels.as_ref()))
            .with("methods", words(self.methods.as_ref()))
    }
}

/// What they are sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TransactionSort {
    CreatedAt,
    Amount,
}

impl TransactionSort {
    /// As statements name it.
    pub fn name(self) -> &'static str {
        match self {
            TransactionSort::CreatedAt => "CREATED_AT",
            TransactionSort::Amount => "AMOUNT",
        }
    }
}

/// A slice of a list of transactions.
#[derive(Debug, Clone)]
pub struct TransactionSlice {
    pub limit: usize,
    /// Sort key and id behind which the slice begins, in the direction it goes.
    pub after: Option<(f64, String)>,
    pub sort: TransactionSort,
    /// Whether the slice goes from small to large.
    pub ascending: Way,
    pub filter: TransactionFilter,
}

/// A transaction as lists show it.
#[derive(Debug, Clone)]
pub struct TransactionFact {
    pub id: String,
    pub name: String,
    pub amount: Money,
    pub currency: String,
    /// Epoch milliseconds.
    pub created_at: i64,
    pub direction: String,
    pub status: String,
    pub channel: Option<String>,
    pub method: Option<String>,
    pub purpose: Option<String>,
    pub description: Option<String>,
    pub account_id: String,
    pub account_owner_id: String,
    pub counterparty_name: Option<String>,
    pub channel_location_id: Option<String>,
    pub standardized_amount: Money,
}

impl TransactionFact {
    /// Out of the list that statements answer with.
    pub fn of(row: &[Value]) -> Self {
        Self {
            id: text(row, 0),
            name: text(row, 1),
            amount: Money::from_sums(int(row, 2), int(row, 3)),
            currency: text(row, 4),
            created_at: int(row, 5),
            direction: text(row, 6),
            status: text(row, 7),
            channel: text_or_none(row, 8),
            method: text_or_none(row, 9),
            purpose: text_or_none(row, 10),
            description: text_or_none(row, 11),
            account_id: text(row, 12),
            account_owner_id: text(row, 13),
            counterparty_name: text_or_none(row, 14),
            channel_location_id: text_or_none(row, 15),
            standardized_amount: Money::from_sums(int(row, 16), int(row, 17)),
        }
    }

    /// What it is sorted by.
    pub fn key(&self, sort: TransactionSort) -> f64 {
        match sort {
            TransactionSort::CreatedAt => self.created_at as f64,
            TransactionSort::Amount => self.amount.to_f64(),
        }
    }
}

impl TransactionLink {
    /// A name of its own.
    pub fn label(self) -> &'static str {
        self.statements().0.label
    }

    fn statements(self) -> (Statement, Statement) {
        use statements::{account, actor, channel_location, device, ip_address};
        match self {
            TransactionLink::Account(_) => (account::TRANSACTIONS, account::TRANSACTIONS_COUNT),
            TransactionLink::Actor => (actor::TRANSACTIONS, actor::TRANSACTIONS_COUNT),
            TransactionLink::InvolvedActor => (actor::INVOLVED_IN, actor::INVOLVED_IN_COUNT),
            TransactionLink::Device => (device::TRANSACTIONS, device::TRANSACTIONS_COUNT),
            TransactionLink::IpAddress => (ip_address::TRANSACTIONS, ip_address::TRANSACTIONS_COUNT),
            TransactionLink::ChannelLocation => (channel_location::TRANSACTIONS, channel_location::TRANSACTIONS_COUNT),
        }
    }

    fn params(self, params: Params) -> Params {
        match self {
            TransactionLink::Account(flow) => params.with(
                "flow",
                flow.map(|flow| match flow {
                    Flow::Out => "SENT",
                    Flow::In => "RECEIVED_BY",
                }),
            ),
            _ => params,
        }
    }
}

impl Resolvers {
    /// A slice of the transactions of a node, in the order it is read.
    pub async fn transactions_of(&self, caller: &Caller, link: TransactionLink, id: &str, slice: &TransactionSlice) -> Result<Vec<TransactionFact>> {
        let permit = self.inner.enter(caller, Action::Explore, Subject::Linked)?;
        let sign = if slice.ascending == Way::Forward { 1.0 } else { -1.0 };
        let params = Params::none()
            .with("sort", slice.sort.name())
            .with("sign", sign as i64)
            .with("afterKey", slice.after.as_ref().map(|(key, _)| key * sign))
            .with("afterId", slice.after.as_ref().map(|(_, id)| id.as_str()))
            .with("limit", slice.limit as i64);
        let params = link.params(slice.filter.params(params));
        let rows = self.ask(&permit, &Ask::new(link.statements().0, params), id).await?;
        Ok(items(&rows).map(TransactionFact::of).collect())
    }

    /// How many transactions of a node match.
    pub async fn transactions_of_count(&self, caller: &Caller, link: TransactionLink, id: &str, filter: &TransactionFilter) -> Result<i64> {
        let permit = self.inner.enter(caller, Action::Explore, Subject::Linked)?;
        let params = link.params(filter.params(Params::none()));
        self.total(&permit, &Ask::new(link.statements().1, params), id).await
    }

    /// A slice of all transactions by time, in the order it is read.
    pub async fn transaction_list(&self, caller: &Caller, slice: &TransactionSlice) -> Result<Vec<TransactionFact>> {
        let permit = self.inner.enter(caller, Action::Explore, Subject::List("Transaction"))?;
        let (from, to) = (slice.filter.from.unwrap_or(i64::MIN), slice.filter.to.unwrap_or(i64::MAX));
        let after = slice.after.as_ref().map(|(key, id)| (*key as i64, id.as_str()));
        // The bound where the page begins is a place in the order like any other: no id is before the empty one.
        let (statement, (at, id), bound) = match slice.ascending {
            Way::Forward => (statements::transaction::PAGE_OLDEST, after.map_or((from, ""), |after| after.max((from, ""))), ("to", to)),
            Way::Backward => (statements::transaction::PAGE_NEWEST, after.map_or((to, ""), |after| after.min((to, ""))), ("from", from)),
        };
        let params = Params::none().with("at", at).with("id", id).with(bound.0, bound.1).with("limit", slice.limit as i64);
        let rows = self.inner.read(&permit, statement, slice.filter.but_time(params)).await?;
        Ok(rows.iter().map(|row| TransactionFact::of(row.get("row").as_list())).collect())
    }

    /// How many transactions match; without a filter from the store's own count.
    pub async fn transaction_count(&self, caller: &Caller, filter: &TransactionFilter) -> Result<i64> {
        let permit = self.inner.enter(caller, Action::Explore, Subject::List("Transaction"))?;
        let (statement, params) = if filter.is_empty() {
            (statements::transaction::COUNT, Params::none())
        } else {
            (statements::transaction::COUNT_FILTERED, filter.params(Params::none()))
        };
        let rows = self.inner.read(&permit, statement, params).await?;
        Ok(rows.first().map_or(0, |row| row.int("total")))
    }
}
