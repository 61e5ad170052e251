//! What is shown of risk scores.

use graph_schema::date::Timestamp;

use super::row::columns;

/// What the service has added to a risk score.
#[derive(Debug, Clone, PartialEq)]
pub struct RiskScoreSummary {
    pub rule: String,
    /// Of the service's own rules.
    pub rule_name: Option<String>,
    pub band: String,
    pub ingested_at: Timestamp,
    pub ingested_by: String,
}

columns!(RiskScoreSummary {
    rule: "{b}.riskRuleId",
    rule_name: "{b}.ruleName",
    band: "{b}.riskBand",
    ingested_at: "{b}.ingestedAt",
    ingested_by: "{b}.ingestedBy",
});
