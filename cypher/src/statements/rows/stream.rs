//! What long reads go by: payments, and what was transferred between accounts.

use graph_schema::transaction::Direction;
use serde::Deserialize;

/// `transaction/stream`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PaymentRow {
    pub id: String,
    pub account_id: String,
    pub account_owner_id: Option<String>,
    /// The account that it went from, where that is known.
    pub from: Option<String>,
    /// The account that it went to, where that is known.
    pub to: Option<String>,
    /// Epoch milliseconds.
    pub created_at: i64,
    pub amount_units: i64,
    pub amount_nanos: i64,
    /// The same in the currency that all amounts are compared in.
    pub standard_units: i64,
    pub standard_nanos: i64,
    pub currency: String,
    pub status: Option<String>,
    pub direction: Direction,
    /// True for one that is in a roll-up; else null.
    pub counted: Option<bool>,
    pub recorded_at: Option<i64>,
    pub logical_time: Option<i64>,
    /// True for one that is not to be monitored; else null.
    pub excluded: Option<bool>,
}

/// `transfer/of_senders`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SenderTransfers {
    pub id: String,
    /// How many payments it has sent.
    pub sent: i64,
    /// Nothing where those are more than was asked for.
    pub tallies: Vec<TransferTally>,
    pub roll_ups: Vec<RollUp>,
}

/// `transfer/check`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CheckedPair {
    pub from: String,
    pub to: String,
    pub currency: String,
    pub tallies: Vec<TransferTally>,
    pub roll_ups: Vec<RollUp>,
}

/// What an account has sent to another in a currency, by one side's reports: `transfer/sums`, and in lists of other statements.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TransferTally {
    pub to: String,
    pub currency: String,
    pub direction: Direction,
    pub count: i64,
    /// Of the units, millions of each payment, and what is left of each.
    pub millions: i64,
    pub units: i64,
    pub nanos: i64,
    pub standard_millions: i64,
    pub standard_units: i64,
    pub standard_nanos: i64,
    /// Epoch milliseconds.
    pub first: i64,
    pub last: i64,
}

/// `transaction/flow_totals`.
#[derive(Debug, Clone, Deserialize)]
pub struct FlowRow {
    pub id: String,
    pub tallies: Vec<FlowTally>,
}

/// What payments of an actor in one direction and currency add up to.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FlowTally {
    pub direction: Direction,
    pub currency: String,
    pub count: i64,
    /// Of the units, millions of each payment, and what is left of each.
    pub millions: i64,
    pub units: i64,
    pub nanos: i64,
    pub standard_millions: i64,
    pub standard_units: i64,
    pub standard_nanos: i64,
}

/// `transfer/roll_ups`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RollUpRow {
    pub roll_up: RollUp,
}

/// A roll-up as it is stored, in the order of its list. One that was damaged may lack any of it, which counts as zero.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RollUp {
    pub to: String,
    pub currency: String,
    pub sent_count: Option<i64>,
    pub sent_units: Option<i64>,
    pub sent_nanos: Option<i64>,
    pub sent_carry: Option<i64>,
    pub sent_standard_units: Option<i64>,
    pub sent_standard_nanos: Option<i64>,
    pub sent_standard_carry: Option<i64>,
    pub received_count: Option<i64>,
    pub received_units: Option<i64>,
    pub received_nanos: Option<i64>,
    pub received_carry: Option<i64>,
    pub received_standard_units: Option<i64>,
    pub received_standard_nanos: Option<i64>,
    pub received_standard_carry: Option<i64>,
    pub count: Option<i64>,
    pub total_units: Option<i64>,
    pub total_nanos: Option<i64>,
    pub total_carry: Option<i64>,
    /// Of the payments that it counts; null where it counts none.
    pub first: Option<i64>,
    pub last: Option<i64>,
}
