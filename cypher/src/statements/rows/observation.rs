//! What the statements about observations answer with.

use std::sync::Arc;

use serde::Deserialize;

/// `observation/lock`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LockedObservation {
    pub id: String,
    pub record: Option<String>,
    pub internal_id: Option<String>,
    pub logical_time: Option<i64>,
    pub now: Option<i64>,
}

/// `observation/lock_known`.
#[derive(Debug, Clone, Deserialize)]
pub struct KnownObservation {
    pub id: String,
    pub record: Option<String>,
}

/// `observation/missing`.
#[derive(Debug, Clone, Deserialize)]
pub struct MissingRow {
    pub id: String,
    pub link: ObservationLink,
}

/// By what an observation leads to what it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ObservationLink {
    Cites,
    About,
    Mentions,
}

/// `observation/read`.
#[derive(Debug, Clone, Deserialize)]
pub struct ObservationRow {
    pub id: String,
    pub record: Option<Arc<str>>,
    pub fields: ObservationFields,
    pub actors: Vec<ObservedActor>,
    pub missing: Vec<MissingRow>,
    pub cases: Vec<String>,
}

/// What the service has added; null for a placeholder.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ObservationFields {
    pub recorded_at: Option<i64>,
    pub internal_id: Option<String>,
    pub submitted_by: Option<String>,
}

/// Whom an observation is about.
#[derive(Debug, Clone, Deserialize)]
pub struct ObservedActor {
    pub id: String,
    pub primary: bool,
}
