//! What people decide about an actor: that it is excluded, that a score of theirs counts, that it does no more, and what was found of it. The operations are
//! those of the reference, but for three things: the actor's record has come, there is a reason, and the answer is the id of what was made.

use std::sync::Arc;

use cypher::statements::rows::{ScoredActorRow, StoredScore};
use cypher::{Params, Reading, Value, WriteStatement, map, statements};
use graph_schema::actor::{ActorExclusion, ExclusionType};
use graph_schema::date::{Date, Timestamp};
use graph_schema::fault::Fault;
use graph_schema::given::{Given, GivenList};
use graph_schema::id::ActorId;
use graph_schema::identity::visible;
use graph_schema::number::Number;
use graph_schema::risk::{RiskAssessment, RiskScore};
use serde_json::json;

use super::score::{latest, overriding, score_value, sent_row, standing};
use super::{ADD_EXCLUSION, ADD_SCORE, RiskBands, assessment_id};
use crate::policy::{Action, Permit, Subject};
use crate::queue::{Amend, Amended, Amending, Decision, Rank, Write};
use crate::{Caller, Error, IdempotencyKey, Inner, ObjectKind, Once, Resolvers, Result, boxed};

/// The rule of scores that people set.
const BY_HAND: &str = "set-by-hand";
/// Characters of the reason of a score, as the reference has it, and of a comment.
const LONGEST: usize = 512;
/// The most assessments that one act records.
const MOST_ASSESSMENTS: usize = 100;

/// How an actor is to be monitored from now on.
#[derive(Debug, Clone)]
pub struct SetExclusion {
    pub actor: ActorId,
    pub kind: ExclusionType,
    pub comment: Option<String>,
}

/// A score that is to override all others of an actor.
#[derive(Debug, Clone)]
pub struct OverrideScore {
    pub actor: ActorId,
    pub score: Number,
    pub reason: String,
    /// Today, when absent.
    pub as_of: Option<Date>,
}

/// The score of an actor that overrides the others is to do so no more.
#[derive(Debug, Clone)]
pub struct LiftOverride {
    pub actor: ActorId,
    pub reason: Option<String>,
}

impl Resolvers {
    /// Says how an actor is monitored from now on, and why. Answers with the id of the exclusion.
    #[boxed]
    pub async fn set_exclusion(&self, caller: &Caller, wanted: SetExclusion, key: Option<IdempotencyKey>) -> Result<Arc<str>> {
        let (inner, actor) = (&self.inner, &wanted.actor);
        let permit = inner.enter(caller, Action::SendDecision, Subject::One("Actor", actor.as_str()))?;
        refuse(wanted.comment.as_deref().and_then(|comment| text_fault("comment", comment)))?;
        inner.recorded_actor(&permit, actor).await?;
        let exclusion = ActorExclusion { exclusion_type: wanted.kind, stored_at: None };
        let body = json!({"exclusion_type": exclusion.exclusion_type, "comment": wanted.comment}).to_string();
        let entry = inner.entry(&permit, "Actor", actor.as_str(), "actor.exclusion.recorded").with_new_value(body.as_str());
        let id: Arc<str> = Arc::from(entry.id());
        let row = inner.exclusion_row(actor, &id, &exclusion, wanted.comment.as_deref());
        let answered = inner.answer_once(&permit, Once { key, body: &body }, id, &ADD_EXCLUSION, Write::new(row, entry)).await?;
        Ok(answered.text)
    }

    /// Sets the score of an actor by hand. It counts until it is lifted or another overrides it. Answers with its id.
    #[boxed]
    pub async fn override_score(&self, caller: &Caller, wanted: OverrideScore, key: Option<IdempotencyKey>) -> Result<Arc<str>> {
        let (inner, actor) = (&self.inner, &wanted.actor);
        let permit = inner.enter(caller, Action::SendDecision, Subject::One("Actor", actor.as_str()))?;
        refuse(text_fault("reason", &wanted.reason))?;
        let now = inner.clock.now();
        let as_of_date = match wanted.as_of {
            Some(date) => inner.not_after_tomorrow("asOfDate", date).map(|()| date)?,
            None => today(now)?,
        };
        inner.recorded_actor(&permit, actor).await?;
        let params = Params::none().with("ids", vec![actor.as_str()]);
        let scores = inner.read(&permit, statements::risk::SCORES, params).await?.into_iter().next().map(|row| row.scores).unwrap_or_default();
        let body = json!({"finalScore": wanted.score.as_str(), "reason": wanted.reason, "asOfDate": wanted.as_of}).to_string();
        let score = RiskScore {
            calculated_score: beside_overrides(&scores).and_then(number),
            overridden: Some(true),
            override_reason: Some(wanted.reason),
            ..set_by_hand(as_of_date, wanted.score)
        };
        let given = made(score)?;
        let entry = inner.entry(&permit, "Actor", actor.as_str(), "actor.risk_score.overridden").with_new_value(Arc::clone(&given.record));
        let id: Arc<str> = Arc::from(entry.id());
        let row = sent_row(actor, &id, &given, inner.settings.risk_bands, &caller.name, now);
        let answered = inner.answer_once(&permit, Once { key, body: &body }, id, &ADD_SCORE, Write::new(row, entry)).await?;
        Ok(answered.text)
    }

    /// Ends the override of an actor's score, so that the calculated one counts again, or what else was sent. Answers with the id of the score that says so.
    #[boxed]
    pub async fn lift_override(&self, caller: &Caller, wanted: LiftOverride, key: Option<IdempotencyKey>) -> Result<Arc<str>> {
        let (inner, actor) = (&self.inner, &wanted.actor);
        let permit = inner.enter(caller, Action::SendDecision, Subject::One("Actor", actor.as_str()))?;
        refuse(wanted.reason.as_deref().and_then(|reason| text_fault("reason", reason)))?;
        inner.recorded_actor(&permit, actor).await?;
        let body = json!({"reason": wanted.reason}).to_string();
        let entry = inner.entry(&permit, "Actor", actor.as_str(), "actor.risk_score.override_lifted").with_new_value(body.as_str());
        let row = LiftRow {
            id: entry.id().to_owned(),
            actor: wanted.actor.clone(),
            reason: wanted.reason.clone(),
            bands: inner.settings.risk_bands,
            at: inner.clock.now(),
            by: caller.name.clone(),
        };
        let answered = inner.answer_as_decided(&permit, Once { key, body: &body }, &LIFT, Write::new(row, entry)).await?;
        Ok(answered.text)
    }

    /// Records assessments of an actor. Answers with their ids, in the order of the list.
    #[boxed]
    pub async fn record_assessments(
        &self,
        caller: &Caller,
        actor: &ActorId,
        assessments: Vec<RiskAssessment>,
        key: Option<IdempotencyKey>,
    ) -> Result<Vec<String>> {
        let inner = &self.inner;
        let permit = inner.enter(caller, Action::SendDecision, Subject::One("Actor", actor.as_str()))?;
        if !(1..=MOST_ASSESSMENTS).contains(&assessments.len()) {
            return Err(Error::invalid("assessments", format!("must be 1 to {MOST_ASSESSMENTS}")));
        }
        let fault = |(at, assessment): (usize, &RiskAssessment)| text_fault(&format!("assessments[{at}].type"), &assessment.kind);
        let faults: Vec<Fault> = assessments.iter().enumerate().filter_map(fault).collect();
        refuse(faults)?;
        for (at, assessment) in assessments.iter().enumerate() {
            inner.not_after_tomorrow(&format!("assessments[{at}].asOfDate"), assessment.as_of_date)?;
        }
        inner.recorded_actor(&permit, actor).await?;
        let ids = assessments.iter().map(|assessment| assessment_id(actor, assessment)).collect();
        let record = serde_json::to_string(&assessments).map_err(|error| Error::Internal(error.to_string()))?;
        let items = assessments.into_iter().map(made).collect::<Result<Vec<Given<RiskAssessment>>>>()?;
        self.add_risk_assessments(caller, actor, GivenList { items, record: Arc::from(record) }, key).await?;
        Ok(ids)
    }

    /// Today (UTC): of what day a decision is that names none.
    pub fn decision_day(&self) -> Result<Date> {
        today(self.inner.clock.now())
    }
}

impl Inner {
    /// Refuses an actor whose record has not come: a mistyped id would make somebody of it.
    async fn recorded_actor(&self, permit: &Permit<'_>, actor: &ActorId) -> Result<()> {
        self.record(permit, statements::actor::READ, ObjectKind::Actor, actor.as_str()).await.map(drop)
    }
}

static LIFT: Amending<Lift> = Amending::NEW;

/// A lifting of an override.
struct LiftRow {
    /// The id of the score that says so.
    id: String,
    actor: ActorId,
    reason: Option<String>,
    bands: RiskBands,
    at: Timestamp,
    by: String,
}

/// Lifts an override under the lock of its actor.
struct Lift;

impl Amend for Lift {
    type Row = LiftRow;
    type Locked = ScoredActorRow;
    type Stored = ScoredActorRow;
    type Answer = Arc<str>;

    const LOCK: Reading<ScoredActorRow> = statements::risk::LOCK_SCORES;
    const WRITE: WriteStatement = statements::risk::SCORE;
    const RANK: Rank = Rank::Relation;

    fn id(row: &LiftRow) -> &str {
        row.actor.as_str()
    }

    fn decide(row: &LiftRow, stored: Option<ScoredActorRow>, _: Decision<'_>) -> Result<Amended<Arc<str>>> {
        let mut scores = stored.map(|stored| stored.scores).unwrap_or_default();
        let Some(overriding) = overriding(&scores, None) else {
            return Err(Error::invalid("actorId", "must be the id of an actor with a score that overrides the others"));
        };
        let counting = beside_overrides(&scores).or(overriding.calculated_score);
        let Some(counting) = counting.and_then(number) else {
            return Err(Error::invalid("actorId", "must be the id of an actor with another score, which counts when the override is lifted"));
        };
        // Behind the one that overrides, whatever day that is of.
        let as_of_date = Date::parse(&overriding.as_of_date).map_or(today(row.at), |date| today(row.at).map(|today| today.max(date)))?;
        let (calculated_score, override_reason) = (Some(counting.clone()), row.reason.clone());
        let given = made(RiskScore { calculated_score, overridden: Some(false), override_reason, ..set_by_hand(as_of_date, counting) })?;
        // Behind it also where it came in the same millisecond.
        let at = Timestamp(row.at.millis().max(overriding.ingested_at + 1));
        scores.push(stored_score(row, &given.value, at));
        let standing = standing(&scores, row.bands).ok_or_else(|| Error::Internal("a score leaves no standing".to_owned()))?;
        let write = map([
            ("id", row.actor.as_str().into()),
            ("scoreId", row.id.as_str().into()),
            ("score", score_value(&given, BY_HAND, row.bands, &row.by, at)),
            ("more", Value::Map(Vec::new())),
            ("standing", standing.into_value()),
        ]);
        let id: Arc<str> = Arc::from(row.id.as_str());
        Ok(Amended::by(id, write).kept())
    }
}

/// A score as it will be stored.
fn stored_score(row: &LiftRow, value: &RiskScore, at: Timestamp) -> StoredScore {
    StoredScore {
        id: row.id.clone(),
        as_of_date: value.as_of_date.to_string(),
        ingested_at: at.millis(),
        final_score: value.final_score.to_f64(),
        calculated_score: value.calculated_score.as_ref().map(Number::to_f64),
        overrides: value.overridden,
        override_reason: value.override_reason.clone(),
        overridden_by: None,
        breakdown: None,
        data_source: None,
        exposure: None,
        volume_against_segment: None,
    }
}

/// What the latest score says that overrides no others, or would say if none overrode it.
fn beside_overrides(scores: &[StoredScore]) -> Option<f64> {
    let is_beside = |score: &&StoredScore| score.overrides != Some(true) || score.overridden_by.is_some();
    latest(scores.iter().filter(is_beside)).map(|score| match &score.overridden_by {
        Some(_) => score.calculated_score.unwrap_or(score.final_score),
        None => score.final_score,
    })
}

fn set_by_hand(as_of_date: Date, final_score: Number) -> RiskScore {
    RiskScore {
        as_of_date,
        final_score,
        risk_rule_id: BY_HAND.to_owned(),
        calculated_score: None,
        data_source: None,
        metadata: None,
        overridden: None,
        override_reason: None,
        risk_rule_version: None,
        sub_scores: None,
    }
}

fn number(score: f64) -> Option<Number> {
    Number::parse(&score.to_string())
}

fn made<T: serde::Serialize>(value: T) -> Result<Given<T>> {
    Given::made(value).map_err(|error| Error::Internal(error.to_string()))
}

fn today(now: Timestamp) -> Result<Date> {
    now.date().ok_or_else(|| Error::Internal("the day is out of the calendar".to_owned()))
}

/// That a text can be seen, and is not too long.
fn text_fault(at: &str, text: &str) -> Option<Fault> {
    let is_one = visible(text).is_some() && text.chars().count() <= LONGEST;
    (!is_one).then(|| Fault::new(at, format!("must be 1 to {LONGEST} characters that can be seen")))
}

fn refuse(faults: impl IntoIterator<Item = Fault>) -> Result<()> {
    let faults: Vec<Fault> = faults.into_iter().collect();
    if faults.is_empty() { Ok(()) } else { Err(Error::Invalid(faults)) }
}
