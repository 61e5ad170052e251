//! A score that the service has calculated, as the record that is kept of it.

use cypher::statements::rows::StoredScore;
use graph_schema::date::Date;
use graph_schema::given::{self, Given};
use graph_schema::risk::RiskScore;
use risk::{Breakdown, Contribution, Input, Known, RiskRule};
use serde_json::json;

use crate::values::json_text;
use crate::{Error, Result};

/// What the reference reserves for scores of runs.
pub const OF_RUNS: &str = "Service - Risk Engine";
/// What it reserves for those that somebody has asked for.
pub(super) const ON_DEMAND: &str = "Service - On Demand Risk Calculations";

/// A score of one actor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Calculated {
    pub rule_id: String,
    pub rule_name: String,
    pub rule_version: String,
    pub as_of: Date,
    pub data_source: &'static str,
    /// The run that has calculated it.
    pub run: Option<String>,
    /// Epoch milliseconds: what was recorded later was not seen.
    pub known_up_to: i64,
    pub breakdown: Breakdown,
    /// Stands for all that the score is made of: another one is another score.
    pub digest: String,
}

/// Whose score it is, and of what.
pub struct Occasion<'a> {
    pub as_of: Date,
    pub data_source: &'static str,
    pub run: Option<&'a str>,
    pub known_up_to: i64,
}

impl Calculated {
    pub fn new(rule: &RiskRule, breakdown: Breakdown, occasion: &Occasion<'_>) -> Self {
        Self {
            rule_id: rule.id.clone(),
            rule_name: rule.name.clone(),
            rule_version: rule.version.to_string(),
            as_of: occasion.as_of,
            data_source: occasion.data_source,
            run: occasion.run.map(str::to_owned),
            known_up_to: occasion.known_up_to,
            digest: rule.digest(&breakdown),
            breakdown,
        }
    }

    /// `YYYY-MM-DD`.
    pub fn as_of_text(&self) -> String {
        self.as_of.to_string()
    }

    /// The number that was known of an input.
    pub fn known(&self, input: Input) -> Option<String> {
        self.breakdown.contributions.iter().find(|part| part.input == input).and_then(|part| match &part.known {
            Known::Number(number) => Some(number.to_string()),
            Known::Nothing | Known::Texts(_) => None,
        })
    }

    /// About how many bytes its record has.
    pub fn size(&self) -> usize {
        500 + 300 * self.breakdown.contributions.len()
    }

    /// Its record, as if it had been sent; with the final score of the one that overrides it, where there is one.
    pub fn record(&self, overriding: Option<&StoredScore>) -> Result<Given<RiskScore>> {
        let score = self.breakdown.score;
        let mut fields = vec![
            ("as_of_date", json_text(&self.as_of_text())),
            ("final_score", overriding.map_or_else(|| score.to_string(), |overriding| overriding.final_score.to_string())),
            ("risk_rule_id", json_text(&self.rule_id)),
            ("risk_rule_version", json_text(&self.rule_version)),
            ("calculated_score", score.to_string()),
            ("data_source", json_text(self.data_source)),
            ("sub_scores", self.sub_scores()),
            ("metadata", self.metadata(overriding)),
        ];
        if let Some(overriding) = overriding {
            fields.push(("override", "true".to_owned()));
            fields.extend(overriding.override_reason.as_deref().map(|reason| ("override_reason", json_text(reason))));
        }
        let text = object(fields.iter().map(|(name, value)| (*name, value.as_str())));
        given::read(text.as_bytes()).map_err(|refused| Error::Internal(format!("a calculated score is no score: {refused:?}")))
    }

    /// What each factor contributes: numbers that add up to the calculated score.
    fn sub_scores(&self) -> String {
        let parts: Vec<(&str, String)> =
            self.breakdown.contributions.iter().map(|part| (part.factor.as_str(), part.contribution.to_string())).collect();
        object(parts.iter().map(|(name, value)| (*name, value.as_str())))
    }

    /// How each contribution came about.
    fn metadata(&self, overriding: Option<&StoredScore>) -> String {
        let factors: Vec<String> = self.breakdown.contributions.iter().map(factor).collect();
        let mut fields = vec![
            ("rule_name", json_text(&self.rule_name)),
            ("known_up_to", self.known_up_to.to_string()),
            ("factors", format!("[{}]", factors.join(","))),
        ];
        fields.extend(self.run.as_deref().map(|run| ("run", json_text(run))));
        fields.extend(overriding.map(|overriding| ("overridden_by", json_text(&overriding.id))));
        object(fields.iter().map(|(name, value)| (*name, value.as_str())))
    }
}

/// A JSON object of names and JSON texts. Numbers keep their digits, which they would not as binary ones.
fn object<'a>(fields: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let fields: Vec<String> = fields.map(|(name, value)| format!("{}:{value}", json_text(name))).collect();
    format!("{{{}}}", fields.join(","))
}

fn factor(part: &Contribution) -> String {
    let known = match &part.known {
        Known::Nothing => "null".to_owned(),
        Known::Texts(texts) => json!(texts).to_string(),
        Known::Number(number) => number.to_string(),
    };
    let decisive = part.decisive.as_deref().map_or_else(|| "null".to_owned(), json_text);
    let [rating, weight, contribution] = [part.rating, part.weight, part.contribution].map(|number| number.to_string());
    let fields = [
        ("factor", json_text(&part.factor)),
        ("input", json_text(part.input.name())),
        ("known", known),
        ("decisive", decisive),
        ("rating", rating),
        ("weight", weight),
        ("contribution", contribution),
    ];
    object(fields.iter().map(|(name, value)| (*name, value.as_str())))
}
