//! What providers have said of payments and actors, and actors that wait to be screened.

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

/// `screening/actors`, `screening/stream_actors`: an actor with what it is screened by.
#[derive(Debug, Clone, Deserialize)]
pub struct ScreenedActorRow {
    pub id: String,
    /// JSON text; a stream has it only where there are no facts.
    pub record: Option<String>,
    /// JSON text as it was kept with the record; none where the record came when actors were not screened.
    pub facts: Option<String>,
}

/// `screening/pending`: an actor that waits to be screened.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PendingScreening {
    pub id: String,
    pub actor_id: String,
    /// What made the actor wait.
    pub submission: String,
    /// How often a provider has said nothing.
    pub tries: i64,
}
