//! What Add Transaction answers, and what is kept of it under an idempotency key: the answer as it is before any screening, and which screenings belong
//! to it. So the same request again finds what the first has come to, and screens nothing twice.

use graph_schema::screening::{ScreeningOperation, ScreeningResponse};
use serde::{Deserialize, Serialize};

/// The answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TransactionAnswer {
    transaction_id: String,
    request_id: String,
    screening_results: Vec<ToldResult>,
    /// Only of what is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub screening: Option<KeptScreening>,
}

/// What one provider said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToldResult {
    pub provider_name: String,
    pub response: ScreeningResponse,
}

/// Which screenings belong to a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KeptScreening {
    pub submission: String,
    pub providers: Vec<KeptProvider>,
    /// When the first of those who ask will have come to an end, in epoch milliseconds.
    pub until: i64,
}

/// A provider that was asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptProvider {
    pub operation: ScreeningOperation,
    pub name: String,
}

impl TransactionAnswer {
    /// Without results.
    pub fn new(transaction: &str, request: &str) -> Self {
        Self { transaction_id: transaction.to_owned(), request_id: request.to_owned(), screening_results: Vec::new(), screening: None }
    }

    pub fn read(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    pub fn with_results(self, results: Vec<ToldResult>) -> Self {
        Self { screening_results: results, screening: None, ..self }
    }

    /// As JSON text.
    pub fn text(&self) -> String {
        // They are texts and numbers.
        serde_json::to_string(self).unwrap_or_default()
    }
}
