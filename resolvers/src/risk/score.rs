//! Scores of actors: how one is kept, which overrides which, and how the actor stands.
//!
//! Scores are in the order of the dates that they are as of, those of one date in the order in which they came. A score that says `override: true` holds
//! until a later one says `override: false`. What the service calculates meanwhile is kept beside: such a score has the final score of the one that overrides it
//! (`overriddenBy`), and its own as `calculated_score`; it decides nothing itself, so that lifting the override ends it for all of them.
//!
//! The score by which a person lifts an override repeats what counts besides, and is dated behind the override, which may be dated tomorrow. It must hide nothing
//! that comes until then: beside others it counts from the day on which it came.
//!
//! Beside how it stands an actor has the place of its latest score in that order, and of the last one that says whether it overrides, with what each of them
//! says. A score that somebody sends needs nothing else of the others: it is one statement, which reads none of them.

use cypher::statements::rows::{ScoredActorRow, StoredScore};
use cypher::{Reading, Value, WriteStatement, map, statements};
use graph_schema::date::Timestamp;
use graph_schema::given::Given;
use graph_schema::id::ActorId;
use graph_schema::number::Number;
use graph_schema::risk::RiskScore;
use risk::Input;

use super::RiskBands;
use super::calculated::Calculated;
use crate::queue::{Amend, Amended, Decision, Rank};
use crate::{Error, Result};

/// So many parts of a score are told apart in the order of lists.
const PARTS: f64 = 10_000.0;
/// Above this score lists tell none apart: its parts are no number that a database keeps.
pub(super) const MOST_IN_PARTS: f64 = 900_000_000_000_000.0;
/// The rule of scores that people set.
pub(super) const MANUAL_RULE: &str = "set-by-hand";

/// A calculated score that is to be kept.
pub(crate) struct ScoreRow {
    pub actor: ActorId,
    /// Its id.
    pub id: String,
    pub bands: RiskBands,
    /// When it came.
    pub at: Timestamp,
    /// Who has asked for it, by name.
    pub by: String,
    /// The record follows from what overrides it.
    pub calculated: Calculated,
}

/// What became of a score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kept {
    /// It is stored.
    New,
    /// What the service has calculated last is the same.
    Same,
}

/// How an actor stands by its scores.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    /// The score that counts.
    pub score: f64,
    pub band: &'static str,
    /// `YYYY-MM-DD`, of the latest one.
    pub as_of: String,
    /// What the latest one says was calculated.
    pub calculated: Option<f64>,
    /// Whether one overrides the others.
    pub is_overridden: bool,
    /// Where the latest one is in the order of all.
    key: String,
    /// What it says where none overrides it.
    alone: f64,
    /// Where the last one is that says whether it overrides the others.
    override_key: Option<String>,
    /// What it says where it does.
    override_score: Option<f64>,
}

/// Keeps a calculated score under the lock of its actor.
pub(crate) struct RecordScore;

impl Amend for RecordScore {
    type Row = ScoreRow;
    type Locked = ScoredActorRow;
    type Stored = ScoredActorRow;
    type Answer = Kept;

    const LOCK: Reading<ScoredActorRow> = statements::risk::LOCK_SCORES;
    const WRITE: WriteStatement = statements::risk::SCORE;
    const RANK: Rank = Rank::Relation;

    fn id(row: &ScoreRow) -> &str {
        row.actor.as_str()
    }

    fn size(row: &ScoreRow) -> usize {
        1_000 + row.calculated.size()
    }

    fn decide(row: &ScoreRow, stored: Option<ScoredActorRow>, _: Decision<'_>) -> Result<Amended<Kept>> {
        let stored = stored.map(|stored| stored.scores).unwrap_or_default();
        let calculated = &row.calculated;
        let overriding = overriding(&stored, Some(&calculated.as_of_text()));
        if is_known(&stored, (&calculated.as_of_text(), &calculated.digest), overriding) {
            return Ok(Amended::nothing(Kept::Same));
        }
        let given = calculated.record(overriding)?;
        let more = More {
            rule_name: calculated.rule_name.clone(),
            overridden_by: overriding.map(|score| score.id.clone()),
            breakdown: calculated.digest.clone(),
            exposure: calculated.known(Input::Exposure),
            volume: calculated.known(Input::VolumeAgainstSegment),
        };
        let own = own_score(row, &given.value, &more);
        let write = score_value(&given, &more.rule_name, row.bands, &row.by, row.at);
        let mut scores = stored;
        scores.push(own);
        let standing = standing(&scores, row.bands).ok_or_else(|| Error::Internal("a score leaves no standing".to_owned()))?;
        let write = map([
            ("id", row.actor.as_str().into()),
            ("scoreId", row.id.as_str().into()),
            ("score", write),
            ("more", more.into_value()),
            ("standing", standing.into_value()),
        ]);
        Ok(Amended::by(Kept::New, write))
    }
}

/// What a score that the service has calculated has besides what others have.
struct More {
    rule_name: String,
    overridden_by: Option<String>,
    breakdown: String,
    /// What was known that follows from others, too.
    exposure: Option<String>,
    volume: Option<String>,
}

impl More {
    /// What is not said is not set.
    fn into_value(self) -> Value {
        let fields = [
            ("ruleName", Some(self.rule_name)),
            ("overriddenBy", self.overridden_by),
            ("breakdown", Some(self.breakdown)),
            ("exposure", self.exposure),
            ("volumeAgainstSegment", self.volume),
        ];
        Value::Map(fields.into_iter().filter_map(|(name, value)| Some((name.into(), value?.into()))).collect())
    }
}

impl Standing {
    pub(super) fn into_value(self) -> Value {
        // Lists are ordered by a whole number. As risk/add_score makes it.
        let parts = (self.score.clamp(-MOST_IN_PARTS, MOST_IN_PARTS) * PARTS) as i64;
        map([
            ("riskScore", self.score.into()),
            ("riskBand", self.band.into()),
            ("riskScoreAsOf", self.as_of.into()),
            ("calculatedRiskScore", self.calculated.into()),
            ("riskScoreOverridden", self.is_overridden.into()),
            ("riskScoreParts", parts.into()),
            ("riskScoreOrder", parts.into()),
            ("riskScoreKey", self.key.into()),
            ("riskScoreAlone", self.alone.into()),
            ("riskOverrideKey", self.override_key.into()),
            ("riskOverrideScore", self.override_score.into()),
        ])
    }
}

/// The score as it will be stored.
fn own_score(row: &ScoreRow, value: &RiskScore, more: &More) -> StoredScore {
    StoredScore {
        id: row.id.clone(),
        as_of_date: value.as_of_date.to_string(),
        ingested_at: row.at.millis(),
        final_score: value.final_score.to_f64(),
        calculated_score: value.calculated_score.as_ref().map(Number::to_f64),
        overrides: value.overridden,
        override_reason: value.override_reason.clone(),
        overridden_by: more.overridden_by.clone(),
        breakdown: Some(more.breakdown.clone()),
        data_source: value.data_source.clone(),
        exposure: more.exposure.clone(),
        volume_against_segment: more.volume.clone(),
        risk_rule_id: Some(value.risk_rule_id.clone()),
    }
}

/// The row for a score that somebody has sent. Its id is that of its audit entry.
pub(super) fn sent_row(actor: &ActorId, id: &str, given: &Given<RiskScore>, bands: RiskBands, by: &str, at: Timestamp) -> Value {
    map([
        ("id", actor.as_str().into()),
        ("scoreId", id.into()),
        ("key", place(&given.value.as_of_date.to_string(), at.millis(), id).into()),
        ("mediumFrom", bands.medium_from.into()),
        ("highFrom", bands.high_from.into()),
        ("score", score_value(given, &given.value.risk_rule_id, bands, by, at)),
    ])
}

pub(super) fn score_value(given: &Given<RiskScore>, rule: &str, bands: RiskBands, by: &str, at: Timestamp) -> Value {
    let value = &given.value;
    map([
        ("name", format!("{rule} {}", value.final_score.plain()).into()),
        ("riskRuleId", value.risk_rule_id.as_str().into()),
        ("riskRuleVersion", value.risk_rule_version.as_deref().into()),
        ("asOfDate", value.as_of_date.to_string().into()),
        ("finalScore", value.final_score.to_f64().into()),
        ("calculatedScore", value.calculated_score.as_ref().map(Number::to_f64).into()),
        ("override", value.overridden.into()),
        ("overrideReason", value.override_reason.as_deref().into()),
        ("dataSource", value.data_source.as_deref().into()),
        ("riskBand", bands.band(value.final_score.to_f64()).into()),
        ("ingestedAt", at.millis().into()),
        ("ingestedBy", by.into()),
        ("record", (&*given.record).into()),
    ])
}

/// Where a score stands among others.
fn order(score: &StoredScore) -> (&str, i64, &str) {
    (&score.as_of_date, score.ingested_at, &score.id)
}

/// The same as a text whose order is the same. risk/add_score makes it of stored scores, too.
fn place(as_of: &str, ingested_at: i64, id: &str) -> String {
    format!("{as_of}/{ingested_at:015}/{id}")
}

fn latest<'a>(scores: impl Iterator<Item = &'a StoredScore>) -> Option<&'a StoredScore> {
    scores.max_by(|one, other| order(one).cmp(&order(other)))
}

/// The latest score that overrides no others.
pub(super) fn latest_beside(scores: &[StoredScore]) -> Option<&StoredScore> {
    let is_beside = |score: &&StoredScore| score.overrides != Some(true) || score.overridden_by.is_some();
    scores.iter().filter(is_beside).max_by_key(|score| (counts_from(score), score.ingested_at, score.id.clone()))
}

/// From which day on a score counts among those that override no others: that it is as of, or that on which a person has lifted an override.
fn counts_from(score: &StoredScore) -> String {
    let is_lift = score.overrides == Some(false) && score.risk_rule_id.as_deref() == Some(MANUAL_RULE);
    let came = Timestamp(score.ingested_at).date().map(|day| day.to_string());
    came.filter(|day| is_lift && *day < score.as_of_date).unwrap_or_else(|| score.as_of_date.clone())
}

/// What a score says where none overrides it.
pub(super) fn alone(score: &StoredScore) -> f64 {
    match &score.overridden_by {
        // What overrode it has been lifted since.
        Some(_) => score.calculated_score.unwrap_or(score.final_score),
        None => score.final_score,
    }
}

/// The score that overrides the others: of those up to a date (included; of all where none is said) the last one that says whether it overrides.
pub fn overriding<'a>(scores: &'a [StoredScore], up_to: Option<&str>) -> Option<&'a StoredScore> {
    last_decision(scores, up_to).filter(|score| score.overrides == Some(true))
}

/// The last score up to a date that says whether it overrides the others.
pub(super) fn last_decision<'a>(scores: &'a [StoredScore], up_to: Option<&str>) -> Option<&'a StoredScore> {
    let decides = |score: &&StoredScore| score.overrides.is_some() && score.overridden_by.is_none();
    latest(scores.iter().filter(decides).filter(|score| up_to.is_none_or(|date| score.as_of_date.as_str() <= date)))
}

/// The last score that was calculated up to a date.
pub(crate) fn last_calculated<'a>(scores: &'a [StoredScore], up_to: &str) -> Option<&'a StoredScore> {
    latest(scores.iter().filter(|score| score.breakdown.is_some() && score.as_of_date.as_str() <= up_to))
}

/// Whether a score up to a date, behind which none has come but the one that overrides, was calculated of what a digest stands for and is overridden by the
/// same.
pub(crate) fn is_known(scores: &[StoredScore], (as_of, digest): (&str, &str), overriding: Option<&StoredScore>) -> bool {
    let overriding = overriding.map(|score| score.id.as_str());
    let others = scores.iter().filter(|score| score.as_of_date.as_str() <= as_of && Some(score.id.as_str()) != overriding);
    latest(others).is_some_and(|last| last.breakdown.as_deref() == Some(digest) && last.overridden_by.as_deref() == overriding)
}

/// How an actor with these scores would stand with one more, which the service has calculated.
pub(crate) fn standing_with(scores: &[StoredScore], calculated: &Calculated, bands: RiskBands, at: Timestamp) -> Option<Standing> {
    let as_of_date = calculated.as_of_text();
    let overriding = overriding(scores, Some(&as_of_date));
    let score = calculated.breakdown.score.to_f64();
    let more = StoredScore {
        // Behind all others of its moment.
        id: "\u{10FFFF}".to_owned(),
        as_of_date: as_of_date.clone(),
        ingested_at: at.millis(),
        final_score: overriding.map_or(score, |overriding| overriding.final_score),
        calculated_score: Some(score),
        overrides: overriding.map(|_| true),
        override_reason: None,
        overridden_by: overriding.map(|overriding| overriding.id.clone()),
        breakdown: Some(calculated.digest.clone()),
        data_source: None,
        exposure: None,
        volume_against_segment: None,
        risk_rule_id: None,
    };
    let all: Vec<StoredScore> = scores.iter().cloned().chain([more]).collect();
    standing(&all, bands)
}

/// How an actor with these scores stands; nothing where there are none.
pub fn standing(scores: &[StoredScore], bands: RiskBands) -> Option<Standing> {
    let decision = last_decision(scores, None);
    let override_score = decision.filter(|score| score.overrides == Some(true)).map(|score| score.final_score);
    // One that was lifted says nothing any more.
    let last = if override_score.is_some() { latest(scores.iter()) } else { latest_beside(scores) }?;
    let alone = alone(last);
    let score = override_score.unwrap_or(alone);
    let from = if override_score.is_some() { last.as_of_date.clone() } else { counts_from(last) };
    let place = |score: &StoredScore, from: &str| place(from, score.ingested_at, &score.id);
    Some(Standing {
        score,
        band: bands.band(score),
        as_of: last.as_of_date.clone(),
        calculated: last.calculated_score,
        is_overridden: override_score.is_some(),
        key: place(last, &from),
        alone,
        override_key: decision.map(|decision| place(decision, &decision.as_of_date)),
        override_score,
    })
}
