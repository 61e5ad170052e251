//! Findings become observations, or signals that were suppressed.
//!
//! A finding continues an earlier one of the same rule about the same actor (or group) with which it shares a payment: it has its id, and the payments of
//! both. Several findings of a run that continue the same are one. What is recorded word for word again changes nothing, so that all of it may be done
//! twice.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use cypher::statements::rows::EarlierFinding;
use cypher::{Params, Value, map, statements};
use detection::Severity;
use futures::future::try_join_all;
use graph_schema::date::Timestamp;
use graph_schema::given::{self, Given};
use graph_schema::observation::ObservationRecord;
use serde::Serialize;
use serde_json::json;

use super::DATA_SOURCE;
use super::job::Detect;
use super::search::{Found, Suppressed, priority};
use crate::conflicts::despite_conflicts;
use crate::derived_id::{digest_id, digest_number};
use crate::observation::RECORD_OBSERVATION;
use crate::policy::Permit;
use crate::{Error, Inner, Result};

/// What a statement about earlier findings may take.
const LIMIT: Duration = Duration::from_secs(20);
/// Payments that an observation cites at most: the necessary ones first, then the latest.
const MOST_CITED: usize = 1_000;
/// Actors that an observation names at most beside those whom it is about.
const MOST_ACTORS: usize = 200;

impl Suppressed {
    fn reason(self) -> &'static str {
        match self {
            Self::Excluded => "the actor is excluded from alerts (SUPPRESSED)",
            Self::Snoozed => "the rule is snoozed for the actor",
        }
    }
}

/// What a run has come to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Recorded {
    /// Observations that were not there before.
    pub new: usize,
    /// Observations that were there before.
    pub continued: usize,
    /// Signals that were suppressed: one of a rule and an actor.
    pub suppressed: usize,
    /// The ids of these observations.
    #[serde(skip)]
    pub ids: BTreeSet<String>,
}

impl Recorded {
    pub fn add(&mut self, more: Self) {
        self.new += more.new;
        self.continued += more.continued;
        self.suppressed += more.suppressed;
        self.ids.extend(more.ids);
    }
}

/// Of which run findings are.
pub struct OfRun<'a> {
    pub job: &'a Detect,
    /// What was recorded later it has not seen; epoch milliseconds.
    pub known_up_to: i64,
}

/// Findings of a run that are one observation.
struct Alert<'a> {
    id: String,
    /// The one that it continues.
    earlier: Option<&'a EarlierFinding>,
    /// The one with the highest score first.
    found: Vec<&'a Found>,
}

impl Inner {
    /// Makes records of findings. All of one rule about one actor or group are to be among them.
    pub(super) async fn record_findings(&self, permit: &Permit<'_>, run: &OfRun<'_>, found: &[Found]) -> Result<Recorded> {
        let suppressed: BTreeMap<String, Value> = found.iter().flat_map(|found| signal_rows(run, found)).collect();
        let mut recorded = Recorded { suppressed: suppressed.len(), ..Recorded::default() };
        if !suppressed.is_empty() {
            let params = Params::rows(suppressed.into_values().collect());
            despite_conflicts(|| self.engine.write(statements::detection::SUPPRESS, params.clone())).await?;
        }
        let alerted: Vec<&Found> = found.iter().filter(|found| !found.focal_actors.is_empty()).collect();
        let earlier = self.earlier_findings(&alerted).await?;
        let mut writes = Vec::new();
        for alert in alerts(&alerted, &earlier) {
            if alert.earlier.is_some_and(|earlier| was_there(&alert.id, alert.found.as_slice(), earlier, run)) {
                recorded.continued += 1;
            } else {
                recorded.new += 1;
            }
            recorded.ids.insert(alert.id.clone());
            // What a later day has found stands.
            if alert.earlier.and_then(|earlier| earlier.business_date.as_deref()) <= Some(run.date().as_str()) {
                writes.push(self.observation_write(permit, &observation(run, &alert)?)?);
            }
        }
        try_join_all(writes.into_iter().map(|write| self.queue.write(&RECORD_OBSERVATION, write))).await?;
        Ok(recorded)
    }

    /// What was found before that cites one of the payments.
    pub(super) async fn earlier_findings(&self, found: &[&Found]) -> Result<Vec<EarlierFinding>> {
        if found.is_empty() {
            return Ok(Vec::new());
        }
        let row = |(place, found): (usize, &&Found)| {
            let payments: Vec<&str> = found.cited(MOST_CITED).into_iter().collect();
            map([("place", (place as i64).into()), ("behavior", found.behavior.as_str().into()), ("payments", payments.into())])
        };
        let params = Params::rows(found.iter().enumerate().map(row).collect());
        Ok(self.engine.read_as(statements::detection::FINDINGS, params, LIMIT).await?)
    }
}

impl OfRun<'_> {
    fn date(&self) -> String {
        self.job.batch.close_of_business_date.to_string()
    }
}

/// Findings by the observation that they are.
fn alerts<'a>(found: &[&'a Found], earlier: &'a [EarlierFinding]) -> Vec<Alert<'a>> {
    let mut alerts: BTreeMap<String, Alert<'a>> = BTreeMap::new();
    for (place, &found) in found.iter().enumerate() {
        let goes_on = |earlier: &&EarlierFinding| earlier.below_the_line == found.below_the_line && found.is_about_one_of(&earlier.primary);
        let earlier = earlier.iter().filter(|earlier| earlier.place == place as i64).filter(goes_on);
        let earlier = earlier.min_by(|one, other| (one.start, &one.id).cmp(&(other.start, &other.id)));
        let id = earlier.map_or_else(|| own_id(found), |earlier| earlier.id.clone());
        let alert = alerts.entry(id.clone()).or_insert_with(|| Alert { id, earlier, found: Vec::new() });
        alert.found.push(found);
    }
    let mut alerts: Vec<Alert<'a>> = alerts.into_values().collect();
    for alert in &mut alerts {
        alert.found.sort_by(|one, other| other.score.total_cmp(&one.score).then_with(|| one.place.cmp(&other.place)));
    }
    alerts
}

/// Whether it was found before this run. What an attempt of the run itself has left that was cut off is found by it.
fn was_there(id: &str, found: &[&Found], earlier: &EarlierFinding, run: &OfRun<'_>) -> bool {
    found.iter().all(|found| own_id(found) != id) || earlier.detected_at != Some(run.known_up_to)
}

/// The id of one that continues nothing: of rule, focal actor or group, and first payment.
fn own_id(found: &Found) -> String {
    let kind = if found.below_the_line { "below-the-line" } else { "finding" };
    digest_id(kind, &[&found.behavior, found.focal(), found.first()])
}

/// The observation that findings are, as if it had been sent.
fn observation(run: &OfRun<'_>, alert: &Alert<'_>) -> Result<Given<ObservationRecord>> {
    let Some(&found) = alert.found.first() else { return Err(Error::Internal("an alert of no finding".to_owned())) };
    let before = alert.earlier;
    let necessary: BTreeSet<&str> = alert.found.iter().flat_map(|found| found.necessary()).collect();
    let necessary_records: BTreeSet<&str> = alert.found.iter().flat_map(|found| found.records(|payment| payment.is_necessary)).collect();
    let start = alert.found.iter().map(|found| found.window.0).chain(before.and_then(|before| before.start)).min().unwrap_or(found.window.0);
    let end = alert.found.iter().map(|found| found.window.1).chain(before.and_then(|before| before.until)).max().unwrap_or(found.window.1);
    let (transactions, counted) = transactions(alert);
    let focal: BTreeSet<&String> = alert.found.iter().flat_map(|found| &found.focal_actors).collect();
    let others: BTreeSet<&String> = alert.found.iter().flat_map(|found| &found.other_actors).filter(|id| !focal.contains(id)).collect();
    let actors = focal.iter().map(|id| (id, true)).chain(others.iter().take(MOST_ACTORS).map(|id| (id, false)));
    let actors: Vec<_> = actors.map(|(id, primary)| json!({"actorId": id, "primary": primary})).collect();
    let batch = &run.job.batch;
    let conditions: Vec<_> = found.measures.iter().map(|measure| json!({"id": measure.parameter, "matched": true})).collect();
    let rule = json!({"id": found.rule, "name": found.name, "status": "MATCHED", "score": found.score, "date": seconds(end),
        "custom_data": {"version": found.version}, "conditions": conditions});
    let texts: Vec<&str> = alert.found.iter().map(|found| found.text.as_str()).collect();
    let mut record = json!({
        "id": alert.id,
        "type": "ALERT_RULE",
        "behaviorId": found.behavior,
        "behaviorName": found.name,
        "behaviorDescription": texts.join("\n\n"),
        "taxonomyDescription": found.typology,
        "title": found.name,
        "date": seconds(end),
        "transactionIds": transactions,
        "actors": actors,
        "features": features(found),
        "rules": [rule],
        "rule": [found.rule],
        "priority": found.severity,
        "version": found.version,
        "score": found.score,
        "batchId": run.job.run,
        "businessDate": batch.close_of_business_date,
        "businessDateStart": Timestamp(start).to_string(),
        "businessDateEnd": Timestamp(end).to_string(),
        "detectionDate": Timestamp(run.known_up_to).to_string(),
        "dataSource": DATA_SOURCE,
        "metadata": {"run": run.job.run, "lineOfBusiness": &*batch.line_of_business, "scoreReason": found.score_reason, "threshold": found.threshold,
            "necessary": necessary, "necessaryTransactionIds": necessary_records, "payments": counted, "group": found.group},
    });
    if found.below_the_line {
        record["btlFlag"] = true.into();
        record["priority"] = priority(Severity::Low).into();
    }
    let text = record.to_string();
    given::read(text.as_bytes()).map_err(|refused| Error::Internal(format!("a finding is no observation: {refused:?}")))
}

/// The records of payments that are cited, in order; and how many there are in all. Those of before come last.
fn transactions<'a>(alert: &'a Alert<'_>) -> (BTreeSet<&'a str>, usize) {
    let necessary = alert.found.iter().flat_map(|found| found.records(|payment| payment.is_necessary));
    let supplementary = alert.found.iter().flat_map(|found| found.records(|payment| !payment.is_necessary));
    let before = alert.earlier.and_then(|earlier| earlier.transaction_ids.as_ref()).into_iter().flatten().map(String::as_str);
    let (mut cited, mut all) = (BTreeSet::new(), BTreeSet::new());
    for id in necessary.chain(supplementary).chain(before) {
        all.insert(id);
        if cited.len() < MOST_CITED {
            cited.insert(id);
        }
    }
    (cited, all.len())
}

/// What was measured, with the threshold that it passed; and the history that it rests on.
fn features(found: &Found) -> Vec<serde_json::Value> {
    let measures: Vec<_> = found.measures.iter().map(|measure| json!({"name": measure.measure, "value": measure})).collect();
    let history: Vec<_> = found.history.iter().map(|baseline| json!({"name": baseline.anchor, "value": baseline})).collect();
    let groups = [("measures", measures), ("history", history)];
    groups.into_iter().filter(|(_, items)| !items.is_empty()).map(|(group, items)| json!({"group": group, "items": items})).collect()
}

/// The rows of signals, by id: one of a rule about an actor a day.
fn signal_rows(run: &OfRun<'_>, found: &Found) -> Vec<(String, Value)> {
    let date = run.date();
    let row = |(actor, suppressed): &(String, Suppressed)| {
        let parts = [found.behavior.as_str(), actor, &date];
        let id = digest_id("signal", &parts);
        let props = map([
            ("name", format!("{} {date}", found.name).into()),
            ("signalId", digest_number("signal", &parts).into()),
            ("actorId", actor.as_str().into()),
            ("ruleId", found.rule.as_str().into()),
            ("reviewDate", date.as_str().into()),
            ("detectionMethodName", found.name.as_str().into()),
            ("decisionReason", suppressed.reason().into()),
            ("dataSource", DATA_SOURCE.into()),
        ]);
        (id.clone(), map([("id", id.into()), ("actor", actor.as_str().into()), ("props", props)]))
    };
    found.suppressed.iter().map(row).collect()
}

/// Seconds of milliseconds, exact.
fn seconds(millis: i64) -> serde_json::Value {
    if millis % 1000 == 0 { json!(millis / 1000) } else { json!(millis as f64 / 1000.0) }
}
