//! What risk rules look at, and the scores there are.

use serde::Deserialize;

/// `risk/actors`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RiskFactsRow {
    pub id: String,
    /// False for one whose own record has not come.
    pub recorded: bool,
    #[serde(rename = "type")]
    pub kind: Option<String>,
    pub status: Option<String>,
    /// `YYYY-MM-DD`.
    pub customer_since: Option<String>,
    /// ISO 3166 codes.
    pub nationality: Option<String>,
    pub domicile: Option<String>,
    pub tax_residency: Option<String>,
    pub sub_types: Option<Vec<String>>,
    pub legal_form: Option<String>,
    /// JSON text.
    pub custom_data: Option<String>,
    /// JSON text; of legal entities alone.
    pub record: Option<String>,
    /// The type of the latest one.
    pub exclusion: Option<String>,
    /// Names of the groups that it is a member of.
    pub groups: Vec<String>,
    /// By kind, the latest first.
    pub assessments: Vec<DatedAssessment>,
    pub accounts: Vec<HeldAccount>,
    /// Ids of findings that stand.
    pub findings: Vec<String>,
    pub owners: Vec<OwningActor>,
    pub owned: Vec<OwnedActor>,
    /// Units of the standard currency, one number for each roll-up.
    pub sent: Vec<i64>,
    pub received: Vec<i64>,
    /// The largest ones, the largest first.
    pub paid: Vec<TransferEnd>,
    pub paid_by: Vec<TransferEnd>,
    /// Ids of the actors that have an identity of the actor, itself among them: for each of its identities eleven at most.
    pub shared: Vec<Vec<String>>,
}

/// An assessment of an actor.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct DatedAssessment {
    pub kind: String,
    pub value: String,
    /// `YYYY-MM-DD`.
    pub date: String,
}

/// An account on which an actor has a role.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HeldAccount {
    pub account_type: Option<String>,
    pub product_type: Option<String>,
}

/// One that owns an actor.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct OwningActor {
    pub id: String,
    pub domicile: Option<String>,
    /// From 0 to 1; nothing where nobody says how much.
    pub ratio: Option<f64>,
}

/// One that an actor owns.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct OwnedActor {
    pub id: String,
    /// From 0 to 1; nothing where nobody says how much.
    pub ratio: Option<f64>,
}

/// The account at the other end of a roll-up.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct TransferEnd {
    /// Units of the standard currency.
    pub units: Option<i64>,
    pub holders: Vec<Holder>,
    /// Countries of the account's IBANs.
    pub countries: Vec<String>,
}

/// One that has a role on an account.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Holder {
    pub id: String,
    pub domicile: Option<String>,
}

/// `risk/scores` and `risk/lock_scores`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct ScoredActorRow {
    /// The actor's.
    pub id: String,
    pub scores: Vec<StoredScore>,
}

/// A score as it is stored.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StoredScore {
    pub id: String,
    /// `YYYY-MM-DD`.
    pub as_of_date: String,
    /// Epoch milliseconds.
    pub ingested_at: i64,
    pub final_score: f64,
    pub calculated_score: Option<f64>,
    /// Whether it overrides, or says that none overrides any more; nothing for all others.
    #[serde(rename = "override")]
    pub overrides: Option<bool>,
    pub override_reason: Option<String>,
    /// The score that overrides this one, which the service has calculated.
    pub overridden_by: Option<String>,
    /// What it is made of, as a digest; of those that the service has calculated.
    pub breakdown: Option<String>,
    pub data_source: Option<String>,
    /// Decimals: what was known of the actor that follows from others, too; of those that the service has calculated.
    pub exposure: Option<String>,
    pub volume_against_segment: Option<String>,
    pub risk_rule_id: Option<String>,
}
