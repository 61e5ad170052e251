//! What Add Transaction answers, and what is kept of it under an idempotency key: the answer as it is before any screening, and which screenings belong
//! to it. So the same request again finds what the first has come to, and screens nothing twice.

use graph_schema::screening::{ScreeningOperation, ScreeningResponse};
use serde::{Deserialize, Serialize};

/// The answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct TransactionAnswer {
    transaction_id: String,
    request_id: String,
    screening_results: Vec<ToldResult>,
    /// Only of what is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) screening: Option<KeptScreening>,
}

/// What one provider said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct ToldResult {
    pub provider_name: String,
    pub response: ScreeningResponse,
}

/// Which screenings belong to a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct KeptScreening {
    pub submission: String,
    pub providers: Vec<KeptProvider>,
    /// When the first of those who ask will have come to an end, in epoch milliseconds.
    pub until: i64,
}

/// A provider that was asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct KeptProvider {
    pub operation: ScreeningOperation,
    pub name: String,
}

impl TransactionAnswer {
    /// Without results.
    pub fn new(transaction: &str, request: &str) -> Self {
        Self { transaction_id: transaction.to_owned(), request_id: request.to_owned(), screening_results: Vec::new(), screening: None }
    }

    pub(super) fn read(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    pub(super) fn with_results(self, results: Vec<ToldResult>) -> Self {
        Self { screening_results: results, screening: None, ..self }
    }

    /// As JSON text.
    pub fn text(&self) -> String {
        // They are texts and numbers.
        serde_json::to_string(self).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_becomes_the_documented_answer() {
        let mut kept = TransactionAnswer::new("t", "r");
        assert_eq!(kept.text(), r#"{"transaction_id":"t","request_id":"r","screening_results":[]}"#);
        let providers = vec![KeptProvider { operation: ScreeningOperation::Sanctions, name: "watchlists".to_owned() }];
        kept.screening = Some(KeptScreening { submission: "s".to_owned(), providers, until: 1 });
        let read = TransactionAnswer::read(&kept.text()).expect("what was written");
        assert_eq!(read, kept);
        let results = vec![ToldResult { provider_name: "watchlists".to_owned(), response: ScreeningResponse::Miss }];
        let told = r#"{"transaction_id":"t","request_id":"r","screening_results":[{"provider_name":"watchlists","response":"MISS"}]}"#;
        assert_eq!(read.with_results(results).text(), told);
    }
}
