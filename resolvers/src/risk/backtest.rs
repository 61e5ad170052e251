//! Backtests of risk rules: what a rule, also with other weights, would have said of actors, day by day, beside what the live rules say. Nothing is kept of it.
//!
//! A day is looked at as the `ACTOR` run of that day and line of business knew it, or where there was none as it is known when the backtest begins, with the
//! weights of then. What records, roles and roll-ups say is as it is now, as in runs. A rule takes the place of the live ones for all actors of its types, so
//! that exposures are those that it would make; sets of weights are one calculation each.

use std::collections::BTreeMap;
use std::sync::Arc;

use graph_schema::date::Date;
use graph_schema::detection::ProcessType;
use graph_schema::fault::Fault;
use risk::RiskRule;
use serde::{Deserialize, Serialize};

use super::facts::Scope;
use super::population::{BesideLive, Population, SHOWN};
use super::rule_set::{RISK_RULE, RiskRuleSet};
use super::run::computed;
use crate::detection::scope::nobody;
use crate::detection::{days, read_set, span_faults};
use crate::jobs::{JobKind, Progress, Running, Stopped, Wanted};
use crate::policy::{Action, Permit, Subject};
use crate::{Caller, Error, IdempotencyKey, Inner, Once, Resolvers, Result, boxed};

/// The most sets of weights: on each day each of them is a calculation of its own.
const MOST_SETS: usize = 50;
/// Actors that are shown of all days and sets together, but for one of each: whoever does the job keeps all of it each time that it says how far it is.
const MOST_SHOWN: usize = 10_000;

/// A backtest that is wanted, and its payload as a job.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RiskBacktest {
    /// A risk rule's id.
    pub rule: String,
    /// The one that counts, where none is said.
    #[serde(default)]
    pub version: Option<String>,
    pub line_of_business: String,
    /// The first day and the last.
    pub from: Date,
    pub to: Date,
    /// Weights by the names of factors; what is absent is as it was tuned.
    #[serde(default)]
    pub sets: Vec<BTreeMap<String, String>>,
}

/// The days that are done.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Backtested {
    /// When it began; epoch milliseconds.
    begun_at: Option<i64>,
    days: Vec<BacktestedDay>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct BacktestedDay {
    date: Date,
    /// Epoch milliseconds.
    known_up_to: i64,
    /// The weights of the rule's factors on that day.
    weights: BTreeMap<String, String>,
    /// Actors of the line of business; nothing of a day that an older program has looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    actors: Option<usize>,
    #[serde(flatten)]
    beside_live: BesideLive,
    /// The same with other weights, in the order of the sets.
    sets: Vec<BesideLive>,
}

/// What a backtest has come to.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BacktestOutcome {
    rule: String,
    version: String,
    /// The weights that were tried.
    sets: Vec<BTreeMap<String, String>>,
    days: Vec<BacktestedDay>,
    /// That nobody is of the line of business, on any day.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

impl Resolvers {
    /// Starts a backtest of a risk rule; answers with its job's id.
    #[boxed]
    pub async fn backtest_risk_rule(&self, caller: &Caller, wanted: RiskBacktest, key: Option<IdempotencyKey>) -> Result<Arc<str>> {
        let permit = self.inner.enter(caller, Action::TuneRules, Subject::List(RISK_RULE))?;
        let rules = self.inner.risk_rule_set(&permit, i64::MAX).await?;
        let known = rules.find(&wanted.rule, wanted.version.as_deref());
        let faults = faults(&wanted, &rules);
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        let said = serde_json::to_string(&wanted).map_err(|error| Error::Internal(error.to_string()))?;
        // The version that counts now is the one that is looked at on all days.
        let wanted = RiskBacktest { version: known.map(|known| known.rule.version.to_string()), ..wanted };
        let name = format!("Backtest of the risk rule {} for {}, {} to {}", wanted.rule, wanted.line_of_business, wanted.from, wanted.to);
        let started = self.inner.start_job(&permit, &wanted, Wanted { name, ..Wanted::default() }, Once { key, body: &said }).await?;
        Ok(started.text)
    }
}

pub fn faults(wanted: &RiskBacktest, rules: &RiskRuleSet) -> Vec<Fault> {
    let mut faults = span_faults(&wanted.line_of_business, (wanted.from, wanted.to));
    if wanted.sets.len() > MOST_SETS {
        faults.push(Fault::new("sets", format!("must be at most {MOST_SETS}")));
    }
    match rules.find(&wanted.rule, wanted.version.as_deref()) {
        None => faults.push(rules.not_there(&wanted.rule)),
        Some(known) => faults.extend(set_faults(&known.rule, &wanted.sets)),
    }
    faults
}

/// What is wrong with sets of weights that somebody tries: they are those that the rule could be tuned to.
fn set_faults(rule: &RiskRule, sets: &[BTreeMap<String, String>]) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (place, set) in sets.iter().enumerate() {
        for (name, weight) in read_set(place, set, &mut faults) {
            if let Err(fault) = rule.check(&name, weight) {
                faults.push(Fault::new(format!("sets[{place}].{name}"), fault.must()));
            }
        }
    }
    faults
}

/// The rule with each of the sets of weights, which were looked at when they were taken.
fn with_sets(rule: &RiskRule, sets: &[BTreeMap<String, String>]) -> std::result::Result<Vec<RiskRule>, Vec<Fault>> {
    let (mut rules, mut faults) = (Vec::with_capacity(sets.len()), Vec::new());
    for (place, set) in sets.iter().enumerate() {
        match rule.with_weights(&read_set(place, set, &mut faults)) {
            Ok(changed) => rules.push(changed),
            Err(found) => faults.extend(found.iter().map(|fault| Fault::new(format!("sets[{place}].{}", fault.factor()), fault.must()))),
        }
    }
    if faults.is_empty() { Ok(rules) } else { Err(faults) }
}

impl JobKind for RiskBacktest {
    const KIND: &'static str = "risk-backtest";
    type Checkpoint = Backtested;
    type Result = BacktestOutcome;

    async fn run(&self, mut done: Backtested, running: &Running) -> std::result::Result<BacktestOutcome, Stopped> {
        let inner = &running.context().resolvers().inner;
        let permit = Permit::of_service();
        let begun_at = *done.begun_at.get_or_insert_with(|| running.context().now().millis());
        let unknown = || Stopped::ForEver(format!("there is no risk rule {} {}", self.rule, self.version.as_deref().unwrap_or_default()));
        let rules = inner.risk_rule_set(&permit, begun_at).await?;
        let known = rules.find(&self.rule, self.version.as_deref()).ok_or_else(unknown)?.rule.clone();
        let days = days(self.from, self.to);
        let total = Some(days.len() as u64);
        for date in days.into_iter().skip(done.days.len()) {
            done.days.push(self.look(inner, &permit, (date, begun_at), &known).await?);
            running.save(&done, Progress { done: done.days.len() as u64, total }).await?;
        }
        let version = self.version.clone().unwrap_or_default();
        let note = done.days.iter().all(|day| day.actors == Some(0)).then(|| nobody("no actor", &self.line_of_business));
        Ok(BacktestOutcome { rule: self.rule.clone(), version, sets: self.sets.clone(), days: done.days, note })
    }
}

impl RiskBacktest {
    /// One day: up to when it was known and with which weights, and what the rule would have said. Where the day's run did not know the version, the weights are
    /// those of when the backtest begins.
    async fn look(
        &self,
        inner: &Inner,
        permit: &Permit<'_>,
        (date, begun_at): (Date, i64),
        known: &RiskRule,
    ) -> std::result::Result<BacktestedDay, Stopped> {
        let known_up_to = inner.known_up_to_of(permit, date, &self.line_of_business, ProcessType::Actor).await?.unwrap_or(begun_at);
        let rules = inner.risk_rule_set(permit, known_up_to).await?;
        let rule = rules.find(&self.rule, self.version.as_deref()).map_or(known, |then| &then.rule).clone();
        let sets = with_sets(&rule, &self.sets);
        let sets = sets.map_err(|faults| Stopped::ForEver(faults.iter().map(Fault::to_string).collect::<Vec<_>>().join("; ")))?;
        let scope = Scope { line: Some(self.line_of_business.clone()), day: date };
        let actors = inner.actors_to_score(permit, &scope, inner.times_of(date, known_up_to)?).await?;
        let of_line = actors.iter().filter(|actor| actor.is_of_line).count();
        let weights = rule.factors.iter().map(|(name, factor)| (name.clone(), factor.weight.to_string())).collect();
        let (live, bands) = (rules.live(), inner.settings.risk_bands);
        let shown = self.shown();
        let calculated = computed(move || {
            let population = Population::of(actors);
            let calculation = population.calculate(&live, None)?;
            Ok(Arc::new((population, calculation)))
        })
        .await?;
        // One after the other, so that a job that is cancelled meanwhile leaves one at most to be calculated.
        let mut compared = Vec::with_capacity(1 + sets.len());
        for rule in [rule].into_iter().chain(sets) {
            let calculated = Arc::clone(&calculated);
            compared.push(computed(move || calculated.0.compare(&rule, &calculated.1, bands, shown)).await?);
        }
        let beside_live = compared.remove(0);
        Ok(BacktestedDay { date, known_up_to, weights, actors: Some(of_line), beside_live, sets: compared })
    }

    /// How many actors with another band are shown of each day and each set.
    pub(crate) fn shown(&self) -> usize {
        (MOST_SHOWN / (days(self.from, self.to).len() * (1 + self.sets.len())).max(1)).clamp(1, SHOWN)
    }
}
