//! What comes in to an actor and goes out in a time, over all of the actor's accounts.
//!
//! Payments count by the records of the actor's own side: completed ones that name the actor as their owner, each once. What the other side alone has
//! reported is not among them. The sums are added up when they are asked for, and nothing of them is kept.

use cypher::statements::rows::FlowTally;
use graph_schema::money::Total;
use graph_schema::transaction::Direction;

/// The most payments that are added up.
pub const MOST: i64 = 100_000;
/// The most currencies that are told apart.
pub const MOST_CURRENCIES: usize = 100;

/// Payments of an actor, by direction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlowTotals {
    pub inbound: FlowTotal,
    pub outbound: FlowTotal,
}

/// Payments in one direction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlowTotal {
    pub count: i64,
    /// Their sum in the platform's default currency.
    pub standardized: Total,
    /// The same by currency, the largest first by what they are in the default currency: 100 at most.
    pub by_currency: Vec<CurrencyTotal>,
}

/// Payments in one direction and currency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CurrencyTotal {
    pub currency: String,
    pub count: i64,
    /// Their sum in this currency.
    pub total: Total,
}

impl FlowTotals {
    /// Of what was added up; nothing where those are more payments than are added up.
    pub(crate) fn of(tallies: &[FlowTally]) -> Option<Self> {
        let is_whole = tallies.iter().map(|tally| tally.count).sum::<i64>() <= MOST;
        is_whole.then(|| Self { inbound: FlowTotal::of(tallies, Direction::Inbound), outbound: FlowTotal::of(tallies, Direction::Outbound) })
    }
}

impl FlowTotal {
    fn of(tallies: &[FlowTally], direction: Direction) -> Self {
        let mut own: Vec<&FlowTally> = tallies.iter().filter(|tally| tally.direction == direction).collect();
        own.sort_by(|one, other| standardized(other).cmp(&standardized(one)).then_with(|| one.currency.cmp(&other.currency)));
        let sum = |of: fn(&FlowTally) -> i64| own.iter().map(|tally| of(tally)).sum::<i64>();
        let in_currency = |tally: &&FlowTally| CurrencyTotal {
            currency: tally.currency.clone(),
            count: tally.count,
            total: Total::of_millions(tally.millions, tally.units, tally.nanos),
        };
        Self {
            count: sum(|tally| tally.count),
            standardized: Total::of_millions(
                sum(|tally| tally.standard_millions),
                sum(|tally| tally.standard_units),
                sum(|tally| tally.standard_nanos),
            ),
            by_currency: own.iter().map(in_currency).take(MOST_CURRENCIES).collect(),
        }
    }
}

fn standardized(tally: &FlowTally) -> Total {
    Total::of_millions(tally.standard_millions, tally.standard_units, tally.standard_nanos)
}
