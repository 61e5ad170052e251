//! That an actor's risk band has changed, as an observation: what it was and is, and which factors the score is made of.

use detection::Quantity;
use graph_schema::given::{self, Given};
use graph_schema::id::ActorId;
use graph_schema::observation::ObservationRecord;
use risk::{Contribution, Known};
use serde_json::json;

use super::calculated::Calculated;
use super::score::Standing;
use crate::derived_id::digest_id;
use crate::{Error, Result};

/// What such observations are called, as detection's are by their rule.
const BEHAVIOR: &str = "risk-band";
/// So many factors are told in the text, those that contribute most first.
const MOST_TOLD: usize = 5;

/// The observation. The same change by the same breakdown of one day is the same.
pub(super) fn observation(actor: &ActorId, calculated: &Calculated, before: &Standing, after: &Standing) -> Result<Given<ObservationRecord>> {
    let id = digest_id(BEHAVIOR, &[actor.as_str(), &calculated.as_of_text(), &calculated.digest, before.band, after.band]);
    let mut contributions: Vec<&Contribution> = calculated.breakdown.contributions.iter().collect();
    contributions.sort_by(|one, other| other.contribution.cmp(&one.contribution).then_with(|| one.factor.cmp(&other.factor)));
    let told: Vec<String> = contributions.iter().filter(|part| part.contribution > Quantity::ZERO).take(MOST_TOLD).map(|part| told(part)).collect();
    let score = calculated.breakdown.score;
    let text = format!(
        "The risk of the actor was {} ({}) and is {} ({}). The rule {} {} calculates {score}, most of it by {}.",
        before.band,
        before.score,
        after.band,
        after.score,
        calculated.rule_id,
        calculated.rule_version,
        if told.is_empty() { "nothing".to_owned() } else { told.join(", ") },
    );
    let items: Vec<_> = contributions.iter().map(|part| json!({"name": part.factor, "value": part.contribution.to_f64()})).collect();
    let record = json!({
        "id": id,
        "type": "ALERT_RULE",
        "behaviorId": BEHAVIOR,
        "behaviorName": "Change of the risk band",
        "behaviorDescription": text,
        "taxonomyDescription": BEHAVIOR,
        "title": format!("Risk band {} instead of {}", after.band, before.band),
        "date": calculated.known_up_to / 1000,
        "transactionIds": [],
        "actors": [{"actorId": actor.as_str(), "primary": true}],
        "features": [{"group": "contributions", "items": items}],
        "version": calculated.rule_version,
        "batchId": calculated.run,
        "businessDate": calculated.as_of_text(),
        "dataSource": calculated.data_source,
        "metadata": {"riskRuleId": calculated.rule_id, "from": before.band, "to": after.band, "calculatedScore": score.to_f64()},
    });
    let record = without_nulls(record);
    given::read(record.to_string().as_bytes()).map_err(|refused| Error::Internal(format!("a change of a band is no observation: {refused:?}")))
}

/// A factor in a text: what it contributes, and by what.
fn told(part: &Contribution) -> String {
    match (&part.decisive, &part.known) {
        (Some(decisive), _) => format!("{} {} ({decisive})", part.factor, part.contribution),
        (None, Known::Number(number)) => format!("{} {} ({number})", part.factor, part.contribution),
        (None, _) => format!("{} {}", part.factor, part.contribution),
    }
}

/// Fields that say nothing are left out.
fn without_nulls(mut record: serde_json::Value) -> serde_json::Value {
    if let Some(fields) = record.as_object_mut() {
        fields.retain(|_, value| !value.is_null());
    }
    record
}
