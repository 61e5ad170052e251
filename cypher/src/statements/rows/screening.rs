//! What providers have said of payments.

use graph_schema::screening::ScreeningResponse;
use serde::Deserialize;

/// `screening/results`.
#[derive(Debug, Clone, Deserialize)]
pub struct ScreeningRow {
    pub id: String,
    pub response: ScreeningResponse,
}
