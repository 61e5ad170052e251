//! What a provider has found, as an observation.

use graph_schema::given::{self, Given};
use graph_schema::id::ActorId;
use graph_schema::observation::ObservationRecord;
use graph_schema::screening::ScreeningOperation;
use serde_json::{Value, json};

use super::Payment;
use super::provider::Provider;
use super::result::Match;
use crate::derived_id::digest_id;
use crate::{Error, Result};

/// Where these observations come from, as records say it.
const DATA_SOURCE: &str = "Service - Screening";

/// What observations of an operation are called: id and name of the behaviour, title, typology.
fn names(operation: ScreeningOperation) -> [&'static str; 4] {
    match operation {
        ScreeningOperation::Fraud => ["screening-fraud", "Fraud screening", "Fraud screening hit", "Fraud"],
        ScreeningOperation::Sanctions => ["screening-sanctions", "Sanctions screening", "Sanctions screening hit", "Sanctions"],
    }
}

/// The observation that a match is: its id follows from payment, provider and entry, and nothing in it from when it was found, so that it is there once.
/// `party` is the counterparty, where that is an actor.
pub(super) fn observation(payment: &Payment, provider: &Provider, found: &Match, party: Option<&ActorId>) -> Result<Given<ObservationRecord>> {
    let record = &payment.value;
    let [behavior, name, title, typology] = names(provider.operation);
    let id = digest_id("screening-hit", &[record.id.as_str(), provider.operation.as_str(), &provider.name, &found.id]);
    let (owner, date) = (record.account_owner_id.as_str(), seconds(record.created_at.millis()));
    let mut actors = vec![json!({"actorId": owner, "primary": true})];
    actors.extend(party.filter(|party| party.as_str() != owner).map(|party| json!({"actorId": party, "primary": false})));
    let mut rule = json!({"id": format!("screening/{}", provider.name), "name": format!("{name} by {}", provider.name), "status": "MATCHED",
        "date": date, "custom_data": {"entry": found.id, "reasons": found.reasons}});
    let mut observation = json!({
        "id": id,
        "type": "ALERT_RULE",
        "behaviorId": behavior,
        "behaviorName": name,
        "behaviorDescription": description(payment, provider, found),
        "taxonomyDescription": typology,
        "title": title,
        "date": date,
        "transactionIds": [record.id],
        "actors": actors,
        "features": features(payment, provider, found),
        "rule": [behavior],
        "priority": "HIGH",
        "dataSource": DATA_SOURCE,
        "metadata": {"provider": provider.name, "operation": provider.operation, "entry": found.id},
    });
    if let Some(score) = found.score {
        rule["score"] = json!(score);
        observation["score"] = json!(score);
    }
    observation["rules"] = json!([rule]);
    given::read(observation.to_string().as_bytes()).map_err(|refused| {
        // What is wrong with them may repeat a value.
        let places: Vec<&str> = refused.faults().iter().map(|fault| fault.at.as_str()).collect();
        Error::Internal(format!("a hit is no observation: {}", places.join(", ")))
    })
}

/// Seconds of milliseconds, exact.
fn seconds(millis: i64) -> Value {
    if millis % 1000 == 0 { json!(millis / 1000) } else { json!(millis as f64 / 1000.0) }
}

fn description(payment: &Payment, provider: &Provider, found: &Match) -> String {
    let party = payment.value.counterparty.name.as_deref().unwrap_or("the counterparty");
    let listed = found.name.as_deref().map(|name| format!("{name} ")).unwrap_or_default();
    let score = found.score.map(|score| format!(", score {score}")).unwrap_or_default();
    format!("{} found a match for {party}: {listed}({}){score}.", provider.name, found.id)
}

/// What was compared, and how the score came about.
fn features(payment: &Payment, provider: &Provider, found: &Match) -> Vec<Value> {
    let item = |name: &str, value: Value| json!({"name": name, "value": value});
    let mut screening = vec![item("provider", json!(provider.name)), item("entry", json!(found.id))];
    screening.extend(found.name.as_ref().map(|name| item("listed name", json!(name))));
    screening.extend(payment.value.counterparty.name.as_ref().map(|name| item("counterparty", json!(name))));
    screening.extend(found.score.map(|score| item("score", json!(score))));
    let reasons: Vec<Value> = found.reasons.iter().map(|reason| item(&reason.what, json!(reason))).collect();
    let groups = [("screening", screening), ("reasons", reasons)];
    groups.into_iter().filter(|(_, items)| !items.is_empty()).map(|(group, items)| json!({"group": group, "items": items})).collect()
}
