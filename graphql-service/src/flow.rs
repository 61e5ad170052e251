//! What comes in to an actor and goes out in a time.

use async_graphql::{Context, Result, SimpleObject};
use graph_schema::date::Timestamp;
use graph_schema::number::Number;
use graphql_http::asking::{asking, boxed};
use graphql_http::refused::refused;

/// Completed payments of an actor in a time, over all accounts, as the records of the actor's own side say. What the other side alone has reported is not among
/// them.
#[derive(SimpleObject)]
pub struct FlowTotals {
    /// Payments to the actor.
    inbound: FlowTotal,
    /// Payments of the actor to others.
    outbound: FlowTotal,
}

/// Payments in one direction.
#[derive(SimpleObject)]
pub struct FlowTotal {
    /// How many they are.
    count: i64,
    /// Their exact sum in the platform's default currency, by what the payments say it is.
    standardized_total: Number,
    /// Sums within each currency, the largest first by what they are in the platform's default currency; 100 at most.
    by_currency: Vec<CurrencyTotal>,
}

/// Payments in one direction and currency.
#[derive(SimpleObject)]
pub struct CurrencyTotal {
    /// The currency in which they were made.
    currency: String,
    /// How many they are.
    count: i64,
    /// Their exact sum in this currency.
    total: Number,
}

impl From<resolvers::FlowTotal> for FlowTotal {
    fn from(of: resolvers::FlowTotal) -> Self {
        let in_currency = |of: resolvers::CurrencyTotal| CurrencyTotal { currency: of.currency, count: of.count, total: of.total.into() };
        Self { count: of.count, standardized_total: of.standardized.into(), by_currency: of.by_currency.into_iter().map(in_currency).collect() }
    }
}

/// The sums of an actor, from one moment on and before another.
#[boxed]
pub async fn flow_totals(context: &Context<'_>, actor: &str, span: (Timestamp, Timestamp)) -> Result<FlowTotals> {
    let (resolvers, caller) = asking(context)?;
    let totals = resolvers.flow_totals(caller, actor, span).await.map_err(refused)?;
    Ok(FlowTotals { inbound: totals.inbound.into(), outbound: totals.outbound.into() })
}
