//! The decisions of people about an actor: that it is excluded, that a score of theirs counts, that it does no more, and what was found of it. The operations are
//! those of the reference, but for three things: the actor's record has come, there is a reason, and the answer is the id of what was made.
//!
//! A decision must count. A score that somebody sets gets, under the lock of its actor, a place behind the last one that says whether it overrides the
//! others; where the date that was asked for leaves no such place, it is refused.

use std::sync::Arc;

use cypher::statements::rows::{ScoredActorRow, StoredScore};
use cypher::{Reading, Value, WriteStatement, map, statements};
use graph_schema::actor::ExclusionType;
use graph_schema::date::{Date, Timestamp};
use graph_schema::days::{Days, Latest};
use graph_schema::fault::Fault;
use graph_schema::given::Given;
use graph_schema::id::ActorId;
use graph_schema::identity::visible;
use graph_schema::number::Number;
use graph_schema::risk::{RiskAssessment, RiskScore};
use serde_json::json;

use super::score::{MANUAL_RULE, MOST_IN_PARTS, alone, last_decision, latest_beside, score_value, standing};
use super::{ADD_ASSESSMENTS, ADD_EXCLUSION, RiskBands, SCORE_RECORDED, assessment_id};
use crate::policy::{Action, Permit, Subject};
use crate::queue::{Amend, Amended, Amending, Decision, Rank, Values, Write};
use crate::{Caller, Error, IdempotencyKey, Inner, ObjectKind, Once, Resolvers, Result, boxed};

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
    /// When absent: today, or the date of the last override or of its end, where that is later.
    pub as_of: Option<Date>,
}

/// The score of an actor that overrides the others is to do so no more.
#[derive(Debug, Clone)]
pub struct LiftOverride {
    pub actor: ActorId,
    pub reason: Option<String>,
}

/// An assessment that somebody makes of an actor.
#[derive(Debug, Clone)]
pub struct FoundAssessment {
    pub kind: String,
    pub value: String,
    pub comment: Option<String>,
    /// Today, when absent.
    pub as_of: Option<Date>,
}

impl FoundAssessment {
    fn dated(self, today: Date) -> RiskAssessment {
        RiskAssessment { as_of_date: self.as_of.unwrap_or(today), kind: self.kind, value: self.value, comment: self.comment }
    }
}

impl Resolvers {
    /// Says how an actor is monitored from now on, and why. Answers with the id of the exclusion.
    #[boxed]
    pub async fn set_exclusion(&self, caller: &Caller, wanted: SetExclusion, key: Option<IdempotencyKey>) -> Result<Arc<str>> {
        let (inner, actor) = (&self.inner, &wanted.actor);
        let permit = inner.enter(caller, Action::Decide, Subject::One("Actor", actor.as_str()))?;
        refuse(wanted.comment.as_deref().and_then(|comment| text_fault("comment", comment)))?;
        inner.recorded_actor(&permit, actor).await?;
        let body = json!({"exclusion_type": wanted.kind, "comment": wanted.comment}).to_string();
        let entry = inner.entry(&permit, "Actor", actor.as_str(), "actor.exclusion.recorded").with_new_value(body.as_str());
        let id: Arc<str> = Arc::from(entry.id());
        // From now on, or behind the one that counts where that is said to be of later.
        let row = inner.exclusion_row(actor, &id, (&wanted.kind, None), wanted.comment.as_deref());
        let answered = inner.answer_once(&permit, Once { key, body: &body }, id, &ADD_EXCLUSION, Write::new(row, entry)).await?;
        Ok(answered.text)
    }

    /// Sets the score of an actor by hand. It counts until it is lifted or another overrides it. Answers with its id.
    #[boxed]
    pub async fn override_score(&self, caller: &Caller, wanted: OverrideScore, key: Option<IdempotencyKey>) -> Result<Arc<str>> {
        let inner = &self.inner;
        let permit = inner.enter(caller, Action::Decide, Subject::One("Actor", wanted.actor.as_str()))?;
        let OverrideScore { actor, score, reason, as_of } = wanted;
        let is_in_range = (-MOST_IN_PARTS..=MOST_IN_PARTS).contains(&score.to_f64());
        let out_of_range = (!is_in_range).then(|| Fault::new("finalScore", format!("must be from -{MOST_IN_PARTS} to {MOST_IN_PARTS}")));
        let too_late = Days::at(inner.clock.now()).faults([("asOfDate", as_of, Latest::Tomorrow)]);
        refuse(out_of_range.into_iter().chain(text_fault("reason", &reason)).chain(too_late))?;
        inner.recorded_actor(&permit, &actor).await?;
        let body = json!({"finalScore": score.as_str(), "reason": reason, "asOfDate": as_of}).to_string();
        inner.set_score(&permit, actor, ManualScore::Override { score, reason, as_of }, Once { key, body: &body }).await
    }

    /// Ends the override of an actor's score, so that the calculated one counts again, or what else was sent. Answers with the id of the score that says so.
    #[boxed]
    pub async fn lift_override(&self, caller: &Caller, wanted: LiftOverride, key: Option<IdempotencyKey>) -> Result<Arc<str>> {
        let inner = &self.inner;
        let permit = inner.enter(caller, Action::Decide, Subject::One("Actor", wanted.actor.as_str()))?;
        let LiftOverride { actor, reason } = wanted;
        refuse(reason.as_deref().and_then(|reason| text_fault("reason", reason)))?;
        inner.recorded_actor(&permit, &actor).await?;
        let body = json!({"reason": reason}).to_string();
        inner.set_score(&permit, actor, ManualScore::Lift { reason }, Once { key, body: &body }).await
    }

    /// Records assessments of an actor. Answers with their ids, in the order of the list.
    #[boxed]
    pub async fn record_assessments(
        &self,
        caller: &Caller,
        actor: &ActorId,
        found: Vec<FoundAssessment>,
        key: Option<IdempotencyKey>,
    ) -> Result<Vec<String>> {
        let inner = &self.inner;
        let permit = inner.enter(caller, Action::Decide, Subject::One("Actor", actor.as_str()))?;
        if !(1..=MOST_ASSESSMENTS).contains(&found.len()) {
            return Err(Error::invalid("assessments", format!("must be 1 to {MOST_ASSESSMENTS}")));
        }
        let now = inner.clock.now();
        refuse(found.iter().enumerate().flat_map(|(at, assessment)| {
            let date = format!("assessments[{at}].asOfDate");
            let too_late = Days::at(now).faults([(date.as_str(), assessment.as_of, Latest::Tomorrow)]);
            text_fault(&format!("assessments[{at}].type"), &assessment.kind).into_iter().chain(too_late)
        }))?;
        inner.recorded_actor(&permit, actor).await?;
        // As it was given: the same input is the same request, also on another day.
        let given = found.iter().map(|it| json!([it.kind, it.value, it.comment, it.as_of])).collect::<Vec<_>>();
        let body = json!({"assessments": given}).to_string();
        let day = today(now)?;
        let assessments: Vec<RiskAssessment> = found.into_iter().map(|assessment| assessment.dated(day)).collect();
        let ids: Vec<String> = assessments.iter().map(|assessment| assessment_id(actor, assessment)).collect();
        let text = |error: serde_json::Error| Error::Internal(error.to_string());
        let (record, answer) = (serde_json::to_string(&assessments).map_err(text)?, serde_json::to_string(&ids).map_err(text)?);
        let write = inner.assessments_write(&permit, actor, assessments.iter(), Arc::from(record));
        let answered = inner.answer_once(&permit, Once { key, body: &body }, answer, &ADD_ASSESSMENTS, write).await?;
        serde_json::from_str(&answered.text).map_err(text)
    }
}

impl Inner {
    /// Refuses an actor whose record has not come: a mistyped id would make somebody of it.
    async fn recorded_actor(&self, permit: &Permit<'_>, actor: &ActorId) -> Result<()> {
        self.record(permit, statements::actor::READ, ObjectKind::Actor, actor.as_str()).await.map(drop)
    }

    /// Keeps a score that a person sets. Answers with its id, which is that of its audit entry.
    async fn set_score(&self, permit: &Permit<'_>, actor: ActorId, what: ManualScore, once: Once<'_>) -> Result<Arc<str>> {
        let entry = self.entry(permit, "Actor", actor.as_str(), SCORE_RECORDED).with_new_value(once.body);
        let row = ManualScoreRow { id: entry.id().to_owned(), actor, what, bands: self.settings.risk_bands, by: permit.caller().name.clone() };
        let answered = self.answer_as_decided(permit, once, &RECORD_MANUAL_SCORE, Write::new(row, entry)).await?;
        Ok(answered.text)
    }
}

static RECORD_MANUAL_SCORE: Amending<RecordManualScore> = Amending::NEW;

/// A person's word on the score of an actor.
enum ManualScore {
    /// This score counts, whatever others say.
    Override { score: Number, reason: String, as_of: Option<Date> },
    /// None overrides the others any more.
    Lift { reason: Option<String> },
}

/// A score that a person sets.
struct ManualScoreRow {
    /// Its id.
    id: String,
    actor: ActorId,
    what: ManualScore,
    bands: RiskBands,
    /// The name of the person.
    by: String,
}

/// Keeps a score that a person sets under the lock of its actor. Answers with its id.
struct RecordManualScore;

impl Amend for RecordManualScore {
    type Row = ManualScoreRow;
    type Locked = ScoredActorRow;
    type Stored = ScoredActorRow;
    type Answer = Arc<str>;

    const LOCK: Reading<ScoredActorRow> = statements::risk::LOCK_SCORES;
    const WRITE: WriteStatement = statements::risk::SCORE;
    const RANK: Rank = Rank::Relation;

    fn id(row: &ManualScoreRow) -> &str {
        row.actor.as_str()
    }

    fn decide(row: &ManualScoreRow, stored: Option<ScoredActorRow>, decision: Decision<'_>) -> Result<Amended<Arc<str>>> {
        let mut scores = stored.map(|stored| stored.scores).unwrap_or_default();
        let (last, now) = (last_decision(&scores, None), decision.now);
        let given = Given::made(row.what.score(&scores, last, today(now)?)?).map_err(|error| Error::Internal(error.to_string()))?;
        // Behind the last one also where that came in the same millisecond, or by a clock that was ahead.
        let at = Timestamp(last.map_or(now.millis(), |last| now.millis().max(last.ingested_at + 1)));
        let old = last.filter(|last| last.overrides == Some(true)).map(replaced);
        scores.push(stored_score(&row.id, &given.value, at));
        let standing = standing(&scores, row.bands).ok_or_else(|| Error::Internal("a score leaves no standing".to_owned()))?;
        let write = map([
            ("id", row.actor.as_str().into()),
            ("scoreId", row.id.as_str().into()),
            ("score", score_value(&given, MANUAL_RULE, row.bands, &row.by, at)),
            ("more", Value::Map(Vec::new())),
            ("standing", standing.into_value()),
        ]);
        let id: Arc<str> = Arc::from(row.id.as_str());
        Ok(Amended { values: Values::replaced(old, Some(given.record.to_string())), ..Amended::by(id, write).kept() })
    }
}

impl ManualScore {
    /// The score that says so, of an actor with these scores, of which `last` is the last one that says whether it overrides the others.
    fn score(&self, scores: &[StoredScore], last: Option<&StoredScore>, today: Date) -> Result<RiskScore> {
        let since = last.and_then(|last| Date::parse(&last.as_of_date));
        let usual = since.map_or(today, |since| today.max(since));
        match self {
            Self::Override { score, reason, as_of } => {
                if let (Some(date), Some(since)) = (as_of, since)
                    && *date < since
                {
                    return Err(Error::invalid("asOfDate", format!("must not be before {since}, the date of the last override or of its end")));
                }
                Ok(RiskScore {
                    calculated_score: beside_overrides(scores).and_then(number),
                    overridden: Some(true),
                    override_reason: Some(reason.clone()),
                    ..manual_score(as_of.unwrap_or(usual), score.clone())
                })
            }
            Self::Lift { reason } => {
                let Some(overriding) = last.filter(|last| last.overrides == Some(true)) else {
                    return Err(Error::invalid("actorId", "must be the id of an actor with a score that overrides the others"));
                };
                let counting = beside_overrides(scores).or(overriding.calculated_score);
                let Some(counting) = counting.and_then(number) else {
                    let problem = "must be the id of an actor with another score, which counts when the override is lifted";
                    return Err(Error::invalid("actorId", problem));
                };
                Ok(RiskScore {
                    calculated_score: Some(counting.clone()),
                    overridden: Some(false),
                    override_reason: reason.clone(),
                    ..manual_score(usual, counting)
                })
            }
        }
    }
}

/// The old value of the audit entry: the score that overrode the others until now, as its record has it.
fn replaced(score: &StoredScore) -> String {
    let StoredScore { as_of_date, final_score, calculated_score, override_reason, .. } = score;
    let fields = json!({"as_of_date": as_of_date, "final_score": final_score, "calculated_score": calculated_score, "override": true,
        "override_reason": override_reason});
    fields.to_string()
}

/// A score as it will be stored.
fn stored_score(id: &str, value: &RiskScore, at: Timestamp) -> StoredScore {
    StoredScore {
        id: id.to_owned(),
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
        risk_rule_id: Some(value.risk_rule_id.clone()),
    }
}

/// The final score of the latest one that overrides no others, as it is where none overrides it.
fn beside_overrides(scores: &[StoredScore]) -> Option<f64> {
    latest_beside(scores).map(alone)
}

fn manual_score(as_of_date: Date, final_score: Number) -> RiskScore {
    RiskScore {
        as_of_date,
        final_score,
        risk_rule_id: MANUAL_RULE.to_owned(),
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

/// The day (UTC) at a time.
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
