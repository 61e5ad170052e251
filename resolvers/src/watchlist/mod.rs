//! Watchlists: lists of names to screen against, as versions.
//!
//! A file is uploaded ([`upload`]), and a job imports it ([`import`]). An entry is a node for each of its states, with the version in which it came and
//! the one from which on it is no more. An import writes what its version has otherwise than the one that counts ([`delta`]): those nodes name a version
//! that nobody is shown, until one small transaction makes it count ([`publish`]). So readers see one version or the other, however large the list is.
//! Whatever comes of an import, what it leaves is tidied up by the job `watchlists` ([`tidy`]).

mod content;
mod delta;
pub(crate) mod entry;
mod import;
mod publish;
mod read;
pub(crate) mod request;
mod tidy;
mod upload;

use std::time::Duration;

pub(crate) use entry::{identifiers_of, values_of};
pub(crate) use import::ImportWatchlist;
pub use read::{ChangeKind, EntryPage, ListedEntry, ShownEntry, ShownVersion, ShownWatchlist, VersionPage};
pub use request::{ImportWatchlistRequest, WatchlistFormat};
pub use upload::UploadedList;
pub(crate) use upload::forget_some;

/// The label of the lists' nodes.
const WATCHLIST: &str = "Watchlist";

/// As many states of entries as `watchlist/keys` finds at once.
const KEYS: usize = 10_000;

/// How lists are imported.
#[derive(Debug, Clone)]
pub struct WatchlistSettings {
    /// Bytes of a file.
    pub upload: usize,
    /// How long a file is kept that nobody imports.
    pub keep_uploads_for: Duration,
}

impl Default for WatchlistSettings {
    fn default() -> Self {
        Self { upload: 512 << 20, keep_uploads_for: Duration::from_secs(24 * 60 * 60) }
    }
}

/// The id of a list's version.
pub(crate) fn version_id(list: &str, number: i64) -> String {
    format!("{list}/{number}")
}

/// What stands before all keys of a list's entries, and what behind them: an id of a list has neither sign.
pub(crate) fn keys_of(list: &str) -> (String, String) {
    (format!("{list}/"), format!("{list}0"))
}
