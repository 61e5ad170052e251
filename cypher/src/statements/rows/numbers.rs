//! Rows about numbers of accounts, and about payments that move with them.

use graph_schema::edge::NumberSource;
use serde::Deserialize;

/// `identifier/read`.
#[derive(Debug, Clone, Deserialize)]
pub struct NumberRow {
    pub id: String,
    pub name: Option<String>,
    pub holders: Vec<NumberHolder>,
    pub named: Vec<String>,
    pub moving: bool,
}

/// `identifier/seen_holders`.
#[derive(Debug, Clone, Deserialize)]
pub struct SeenHolder {
    /// Of the number.
    pub id: String,
    pub account: String,
}

#[derive(Debug, Clone, Deserialize)]
pub struct NumberHolder {
    pub account: String,
    pub source: NumberSource,
}

/// `payment_move/list`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MovingRow {
    pub account: String,
    pub external: bool,
    /// The write that was the last to say that payments are to be moved.
    pub opened_by: Option<String>,
}

/// `payment_move/lock`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LockedMove {
    pub id: String,
    pub external: bool,
    pub opened_by: Option<String>,
}

/// `payment_move/left`, `payment_move/left_of_external`.
#[derive(Debug, Clone, Deserialize)]
pub struct LeftPayment {
    pub id: String,
    pub numbers: Option<Vec<String>>,
}

/// `payment_move/places`.
#[derive(Debug, Clone, Deserialize)]
pub struct PlacedPayment {
    pub id: String,
    pub numbers: Option<Vec<String>>,
    pub place: Option<String>,
}
