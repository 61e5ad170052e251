//! The rules, over what was read.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use cypher::statements::rows::{MonitoredActor, OwnedGroup};
use detection::{Baseline, CitedPayment, Dataset, Day, Evidence, Finding, Grid, InvalidDataset, Mark, Measured, Rule, Severity, what_if};
use serde::Serialize;

use super::DetectionSettings;
use super::below_the_line::missed;
use super::challengers::{ShadowOutcome, outcomes};
use super::dataset::Loaded;
use super::rule_set::{RulePart, Rules, RunRule};
use super::scope::{Monitoring, is_of_line, is_snoozed, monitoring};

/// All that is needed to search.
pub struct Searching {
    pub purpose: Purpose,
    pub rules: Rules,
    pub loaded: Loaded,
    pub groups: Vec<OwnedGroup>,
    /// What the statements of rules have marked, by actors.
    pub marks: Vec<Mark>,
    pub settings: DetectionSettings,
    pub day: Day,
    pub line: String,
    /// Epoch milliseconds.
    pub known_up_to: i64,
}

/// What was looked at, and what was found.
#[derive(Default)]
pub struct Searched {
    pub actors: usize,
    pub groups: usize,
    pub payments: usize,
    /// How much each rule has found.
    pub by_rule: Vec<RuleFindings>,
    /// What rules in shadow have found in a run, beside what the live ones have.
    pub shadows: Vec<ShadowOutcome>,
    /// How many findings each set of thresholds of a backtest has, of actors; groups are looked at with the defaults alone.
    pub sets: Vec<usize>,
    /// In the order of their places; in a run, of live rules alone.
    pub found: Vec<Found>,
    /// What live rules miss by little, where samples of that are wanted.
    pub missed: Vec<Found>,
}

/// What a rule has found in a run, and with which values of its parameters.
#[derive(Debug, Serialize)]
pub struct RuleFindings {
    rule: String,
    version: String,
    /// `live`, or `shadow`.
    status: &'static str,
    parameters: BTreeMap<String, String>,
    findings: usize,
}

/// What is searched for.
#[derive(Debug, Clone)]
pub enum Purpose {
    /// Findings of live rules are recorded.
    Run,
    /// Nothing is recorded: a rule tells what it finds, whatever its status, and how much with each of these thresholds.
    Backtest(Arc<Grid>),
}

/// Where a finding stands among all of a run.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    behavior: String,
    focal: String,
    first: String,
}

impl Place {
    /// Whether both are of one rule about one actor or group.
    pub fn is_beside(&self, other: &Self) -> bool {
        (&self.behavior, &self.focal) == (&other.behavior, &other.focal)
    }
}

/// Why what was found is no alert about somebody.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Suppressed {
    Excluded,
    Snoozed,
}

/// A payment that a finding counts.
#[derive(Debug, Clone)]
pub struct CountedPayment {
    /// The ids of its records: the sender's first, where there is one.
    pub records: Vec<String>,
    /// Whether the rule does not fire without it.
    pub is_necessary: bool,
}

impl CountedPayment {
    /// The id that the payment is named by.
    pub fn leading(&self) -> &str {
        self.records.first().map(String::as_str).unwrap_or_default()
    }
}

/// A finding, as it is to be recorded.
#[derive(Debug, Clone)]
pub struct Found {
    pub place: Place,
    pub rule: String,
    /// The rule; for a group, the rule and the group.
    pub behavior: String,
    pub version: String,
    pub name: String,
    pub typology: String,
    pub severity: &'static str,
    /// The name of the group whose sums they are.
    pub group: Option<String>,
    /// Who is alerted about: one, or the owners of a group. Nobody, where all are suppressed.
    pub focal_actors: Vec<String>,
    /// Those of them for whom it is a signal, and no alert.
    pub suppressed: Vec<(String, Suppressed)>,
    pub other_actors: Vec<String>,
    /// In the order of time.
    pub payments: Vec<CountedPayment>,
    /// The actor or group in whose payments it was found.
    pub anchor: String,
    pub measures: Vec<Measured>,
    pub history: Vec<Baseline>,
    /// Epoch milliseconds, half-open.
    pub window: (i64, i64),
    pub score: f64,
    /// The score of what passes its thresholds and no more.
    pub threshold: f64,
    pub score_reason: String,
    pub text: String,
    /// It is no finding with the shipped thresholds.
    pub below_the_line: bool,
}

impl Found {
    /// Whether a version of a rule has found it.
    pub fn is_of(&self, rule: &Rule) -> bool {
        self.rule == rule.id && self.version == rule.version.to_string()
    }

    /// What it is filed under: the actor, or the group.
    pub fn focal(&self) -> &str {
        &self.anchor
    }

    /// Its first payment; without payments what it was found in.
    pub fn first(&self) -> &str {
        self.payments.first().map_or(&self.anchor, |payment| payment.leading())
    }

    /// Whether it is about the same as what was found about these actors: a group's findings always are.
    pub fn is_about_one_of(&self, primary: &[String]) -> bool {
        self.group.is_some() || primary.iter().any(|id| self.focal_actors.contains(id))
    }

    /// The records of some of its payments.
    pub fn records(&self, which: impl Fn(&CountedPayment) -> bool) -> impl Iterator<Item = &str> {
        self.payments.iter().filter(move |payment| which(payment)).flat_map(|payment| &payment.records).map(String::as_str)
    }

    /// The ids of the payments without which the rule does not fire.
    pub fn necessary(&self) -> impl Iterator<Item = &str> {
        self.payments.iter().filter(|payment| payment.is_necessary).map(CountedPayment::leading)
    }

    /// The records of its payments, at most so many: of the necessary ones first.
    pub fn cited(&self, most: usize) -> BTreeSet<&str> {
        self.records(|payment| payment.is_necessary).chain(self.records(|payment| !payment.is_necessary)).take(most).collect()
    }
}

/// Why a search came to nothing.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    #[error(transparent)]
    Dataset(#[from] InvalidDataset),
    #[error("nobody waits for it any more")]
    Stopped,
}

/// Runs all rules over everybody, and over each group as if it were one. Takes seconds of a processor; between two rules it looks whether it is to stop.
pub fn search(searching: &Searching, stop: &AtomicBool) -> Result<Searched, SearchError> {
    let Searching { rules, loaded, groups, settings, line, .. } = searching;
    let dataset = loaded.of_actors(*settings, |actor| is_of_run(actor, line))?.with_marks(&searching.marks);
    let mut searched = Searched { actors: dataset.monitored().count(), payments: dataset.payments().len(), ..Searched::default() };
    searched.found = find(searching, &dataset, None, stop)?;
    let by_owner = loaded.by_owner();
    for group in groups {
        let is_of_run = |id: &&String| loaded.actors.get(*id).is_some_and(|actor| is_of_run(actor, line));
        let owners: Vec<String> = group.owners.iter().filter(is_of_run).cloned().collect();
        if owners.is_empty() {
            continue;
        }
        searched.groups += 1;
        let of_group = loaded.of_group(*settings, group, &by_owner, dataset.begin())?.with_marks(&of_members(&searching.marks, group));
        searched.found.extend(find(searching, &of_group, Some((group, &owners)), stop)?);
    }
    searched.by_rule = rules.0.iter().map(|rule| findings_of(rule, &searched.found)).collect();
    match &searching.purpose {
        Purpose::Run => {
            searched.shadows = outcomes(&rules.0, &searched.found);
            let live: Vec<&Rule> = rules.0.iter().filter(|rule| rule.part == RulePart::Live).map(|rule| &*rule.rule).collect();
            searched.found.retain(|found| live.iter().any(|rule| found.is_of(rule)));
            // Behind what those in shadow have found, which is no alert.
            searched.missed = missed(searching, &dataset, &searched.found, stop)?;
        }
        Purpose::Backtest(grid) => searched.sets = counts(searching, &dataset, grid),
    }
    searched.found.sort_by(|one, other| one.place.cmp(&other.place));
    Ok(searched)
}

/// What all rules find in a dataset: about its actors, or about a group, whose owners are alerted.
fn find(searching: &Searching, dataset: &Dataset, group: Option<(&OwnedGroup, &[String])>, stop: &AtomicBool) -> Result<Vec<Found>, SearchError> {
    let mut all = Vec::new();
    for RunRule { rule, settings, .. } in &searching.rules.0 {
        if stop.load(Ordering::Relaxed) {
            return Err(SearchError::Stopped);
        }
        for finding in rule.detect(dataset, searching.day, settings) {
            match group {
                // What is found in patterns of the network about others than the group is theirs.
                Some((group, _)) if finding.actor != group.id => {}
                _ => all.push(found(searching, rule, finding, group)),
            }
        }
    }
    Ok(all)
}

fn counts(searching: &Searching, dataset: &Dataset, grid: &Grid) -> Vec<usize> {
    let Some(RunRule { rule, settings, .. }) = searching.rules.0.first().filter(|_| !grid.points().is_empty()) else { return Vec::new() };
    let outcomes = what_if(rule, dataset, &[searching.day], settings, grid);
    outcomes.iter().map(|outcome| outcome.findings).collect()
}

/// Marks of members as those of their group.
fn of_members(marks: &[Mark], group: &OwnedGroup) -> Vec<Mark> {
    let members: BTreeSet<&str> = group.members.iter().map(String::as_str).collect();
    let of_members = marks.iter().filter(|mark| members.contains(&*mark.actor));
    of_members.map(|mark| Mark { actor: group.id.as_str().into(), ..mark.clone() }).collect()
}

fn findings_of(rule: &RunRule, found: &[Found]) -> RuleFindings {
    let findings = found.iter().filter(|found| found.is_of(&rule.rule)).count();
    let status = if rule.part == RulePart::Live { "live" } else { "shadow" };
    let (id, version) = (rule.rule.id.clone(), rule.rule.version.to_string());
    RuleFindings { rule: id, version, status, parameters: rule.parameters(), findings }
}

fn is_of_run(actor: &MonitoredActor, line: &str) -> bool {
    is_of_line(actor, line) && monitoring(actor).is_some()
}

/// Why it is no alert about an actor.
fn suppressed(searching: &Searching, rule: &str, actor: &str) -> Option<Suppressed> {
    let actor = searching.loaded.actors.get(actor)?;
    if monitoring(actor) != Some(Monitoring::Alerted) {
        Some(Suppressed::Excluded)
    } else {
        is_snoozed(actor, rule, searching.known_up_to).then_some(Suppressed::Snoozed)
    }
}

pub(super) fn found(searching: &Searching, rule: &Rule, finding: Finding, group: Option<(&OwnedGroup, &[String])>) -> Found {
    let behavior = group.map_or_else(|| rule.id.clone(), |(group, _)| format!("{}@{}", rule.id, group.id));
    let focal = group.map_or_else(|| vec![finding.actor.clone()], |(_, owners)| owners.to_vec());
    let named: BTreeSet<&String> = focal.iter().collect();
    let is_other = |id: &&String| !named.contains(id) && group.is_none_or(|(group, _)| group.id != **id);
    let other_actors = finding.actors.iter().filter(is_other).cloned().collect();
    let payments: Vec<CountedPayment> = finding.payments.iter().map(counted).collect();
    let first = payments.first().map(|payment| payment.leading().to_owned()).unwrap_or_default();
    let mut quiet = Vec::new();
    let mut focal_actors = Vec::new();
    for actor in focal {
        match suppressed(searching, &rule.id, &actor) {
            Some(why) => quiet.push((actor, why)),
            None => focal_actors.push(actor),
        }
    }
    Found {
        place: Place { behavior: behavior.clone(), focal: finding.actor.clone(), first },
        rule: rule.id.clone(),
        behavior,
        version: rule.version.to_string(),
        name: rule.name.clone(),
        typology: rule.typology.clone(),
        severity: priority(rule.severity),
        group: group.map(|(group, _)| group.name.clone()),
        focal_actors,
        suppressed: quiet,
        other_actors,
        payments,
        anchor: finding.actor,
        measures: finding.measures,
        history: finding.history,
        window: (finding.window.start.millis(), finding.window.end.millis()),
        score: finding.score,
        threshold: rule.score.base.to_f64(),
        score_reason: finding.score_reason,
        text: finding.text,
        below_the_line: false,
    }
}

fn counted(payment: &CitedPayment) -> CountedPayment {
    let records = [payment.outbound.clone(), payment.inbound.clone()].into_iter().flatten().collect();
    CountedPayment { records, is_necessary: payment.evidence == Evidence::Necessary }
}

/// The priority of observations of a severity.
pub fn priority(severity: Severity) -> &'static str {
    match severity {
        Severity::Low => "LOW",
        Severity::Medium => "MEDIUM",
        Severity::High => "HIGH",
    }
}
