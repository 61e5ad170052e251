//! The score of one actor: calculated because somebody asks, and what the last one is made of.
//!
//! What is known of the actor itself is read anew. What follows from others, too (the exposure of its network, its volume beside its segment), is what the last
//! calculation knew: it takes a run to compute that.

use std::sync::Arc;
use std::time::Duration;

use chrono::NaiveDate;
use cypher::statements::rows::StoredScore;
use cypher::{Params, statements};
use graph_schema::date::{Date, Timestamp};
use graph_schema::fault::Fault;
use graph_schema::id::ActorId;
use graph_schema::json_text::JsonText;
use graph_schema::number::Number;
use risk::{Facts, Input};
use serde::Deserialize;

use super::calculated::{Calculated, ON_DEMAND, Occasion};
use super::facts::{KnownActor, Scope};
use super::load::Times;
use super::run::FINDINGS_COUNT_FOR;
use super::score::{Kept, is_known, last_calculated, overriding, standing_with};
use crate::detection::scope::Monitoring;
use crate::detection::{date_at, day_of};
use crate::policy::{Action, Subject};
use crate::{Caller, Error, Inner, ObjectKind, Resolvers, Result, boxed};

/// What reading the facts of an actor may take: milliseconds, but for a Neo4j that plans the statement first.
const FACTS_LIMIT: Duration = Duration::from_secs(8);
/// The most scores of an actor that are shown together.
const MOST_SHOWN: usize = 200;

/// A calculated score.
#[derive(Debug, Clone, PartialEq)]
pub struct RiskCalculation {
    pub rule_id: String,
    pub rule_name: String,
    pub rule_version: String,
    pub as_of: Date,
    /// What the factors add up to.
    pub calculated_score: Number,
    /// The score that counts for the actor, which another may override.
    pub score: f64,
    pub band: &'static str,
    pub is_overridden: bool,
    /// Whether it is kept as a new score: false where the last one is made of the same.
    pub is_new: bool,
    pub factors: Vec<RiskFactor>,
}

/// What a factor contributes.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct RiskFactor {
    pub factor: String,
    pub input: String,
    /// What was known: JSON of texts, or of a number.
    pub known: Option<JsonText>,
    /// Of several texts the one that was rated highest.
    pub decisive: Option<String>,
    /// From 0 to 1.
    pub rating: Number,
    pub weight: Number,
    pub contribution: Number,
}

/// A score as it is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct ShownScore {
    pub id: String,
    pub as_of: Option<Date>,
    pub ingested_at: Timestamp,
    pub final_score: f64,
    pub band: &'static str,
    pub calculated_score: Option<f64>,
    /// Whether it overrides, or says that none overrides any more; nothing for all others.
    pub overrides: Option<bool>,
    pub override_reason: Option<String>,
    /// The id of the score that overrides it.
    pub overridden_by: Option<String>,
    pub data_source: Option<String>,
}

/// The part of a score's record that says what it is made of.
#[derive(Deserialize)]
pub struct Explained {
    pub metadata: ExplainedFactors,
}

#[derive(Deserialize)]
pub struct ExplainedFactors {
    pub factors: Vec<RiskFactor>,
}

impl Resolvers {
    /// Calculates the score of an actor as of today, and keeps it where it is made of something else than the last one. An actor that is not monitored has none.
    #[boxed]
    pub async fn calculate_risk(&self, caller: &Caller, actor: &ActorId) -> Result<RiskCalculation> {
        let inner = &self.inner;
        let permit = inner.enter(caller, Action::CalculateRisk, Subject::One("Actor", actor.as_str()))?;
        // What the score is made of is shown, whether it is kept or not.
        inner.enter(caller, Action::Explore, Subject::One("Actor", actor.as_str()))?;
        let now = inner.clock.now();
        let (scope, times) = inner.today(now)?;
        let ids = || Params::none().with("ids", vec![actor.as_str()]);
        let facts = Params(times.params(&scope).0.into_iter().chain(ids().0).collect());
        let row = inner.engine.read_as(statements::risk::ACTORS, facts, FACTS_LIMIT).await?.into_iter().next().filter(|row| row.recorded);
        let known = KnownActor::of(row.ok_or_else(|| Error::not_found(ObjectKind::Actor, actor.as_str()))?, &scope);
        let rules = inner.risk_rule_set(&permit, i64::MAX).await?.live();
        let rule = rules.of(known.kind).filter(|_| known.is_scored()).ok_or_else(|| unscored(&known))?;
        let scores = inner.read(&permit, statements::risk::SCORES, ids()).await?.into_iter().next().map(|row| row.scores).unwrap_or_default();
        let mut facts = known.facts;
        add_known_of_others(&mut facts, last_calculated(&scores, &scope.day.to_string()));
        let occasion = Occasion { as_of: scope.day, data_source: ON_DEMAND, run: None, known_up_to: now.millis() };
        let calculated = Calculated::new(rule, rule.evaluate(&facts), &occasion);
        let overriding = overriding(&scores, Some(&calculated.as_of_text()));
        let mut shown = shown(inner, &calculated, &scores, now)?;
        if !is_known(&scores, (&calculated.as_of_text(), &calculated.digest), overriding) {
            let is_observed = known.monitoring == Some(Monitoring::Alerted);
            let (kept, _) = inner.keep_calculated(&permit, actor.clone(), calculated, &scores, is_observed).await?;
            shown.is_new = kept == Kept::New;
        }
        Ok(shown)
    }

    /// What the last calculated score of an actor is made of; nothing where there is none.
    #[boxed]
    pub async fn risk_factors(&self, caller: &Caller, actor: &ActorId) -> Result<Vec<RiskFactor>> {
        let inner = &self.inner;
        let permit = inner.enter(caller, Action::Explore, Subject::One("Actor", actor.as_str()))?;
        let params = Params::none().with("ids", vec![actor.as_str()]);
        let record: Option<Arc<str>> =
            inner.read(&permit, statements::risk::LAST_CALCULATED, params).await?.into_iter().next().and_then(|row| row.record);
        let Some(record) = record else { return Ok(Vec::new()) };
        let explained: Explained =
            serde_json::from_str(&record).map_err(|error| Error::Internal(format!("a calculated score can't be read: {error}")))?;
        Ok(explained.metadata.factors)
    }

    /// The scores of an actor, the latest first: by the date that they are as of, then by when they came. Of more than 200 so many.
    #[boxed]
    pub async fn risk_history(&self, caller: &Caller, actor: &ActorId, first: usize) -> Result<Vec<ShownScore>> {
        let inner = &self.inner;
        let permit = inner.enter(caller, Action::Explore, Subject::One("Actor", actor.as_str()))?;
        let params = Params::none().with("ids", vec![actor.as_str()]);
        let mut scores = inner.read(&permit, statements::risk::SCORES, params).await?.into_iter().next().map(|row| row.scores).unwrap_or_default();
        scores.sort_by(|one, other| (&other.as_of_date, other.ingested_at, &other.id).cmp(&(&one.as_of_date, one.ingested_at, &one.id)));
        scores.truncate(first.min(MOST_SHOWN));
        Ok(scores.into_iter().map(|score| inner.shown_score(score)).collect())
    }
}

impl Inner {
    /// Everybody, as of the business day that it is now.
    fn today(&self, now: Timestamp) -> Result<(Scope, Times)> {
        let zone = self.settings.detection.time_zone;
        let out_of_calendar = || Error::Internal("the day is out of the calendar".to_owned());
        let date: NaiveDate = date_at(now.millis(), zone).ok_or_else(out_of_calendar)?;
        let behind = day_of(date, zone).ok_or_else(out_of_calendar)?.end().millis();
        let day = Date::parse(&date.to_string()).ok_or_else(out_of_calendar)?;
        Ok((Scope { line: None, day }, Times { known_up_to: now.millis(), begin: behind - FINDINGS_COUNT_FOR, behind }))
    }

    fn shown_score(&self, score: StoredScore) -> ShownScore {
        ShownScore {
            as_of: Date::parse(&score.as_of_date),
            ingested_at: Timestamp(score.ingested_at),
            band: self.settings.risk_bands.band(score.final_score),
            id: score.id,
            final_score: score.final_score,
            calculated_score: score.calculated_score,
            overrides: score.overrides,
            override_reason: score.override_reason,
            overridden_by: score.overridden_by,
            data_source: score.data_source,
        }
    }
}

/// Why an actor has no score.
fn unscored(actor: &KnownActor) -> Error {
    let says = match actor.monitoring {
        None => "must be the id of an actor that is monitored: one that is not TERMINATED and not excluded as NOT_MONITORED",
        Some(_) => "must be the id of an actor of a type that a live risk rule scores",
    };
    Error::Invalid(vec![Fault::new("actorId", says)])
}

/// Adds what the last calculation has known that follows from others.
fn add_known_of_others(facts: &mut Facts, last: Option<&StoredScore>) {
    let Some(last) = last else { return };
    for (input, text) in [(Input::Exposure, &last.exposure), (Input::VolumeAgainstSegment, &last.volume_against_segment)] {
        if let Some(number) = text.as_deref().and_then(|text| text.parse().ok()) {
            facts.set_number(input, number);
        }
    }
}

fn shown(inner: &Inner, calculated: &Calculated, scores: &[StoredScore], now: Timestamp) -> Result<RiskCalculation> {
    let standing = standing_with(scores, calculated, inner.settings.risk_bands, now);
    let standing = standing.ok_or_else(|| Error::Internal("a score leaves no standing".to_owned()))?;
    let no_number = || Error::Internal("a calculated score is no number".to_owned());
    let calculated_score = Number::parse(&calculated.breakdown.score.to_string()).ok_or_else(no_number)?;
    let explained: Explained = serde_json::from_str(&calculated.record(None)?.record).map_err(|error| Error::Internal(error.to_string()))?;
    Ok(RiskCalculation {
        rule_id: calculated.rule_id.clone(),
        rule_name: calculated.rule_name.clone(),
        rule_version: calculated.rule_version.clone(),
        as_of: calculated.as_of,
        calculated_score,
        score: standing.score,
        band: standing.band,
        is_overridden: standing.is_overridden,
        is_new: false,
        factors: explained.metadata.factors,
    })
}
