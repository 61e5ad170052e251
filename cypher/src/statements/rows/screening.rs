//! What providers have said of payments.

use graph_schema::screening::ScreeningResponse;
use serde::Deserialize;

/// `screening/record` and `screening/results`.
#[derive(Debug, Clone, Deserialize)]
pub struct ScreeningRow {
    pub id: String,
    pub response: ScreeningResponse,
}

/// `screening/payments`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AccountPayment {
    pub id: String,
    /// Epoch milliseconds.
    pub created_at: i64,
}
