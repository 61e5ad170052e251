//! Rows about counts of cases.

use serde::{Deserialize, Deserializer};

use crate::Value;

/// `case_count/begin`, `case_count/lock`.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct CaseCounting {
    /// Odd while counts are being changed.
    pub number: i64,
}

/// `case_count/uncounted`.
#[derive(Debug, Clone, Deserialize)]
pub struct UncountedCaseRow {
    pub id: String,
    pub standing: UncountedCase,
}

/// How a case stands that waits to be counted.
#[derive(Debug, Clone, Deserialize)]
pub struct UncountedCase {
    /// JSON text; nothing where it was not counted yet. Whatever else stands there is a text that can't be read: one case must hold up no other.
    #[serde(deserialize_with = "text")]
    pub counted_as: Option<String>,
    pub case_type: String,
    pub state: String,
    pub status: String,
    pub workflow: String,
    /// Empty: nobody.
    pub assignee: String,
    /// Epoch milliseconds.
    pub created_at: i64,
    /// Epoch milliseconds; nothing while it is not closed.
    pub closed_at: Option<i64>,
}

/// A text, whatever it is.
fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Ok(match Value::deserialize(deserializer)? {
        Value::Null => None,
        Value::Text(text) => Some(text),
        _ => Some(String::new()),
    })
}

/// `case_count/read`.
#[derive(Debug, Clone, Deserialize)]
pub struct CaseCounts {
    /// The number of the counting before all else was read.
    pub before: i64,
    /// The same afterwards.
    pub after: i64,
    pub counts: Vec<CaseCell>,
    pub waiting: Vec<UncountedCase>,
}

/// A count of cases.
#[derive(Debug, Clone, Deserialize)]
pub struct CaseCell {
    pub case_type: String,
    pub state: String,
    pub status: String,
    pub workflow: String,
    /// Empty: nobody.
    pub assignee: String,
    pub day: i64,
    pub count: i64,
}
