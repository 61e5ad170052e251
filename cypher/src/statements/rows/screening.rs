//! What providers have said of payments and actors, payments and actors that wait to be screened, and matches that somebody has cleared.

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

/// `screening/stream_records`: an actor with its record.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RecordedActorRow {
    pub id: String,
    /// JSON text.
    pub record: String,
    /// JSON text as it was kept to screen the actor by; none where it was not.
    pub facts: Option<String>,
    /// When the record was acknowledged; none where an older program wrote it.
    pub logical_time: Option<i64>,
}

/// `screening/pending_payments` and `screening/pending_bulk_payments`: payments that wait together to be screened.
#[derive(Debug, Clone, Deserialize)]
pub struct PendingPayments {
    pub id: String,
    /// JSON text: each payment's id, and what brought it.
    pub payments: String,
    /// With commas between them.
    pub operations: String,
    /// How often a provider has said nothing.
    pub tries: i64,
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

/// `screening/cleared`: that somebody has cleared a party of an entry.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ClearanceRow {
    pub id: String,
    pub pair: String,
    /// Digest of who the party was.
    pub facts: String,
    /// Of what the entry said.
    pub fingerprint: String,
    /// This and the next ones: epoch milliseconds.
    pub until: i64,
    pub cleared_at: i64,
    /// None where nobody has ended it.
    pub ended_at: Option<i64>,
}

/// `screening/entries`: an entry as it is in the version that counts.
#[derive(Debug, Clone, Deserialize)]
pub struct ClearedEntry {
    pub key: String,
    pub name: String,
    pub fingerprint: String,
    /// The list's id.
    pub list: String,
    pub version: i64,
}

/// `screening/lock_cleared`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LockedClearance {
    pub id: String,
    pub name: String,
    /// None where the party is no actor.
    pub actor_id: Option<String>,
    /// Epoch milliseconds.
    pub until: i64,
    pub ended_at: Option<i64>,
}
