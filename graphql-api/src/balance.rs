//! Balances of accounts.

use async_graphql::ID;
use graph_schema::account::BalanceType;
use graph_schema::date::{Date, Timestamp};
use graph_schema::number::Number;
use resolvers::explore::AccountBalanceSummary;

use super::object::{graph_node, object_with_links};
use super::walk::Shown;

/// A balance of an account at the end of a day, as it was sent.
#[derive(Clone)]
pub struct BalanceNode(Shown<AccountBalanceSummary>);

graph_node!(BalanceNode shows AccountBalanceSummary);

object_with_links! {
    /// A balance of an account at the end of a day, as it was sent.
    BalanceNode as "AccountBalance" {
        /// The service's own id: one for each account, day, kind and currency.
        pub async fn id(&self) -> ID {
            ID(self.0.at.id().to_owned())
        }

        /// An id that `node` takes, unique across all types.
        pub async fn node_id(&self) -> ID {
            ID(format!("AccountBalance:{}", self.0.at.id()))
        }

        /// Amount and currency.
        async fn name(&self) -> &str {
            self.0.at.name()
        }
    }
    shown {
        /// The day whose end it is of.
        as_of_date: Date = |it| it.as_of_date;
        /// The currency of the amounts, ISO 4217.
        currency: String = |it| it.given.currency.as_str().to_owned();
        /// The balance, with the digits that it was sent with.
        current: Number = |it| it.given.current.clone();
        /// What of it can be drawn; null when it was not sent.
        available: Option<Number> = |it| it.given.available.clone();
        /// The kind of balance; null when none was sent.
        kind as "type": Option<BalanceType> = |it| it.given.kind;
        /// The time at which the service stored it last.
        recorded_at: Timestamp = |it| it.given.ingest_date;
    }
    principals {
        /// The user, key or client that sent it; null for what was stored before that was kept.
        recorded_by = |it| it.recorded_by.as_deref();
    }
}
