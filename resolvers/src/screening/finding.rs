//! What a provider has found, as an observation.

use graph_schema::given::{self, Given};
use graph_schema::id::ActorId;
use graph_schema::observation::ObservationRecord;
use graph_schema::screening::ScreeningOperation;
use serde_json::{Value, json};

use super::Subject;
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

/// What was found, of whom.
#[derive(Clone, Copy)]
pub(super) struct Found<'a> {
    pub subject: Subject<'a>,
    pub provider: &'a Provider,
    pub found: &'a Match,
    /// When, in epoch milliseconds.
    pub at: i64,
}

impl Found<'_> {
    /// The id of the observation: of payment or actor, operation, provider and entry, so that what is found again is there once. Where somebody has cleared
    /// the pair, and that counts no more, it is another observation than the one that was cleared.
    pub fn id(&self) -> String {
        let kind = match self.subject {
            Subject::Payment(_) => "screening-hit",
            Subject::Actor(_) => "actor-screening-hit",
        };
        let mut parts = vec![self.subject.id(), self.provider.operation.as_str(), self.provider.name.as_str(), self.found.id.as_str()];
        parts.extend(self.found.cleared_before.as_deref());
        digest_id(kind, &parts)
    }

    /// Whom it is mainly about, and since when it is so: of a payment nothing follows from when it was screened.
    fn owner_and_date(&self) -> (&str, Value) {
        match self.subject {
            Subject::Payment(payment) => (payment.value.account_owner_id.as_str(), seconds(payment.value.created_at.millis())),
            Subject::Actor(actor) => (actor.id.as_str(), seconds(self.at)),
        }
    }

    /// The name that was searched for.
    fn name(&self) -> Option<&str> {
        match self.subject {
            Subject::Payment(payment) => payment.value.counterparty.name.as_deref(),
            Subject::Actor(actor) => actor.facts.name(),
        }
    }
}

/// The observation that a match is. `party` is the counterparty of a payment, where that is an actor.
pub(super) fn observation(of: &Found<'_>, party: Option<&ActorId>) -> Result<Given<ObservationRecord>> {
    let Found { subject, provider, found, .. } = *of;
    let [behavior, name, title, typology] = names(provider.operation);
    let (owner, date) = of.owner_and_date();
    let mut actors = vec![json!({"actorId": owner, "primary": true})];
    actors.extend(party.filter(|party| party.as_str() != owner).map(|party| json!({"actorId": party, "primary": false})));
    let mut rule = json!({"id": format!("screening/{}", provider.name), "name": format!("{name} by {}", provider.name), "status": "MATCHED",
        "date": date, "custom_data": {"entry": found.id, "reasons": found.reasons}});
    let mut observation = json!({
        "id": of.id(),
        "type": "ALERT_RULE",
        "behaviorId": behavior,
        "behaviorName": name,
        "behaviorDescription": description(of),
        "taxonomyDescription": typology,
        "title": title,
        "date": date,
        "actors": actors,
        "features": features(of),
        "rule": [behavior],
        "priority": "HIGH",
        "dataSource": DATA_SOURCE,
        "metadata": {"provider": provider.name, "operation": provider.operation, "entry": found.id},
    });
    if let Subject::Payment(payment) = subject {
        observation["transactionIds"] = json!([payment.value.id]);
    }
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

fn description(of: &Found<'_>) -> String {
    let Found { provider, found, .. } = *of;
    let party = of.name().unwrap_or("the counterparty");
    let listed = found.name.as_deref().map(|name| format!("{name} ")).unwrap_or_default();
    let score = found.score.map(|score| format!(", score {score}")).unwrap_or_default();
    format!("{} found a match for {party}: {listed}({}){score}.", provider.name, found.id)
}

/// What was compared, and how the score came about.
fn features(of: &Found<'_>) -> Vec<Value> {
    let Found { subject, provider, found, .. } = *of;
    let item = |name: &str, value: Value| json!({"name": name, "value": value});
    let searched = match subject {
        Subject::Payment(_) => "counterparty",
        Subject::Actor(_) => "actor",
    };
    let mut screening = vec![item("provider", json!(provider.name)), item("entry", json!(found.id))];
    screening.extend(found.name.as_ref().map(|name| item("listed name", json!(name))));
    screening.extend(of.name().map(|name| item(searched, json!(name))));
    screening.extend(found.score.map(|score| item("score", json!(score))));
    let reasons: Vec<Value> = found.reasons.iter().map(|reason| item(&reason.what, json!(reason))).collect();
    let groups = [("screening", screening), ("reasons", reasons)];
    groups.into_iter().filter(|(_, items)| !items.is_empty()).map(|(group, items)| json!({"group": group, "items": items})).collect()
}
