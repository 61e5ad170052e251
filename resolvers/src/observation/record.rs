//! Taking an observation.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use cypher::statements::rows::{LockedObservation, MissingRow, ObservationLink};
use cypher::{Key, Params, Reading, Value, WriteStatement, map, statements};
use graph_schema::date::{Date, Timestamp};
use graph_schema::given::Given;
use graph_schema::id::ObservationId;
use graph_schema::identity::visible;
use graph_schema::number::Number;
use graph_schema::observation::{EvidenceKind, MissingReference, ObservationActor, ObservationRecord, ObservationRule, ReferenceType};
use serde_json::json;

use crate::case::{RAISE_CASE, raised_case_id};
use crate::detection::DATA_SOURCE;
use crate::policy::{Action, Permit, Subject};
use crate::queue::{Amend, Amended, Amending, Decision, LockHint, Rank, Write};
use crate::values::word;
use crate::{Answered, Caller, IdempotencyKey, Inner, Once, Resolvers, Result, boxed};

/// Whether a case is to be made from an observation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaseWanted {
    Yes,
    No,
}

/// The request of Add Observation.
pub struct AddObservation {
    pub given: Given<ObservationRecord>,
    pub case: CaseWanted,
    pub key: Option<IdempotencyKey>,
}

/// Writes observations.
pub(crate) static RECORD_OBSERVATION: Amending<RecordObservation> = Amending::NEW;

impl Resolvers {
    /// Add Observation: stores the observation, or updates it, and makes a case from it where one is wanted and none was made. Answers with `caseIds` and
    /// `observationFailedFinalization`.
    #[boxed]
    pub async fn add_observation(&self, caller: &Caller, request: AddObservation) -> Result<Answered> {
        let AddObservation { given, case, key } = request;
        let id = given.value.id.as_str();
        let permit = self.inner.enter(caller, Action::Ingest, Subject::One("Observation", id))?;
        let inner = &self.inner;
        let case = (case == CaseWanted::Yes && given.value.kind.may_raise_case()).then(|| raised_case_id(&given.value.id));
        let missing = inner.missing_references(&permit, &given.value).await?;
        let failed: Vec<_> =
            if missing.is_empty() { Vec::new() } else { vec![json!({"observationId": given.value.id, "missingReferences": missing})] };
        let answer = json!({"caseIds": case.as_slice(), "observationFailedFinalization": failed}).to_string();
        let write = inner.observation_write(&permit, &given)?;
        let Some(case) = case else {
            return inner.answer_once(&permit, Once { key, body: &given.record }, answer, &RECORD_OBSERVATION, write).await;
        };
        let to_raise = inner.enter(caller, Action::RecordCase, Subject::One("Case", case.as_str()))?;
        let raise = inner.raise_case_write(&to_raise, case, &given.value);
        // The same observation without a case is another request.
        let body = format!("create_case\n{}", given.record);
        inner.answer_both_once(&permit, Once { key, body: &body }, answer, (&RECORD_OBSERVATION, write), (&RAISE_CASE, raise)).await
    }
}

impl Inner {
    /// The write of an observation, whichever way it came.
    pub(crate) fn observation_write(&self, permit: &Permit<'_>, given: &Given<ObservationRecord>) -> Result<Write<ObservationRow>> {
        let observation = &given.value;
        let entry = self.entry(permit, "Observation", observation.id.as_str(), "observation.recorded").with_new_value(Arc::clone(&given.record));
        let (links, locks) = Links::of(observation).into_row(necessary_records(observation).as_ref());
        let props = props(observation, &given.record, &permit.caller().id, entry.at());
        let row = ObservationRow { id: observation.id.clone(), record: Arc::clone(&given.record), props, links };
        Ok(Write::new(row, entry).locking(locks))
    }

    /// What of what an observation names has not come, by kind and id.
    pub(crate) async fn missing_references(&self, permit: &Permit<'_>, observation: &ObservationRecord) -> Result<Vec<MissingReference>> {
        let Links { transactions, actors, entities, .. } = Links::of(observation);
        if transactions.is_empty() && actors.is_empty() && entities.is_empty() {
            return Ok(Vec::new());
        }
        let params =
            Params::none().with("transactions", transactions).with("actors", actors.into_keys().collect::<Vec<_>>()).with("entities", entities);
        let missing = self.read(permit, statements::observation::MISSING, params).await?;
        Ok(references(&missing))
    }
}

/// References in the order of their kinds and ids.
pub(super) fn references(rows: &[MissingRow]) -> Vec<MissingReference> {
    let kind = |link| match link {
        ObservationLink::Cites => ReferenceType::Transaction,
        ObservationLink::About => ReferenceType::Actor,
        ObservationLink::Mentions => ReferenceType::LegalEntity,
    };
    let mut references: Vec<MissingReference> = rows.iter().map(|row| MissingReference { kind: kind(row.link), id: row.id.clone() }).collect();
    references.sort();
    references
}

/// An observation to be stored.
pub(crate) struct ObservationRow {
    id: ObservationId,
    record: Arc<str>,
    props: Vec<(Key, Value)>,
    links: Vec<(Key, Value)>,
}

/// Stores an observation in place of what was said of it before.
pub(crate) struct RecordObservation;

impl Amend for RecordObservation {
    type Row = ObservationRow;
    type Locked = LockedObservation;
    type Stored = LockedObservation;
    type Answer = ();

    const LOCK: Reading<LockedObservation> = statements::observation::LOCK;
    const WRITE: WriteStatement = statements::observation::RECORD;
    // Behind the payments that it names, before the cases that name it.
    const RANK: Rank = Rank::Transaction;

    fn id(row: &ObservationRow) -> &str {
        row.id.as_str()
    }

    fn size(row: &ObservationRow) -> usize {
        1_000 + 3 * row.record.len()
    }

    fn decide(row: &ObservationRow, stored: Option<LockedObservation>, decision: Decision<'_>) -> Result<Amended<()>> {
        let (stored_time, now) = stored.as_ref().map_or((None, None), |stored| (stored.logical_time, stored.now));
        let (before, internal_id) = stored.map(|stored| (stored.record, stored.internal_id)).unwrap_or_default();
        let Some(time) = decision.entry.acknowledged().in_place_of(stored_time, now) else { return Ok(Amended::superseded(())) };
        if before.as_deref() == Some(&*row.record) {
            return Ok(if stored_time == Some(time) { Amended::nothing(()) } else { Amended::by((), renewed(row, time)) });
        }
        let mut props = row.props.clone();
        props.push(("internalId".into(), internal_id.unwrap_or_else(|| decision.entry.id().to_owned()).into()));
        props.push(("logicalTime".into(), time.into()));
        let mut write: Vec<(Key, Value)> =
            vec![("id".into(), row.id.as_str().into()), ("replaces".into(), true.into()), ("props".into(), Value::Map(props))];
        write.extend(row.links.iter().cloned());
        Ok(Amended::by((), Value::Map(write)).replacing(before))
    }
}

/// The row of what is stored word for word, and was acknowledged again.
fn renewed(row: &ObservationRow, time: i64) -> Value {
    let nothing = || Value::List(Vec::new());
    map([
        ("id", row.id.as_str().into()),
        ("replaces", false.into()),
        ("props", map([("logicalTime", time.into())])),
        ("transactions", nothing()),
        ("actors", nothing()),
        ("entities", nothing()),
        ("rules", nothing()),
    ])
}

/// What an observation leads to, each once and in order: nodes are locked in one order everywhere.
struct Links<'a> {
    transactions: Vec<&'a str>,
    /// Whether it is mainly about them, where the record says so.
    actors: BTreeMap<&'a str, Option<bool>>,
    entities: Vec<String>,
    rules: BTreeMap<&'a str, &'a ObservationRule>,
}

impl<'a> Links<'a> {
    fn of(observation: &'a ObservationRecord) -> Self {
        let mut transactions: Vec<&str> = observation.transaction_ids.iter().flatten().map(|id| id.as_str()).collect();
        transactions.sort_unstable();
        transactions.dedup();
        let mut entities: Vec<String> = observation.legal_entities().map(|id| id.to_string()).collect();
        entities.sort_unstable();
        entities.dedup();
        let rules = observation.rules.iter().flatten().filter_map(|rule| Some((rule.key()?, rule))).collect();
        Self { transactions, actors: by_actor(observation.actors.iter().flatten()), entities, rules }
    }

    /// The part of the row that makes them, and the nodes that it locks. `necessary` are the records without which a finding's rule does not fire.
    fn into_row(self, necessary: Option<&BTreeSet<String>>) -> (Vec<(Key, Value)>, Vec<LockHint>) {
        let hints = |label: &'static str, ids: Vec<&str>| ids.into_iter().map(|id| LockHint::of(label, id)).collect::<Vec<_>>();
        let mut locks = hints("Transaction", self.transactions.clone());
        locks.extend(hints("Actor", self.actors.keys().copied().collect()));
        locks.extend(hints("Actor", self.entities.iter().map(String::as_str).collect()));
        locks.extend(hints("ObservationRule", self.rules.keys().copied().collect()));
        let rules = self.rules.into_iter().map(|(id, rule)| rule_row(id, rule)).collect();
        let transactions = self.transactions.into_iter().map(|id| cited_row(id, necessary)).collect();
        let row = vec![
            (Cow::Borrowed("transactions"), Value::List(transactions)),
            (Cow::Borrowed("actors"), actor_rows(&self.actors)),
            (Cow::Borrowed("entities"), self.entities.into()),
            (Cow::Borrowed("rules"), Value::List(rules)),
        ];
        (row, locks)
    }
}

/// Actors by id. One who is named twice is the same both times, as far as that is said.
pub(super) fn by_actor<'a>(actors: impl Iterator<Item = &'a ObservationActor>) -> BTreeMap<&'a str, Option<bool>> {
    let mut by_actor = BTreeMap::new();
    for actor in actors {
        let primary: &mut Option<bool> = by_actor.entry(actor.actor_id.as_str()).or_default();
        *primary = primary.or(actor.primary);
    }
    by_actor
}

pub(super) fn actor_rows(actors: &BTreeMap<&str, Option<bool>>) -> Value {
    Value::List(actors.iter().map(|(id, primary)| map([("id", (*id).into()), ("primary", (*primary).into())])).collect())
}

fn rule_row(id: &str, rule: &ObservationRule) -> Value {
    let name = rule.name.as_deref().and_then(visible).unwrap_or(id);
    let conditions = |wanted: bool| {
        let ids =
            rule.conditions.iter().flatten().filter(|condition| condition.matched == Some(wanted)).filter_map(|condition| condition.id.as_deref());
        texts(ids)
    };
    let score = rule.score.as_ref().and_then(|score| score.text().parse::<f64>().ok()).filter(|score| score.is_finite());
    let link = map([
        ("status", rule.status.as_deref().into()),
        ("score", score.into()),
        ("date", rule.date.as_ref().map(|date| date.millis()).into()),
        ("customData", rule.custom_data.as_ref().map(|data| data.as_str()).into()),
        ("matched", conditions(true)),
        ("unmatched", conditions(false)),
    ]);
    map([("id", id.into()), ("name", name.into()), ("link", link)])
}

/// A payment that is cited, and what it is for a finding of the service's own.
fn cited_row(id: &str, necessary: Option<&BTreeSet<String>>) -> Value {
    let kind = |necessary: &BTreeSet<String>| if necessary.contains(id) { EvidenceKind::Necessary } else { EvidenceKind::Supplementary };
    let link = necessary.map(|necessary| (Key::from("evidence"), word(&kind(necessary))));
    map([("id", id.into()), ("link", Value::Map(link.into_iter().collect()))])
}

/// The records of payments without which the rule of a finding of the service's own does not fire. Others do not say which these are.
fn necessary_records(observation: &ObservationRecord) -> Option<BTreeSet<String>> {
    let metadata = observation.metadata.as_ref().filter(|_| observation.data_source.as_deref() == Some(DATA_SOURCE))?;
    serde_json::from_value(metadata.get("necessaryTransactionIds")?).ok()
}

/// A list of texts; nothing where there are none, as an empty list says no more.
fn texts<'a>(texts: impl Iterator<Item = &'a str>) -> Value {
    let texts: Vec<&str> = texts.collect();
    if texts.is_empty() { Value::Null } else { texts.into() }
}

/// The node's properties. What is absent is null, so that an update removes it. Features are lines, to be read and searched; `title` and `label` have
/// other names, because the embedded engine would make them up where there are none.
fn props(observation: &ObservationRecord, record: &str, by: &str, now: Timestamp) -> Vec<(Key, Value)> {
    let text = |text: &Option<String>| Value::from(text.as_deref());
    let list = |list: &Option<Vec<String>>| texts(list.iter().flatten().map(String::as_str));
    let millis = |at: Option<Timestamp>| Value::from(at.map(Timestamp::millis));
    let number = |number: &Option<Number>| Value::from(number.as_ref().map(Number::to_f64));
    let submitter = observation.submitter.as_ref();
    let features = feature_lines(observation);
    // What a run of this service says of itself; others' metadata is their own.
    let of_run = observation.metadata.as_ref().filter(|_| observation.data_source.as_deref() == Some(DATA_SOURCE));
    let said = |key: &str| of_run.and_then(|metadata| metadata.get(key));
    let fields = [
        ("name", observation.caption().into()),
        ("type", word(&observation.kind)),
        ("record", record.into()),
        ("recordedAt", now.millis().into()),
        ("submittedBy", by.into()),
        ("observedAt", observation.date.millis().into()),
        ("behaviorId", observation.behavior_id.as_str().into()),
        ("behaviorName", observation.behavior_name.as_str().into()),
        ("behaviorDescription", text(&observation.behavior_description)),
        ("taxonomyDescription", text(&observation.taxonomy_description)),
        ("observationTitle", text(&observation.title)),
        ("observationLabel", text(&observation.label)),
        ("transactionIds", texts(observation.transaction_ids.iter().flatten().map(|id| id.as_str()))),
        ("features", texts(features.iter().map(String::as_str))),
        ("batchId", text(&observation.batch_id)),
        ("priority", text(&observation.priority)),
        ("programGroup", text(&observation.program_group)),
        ("version", text(&observation.version)),
        ("btlFlag", observation.btl_flag.into()),
        ("businessDate", observation.business_date.as_ref().map(Date::to_string).into()),
        ("businessDateStart", millis(observation.business_date_start)),
        ("businessDateEnd", millis(observation.business_date_end)),
        ("detectionDate", millis(observation.detection_date)),
        ("decisionTree", list(&observation.decision_tree)),
        ("rule", list(&observation.rule)),
        ("score", number(&observation.score)),
        ("scoreBillionths", score_billionths(observation.score.as_ref()).into()),
        ("scoreReason", score_reason(observation).into()),
        ("rank", number(&observation.rank)),
        ("submitterId", submitter.and_then(|submitter| submitter.id.as_deref()).into()),
        ("submitterName", submitter.and_then(|submitter| submitter.display_name.as_deref().or(submitter.username.as_deref())).into()),
        ("dataSource", text(&observation.data_source)),
        ("customData", observation.custom_data.as_ref().map(|data| data.as_str()).into()),
        ("metadata", observation.metadata.as_ref().map(|data| data.as_str()).into()),
        ("lineOfBusiness", said("lineOfBusiness").as_ref().and_then(|line| line.as_str()).into()),
        ("modelThreshold", said("threshold").and_then(|threshold| threshold.as_f64()).into()),
    ];
    fields.into_iter().map(|(name, value)| (Cow::Borrowed(name), value)).collect()
}

/// The score in billionths, by which lists are ordered: both engines read an index of whole numbers in order. An observation without a score has −1,
/// so that it is in the index, behind all others.
fn score_billionths(score: Option<&Number>) -> i64 {
    score.map_or(-1, |score| (score.to_f64() * 1e9).round() as i64)
}

/// How the score of a finding of the service's own came about. What others say in metadata is theirs.
fn score_reason(observation: &ObservationRecord) -> Option<String> {
    let metadata = observation.metadata.as_ref().filter(|_| observation.data_source.as_deref() == Some(DATA_SOURCE))?;
    let metadata: serde_json::Value = serde_json::from_str(metadata.as_str()).ok()?;
    metadata.get("scoreReason")?.as_str().map(str::to_owned)
}

/// `group / name = value`, one a feature.
fn feature_lines(observation: &ObservationRecord) -> Vec<String> {
    let groups = observation.features.iter().flatten();
    let line = |group: &Option<String>, name: &Option<String>, value: Option<&str>| {
        let named: Vec<&str> = [group, name].into_iter().flatten().map(String::as_str).collect();
        format!("{} = {}", named.join(" / "), value.unwrap_or("null"))
    };
    let of_group = |group: &'_ graph_schema::observation::ObservationFeatures| -> Vec<String> {
        let items = group.items.iter().flatten();
        items.map(|item| line(&group.group, &item.name, item.value.as_ref().map(|value| value.as_str()))).collect()
    };
    groups.flat_map(of_group).collect()
}
