//! What a provider says of a payment or an actor.

use graph_schema::screening::ScreeningResponse;
use serde::{Deserialize, Serialize};

/// What one provider says of one payment or actor.
#[derive(Debug, Clone, PartialEq)]
pub struct ProviderResult {
    pub response: ScreeningResponse,
    /// Of a hit: the best first.
    pub matches: Vec<Match>,
    /// Why there is neither a hit nor a miss.
    pub reason: Option<String>,
    /// Of watchlists: the versions that were searched, as `LIST/VERSION`.
    pub lists: Vec<String>,
    /// Entries that were found and left out, because somebody has cleared them.
    pub cleared: Vec<String>,
}

/// Something that a provider has found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Match {
    /// What tells it from all else that the provider may find; of a watchlist `LIST/ENTRY`.
    pub id: String,
    /// The name that was found.
    #[serde(default)]
    pub name: Option<String>,
    /// From 0 to 1.
    #[serde(default)]
    pub score: Option<f64>,
    /// How the score came about.
    #[serde(default)]
    pub reasons: Vec<MatchReason>,
    /// The last time that somebody has cleared it of the party, where that counts no more: the clearance's id. Nothing that a provider says.
    #[serde(skip)]
    pub cleared_before: Option<String>,
}

/// What a part of a name, or a fact, has to do with a score.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MatchReason {
    /// Such as `Kept` or `Matched(Spelled)`.
    pub what: String,
    /// What of the party that was searched for it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub party: Option<String>,
    /// What of the entry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub listed: Option<String>,
    /// What it takes from the score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
}

impl ProviderResult {
    pub fn miss() -> Self {
        Self { response: ScreeningResponse::Miss, matches: Vec::new(), reason: None, lists: Vec::new(), cleared: Vec::new() }
    }

    pub fn hit(matches: Vec<Match>) -> Self {
        Self { response: ScreeningResponse::Hit, matches, reason: None, lists: Vec::new(), cleared: Vec::new() }
    }

    /// The reason is shown to analysts: nothing of a payment, nothing of the inside.
    pub fn error(reason: impl Into<String>) -> Self {
        Self { response: ScreeningResponse::Error, matches: Vec::new(), reason: Some(reason.into()), lists: Vec::new(), cleared: Vec::new() }
    }

    pub fn timeout() -> Self {
        let reason = "the provider did not answer in time".to_owned();
        Self { response: ScreeningResponse::Timeout, matches: Vec::new(), reason: Some(reason), lists: Vec::new(), cleared: Vec::new() }
    }

    /// The same, found in these versions of watchlists.
    pub fn of_lists(self, lists: Vec<String>) -> Self {
        Self { lists, ..self }
    }

    /// The score of the best match.
    pub fn score(&self) -> Option<f64> {
        self.matches.iter().filter_map(|found| found.score).max_by(f64::total_cmp)
    }
}

/// A number of the matcher with four digits, as the matcher rounds scores itself.
pub(super) fn rounded(number: f32) -> f64 {
    (f64::from(number) * 10_000.0).round() / 10_000.0
}
