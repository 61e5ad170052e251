//! Watchlists: versions, entries, and imports.

use serde::Deserialize;

/// `watchlist/abandon`.
#[derive(Debug, Clone, Deserialize)]
pub struct AbandonedImport {
    /// The version that counts.
    pub version: i64,
}

/// `watchlist/begin`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BegunImport {
    pub id: String,
    pub version: i64,
    /// The job that has brought the version.
    pub published_by: Option<String>,
    /// Of what that was read from.
    pub sha256: Option<String>,
}

/// `watchlist/importing`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ImportingWatchlist {
    pub id: String,
    pub version: i64,
    /// The import's job.
    pub import_id: String,
    /// Ids of its files.
    pub uploads: Vec<String>,
    /// Whether the job has not ended.
    pub open: bool,
}

/// `watchlist/lock`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LockedWatchlist {
    pub id: String,
    pub version: i64,
    /// The job that may make the next version count.
    pub held_by: Option<String>,
    pub published_by: Option<String>,
}

/// `watchlist/states`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct WatchlistState {
    pub key: String,
    pub id: String,
    /// The version in which it came.
    pub since: i64,
    /// The version from which on it is no more.
    pub until: Option<i64>,
    pub fingerprint: String,
}

/// `watchlist/keys`, `watchlist/places`.
#[derive(Debug, Clone, Deserialize)]
pub struct KeyedEntry {
    pub key: String,
    pub id: String,
    /// The version in which it came.
    pub since: i64,
    /// The version from which on it is no more.
    pub until: Option<i64>,
}

impl KeyedEntry {
    /// Whether a version has it.
    pub fn is_in(&self, version: i64) -> bool {
        self.since <= version && self.until.is_none_or(|until| until > version)
    }
}

/// `watchlist/read_upload`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WatchlistUpload {
    pub id: String,
    /// Under which the content is in the store of files.
    pub key: String,
    pub size: i64,
    pub sha256: String,
    /// Epoch milliseconds.
    pub uploaded_at: i64,
    pub uploaded_by: String,
}

/// `watchlist/list`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WatchlistRow {
    pub id: String,
    pub name: String,
    /// 0 where no import has brought it yet.
    pub version: i64,
    pub format: Option<String>,
    pub entries: Option<i64>,
    /// This and the next: epoch milliseconds.
    pub imported_at: Option<i64>,
    pub created_at: i64,
}

/// `watchlist/versions`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WatchlistVersionRow {
    pub id: String,
    pub number: i64,
    /// Epoch milliseconds.
    pub published_at: i64,
    /// Who has asked for the import.
    pub published_by: String,
    pub published_by_name: String,
    pub job_id: String,
    pub format: String,
    pub sha256: String,
    pub entries: i64,
    pub added: i64,
    pub changed: i64,
    pub ended: i64,
    /// How many values were not used.
    pub notes: i64,
}

/// An entry of a list as it is, or was, in some of its versions. Texts with several values have one in each line.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WatchlistEntryRow {
    pub id: String,
    pub key: String,
    /// As the list has it.
    pub entry_id: String,
    pub name: String,
    pub schema: String,
    /// The main one first.
    pub names: String,
    pub birth_dates: Option<String>,
    pub countries: Option<String>,
    pub sex: Option<String>,
    /// `KIND:NUMBER`.
    pub identifiers: Option<String>,
    pub since: i64,
    pub until: Option<i64>,
}

/// `watchlist/stream`: an entry with what screening goes by. Texts with several values have one in each line.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StreamedEntry {
    /// Of the node.
    pub id: String,
    /// As the list has it.
    pub entry_id: String,
    pub schema: String,
    pub names: String,
    pub birth_dates: Option<String>,
    pub countries: Option<String>,
    pub sex: Option<String>,
    /// `KIND:NUMBER`.
    pub identifiers: Option<String>,
}

/// `watchlist/entries`, `watchlist/added`, `watchlist/ended`.
#[derive(Debug, Clone, Deserialize)]
pub struct ListedEntry {
    pub key: String,
    pub entry: WatchlistEntryRow,
}

/// `watchlist/former`.
#[derive(Debug, Clone, Deserialize)]
pub struct FormerEntry {
    pub id: String,
    /// What it has replaced.
    pub former: Option<WatchlistEntryRow>,
}
