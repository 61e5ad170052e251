//! What the statements about observations answer with.

use std::sync::Arc;

use graph_schema::observation::EvidenceKind;
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

/// `observation/lock_dismissed`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DismissedObservation {
    pub id: String,
    pub record: Option<String>,
    /// The id of the dismissal; null where it is not dismissed.
    pub dismissal: Option<String>,
    pub reason: Option<String>,
    pub feedback: Option<String>,
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

/// `observation/evidence`.
#[derive(Debug, Clone, Deserialize)]
pub struct EvidenceRow {
    pub id: String,
    /// JSON text.
    pub metadata: Option<String>,
    /// The necessary ones first, then in the order of time; as many as were asked for.
    pub payments: Vec<EvidencePayment>,
    /// How many there are in all.
    pub cited: i64,
    /// Whom it is about.
    pub actors: Vec<EvidenceActor>,
}

/// A record of a payment that is evidence. Accounts and actors are there as far as they are known.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EvidencePayment {
    pub id: Arc<str>,
    pub name: Arc<str>,
    pub evidence: EvidenceKind,
    /// The account that reported it.
    pub account: Option<Arc<str>>,
    pub from: Option<Arc<str>>,
    pub from_name: Option<Arc<str>>,
    pub to: Option<Arc<str>>,
    pub to_name: Option<Arc<str>>,
    /// The actor whose record it is.
    pub owner: Option<Arc<str>>,
    pub owner_name: Option<Arc<str>>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct EvidenceActor {
    pub id: Arc<str>,
    pub name: Arc<str>,
    pub primary: bool,
}
