//! The job that scores all actors.
//!
//! All that is known of actors is read first, as exposures follow from everybody; then each that is monitored and of the line of business is evaluated, in the
//! order of ids. A score is kept where it is made of something else than the one before, or overridden by another. What was kept is found again by whoever goes on
//! after a crash, and by the same run done again: nothing is kept twice.

use std::collections::BTreeMap;
use std::str::FromStr;

use analytics::{ActorIndex, Exposures};
use cypher::statements::rows::StoredScore;
use futures::future::try_join_all;
use graph_schema::detection::DetectionBatch;
use graph_schema::id::ActorId;
use risk::{Member, RiskRule, exposures};
use serde::{Deserialize, Serialize};

use super::band_change::observation;
use super::calculated::{Calculated, OF_RUNS, Occasion};
use super::facts::{KnownActor, Scope};
use super::load::{Times, compare_volumes, ties_among};
use super::rules::RiskRules;
use super::score::{Kept, ScoreRow, is_known, overriding, standing, standing_with};
use super::{RECORD_SCORE, RiskBands};
use crate::detection::scope::Monitoring;
use crate::detection::{begun_row, the_day};
use crate::jobs::{JobKind, Progress, Running, Stopped};
use crate::observation::RECORD_OBSERVATION;
use crate::policy::Permit;
use crate::queue::{Along, Priority, Write};
use crate::{Error, Inner, Result};

/// Actors whose scores are kept together.
const AT_ONCE: usize = 200;
/// How long a finding counts.
pub(super) const FINDINGS_COUNT_FOR: i64 = 365 * 24 * 60 * 60 * 1000;

/// Whether a change of an actor's risk band is an observation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BandChanges {
    #[default]
    Unobserved,
    Observed,
}

impl FromStr for BandChanges {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        match text {
            "none" => Ok(Self::Unobserved),
            "observe" => Ok(Self::Observed),
            _ => Err("must be none or observe".to_owned()),
        }
    }
}

/// A run that is to be done.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ScoreActors {
    /// The run's id.
    pub run: String,
    pub batch: DetectionBatch,
}

/// How far it is. Facts are read again after a crash; scores that were kept are known by then.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Done {
    /// Epoch milliseconds; nothing until it has begun.
    known_up_to: Option<i64>,
    /// The rules that it goes by: with others it begins anew.
    rules: Vec<String>,
    /// Up to this actor (included) scores are kept.
    after: Option<String>,
    counts: Counts,
}

/// What became of scores.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Counts {
    /// Actors that were scored.
    scored: u64,
    /// Scores that were kept.
    written: u64,
    /// Scores that are as they were.
    unchanged: u64,
    /// Of both, those that another overrides.
    overridden: u64,
    /// Observations of changed bands.
    band_changes: u64,
    /// How many calculated scores are in which band.
    bands: BTreeMap<String, u64>,
}

/// What it has come to.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Outcome {
    /// Epoch milliseconds.
    known_up_to: i64,
    /// All that are known, placeholders included: whom exposures follow from.
    actors: usize,
    /// Those of the line of business that are not monitored, and have no score.
    unmonitored: usize,
    #[serde(flatten)]
    counts: Counts,
    rules: Vec<String>,
    /// How much another sweep would change a total of an exposure at most.
    residual: f64,
    /// What rules in shadow say beside the live ones.
    shadows: Vec<ShadowScores>,
}

/// What a rule in shadow says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct ShadowScores {
    rule: String,
    version: String,
    scored: u64,
    bands: BTreeMap<String, u64>,
    /// Actors whose band is another than that of the live rule.
    other_bands: u64,
}

/// All that scores follow from.
struct Population {
    actors: Vec<KnownActor>,
    exposures: Exposures,
    shadows: Vec<ShadowScores>,
}

impl JobKind for ScoreActors {
    const KIND: &'static str = "actor-risk";
    type Checkpoint = Done;
    type Result = Outcome;

    async fn run(&self, mut done: Done, running: &Running) -> std::result::Result<Outcome, Stopped> {
        let inner = &running.context().resolvers().inner;
        let permit = Permit::of_service();
        let rules = inner.settings.risk_rules.clone();
        if done.known_up_to.is_none() || done.rules != rules.keys() {
            let known_up_to = done.known_up_to.or_else(|| Some(running.context().now().millis()));
            done = Done { known_up_to, rules: rules.keys(), ..Done::default() };
            running.save(&done, Progress { done: 0, total: None }).await?;
        }
        let known_up_to = done.known_up_to.unwrap_or_default();
        inner.put_run(begun_row(&self.run, &self.batch, running.id(), known_up_to)).await?;
        let date = self.batch.close_of_business_date;
        let behind = the_day(date, inner.settings.detection)?.end().millis();
        let times = Times { known_up_to, begin: behind - FINDINGS_COUNT_FOR, behind };
        let scope = Scope { line: Some(self.batch.line_of_business.to_string()), day: date };
        let actors = inner.actors_to_score(&permit, &scope, times).await?;
        let population = population(actors, rules.clone(), inner.settings.risk_bands).await?;
        let occasion = Occasion { as_of: date, data_source: OF_RUNS, run: Some(&self.run), known_up_to };
        keep(inner, &population, &rules, &occasion, running, &mut done).await?;
        let Population { actors, exposures, shadows } = population;
        Ok(Outcome {
            known_up_to,
            unmonitored: actors.iter().filter(|actor| actor.is_of_line && actor.monitoring.is_none()).count(),
            actors: actors.len(),
            counts: done.counts,
            rules: done.rules,
            residual: exposures.residual(),
            shadows,
        })
    }
}

/// Exposures of all actors, on a thread of its own.
async fn population(mut actors: Vec<KnownActor>, rules: RiskRules, bands: RiskBands) -> std::result::Result<Population, Stopped> {
    let computed = tokio::task::spawn_blocking(move || {
        compare_volumes(&mut actors);
        let (exposures, shadows) = exposures_of(&actors, &rules, bands)?;
        Ok::<_, analytics::InvalidExposure>(Population { actors, exposures, shadows })
    });
    computed.await.map_err(|error| Error::Internal(error.to_string()))?.map_err(|error| {
        tracing::error!(%error, "the exposures of actors can't be computed");
        // The same is read again, and fails again.
        Stopped::ForEver("what is stored is no network of exposures; see the log".to_owned())
    })
}

fn exposures_of(
    actors: &[KnownActor],
    rules: &RiskRules,
    bands: RiskBands,
) -> std::result::Result<(Exposures, Vec<ShadowScores>), analytics::InvalidExposure> {
    let ties = ties_among(actors);
    let Some(any) = rules.live(None) else { return Ok((exposures(&[])?, Vec::new())) };
    let members: Vec<Member<'_>> =
        actors.iter().zip(&ties).map(|(actor, ties)| Member { facts: &actor.facts, rule: rules.live(actor.kind).unwrap_or(any), ties }).collect();
    let exposures = exposures(&members)?;
    let shadows = rules.shadows().map(|shadow| shadow_scores(shadow, actors, &members, &exposures, bands)).collect();
    Ok((exposures, shadows))
}

/// What a rule in shadow says of all that are scored, with the exposures of the live ones.
fn shadow_scores(shadow: &RiskRule, actors: &[KnownActor], members: &[Member<'_>], exposures: &Exposures, bands: RiskBands) -> ShadowScores {
    let mut scores = ShadowScores { rule: shadow.id.clone(), version: shadow.version.to_string(), scored: 0, bands: BTreeMap::new(), other_bands: 0 };
    for ((actor, member), at) in actors.iter().zip(members).zip(0..) {
        if !actor.is_scored() || !actor.kind.is_some_and(|kind| shadow.is_for(kind)) {
            continue;
        }
        let exposure = exposures.of(ActorIndex(at));
        let band = |rule| bands.band(Member { rule, ..*member }.breakdown(exposure).score.to_f64());
        let (own, live) = (band(shadow), band(member.rule));
        scores.scored += 1;
        scores.other_bands += u64::from(own != live);
        *scores.bands.entry(own.to_owned()).or_default() += 1;
    }
    scores
}

impl KnownActor {
    /// Whether it has a score: it is monitored, and of the line of business.
    pub(super) fn is_scored(&self) -> bool {
        self.monitoring.is_some() && self.is_of_line
    }
}

/// Keeps the scores of all that are scored, in the order of their ids.
async fn keep(
    inner: &Inner,
    population: &Population,
    rules: &RiskRules,
    occasion: &Occasion<'_>,
    running: &Running,
    done: &mut Done,
) -> std::result::Result<(), Stopped> {
    let scored: Vec<(usize, &KnownActor)> = population.actors.iter().enumerate().filter(|(_, actor)| actor.is_scored()).collect();
    let total = Some(scored.len() as u64);
    let left = scored.iter().position(|(_, actor)| done.after.as_deref().is_none_or(|after| actor.id.as_str() > after)).unwrap_or(scored.len());
    let mut kept = left;
    for some in scored[left..].chunks(AT_ONCE) {
        let counts = inner.keep_some(some, &population.exposures, rules, occasion).await?;
        done.counts.add(counts);
        done.after = some.last().map(|(_, actor)| actor.id.clone());
        kept += some.len();
        running.save(done, Progress { done: kept as u64, total }).await?;
    }
    Ok(())
}

impl Counts {
    fn add(&mut self, more: Self) {
        self.scored += more.scored;
        self.written += more.written;
        self.unchanged += more.unchanged;
        self.overridden += more.overridden;
        self.band_changes += more.band_changes;
        for (band, count) in more.bands {
            *self.bands.entry(band).or_default() += count;
        }
    }
}

impl Inner {
    /// Keeps the scores of some actors, with their places among all.
    async fn keep_some(&self, actors: &[(usize, &KnownActor)], exposures: &Exposures, rules: &RiskRules, occasion: &Occasion<'_>) -> Result<Counts> {
        let permit = Permit::of_service();
        let ids: Vec<&str> = actors.iter().map(|(_, actor)| actor.id.as_str()).collect();
        let stored = self.stored_scores(&permit, &ids).await?;
        let (mut counts, mut writes) = (Counts::default(), Vec::new());
        for &(at, actor) in actors {
            let Some(rule) = rules.live(actor.kind) else { continue };
            let member = Member { facts: &actor.facts, rule, ties: &[] };
            let calculated = Calculated::new(rule, member.breakdown(exposures.of(ActorIndex(at as u32))), occasion);
            let scores = stored.get(&actor.id).map_or(&[][..], |row| row.scores.as_slice());
            let overriding = overriding(scores, Some(&calculated.as_of_text()));
            counts.scored += 1;
            counts.overridden += u64::from(overriding.is_some());
            let band = self.settings.risk_bands.band(calculated.breakdown.score.to_f64());
            *counts.bands.entry(band.to_owned()).or_default() += 1;
            if is_known(scores, &calculated, overriding) {
                counts.unchanged += 1;
            } else {
                // What is found about somebody who is suppressed is no observation.
                let is_observed = actor.monitoring == Some(Monitoring::Alerted);
                writes.push(self.keep_calculated(&permit, ActorId::new(actor.id.as_str()), calculated, scores, is_observed));
            }
        }
        for (kept, is_observed) in try_join_all(writes).await? {
            match kept {
                Kept::New => counts.written += 1,
                Kept::Same => counts.unchanged += 1,
            }
            counts.band_changes += u64::from(is_observed);
        }
        Ok(counts)
    }

    /// Keeps a calculated score, and an observation where the band changes by it and that is to be observed. Whether there is one comes second.
    pub(super) async fn keep_calculated(
        &self,
        permit: &Permit<'_>,
        actor: ActorId,
        calculated: Calculated,
        scores: &[StoredScore],
        is_observed: bool,
    ) -> Result<(Kept, bool)> {
        let (bands, at) = (self.settings.risk_bands, self.clock.now());
        let entry = self.entry(permit, "Actor", actor.as_str(), "actor.risk_score.recorded");
        let before = standing(scores, bands).filter(|_| is_observed && self.settings.band_changes == BandChanges::Observed);
        let after = standing_with(scores, &calculated, bands, at);
        let change = before.zip(after).filter(|(before, after)| before.band != after.band);
        let observed = change.map(|(before, after)| observation(&actor, &calculated, &before, &after)).transpose()?;
        // A run waits for people; whoever asks for one score is one of them.
        let priority = if calculated.run.is_some() { Priority::Bulk } else { Priority::Single };
        let along = Along { priority, ..Along::default() };
        let row = ScoreRow { actor, id: entry.id().to_owned(), bands, at, by: permit.caller().name.clone(), calculated };
        let write = Write::new(row, entry);
        match observed {
            Some(given) => {
                let second = (&RECORD_OBSERVATION, self.observation_write(permit, &given)?);
                let (kept, ()) = self.queue.write_both((&RECORD_SCORE, write), second, along).await.map_err(Error::from)?;
                Ok((kept, true))
            }
            None => Ok((self.queue.write_along(&RECORD_SCORE, write, along).await.map_err(Error::from)?, false)),
        }
    }
}
