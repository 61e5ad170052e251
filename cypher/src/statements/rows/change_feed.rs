//! Rows about the change feed.

use serde::{Deserialize, Deserializer};

/// `change_feed/state`.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct ChangeFeedState {
    /// Of the last set of changes.
    pub position: i64,
    /// Of the last that is kept no more.
    pub forgotten: i64,
}

/// `change_feed/unsequenced`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub struct UnsequencedRow {
    /// First, so that these sort as they are sequenced.
    pub stamp: i64,
    pub id: String,
}

/// `change_feed/sequence`.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct SequencedRow {
    pub position: i64,
}

/// `change_feed/read`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ChangeSetRow {
    pub position: i64,
    pub created_at: i64,
    /// Ids of audit entries.
    #[serde(deserialize_with = "ids")]
    pub entries: Vec<String>,
    /// Ids of events.
    #[serde(deserialize_with = "ids")]
    pub events: Vec<String>,
}

/// `change_feed/event_ids`.
#[derive(Debug, Clone, Deserialize)]
pub struct SetEvents {
    pub position: i64,
    /// Ids of the set's events.
    #[serde(deserialize_with = "ids")]
    pub events: Vec<String>,
}

/// `change_feed/event_names`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NamedEvent {
    pub id: String,
    pub event_name: String,
    /// Of its `data`: about as many bytes.
    pub size: i64,
}

/// `change_feed/event_bodies`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToldEvent {
    pub id: String,
    pub event_name: String,
    /// Epoch milliseconds.
    pub created_at: i64,
    /// JSON text.
    pub data: String,
}

/// Ids of a text that has spaces between them.
fn ids<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let text = String::deserialize(deserializer)?;
    Ok(text.split_ascii_whitespace().map(str::to_owned).collect())
}
