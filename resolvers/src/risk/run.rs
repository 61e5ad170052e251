//! The job that scores all actors.
//!
//! All that is known of actors is read first, as exposures follow from everybody; then scores are calculated, from those of the last run of the process
//! ([`super::population`]), and those of actors that are monitored and of the line of business are kept, in the order of ids. A score is kept where it is made of
//! something else than the one before, or overridden by another. What was kept is found again by whoever goes on after a crash, and by the same run done again:
//! nothing is kept twice.

use std::collections::BTreeMap;
use std::str::FromStr;
use std::sync::Arc;

use analytics::{ActorIndex, InvalidExposure};
use cypher::statements::rows::StoredScore;
use futures::future::try_join_all;
use graph_schema::date::Date;
use graph_schema::detection::DetectionBatch;
use graph_schema::id::ActorId;
use risk::{Member, RiskRule};
use serde::{Deserialize, Serialize};

use super::band_change::observation;
use super::calculated::{Calculated, OF_RUNS, Occasion};
use super::facts::{KnownActor, Scope};
use super::load::Times;
use super::population::{BesideLive, Calculation, Population, SHOWN};
use super::rule_set::{LiveRules, RiskRuleSet};
use super::score::{Kept, ScoreRow, is_known, overriding, standing, standing_with};
use super::{RECORD_SCORE, RiskBands};
use crate::detection::scope::{Monitoring, nobody};
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
    /// The rules that it goes by.
    rules: Vec<String>,
    /// Stands for these rules with their weights: with others it begins anew.
    digest: String,
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
    /// Those of them that were evaluated: all but those that are as they were in the last run of the process.
    evaluated: usize,
    /// Those of the line of business that are not monitored, and have no score.
    unmonitored: usize,
    #[serde(flatten)]
    counts: Counts,
    rules: Vec<String>,
    /// How much another sweep would change a total of an exposure at most.
    residual: f64,
    /// What rules in shadow say beside the live ones.
    shadows: Vec<ShadowScores>,
    /// That nobody is of the line of business.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

/// What a rule in shadow says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ShadowScores {
    pub rule: String,
    pub version: String,
    #[serde(flatten)]
    pub beside_live: BesideLive,
}

/// All that scores are kept of.
struct Scored {
    population: Population,
    rules: LiveRules,
    calculation: Arc<Calculation>,
    shadows: Vec<ShadowScores>,
}

impl JobKind for ScoreActors {
    const KIND: &'static str = "actor-risk";
    type Checkpoint = Done;
    type Result = Outcome;

    async fn run(&self, mut done: Done, running: &Running) -> std::result::Result<Outcome, Stopped> {
        let inner = &running.context().resolvers().inner;
        let permit = Permit::of_service();
        let known_up_to = done.known_up_to.unwrap_or_else(|| running.context().now().millis());
        // Whoever goes on with it knows as much, and so goes by the same tunings; but files may be others, and so may what came while it was read.
        let rules = inner.risk_rule_set(&permit, known_up_to).await?;
        let digest = rules.digest();
        if done.known_up_to.is_none() || done.digest != digest {
            done = Done { known_up_to: Some(known_up_to), rules: rules.keys(), digest, ..Done::default() };
            running.save(&done, Progress { done: 0, total: None }).await?;
        }
        inner.put_run(begun_row(&self.run, &self.batch, running.id(), known_up_to)).await?;
        let date = self.batch.close_of_business_date;
        let times = inner.times_of(date, known_up_to)?;
        let scope = Scope { line: Some(self.batch.line_of_business.to_string()), day: date };
        let actors = inner.actors_to_score(&permit, &scope, times).await?;
        let scored = scored(actors, rules, inner.last_calculation.get(), inner.settings.risk_bands).await?;
        inner.last_calculation.put(Arc::clone(&scored.calculation));
        let occasion = Occasion { as_of: date, data_source: OF_RUNS, run: Some(&self.run), known_up_to };
        keep(inner, &scored, &occasion, running, &mut done).await?;
        let Scored { population: Population { actors, .. }, calculation, shadows, .. } = scored;
        Ok(Outcome {
            known_up_to,
            note: (!actors.iter().any(|actor| actor.is_of_line)).then(|| nobody("no actor", &self.batch.line_of_business)),
            unmonitored: actors.iter().filter(|actor| actor.is_of_line && actor.monitoring.is_none()).count(),
            actors: actors.len(),
            evaluated: calculation.scores.evaluated(),
            counts: done.counts,
            rules: done.rules,
            residual: calculation.scores.exposures().residual(),
            shadows,
        })
    }
}

/// Scores of all actors, on a thread of its own.
async fn scored(
    actors: Vec<KnownActor>,
    rules: RiskRuleSet,
    former: Option<Arc<Calculation>>,
    bands: RiskBands,
) -> std::result::Result<Scored, Stopped> {
    computed(move || {
        let (population, live) = (Population::of(actors), rules.live());
        let calculation = population.calculate(&live, former.as_deref())?;
        let shadow = |rule: &RiskRule| -> std::result::Result<ShadowScores, InvalidExposure> {
            let beside_live = population.compare(rule, &calculation, bands, SHOWN)?;
            Ok(ShadowScores { rule: rule.id.clone(), version: rule.version.to_string(), beside_live })
        };
        let shadows = rules.shadows().map(shadow).collect::<std::result::Result<_, InvalidExposure>>()?;
        Ok(Scored { rules: live, calculation: Arc::new(calculation), shadows, population })
    })
    .await
}

/// Works on a thread of its own.
pub(super) async fn computed<T: Send + 'static>(
    compute: impl FnOnce() -> std::result::Result<T, InvalidExposure> + Send + 'static,
) -> std::result::Result<T, Stopped> {
    let computed = tokio::task::spawn_blocking(compute).await.map_err(|error| Error::Internal(error.to_string()))?;
    computed.map_err(|error| {
        tracing::error!(%error, "the exposures of actors can't be computed");
        // The same is read again, and fails again.
        Stopped::ForEver("what is stored is no network of exposures; see the log".to_owned())
    })
}

impl KnownActor {
    /// Whether it has a score: it is monitored, and of the line of business.
    pub(super) fn is_scored(&self) -> bool {
        self.monitoring.is_some() && self.is_of_line
    }
}

/// Keeps the scores of all that are scored, in the order of their ids.
async fn keep(inner: &Inner, all: &Scored, occasion: &Occasion<'_>, running: &Running, done: &mut Done) -> std::result::Result<(), Stopped> {
    let scored: Vec<(usize, &KnownActor)> = all.population.actors.iter().enumerate().filter(|(_, actor)| actor.is_scored()).collect();
    let total = Some(scored.len() as u64);
    let left = scored.iter().position(|(_, actor)| done.after.as_deref().is_none_or(|after| actor.id.as_str() > after)).unwrap_or(scored.len());
    let mut kept = left;
    for some in scored[left..].chunks(AT_ONCE) {
        let counts = inner.keep_some(some, all, occasion).await?;
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
    /// Findings count for a year up to the end of a day.
    pub(super) fn times_of(&self, date: Date, known_up_to: i64) -> std::result::Result<Times, Stopped> {
        let behind = the_day(date, self.settings.detection)?.end().millis();
        Ok(Times { known_up_to, begin: behind - FINDINGS_COUNT_FOR, behind })
    }

    /// Keeps the scores of some actors, with their places among all.
    async fn keep_some(
        &self,
        actors: &[(usize, &KnownActor)],
        Scored { rules, calculation, .. }: &Scored,
        occasion: &Occasion<'_>,
    ) -> Result<Counts> {
        let permit = Permit::of_service();
        let ids: Vec<&str> = actors.iter().map(|(_, actor)| actor.id.as_str()).collect();
        let stored = self.stored_scores(&permit, &ids).await?;
        let as_of = occasion.as_of.to_string();
        let (mut counts, mut writes) = (Counts::default(), Vec::new());
        for &(at, actor) in actors {
            let at = ActorIndex(at as u32);
            let Some(rule) = rules.of(actor.kind) else { continue };
            let Some(summary) = calculation.scores.summary(at) else { continue };
            let scores = stored.get(&actor.id).map_or(&[][..], |row| row.scores.as_slice());
            let overriding = overriding(scores, Some(&as_of));
            counts.scored += 1;
            counts.overridden += u64::from(overriding.is_some());
            *counts.bands.entry(self.settings.risk_bands.band(summary.score.to_f64()).to_owned()).or_default() += 1;
            if is_known(scores, (&as_of, &summary.digest()), overriding) {
                counts.unchanged += 1;
            } else {
                let member = Member { facts: &actor.facts, rule, ties: &[], read: actor.read };
                let calculated = Calculated::new(rule, member.breakdown(calculation.scores.exposures().of(at)), occasion);
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
        let entry = self.entry(permit, "Actor", actor.as_str(), super::SCORE_RECORDED);
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
