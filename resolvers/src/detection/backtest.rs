//! Backtests: what a rule would have found, day by day, in what was known then. Nothing live is written.
//!
//! A day is looked at as the run of that day and line of business knew it; where there was none, as it is known
//! when the backtest begins: history that was loaded later is history, too. So a backtest finds what
//! live runs of the same version have found, whatever came, was replaced or ended since. Parameters have the values that the day's run had; where there was
//! none, or it did not know the version, those of when the backtest begins. Sets of thresholds are compared beside: all of them cost one search.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use cypher::Params;
use cypher::statements::detection::READ_RUN;
use detection::{Grid, InvalidGrid, Point, Quantity, Rule, Settings};
use graph_schema::date::Date;
use graph_schema::detection::{DetectionBatch, LineOfBusiness, ProcessType};
use graph_schema::fault::Fault;
use serde::{Deserialize, Serialize};

use super::DETECTION_RUN;
use super::batch::run_id;
use super::business_day::span_before;
use super::job::{NONE_WITH_PAYMENTS, searched, the_day};
use super::load::Loading;
use super::marks::{Marked, MarkedScope};
use super::rule_set::{KnownRule, RulePart, RuleSet, Rules, RunRule, lookback_of};
use super::scope::nobody;
use super::search::{Found, Purpose, Searched, Searching};
use crate::jobs::{JobKind, Progress, Running, Stopped, Wanted};
use crate::policy::{Action, Permit, Subject};
use crate::{Caller, Error, IdempotencyKey, Inner, Once, Resolvers, Result, boxed};

/// The most days of a backtest.
const MOST_DAYS: usize = 366;
/// The most sets of thresholds.
const MOST_SETS: usize = 1_000;
/// Findings that are shown; others are counted.
const SHOWN: usize = 1_000;
/// Payments that are shown of each: of the necessary ones first.
const SHOWN_PAYMENTS: usize = 20;

/// A backtest that is wanted, and its payload as a job.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Backtest {
    /// A rule's id.
    pub rule: String,
    /// The one that counts, where none is said.
    #[serde(default)]
    pub version: Option<String>,
    pub line_of_business: String,
    /// The first day and the last.
    pub from: Date,
    pub to: Date,
    /// Values of thresholds by their names; what is absent is as it was tuned.
    #[serde(default)]
    pub sets: Vec<BTreeMap<String, String>>,
}

/// What was found on the days that are done.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Backtested {
    /// When it began; epoch milliseconds.
    begun_at: Option<i64>,
    days: Vec<BacktestedDay>,
    /// The first of all findings.
    findings: Vec<Told>,
    /// For each set of thresholds how many findings there are in all.
    sets: Vec<usize>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct BacktestedDay {
    date: Date,
    /// Epoch milliseconds.
    known_up_to: i64,
    /// The values of the rule's parameters on that day.
    #[serde(default)]
    parameters: BTreeMap<String, String>,
    /// Actors whom the rule's statement could not tell all about, within its limits.
    #[serde(default)]
    left_out: usize,
    /// Actors and groups that were monitored; nothing of a day that an older program has looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    monitored: Option<usize>,
    findings: usize,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Told {
    date: Date,
    actors: Vec<String>,
    /// The group whose sums they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<String>,
    score: f64,
    payments: Vec<String>,
}

/// What a backtest has come to.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BacktestOutcome {
    rule: String,
    version: String,
    days: Vec<BacktestedDay>,
    findings: Vec<Told>,
    sets: Vec<SetOutcome>,
    /// That nobody was monitored on any day.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

#[derive(Debug, Serialize)]
struct SetOutcome {
    settings: BTreeMap<String, String>,
    findings: usize,
}

impl Resolvers {
    /// Starts a backtest; answers with its job's id.
    #[boxed]
    pub async fn backtest_rule(&self, caller: &Caller, wanted: Backtest, key: Option<IdempotencyKey>) -> Result<Arc<str>> {
        let permit = self.inner.enter(caller, Action::TuneRules, Subject::List(DETECTION_RUN))?;
        let rules = self.inner.rule_set(&permit, i64::MAX).await?;
        let known = rules.find(&wanted.rule, wanted.version.as_deref());
        let faults = faults(&wanted, &rules);
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        let said = serde_json::to_string(&wanted).map_err(|error| Error::Internal(error.to_string()))?;
        // The version that counts now is the one that is looked at on all days, whatever counts when the job begins.
        let wanted = Backtest { version: known.map(|known| known.rule.version.to_string()), ..wanted };
        let name = format!("Backtest of {} for {}, {} to {}", wanted.rule, wanted.line_of_business, wanted.from, wanted.to);
        let started = self.inner.start_job(&permit, &wanted, Wanted { name, ..Wanted::default() }, Once { key, body: &said }).await?;
        Ok(started.text)
    }
}

fn faults(wanted: &Backtest, rules: &RuleSet) -> Vec<Fault> {
    let mut faults = span_faults(&wanted.line_of_business, (wanted.from, wanted.to));
    if wanted.sets.len() > MOST_SETS {
        faults.push(Fault::new("sets", format!("must be at most {MOST_SETS}")));
    }
    match rules.find(&wanted.rule, wanted.version.as_deref()) {
        None => faults.push(rules.not_there(&wanted.rule)),
        Some(known) => faults.extend(grid(Grid::tried, &known.rule, &known.settings, &wanted.sets).err().unwrap_or_default()),
    }
    faults
}

/// What is wrong with the line of business and the days of a backtest.
pub(crate) fn span_faults(line_of_business: &str, (from, to): (Date, Date)) -> Vec<Fault> {
    let mut faults = Vec::new();
    if to < from {
        faults.push(Fault::new("to", "must not be before from"));
    } else if days(from, to).len() > MOST_DAYS {
        faults.push(Fault::new("to", format!("must be at most {MOST_DAYS} days from the first day on")));
    }
    if line_of_business.trim().is_empty() {
        faults.push(Fault::new("lineOfBusiness", "must have a character that can be seen"));
    }
    faults
}

/// A grid of points around some settings.
type MakeGrid = fn(&Rule, &Settings, &[Point]) -> std::result::Result<Grid, Vec<InvalidGrid>>;

/// The sets of thresholds, around some settings.
fn grid(make: MakeGrid, rule: &Rule, settings: &Settings, sets: &[BTreeMap<String, String>]) -> std::result::Result<Grid, Vec<Fault>> {
    let mut faults = Vec::new();
    let points: Vec<_> = sets.iter().enumerate().map(|(place, set)| read_set(place, set, &mut faults)).collect();
    match make(rule, settings, &points) {
        Ok(grid) if faults.is_empty() => Ok(grid),
        Ok(_) => Err(faults),
        Err(found) => {
            faults.extend(found.iter().map(|fault| Fault::new(format!("sets[{}].{}", fault.point(), fault.parameter()), fault.must())));
            Err(faults)
        }
    }
}

/// The values of one set by their names; what is no number is left out and told, with the set's place.
pub(crate) fn read_set(place: usize, set: &BTreeMap<String, String>, faults: &mut Vec<Fault>) -> BTreeMap<String, Quantity> {
    let mut values = BTreeMap::new();
    for (name, text) in set {
        match text.parse::<Quantity>() {
            Ok(value) => drop(values.insert(name.clone(), value)),
            Err(_) => faults.push(Fault::new(format!("sets[{place}].{name}"), "must be a decimal number, such as 0.75")),
        }
    }
    values
}

/// All days, in order; of very many more than there may be.
pub(crate) fn days(from: Date, to: Date) -> Vec<Date> {
    let days = from.naive().iter_days().take_while(|day| *day <= to.naive());
    days.take(MOST_DAYS + 1).map(Date::from).collect()
}

impl JobKind for Backtest {
    const KIND: &'static str = "backtest";
    type Checkpoint = Backtested;
    type Result = BacktestOutcome;

    async fn run(&self, mut done: Backtested, running: &Running) -> std::result::Result<BacktestOutcome, Stopped> {
        let inner = &running.context().resolvers().inner;
        let permit = Permit::of_service();
        done.sets.resize(self.sets.len(), 0);
        let begun_at = *done.begun_at.get_or_insert_with(|| running.context().now().millis());
        let rules = inner.rule_set(&permit, begun_at).await?;
        let unknown = || Stopped::ForEver(format!("there is no rule {} {}", self.rule, self.version.as_deref().unwrap_or_default()));
        let known = rules.find(&self.rule, self.version.as_deref()).ok_or_else(unknown)?;
        let days = days(self.from, self.to);
        let total = Some(days.len() as u64);
        for date in days.into_iter().skip(done.days.len()) {
            let (of_day, Searched { found, sets, actors, groups, .. }) = self.look(inner, &permit, (date, begun_at), known).await?;
            done.sets.iter_mut().zip(sets).for_each(|(all, of_day)| *all += of_day);
            done.days.push(BacktestedDay { monitored: Some(actors + groups), findings: found.len(), ..of_day });
            let room = SHOWN - done.findings.len().min(SHOWN);
            done.findings.extend(found.into_iter().take(room).map(|found| told(date, found)));
            running.save(&done, Progress { done: done.days.len() as u64, total }).await?;
        }
        let Backtested { days, findings, sets, .. } = done;
        let note = days.iter().all(|day| day.monitored == Some(0)).then(|| nobody(NONE_WITH_PAYMENTS, &self.line_of_business));
        let sets = self.sets.iter().cloned().zip(sets).map(|(settings, findings)| SetOutcome { settings, findings }).collect();
        Ok(BacktestOutcome { rule: known.rule.id.clone(), version: known.rule.version.to_string(), days, findings, sets, note })
    }
}

fn told(date: Date, found: Found) -> Told {
    let payments = found.cited(SHOWN_PAYMENTS).into_iter().map(str::to_owned).collect();
    let suppressed = found.suppressed.iter().map(|(actor, _)| actor.clone());
    let actors = found.focal_actors.iter().cloned().chain(suppressed).collect();
    Told { date, actors, group: found.group, score: found.score, payments }
}

impl Backtest {
    /// One day: up to when it was known and with which values, and what is found.
    async fn look(
        &self,
        inner: &Inner,
        permit: &Permit<'_>,
        (date, begun_at): (Date, i64),
        known: &KnownRule,
    ) -> std::result::Result<(BacktestedDay, Searched), Stopped> {
        let settings = inner.settings.detection;
        let day = the_day(date, settings)?;
        let known_up_to = inner.known_up_to_of(permit, date, &self.line_of_business, ProcessType::Aml).await?.unwrap_or(begun_at);
        let (rule, lookback) = of_day(&inner.rule_set(permit, known_up_to).await?, known);
        // They were looked at when they were taken.
        let grid = grid(Grid::new, &rule.rule, &rule.settings, &self.sets);
        let grid = grid.map_err(|faults| Stopped::ForEver(faults.iter().map(Fault::to_string).collect::<Vec<_>>().join("; ")))?;
        let mut loading = Loading::begin(inner, permit, Some(span_before(day, lookback)), known_up_to).await?;
        while loading.next_part().await? {}
        let (loaded, groups) = loading.end().await?;
        let parameters = rule.parameters();
        let (purpose, rules) = (Purpose::Backtest(Arc::new(grid)), Rules(vec![rule]));
        let line = self.line_of_business.clone();
        let marked = MarkedScope { loaded: &loaded, groups: &groups, line: &line, day, known_up_to };
        let Marked { marks, left_out } = inner.marks(permit, &rules, &marked).await?;
        let looked_at = BacktestedDay { date, known_up_to, parameters, left_out, monitored: None, findings: 0 };
        Ok((looked_at, searched(Searching { purpose, rules, loaded, groups, marks, settings, day, line, known_up_to }).await?))
    }
}

impl Inner {
    /// Up to when the run of a day knew; nothing where there was none.
    pub(crate) async fn known_up_to_of(&self, permit: &Permit<'_>, date: Date, line: &str, process_type: ProcessType) -> Result<Option<i64>> {
        let id = run_id(&DetectionBatch { close_of_business_date: date, line_of_business: LineOfBusiness(line.to_owned()), process_type });
        let rows = self.read(permit, READ_RUN, Params::none().with("id", id)).await?;
        Ok(rows.into_iter().next().and_then(|run| run.known_up_to))
    }
}

/// The rule with the values that a day's run knew, or where that did not know it with those of when the backtest began; and how much time is read: as much as the
/// run read, or as the rule looks at.
fn of_day(rules: &RuleSet, known: &KnownRule) -> (RunRule, Duration) {
    let then = rules.find(&known.rule.id, Some(&known.rule.version.to_string())).unwrap_or(known);
    let rule = RunRule { part: RulePart::Live, ..RunRule::of(then) };
    let lookback = rules.lookback().max(lookback_of(&rule.rule, &rule.settings));
    (rule, lookback)
}
