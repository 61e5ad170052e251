//! Which cases are found, and which findings are right.

use std::collections::{BTreeMap, BTreeSet};

use detection::{Day, Finding, Status};
use sample::typologies::{PaymentId, Planted, Typology};

use crate::RuleRun;
use crate::bank::Bank;

/// A finding with the findings of later days that continue it.
pub struct Story {
    pub actor: String,
    pub actors: BTreeSet<String>,
    pub payments: BTreeSet<PaymentId>,
    pub first_day: Day,
    /// The text and the score of the first finding.
    pub text: String,
    pub score: f64,
}

/// Adds a day's findings of one rule: each continues an earlier one of the same actor with which it shares a payment, or is new.
pub fn continue_stories(stories: &mut Vec<Story>, bank: &Bank, day: Day, findings: Vec<Finding>) {
    for finding in findings {
        let payments: BTreeSet<PaymentId> = finding.payments.iter().filter_map(|cited| bank.payment(cited.leading())).collect();
        let earlier = stories.iter_mut().find(|story| story.actor == finding.actor && !story.payments.is_disjoint(&payments));
        match earlier {
            Some(story) => {
                story.payments.extend(payments);
                story.actors.extend(finding.actors);
            }
            None => {
                let actors = finding.actors.into_iter().collect();
                stories.push(Story { actor: finding.actor, actors, payments, first_day: day, text: finding.text, score: finding.score });
            }
        }
    }
}

impl Story {
    /// Whether the story is about the case: it cites half of its payments, or one of them and half of its focal actors.
    pub fn finds(&self, planted: &Planted) -> bool {
        let cited = planted.payments.iter().filter(|payment| self.payments.contains(payment)).count();
        let named = planted.focal.iter().filter(|actor| self.actors.contains(&actor.to_string())).count();
        cited * 2 >= planted.payments.len() || cited > 0 && named * 2 >= planted.focal.len()
    }
}

/// What was planted and found of a typology.
#[derive(Default, Clone, Copy)]
pub struct OfTypology {
    pub planted: usize,
    /// By any live rule.
    pub found: usize,
    /// By the rule of the typology.
    pub by_own_rule: usize,
}

/// What a rule found.
#[derive(Default, Clone)]
pub struct OfRule {
    pub status: String,
    pub findings: usize,
    pub right: usize,
    /// The cases of its own typology among the right ones.
    pub own: usize,
    pub seconds: f64,
    /// Findings of each day whose evidence was replayed, and searches for it.
    pub replayed: usize,
    pub replays: usize,
}

/// The verdict on one network.
#[derive(Default)]
pub struct Verdict {
    pub typologies: BTreeMap<Typology, OfTypology>,
    pub rules: BTreeMap<String, OfRule>,
    /// The places of the cases that no live rule found, and of those that their own rule did not find.
    pub missed: Vec<usize>,
    pub missed_by_own_rule: Vec<usize>,
}

impl Verdict {
    pub fn of(bank: &Bank, runs: &[RuleRun<'_>]) -> Self {
        let mut verdict = Self::default();
        for (place, planted) in bank.network.planted.iter().enumerate() {
            let finders = runs.iter().filter(|run| run.stories.iter().any(|story| story.finds(planted)));
            let (mut found, mut by_own_rule) = (false, false);
            for finder in finders {
                found |= finder.rule.status == Status::Live;
                by_own_rule |= finder.rule.id == planted.typology.name();
            }
            let of_typology = verdict.typologies.entry(planted.typology).or_default();
            of_typology.planted += 1;
            of_typology.found += usize::from(found);
            of_typology.by_own_rule += usize::from(by_own_rule);
            verdict.missed.extend((!found).then_some(place));
            verdict.missed_by_own_rule.extend((!by_own_rule).then_some(place));
        }
        let planted: BTreeMap<PaymentId, Typology> =
            bank.network.planted.iter().flat_map(|planted| planted.payments.iter().map(|&payment| (payment, planted.typology))).collect();
        for run in runs {
            verdict.rules.insert(run.rule.id.clone(), of_rule(run, &planted));
        }
        verdict
    }
}

fn of_rule(run: &RuleRun<'_>, planted: &BTreeMap<PaymentId, Typology>) -> OfRule {
    let cited = |story: &Story| story.payments.iter().filter_map(|payment| planted.get(payment)).copied().collect::<BTreeSet<_>>();
    let right = run.stories.iter().filter(|story| !cited(story).is_empty()).count();
    let own = run.stories.iter().filter(|story| cited(story).iter().any(|typology| typology.name() == run.rule.id)).count();
    OfRule {
        status: format!("{:?}", run.rule.status).to_lowercase(),
        findings: run.stories.len(),
        right,
        own,
        seconds: run.time.as_secs_f64(),
        replayed: run.replayed.findings,
        replays: run.replayed.replays,
    }
}
