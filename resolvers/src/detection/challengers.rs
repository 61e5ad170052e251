//! What rules in shadow have found in a run: nothing of it is recorded, and the run's result says how it compares with what the live version has found.

use std::collections::BTreeSet;

use detection::{Beside, Sighting, beside};
use serde::{Deserialize, Serialize};

use super::rule_set::{RulePart, RunRule};
use super::search::Found;

/// Findings that are shown of each kind.
const SHOWN: usize = 100;
/// Findings that are shown in one run, whatever runs in shadow.
const SHOWN_IN_ALL: usize = 500;
/// Payments that are shown of each: of the necessary ones first.
const SHOWN_PAYMENTS: usize = 10;

/// What a version in shadow has found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ShadowOutcome {
    pub rule: String,
    pub version: String,
    /// The version that is live beside it; nothing where none is.
    pub live_version: Option<String>,
    pub findings: usize,
    /// Findings of the live version that share a payment with one of it, about the same actor.
    pub both: usize,
    /// Findings of the live version that it does not have.
    pub only_live: usize,
    /// Findings that the live version does not have.
    pub only_shadow: usize,
    pub first: FirstFindings,
}

/// The first findings of each kind.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FirstFindings {
    pub both: Vec<ShadowFinding>,
    pub only_live: Vec<ShadowFinding>,
    pub only_shadow: Vec<ShadowFinding>,
}

/// A finding, of which nothing else is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ShadowFinding {
    /// The actor, or the group, in whose payments it is.
    pub actor: String,
    pub payments: Vec<String>,
    pub score: f64,
}

/// What all rules in shadow have found, among what all rules of a run have.
pub fn outcomes(rules: &[RunRule], found: &[Found]) -> Vec<ShadowOutcome> {
    let mut room = SHOWN_IN_ALL;
    let in_shadow = rules.iter().filter(|rule| matches!(rule.part, RulePart::Challenger | RulePart::Shadow));
    in_shadow.map(|shadow| outcome(shadow, rules, found, &mut room)).collect()
}

fn outcome(shadow: &RunRule, rules: &[RunRule], found: &[Found], room: &mut usize) -> ShadowOutcome {
    let live = rules.iter().find(|rule| rule.part == RulePart::Live && rule.rule.id == shadow.rule.id);
    let of_shadow = findings_of(shadow, found);
    let of_live = live.map(|live| findings_of(live, found)).unwrap_or_default();
    let Beside { both, only_live, only_challenger } = compared(&of_live, &of_shadow);
    let mut first = |places: &[usize], findings: &[&Found]| -> Vec<ShadowFinding> {
        let shown: Vec<ShadowFinding> = places.iter().take(SHOWN.min(*room)).map(|&place| shown(findings[place])).collect();
        *room -= shown.len();
        shown
    };
    let first =
        FirstFindings { both: first(&both, &of_live), only_live: first(&only_live, &of_live), only_shadow: first(&only_challenger, &of_shadow) };
    ShadowOutcome {
        rule: shadow.rule.id.clone(),
        version: shadow.rule.version.to_string(),
        live_version: live.map(|live| live.rule.version.to_string()),
        findings: of_shadow.len(),
        both: both.len(),
        only_live: only_live.len(),
        only_shadow: only_challenger.len(),
        first,
    }
}

/// The findings of one version, in the order of their places.
fn findings_of<'a>(rule: &RunRule, found: &'a [Found]) -> Vec<&'a Found> {
    let mut findings: Vec<&Found> = found.iter().filter(|found| found.is_of(&rule.rule)).collect();
    findings.sort_by(|one, other| one.place.cmp(&other.place));
    findings
}

fn compared(live: &[&Found], shadow: &[&Found]) -> Beside {
    let subjects = |findings: &[&Found]| findings.iter().map(|found| format!("{} {}", found.behavior, found.focal())).collect::<Vec<_>>();
    let (of_live, of_shadow) = (subjects(live), subjects(shadow));
    beside(&sightings(live, &of_live), &sightings(shadow, &of_shadow))
}

fn sightings<'a>(findings: &[&'a Found], subjects: &'a [String]) -> Vec<Sighting<'a>> {
    let sighting = |(found, subject): (&&'a Found, &'a String)| {
        let payments: BTreeSet<&str> = found.payments.iter().map(|payment| payment.leading()).collect();
        Sighting { subject, payments: payments.into_iter().collect() }
    };
    findings.iter().zip(subjects).map(sighting).collect()
}

fn shown(found: &Found) -> ShadowFinding {
    let payments = found.cited(SHOWN_PAYMENTS).into_iter().map(str::to_owned).collect();
    ShadowFinding { actor: found.focal().to_owned(), payments, score: found.score }
}
