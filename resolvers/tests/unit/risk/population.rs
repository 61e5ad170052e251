//! Scores of many actors, beside plain code: loops, ratios that are not known, links to actors who are not there.

use std::collections::BTreeMap;

use analytics::ActorIndex;
use detection::Quantity;
use proptest::prelude::*;
use resolvers::RiskBands;
use resolvers::testing::detection::scope::Monitoring;
use resolvers::testing::risk::facts::KnownActor;
use resolvers::testing::risk::population::{Calculation, Population, SHOWN, fingerprint};
use resolvers::testing::risk::rule_set::LiveRules;
use risk::{ActorType, Facts, Input, Pack, RiskRule, TieKind};

/// An actor: its assessment with the points of that, and whom it pays, owns or shares identities with.
#[derive(Debug, Clone)]
struct Given {
    assessment: Option<(&'static str, u64)>,
    ties: Vec<(u32, TieKind, Option<f64>)>,
}

/// So many actors at most; ties lead to some more, who are not there.
const MOST: u32 = 12;
/// The points of a relation of which nobody says how long it is, and those that a whole exposure has.
const UNKNOWN_RELATION: u64 = 5;
const WHOLE_EXPOSURE: u64 = 40;

fn given() -> impl Strategy<Value = Given> {
    let assessment = prop::sample::select(vec![None, Some(("PEP=yes", 50)), Some(("SANCTIONS=hit", 100)), Some(("INTERNAL=watch", 20))]);
    let kind = prop::sample::select(vec![TieKind::Pays, TieKind::Owns, TieKind::SharesIdentity]);
    let tie = (0..MOST + 3, kind, prop::option::of(0.0..=1.0_f64));
    (assessment, prop::collection::vec(tie, 0..6)).prop_map(|(assessment, ties)| Given { assessment, ties })
}

fn id(at: u32) -> String {
    format!("actor-{at:02}")
}

fn actor(at: u32, given: &Given) -> KnownActor {
    let mut facts = Facts::default();
    facts.add_texts(Input::Domicile, ["DE"]);
    facts.add_texts(Input::Assessments, given.assessment.map(|(assessment, _)| assessment));
    let ties: Vec<_> = given.ties.iter().map(|&(to, kind, share)| (id(to), kind, share)).collect();
    KnownActor {
        id: id(at),
        kind: Some(ActorType::Individual),
        monitoring: Some(Monitoring::Alerted),
        is_of_line: true,
        volume: 0,
        segments: Vec::new(),
        read: fingerprint(&facts, &ties),
        facts,
        ties,
    }
}

/// The actors of these places.
fn population(given: &[(u32, Given)]) -> Population {
    Population::of(given.iter().map(|(at, given)| actor(*at, given)).collect())
}

fn rules() -> LiveRules {
    let pack = Pack::built_in().expect("the built-in rules");
    LiveRules::default().with(pack.live(ActorType::Individual).expect("a live rule"))
}

fn scores(population: &Population, calculation: &Calculation) -> Vec<Quantity> {
    (0..population.actors.len() as u32).map(|at| calculation.scores.summary(ActorIndex(at)).expect("a score").score).collect()
}

/// Scores in thousandths by sweeps over a matrix and whole numbers.
fn plain(given: &[(u32, Given)]) -> Vec<u64> {
    let rules = rules();
    let network = rules.of(None).expect("a rule").network;
    let count = given.len();
    let mut weights = vec![vec![0.0; count]; count];
    for (from, (_, actor)) in given.iter().enumerate() {
        for (to, kind, share) in &actor.ties {
            let of_kind = match kind {
                TieKind::Pays => network.payments,
                TieKind::Owns => network.ownership,
                TieKind::SharesIdentity => network.identities,
            };
            if let Some(to) = given.iter().position(|(at, _)| at == to).filter(|to| *to != from) {
                weights[from][to] += of_kind.to_f64() * share.unwrap_or(1.0);
            }
        }
        let whole: f64 = weights[from].iter().sum();
        weights[from].iter_mut().for_each(|weight| *weight /= whole.max(1.0));
    }
    let points: Vec<u64> = given.iter().map(|(_, actor)| UNKNOWN_RELATION + actor.assessment.map_or(0, |(_, points)| points)).collect();
    let own: Vec<f64> = points.iter().map(|points| (*points as f64 / network.full.to_f64()).min(1.0)).collect();
    let damping = network.damping.to_f64();
    let around = |totals: &[f64], at: usize| -> f64 { weights[at].iter().zip(totals).map(|(weight, total)| weight * total).sum() };
    let mut totals = vec![0.0; count];
    for _ in 0..60 {
        totals = (0..count).map(|at| (1.0 - damping) * own[at] + damping * around(&totals, at)).collect();
    }
    // Half of an exposure is the whole rating.
    let exposure = |at: usize| (around(&totals, at) * 10_000.0 + 8.0 / 17.0) as u64;
    (0..count).map(|at| points[at] * 1_000 + (WHOLE_EXPOSURE * exposure(at) / 5).min(WHOLE_EXPOSURE * 1_000)).collect()
}

fn thousandths(count: u64) -> Quantity {
    Quantity::share(Quantity::count(count as usize), Quantity::count(1_000))
}

fn given_actors() -> impl Strategy<Value = Vec<(u32, Given)>> {
    prop::collection::btree_map(0..MOST, given(), 1..MOST as usize).prop_map(|actors| actors.into_iter().collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn scores_are_those_of_plain_code(given in given_actors()) {
        let population = population(&given);
        let calculation = population.calculate(&rules(), None).expect("scores");
        let expected: Vec<Quantity> = plain(&given).into_iter().map(thousandths).collect();
        prop_assert_eq!(scores(&population, &calculation), expected);
        prop_assert_eq!(calculation.scores.evaluated(), given.len());
    }

    /// Actors come and go and change; whoever is as before is not evaluated again.
    #[test]
    fn going_on_from_the_last_calculation_gives_the_same(before in given_actors(), after in given_actors()) {
        let former = population(&before).calculate(&rules(), None).expect("scores");
        // Those with even places are as they were, where they were there.
        let kept = |(at, given): &(u32, Given)| {
            let former = before.iter().find(|(former, _)| former == at && at.is_multiple_of(2));
            (*at, former.map_or_else(|| given.clone(), |(_, former)| former.clone()))
        };
        let now: Vec<(u32, Given)> = after.iter().map(kept).collect();
        let population = population(&now);
        let again = population.calculate(&rules(), Some(&former)).expect("scores");
        let anew = population.calculate(&rules(), None).expect("scores");
        prop_assert_eq!(scores(&population, &again), scores(&population, &anew));
        let idle = population.calculate(&rules(), Some(&again)).expect("scores");
        prop_assert_eq!((idle.scores.evaluated(), scores(&population, &idle)), (0, scores(&population, &anew)));
    }
}

/// Other rules evaluate everybody, whatever was calculated by others.
#[test]
fn other_rules_go_on_from_nothing() {
    let given =
        [(0, Given { assessment: Some(("PEP=yes", 50)), ties: vec![(1, TieKind::Pays, None)] }), (1, Given { assessment: None, ties: Vec::new() })];
    let population = population(&given);
    let former = population.calculate(&rules(), None).expect("scores");
    let pack = Pack::built_in().expect("the built-in rules");
    let heavier = pack.live(ActorType::Individual).expect("a live rule").with_weight("assessments", Quantity::count(120));
    let again = population.calculate(&rules().with(&heavier), Some(&former)).expect("scores");
    assert_eq!(again.scores.evaluated(), 2);
    // 60 for the assessment instead of 50, 5 for the relation; the other's 5 points are a total of 0.025, of which 0.6 count: three
    // hundredths of what is rated as whole, of 40 points.
    assert_eq!(again.scores.summary(ActorIndex(0)).map(|summary| summary.score), Some(thousandths(66_200)));
    let bands = RiskBands { medium_from: 60.0, high_from: 80.0 };
    let beside = population.compare(&heavier, &former, bands, SHOWN).expect("scores");
    assert_eq!((beside.scored, beside.other_bands), (2, 1));
    assert_eq!(
        (beside.first[0].actor.as_str(), beside.first[0].live_band.as_str(), beside.first[0].band.as_str()),
        ("actor-00", "low_risk", "medium_risk")
    );
    let in_short = population.compare(&heavier, &former, bands, 0).expect("scores");
    assert_eq!((in_short.other_bands, in_short.first.len()), (1, 0));
}

/// What a rule says of actors whom no live rule scores is no other band than a live one's.
#[test]
fn a_rule_beside_none_that_is_live_is_compared_with_nothing() {
    let population = population(&[(0, Given { assessment: Some(("SANCTIONS=hit", 100)), ties: Vec::new() })]);
    let pack = Pack::built_in().expect("the built-in rules");
    let standard = pack.live(ActorType::Individual).expect("a live rule");
    let of_companies = RiskRule { scores: vec![ActorType::LegalEntity], ..standard.clone() };
    for live in [LiveRules::default(), LiveRules::default().with(&of_companies)] {
        let calculation = population.calculate(&live, None).expect("scores");
        let heavier = standard.with_weight("assessments", Quantity::count(120));
        let beside = population.compare(&heavier, &calculation, RiskBands::default(), SHOWN).expect("scores");
        assert_eq!((beside.scored, beside.other_bands, beside.bands), (1, 0, BTreeMap::from([("high_risk".to_owned(), 1)])));
    }
}
