//! The scores of many actors, beside plain code: loops, ratios that are not known, actors of whom nothing is known.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use analytics::{ActorIndex, PARTS};
use detection::Quantity;
use proptest::prelude::*;
use risk::{ActorType, Breakdown, Facts, Input, Member, Pack, RiskRule, Scores, Tie, TieKind, score, score_again};

fn standard() -> RiskRule {
    let pack = Pack::built_in().expect("the built-in pack");
    pack.live(ActorType::LegalEntity).expect("a live rule").clone()
}

/// An actor: its assessments and countries, and its ties.
#[derive(Debug, Clone)]
struct Given {
    assessments: Vec<&'static str>,
    domicile: Option<&'static str>,
    findings: Option<u32>,
    ties: Vec<Tie>,
}

impl Given {
    fn facts(&self) -> Facts {
        let mut facts = Facts::default();
        facts.add_texts(Input::Assessments, self.assessments.iter().copied());
        facts.add_texts(Input::Domicile, self.domicile);
        if let Some(findings) = self.findings {
            facts.set_number(Input::Findings, Quantity::count(findings as usize));
        }
        facts
    }
}

fn tie(actors: u32) -> impl Strategy<Value = Tie> {
    let kind = prop::sample::select(vec![TieKind::Pays, TieKind::Owns, TieKind::SharesIdentity]);
    (0..actors, kind, prop::option::of(0.0..=1.0_f64)).prop_map(|(to, kind, share)| Tie { to: ActorIndex(to), kind, share })
}

fn given(actors: u32) -> impl Strategy<Value = Given> {
    let assessments = prop::collection::vec(prop::sample::select(vec!["SANCTIONS=yes", "PEP=domestic", "ADVERSE_MEDIA=fraud", "OTHER=yes"]), 0..3);
    let domicile = prop::option::of(prop::sample::select(vec!["DE", "IR", "AO"]));
    (assessments, domicile, prop::option::of(0..5_u32), prop::collection::vec(tie(actors), 0..5))
        .prop_map(|(assessments, domicile, findings, ties)| Given { assessments, domicile, findings, ties })
}

fn population() -> impl Strategy<Value = Vec<Given>> {
    (1..10_u32).prop_flat_map(|actors| prop::collection::vec(given(actors), actors as usize))
}

fn facts(population: &[Given]) -> Vec<Facts> {
    population.iter().map(Given::facts).collect()
}

fn members<'a>(population: &'a [Given], facts: &'a [Facts], rule: &'a RiskRule) -> Vec<Member<'a>> {
    members_behind(0, population, facts, rule)
}

/// The same of those who stood so many places further behind when they were read before.
fn members_behind<'a>(places: u32, population: &'a [Given], facts: &'a [Facts], rule: &'a RiskRule) -> Vec<Member<'a>> {
    population.iter().zip(facts).map(|(given, facts)| Member { facts, rule, ties: &given.ties, read: read(facts, &given.ties, places) }).collect()
}

fn read(facts: &Facts, ties: &[Tie], places: u32) -> u64 {
    let mut hasher = DefaultHasher::new();
    facts.hash_texts(&mut hasher);
    ties.iter().for_each(|tie| (tie.to.0 + places, tie.kind, tie.share.map(f64::to_bits)).hash(&mut hasher));
    hasher.finish()
}

fn scores(population: &[Given], rule: &RiskRule) -> Scores {
    score(&members(population, &facts(population), rule)).expect("scores")
}

/// All of what scores are made of, and that what is told in short is the same.
fn breakdowns(population: &[Given], rule: &RiskRule, scores: &Scores) -> Vec<Breakdown> {
    let facts = facts(population);
    let of = |(member, at): (&Member<'_>, u32)| {
        let breakdown = member.breakdown(scores.exposures().of(ActorIndex(at)));
        let summary = scores.summary(ActorIndex(at)).expect("a score");
        assert_eq!((summary.score, summary.digest()), (breakdown.score, rule.digest(&breakdown)));
        breakdown
    };
    members(population, &facts, rule).iter().zip(0..).map(of).collect()
}

/// Whether the former actor is still there, by its place.
fn in_place(count: usize) -> Vec<Option<ActorIndex>> {
    (0..count as u32).map(|at| Some(ActorIndex(at))).collect()
}

/// Exposures by many plain sweeps over a matrix, each from the totals of the one before.
fn swept(population: &[Given], rule: &RiskRule) -> Vec<f64> {
    let kinds = BTreeMap::from([
        (TieKind::Pays, rule.network.payments.to_f64()),
        (TieKind::Owns, rule.network.ownership.to_f64()),
        (TieKind::SharesIdentity, rule.network.identities.to_f64()),
    ]);
    let damping = rule.network.damping.to_f64();
    let actors = population.len();
    let mut weights = vec![vec![0.0; actors]; actors];
    for (from, given) in population.iter().enumerate() {
        for tie in given.ties.iter().filter(|tie| tie.to.0 as usize != from) {
            weights[from][tie.to.0 as usize] += kinds[&tie.kind] * tie.share.unwrap_or(1.0);
        }
        let whole: f64 = weights[from].iter().sum();
        weights[from].iter_mut().for_each(|weight| *weight /= whole.max(1.0));
    }
    let own: Vec<f64> = population.iter().map(|given| (rule.evaluate(&given.facts()).score.to_f64() / rule.network.full.to_f64()).min(1.0)).collect();
    let mut totals = vec![0.0; actors];
    let around = |totals: &[f64], at: usize| -> f64 { weights[at].iter().zip(totals).map(|(weight, total)| weight * total).sum() };
    for _ in 0..60 {
        totals = (0..actors).map(|at| (1.0 - damping) * own[at] + damping * around(&totals, at)).collect();
    }
    (0..actors).map(|at| around(&totals, at)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn scores_are_those_of_plain_code(population in population()) {
        let rule = standard();
        let scored = scores(&population, &rule);
        let exposures = swept(&population, &rule);
        let breakdowns = breakdowns(&population, &rule, &scored);
        for (at, given) in population.iter().enumerate() {
            let exposure = scored.exposures().of(ActorIndex(at as u32));
            prop_assert!((f64::from(exposure) / f64::from(PARTS) - exposures[at]).abs() < 0.6 / f64::from(PARTS));
            let mut facts = given.facts();
            facts.set_number(Input::Exposure, Quantity::share(Quantity::count(exposure as usize), Quantity::count(PARTS as usize)));
            prop_assert_eq!(&breakdowns[at], &rule.evaluate(&facts));
        }
    }

    #[test]
    fn scores_again_are_scores_anew(before in population(), after in population()) {
        let rule = standard();
        let count = before.len().min(after.len());
        let within = |given: &Given| Given { ties: given.ties.iter().filter(|tie| (tie.to.0 as usize) < count).copied().collect(), ..given.clone() };
        let first: Vec<Given> = before.iter().take(count).map(within).collect();
        // Every other one has changed.
        let second: Vec<Given> = (0..count).map(|at| within(if at % 2 == 0 { &after[at] } else { &before[at] })).collect();
        let former = scores(&first, &rule);
        let facts = facts(&second);
        let again = score_again(&members(&second, &facts, &rule), &former, &in_place(count)).expect("scores");
        let anew = scores(&second, &rule);
        prop_assert!(again.evaluated() <= count.div_ceil(2));
        prop_assert_eq!(breakdowns(&second, &rule, &again), breakdowns(&second, &rule, &anew));
        // Once more nobody is evaluated.
        let idle = score_again(&members(&second, &facts, &rule), &again, &in_place(count)).expect("scores");
        prop_assert_eq!(idle.evaluated(), 0);
        prop_assert_eq!(breakdowns(&second, &rule, &idle), breakdowns(&second, &rule, &anew));
    }

    /// The first actor goes, and another one comes; all others have other places.
    #[test]
    fn scores_again_of_other_actors_are_scores_anew(population in population(), new in given(1)) {
        let rule = standard();
        let former = scores(&population, &rule);
        let moved = |tie: &Tie| Some(Tie { to: ActorIndex(tie.to.0.checked_sub(1)?), ..*tie });
        let left = population.iter().skip(1).map(|given| Given { ties: given.ties.iter().filter_map(moved).collect(), ..given.clone() });
        let second: Vec<Given> = left.chain([new]).collect();
        let mut places: Vec<Option<ActorIndex>> = (1..population.len() as u32).map(|at| Some(ActorIndex(at))).collect();
        places.push(None);
        let facts = facts(&second);
        let again = score_again(&members_behind(1, &second, &facts, &rule), &former, &places).expect("scores");
        let anew = scores(&second, &rule);
        prop_assert_eq!(breakdowns(&second, &rule, &again), breakdowns(&second, &rule, &anew));
    }

    #[test]
    fn nobody_made_worse_lowers_anybody(population in population(), who in any::<prop::sample::Index>()) {
        let rule = standard();
        let before = scores(&population, &rule);
        let mut worse = population.clone();
        worse[who.index(population.len())].assessments.push("SANCTIONS=yes");
        let after = scores(&worse, &rule);
        for at in (0..population.len() as u32).map(ActorIndex) {
            let score = |scores: &Scores| scores.summary(at).expect("a score").score;
            prop_assert!(score(&after) >= score(&before));
        }
    }
}

#[test]
fn nobody_has_no_scores() {
    assert_eq!(score(&[]).expect("scores").summary(ActorIndex(0)), None);
}
