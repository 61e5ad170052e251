//! Below the line: what a rule misses by little.
//!
//! Whoever looks at alerts alone learns how many of them are right, and nothing of what was missed. So a sample of what is no finding with a rule's
//! thresholds, and would be one with thresholds a little nearer to innocence, is recorded beside the findings. Feedback on it says how much is missed.
//!
//! What one rule misses in one run is a stratum of its own. What is chosen of it follows from the run and from what was missed, so that the same run chooses the
//! same again.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};

use cypher::statements::rows::EarlierFinding;
use detection::{Compare, Dataset, Parameter, Quantity, Role, Rule, Settings};
use serde::Serialize;

use super::job::Detect;
use super::record::{OfRun, Recorded};
use super::rule_set::{RulePart, RunRule};
use super::search::{Found, SearchError, Searching, found};
use crate::derived_id::digest_id;
use crate::policy::Permit;
use crate::{Inner, Result};

/// Of how many at once it is looked whether they go on with what was found before.
const LOOKED_UP_AT_ONCE: usize = 50;

/// How much of it is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BelowTheLine {
    /// Of each rule in each run; 0 for none.
    pub samples: usize,
    /// How many steps each threshold is moved to the innocent side.
    pub steps: usize,
}

impl Default for BelowTheLine {
    fn default() -> Self {
        Self { samples: 0, steps: 1 }
    }
}

/// What a rule has missed by little in a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Stratum {
    rule: String,
    /// Those that it has missed in all.
    missed: usize,
    /// Those of them that were recorded.
    recorded: usize,
}

/// What live rules would find about actors with thresholds moved, and share no payment with what they find without. Costs as much again as the search itself.
pub fn missed(searching: &Searching, dataset: &Dataset, findings: &[Found], stop: &AtomicBool) -> std::result::Result<Vec<Found>, SearchError> {
    let BelowTheLine { samples, steps } = searching.settings.below_the_line;
    let mut all = Vec::new();
    if samples == 0 {
        return Ok(all);
    }
    let known = Known::of(findings);
    for RunRule { rule, settings, .. } in searching.rules.0.iter().filter(|rule| rule.part == RulePart::Live) {
        if stop.load(Ordering::Relaxed) {
            return Err(SearchError::Stopped);
        }
        let missed =
            rule.detect(dataset, searching.day, &moved(rule, settings, steps)).into_iter().map(|finding| found(searching, rule, finding, None));
        let missed = missed.filter(|found| !found.focal_actors.is_empty() && !known.shares(found));
        all.extend(missed.map(|found| Found { below_the_line: true, suppressed: Vec::new(), ..found }));
    }
    all.sort_by(|one, other| one.place.cmp(&other.place));
    Ok(all)
}

/// Settings of a rule with all thresholds moved to the innocent side, no further than they may be.
pub fn moved(rule: &Rule, settings: &Settings, steps: usize) -> Settings {
    let mut settings = settings.clone();
    for (name, parameter) in &rule.parameters {
        if let Role::Threshold(threshold) = &parameter.role {
            // A value within its bounds is taken.
            let _ = settings.set(rule, name, nearer_to_innocence(settings.value(name), parameter, threshold.compare, steps));
        }
    }
    settings
}

fn nearer_to_innocence(value: Quantity, parameter: &Parameter, compare: Compare, steps: usize) -> Quantity {
    let way = parameter.step.times(Quantity::count(steps));
    match compare {
        Compare::AtLeast | Compare::MoreThan => value.minus(way).max(parameter.min),
        Compare::AtMost | Compare::LessThan => value.plus(way).min(parameter.max),
    }
}

/// Payments of findings, by rule and actor.
struct Known<'a>(HashMap<(&'a str, &'a str), HashSet<&'a str>>);

impl<'a> Known<'a> {
    fn of(findings: &'a [Found]) -> Self {
        let mut known: HashMap<(&str, &str), HashSet<&str>> = HashMap::new();
        for found in findings {
            known.entry((&found.behavior, &found.anchor)).or_default().extend(found.records(|_| true));
        }
        Self(known)
    }

    fn shares(&self, found: &Found) -> bool {
        let known = self.0.get(&(found.behavior.as_str(), found.anchor.as_str()));
        known.is_some_and(|known| found.records(|_| true).any(|id| known.contains(id)))
    }
}

impl Inner {
    /// Records a sample of what each rule has missed. What goes on with an alert that was raised before is none.
    pub(super) async fn record_below_the_line(&self, permit: &Permit<'_>, run: &OfRun<'_>, missed: &[Found]) -> Result<Vec<Stratum>> {
        let most = self.settings.detection.below_the_line.samples;
        let mut strata: BTreeMap<&str, Vec<&Found>> = BTreeMap::new();
        for found in missed {
            strata.entry(&found.rule).or_default().push(found);
        }
        let mut told = Vec::with_capacity(strata.len());
        for (rule, stratum) in strata {
            let mut sample = Vec::new();
            for some in drawn(run.job, stratum).chunks(LOOKED_UP_AT_ONCE) {
                let earlier = self.earlier_findings(some).await?;
                let is_new = |(place, found): &(usize, &&Found)| !goes_on_with_an_alert(found, *place, &earlier);
                sample.extend(some.iter().enumerate().filter(is_new).map(|(_, found)| (*found).clone()));
            }
            let missed = sample.len();
            sample.truncate(most);
            let Recorded { new, continued, .. } = self.record_findings(permit, run, &sample).await?;
            told.push(Stratum { rule: rule.to_owned(), missed, recorded: new + continued });
        }
        Ok(told)
    }
}

/// A stratum in the order in which it is drawn.
fn drawn<'a>(run: &Detect, mut stratum: Vec<&'a Found>) -> Vec<&'a Found> {
    let batch = &run.batch;
    let (date, line, kind) = (batch.close_of_business_date.to_string(), &*batch.line_of_business, batch.process_type.as_str());
    let lot = |found: &&Found| digest_id("lot", &[&date, line, kind, &found.behavior, found.focal(), found.first()]);
    stratum.sort_by_cached_key(lot);
    stratum
}

fn goes_on_with_an_alert(found: &Found, place: usize, earlier: &[EarlierFinding]) -> bool {
    let of_it = earlier.iter().filter(|earlier| earlier.place == place as i64 && !earlier.below_the_line);
    of_it.into_iter().any(|earlier| found.is_about_one_of(&earlier.primary))
}
