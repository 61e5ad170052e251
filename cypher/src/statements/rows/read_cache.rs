//! Rows about processes that tell one another what they have written.

use serde::Deserialize;

/// `read_cache/look`.
#[derive(Debug, Clone, Deserialize)]
pub struct CacheWriterRow {
    pub id: String,
    /// As the process has written it.
    pub standing: String,
    /// The number of its last renewal.
    pub renewal: i64,
}

/// `read_cache/notes`.
#[derive(Debug, Clone, Deserialize)]
pub struct CacheNoteRow {
    pub id: String,
    pub content: String,
}
