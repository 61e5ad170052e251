//! What is known about an actor's risk: assessments, extended information, scores.

use async_graphql::SimpleObject;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    date::{Date, Timestamp},
    given::Input,
    id::ActorId,
    json_object::JsonObject,
    number::Number,
};

/// One assessment. A request carries an array of them, see [`crate::given::read_list`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[graphql(name = "RiskAssessmentRecord")]
pub struct RiskAssessment {
    pub as_of_date: Date,
    /// Any text; `ADVERSE_MEDIA`, `INTERNAL`, `INTP`, `PEP`, `PP`, `SANCTIONS` and `SAR` are listed.
    #[serde(rename = "type")]
    #[graphql(name = "type")]
    pub kind: String,
    pub value: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
}

impl Input for RiskAssessment {}

/// Balances and counts over all products of an actor, in local currency.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[derive(Default)]
#[graphql(name = "ExtendedInformationInputRecord")]
pub struct ExtendedInformation {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deposits_available_balance_lcy: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deposits_fixed_term_balance_lcy: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deposits_total_balance_lcy: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub derivatives_balance_lcy: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loans_balance_lcy: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loans_credit_limit_lcy: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loans_overdraft_lcy: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loans_principal_lcy: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub securities_balance_lcy: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number_of_bank_accounts: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number_of_credit_cards: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number_of_deposit_accounts: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number_of_derivatives_portfolios: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number_of_loans: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number_of_securities_portfolios: Option<Number>,
    /// Today, when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_of_date: Option<Date>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_product_date: Option<Date>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_product_date: Option<Date>,
}

impl Input for ExtendedInformation {}

/// Extended information as it is stored: with the actor it is about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ExtendedInformationRecord {
    pub actor_id: ActorId,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deposits_available_balance_lcy: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deposits_fixed_term_balance_lcy: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deposits_total_balance_lcy: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub derivatives_balance_lcy: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loans_balance_lcy: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loans_credit_limit_lcy: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loans_overdraft_lcy: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loans_principal_lcy: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub securities_balance_lcy: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number_of_bank_accounts: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number_of_credit_cards: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number_of_deposit_accounts: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number_of_derivatives_portfolios: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number_of_loans: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number_of_securities_portfolios: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_of_date: Option<Date>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_product_date: Option<Date>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_product_date: Option<Date>,
}

/// A risk score as it is ingested.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(deny_unknown_fields)]
#[graphql(name = "RiskScoreInputRecord")]
pub struct RiskScore {
    pub as_of_date: Date,
    pub final_score: Number,
    pub risk_rule_id: String,
    /// Score produced by the engine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calculated_score: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data_source: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<JsonObject>,
    /// True when `final_score` was set by hand.
    #[serde(skip_serializing_if = "Option::is_none", rename = "override")]
    #[graphql(name = "override")]
    pub overridden: Option<bool>,
    #[schema(max_length = 512)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub override_reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub risk_rule_version: Option<String>,
    /// Named numeric components.
    #[schema(schema_with = crate::json_object::numbers)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sub_scores: Option<JsonObject>,
}

impl Input for RiskScore {}

/// A stored risk score, as it is listed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RiskScoreRecord {
    pub actor_id: ActorId,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule_name: Option<String>,
    pub risk_rule_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub risk_rule_version: Option<String>,
    pub as_of_date: Date,
    pub final_score: Number,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calculated_score: Option<Number>,
    /// `low_risk`, `medium_risk` or `high_risk`, by configured thresholds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub risk_band: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", rename = "override")]
    #[graphql(name = "override")]
    pub overridden: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub override_reason: Option<String>,
    #[schema(schema_with = crate::json_object::numbers)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sub_scores: Option<JsonObject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data_source: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ingested_by: Option<String>,
    pub ingested_at: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<JsonObject>,
}
