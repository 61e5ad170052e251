//! Which of a list: what callers say, as conditions of the table's filters.

use cypher::Value;
use cypher::graph::{Condition, Link};
use graph_schema::date::{Date, Timestamp};
use graph_schema::transaction::{Channel, Direction, Method, TransactionStatus};

use crate::values::word;

/// A filter of a list; all of its parts must hold.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum ListFilter {
    #[default]
    All,
    /// Only what is known, or only what is not.
    Known(bool),
    /// Versions up to a date.
    AsOf(Date),
    Transactions(TransactionFilter),
    Transfers(TransferFilter),
}

/// Which transactions.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TransactionFilter {
    pub min_amount: Option<f64>,
    pub max_amount: Option<f64>,
    /// Included.
    pub from: Option<Timestamp>,
    /// Not included.
    pub to: Option<Timestamp>,
    pub direction: Option<Direction>,
    pub statuses: Option<Vec<TransactionStatus>>,
    pub channels: Option<Vec<Channel>>,
    pub methods: Option<Vec<Method>>,
}

/// Which transfers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TransferFilter {
    pub currency: Option<String>,
    pub min_total: Option<f64>,
}

impl ListFilter {
    /// The conditions of a link or list that has such filters; those that it does not have are left out.
    pub fn conditions(&self, link: &Link) -> Vec<Condition> {
        let said = match self {
            Self::All => Vec::new(),
            Self::Known(known) => vec![("known", Value::from(*known))],
            Self::AsOf(date) => vec![("asOf", Value::from(date.to_string()))],
            Self::Transactions(filter) => filter.said(),
            Self::Transfers(filter) => filter.said(),
        };
        let condition = |(name, value): (&str, Value)| link.filter(name).map(|filter| Condition { filter, value });
        said.into_iter().filter(|(_, value)| *value != Value::Null).filter_map(condition).collect()
    }
}

impl TransactionFilter {
    fn said(&self) -> Vec<(&'static str, Value)> {
        fn words<T: serde::Serialize>(list: Option<&Vec<T>>) -> Value {
            list.map(|items| Value::List(items.iter().map(word).collect())).unwrap_or_default()
        }
        vec![
            ("minAmount", self.min_amount.into()),
            ("maxAmount", self.max_amount.into()),
            ("from", self.from.map(Timestamp::millis).into()),
            ("to", self.to.map(Timestamp::millis).into()),
            ("direction", self.direction.as_ref().map(word).into()),
            ("status", words(self.statuses.as_ref())),
            ("channel", words(self.channels.as_ref())),
            ("method", words(self.methods.as_ref())),
        ]
    }
}

impl TransferFilter {
    fn said(&self) -> Vec<(&'static str, Value)> {
        vec![("currency", self.currency.as_deref().into()), ("minTotal", self.min_total.into())]
    }
}
