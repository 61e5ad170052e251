//! Exposure, beside a dense solve.

use analytics::{ActorIndex, ExposureGraph, ExposureLink, InvalidExposure, PARTS, TOLERANCE};
use proptest::prelude::*;

/// How far a result may be from that of the elimination.
const NEAR: f64 = 1e-9;

fn link(from: u32, to: u32, share: Option<f64>) -> ExposureLink {
    ExposureLink { from: ActorIndex(from), to: ActorIndex(to), share }
}

/// A network, with a damping and a risk for each actor.
#[derive(Debug, Clone)]
struct Given {
    damping: f64,
    risks: Vec<f64>,
    links: Vec<ExposureLink>,
}

impl Given {
    fn graph(&self) -> ExposureGraph {
        ExposureGraph::new(self.risks.len(), self.damping, &self.links).expect("a network")
    }
}

/// Weights by the definition, as a matrix.
fn weights(given: &Given) -> Vec<Vec<f64>> {
    let actors = given.risks.len();
    let mut shares = vec![vec![0.0; actors]; actors];
    for link in given.links.iter().filter(|link| link.from != link.to) {
        shares[link.from.0 as usize][link.to.0 as usize] += link.share.unwrap_or(1.0);
    }
    for row in &mut shares {
        let whole: f64 = row.iter().sum();
        row.iter_mut().for_each(|share| *share /= whole.max(1.0));
    }
    shares
}

/// The totals by Gaussian elimination with pivots: (1 − d · W) · x = (1 − d) · r.
fn eliminated(given: &Given, weights: &[Vec<f64>]) -> Vec<f64> {
    let actors = given.risks.len();
    let mut rows: Vec<Vec<f64>> = (0..actors)
        .map(|at| {
            let mut row: Vec<f64> = weights[at].iter().map(|weight| -given.damping * weight).collect();
            row[at] += 1.0;
            row.push((1.0 - given.damping) * given.risks[at]);
            row
        })
        .collect();
    for column in 0..actors {
        let pivot = (column..actors).max_by(|&one, &other| rows[one][column].abs().total_cmp(&rows[other][column].abs())).expect("a row");
        rows.swap(column, pivot);
        let pivot = rows[column].clone();
        for (at, row) in rows.iter_mut().enumerate() {
            if at != column {
                let factor = row[column] / pivot[column];
                row.iter_mut().zip(&pivot).for_each(|(value, of_pivot)| *value -= factor * of_pivot);
            }
        }
    }
    (0..actors).map(|at| rows[at][actors] / rows[at][at]).collect()
}

fn actors(count: usize) -> impl Iterator<Item = ActorIndex> {
    (0..count as u32).map(ActorIndex)
}

/// Networks with loops, links to oneself, parallel links, shares that are not known, and actors whom nothing links.
fn networks() -> impl Strategy<Value = Given> {
    (1..12_u32).prop_flat_map(|actors| {
        let share = prop_oneof![Just(None), Just(Some(0.0)), Just(Some(1.0)), (0.0..=1.0_f64).prop_map(Some)];
        let links = prop::collection::vec((0..actors, 0..actors, share).prop_map(|(from, to, share)| link(from, to, share)), 0..40);
        let risk = prop_oneof![Just(0.0), Just(1.0), 0.0..=1.0_f64];
        let risks = prop::collection::vec(risk, actors as usize);
        let damping = prop_oneof![Just(0.0), Just(0.5), Just(0.9), 0.0..=0.9_f64];
        (damping, risks, links).prop_map(|(damping, risks, links)| Given { damping, risks, links })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn exposures_are_those_of_a_dense_solve_with_the_residual_that_is_told(given in networks()) {
        let solved = given.graph().solve(&given.risks).expect("risks");
        let weights = weights(&given);
        let exact = eliminated(&given, &weights);
        for actor in actors(exact.len()) {
            let at = actor.0 as usize;
            let exposure: f64 = weights[at].iter().zip(&exact).map(|(weight, total)| weight * total).sum();
            prop_assert!((solved.total(actor) - exact[at]).abs() < NEAR, "{} beside {}", solved.total(actor), exact[at]);
            prop_assert!((solved.exact(actor) - exposure).abs() < NEAR, "{} beside {exposure}", solved.exact(actor));
            let rounded = f64::from(solved.of(actor)) / f64::from(PARTS);
            prop_assert!((rounded - exposure).abs() <= 0.6 / f64::from(PARTS), "{rounded} beside {exposure}");
        }
        // What floating numbers add to a sum of a few dozen is far below a billionth of a millionth.
        prop_assert!(solved.residual() <= TOLERANCE + 1e-14, "{}", solved.residual());
    }

    #[test]
    fn a_higher_risk_lowers_nobody(given in networks(), who in any::<prop::sample::Index>(), more in 0.0..=1.0_f64) {
        let graph = given.graph();
        let before = graph.solve(&given.risks).expect("risks");
        let mut risks = given.risks.clone();
        let raised = &mut risks[who.index(given.risks.len())];
        *raised = raised.max(more);
        let after = graph.solve(&risks).expect("risks");
        for actor in actors(risks.len()) {
            prop_assert!(after.total(actor) >= before.total(actor));
            prop_assert!(after.exact(actor) >= before.exact(actor));
            prop_assert!(after.of(actor) >= before.of(actor));
        }
    }

    #[test]
    fn a_larger_share_of_less_than_a_whole_lowers_nobody(given in networks(), which in any::<prop::sample::Index>(), factor in 0.0..=1.0_f64) {
        prop_assume!(!given.links.is_empty());
        // So small that no actor's shares are more than a whole.
        let count = given.links.len() as f64;
        let links: Vec<ExposureLink> = given.links.iter().map(|link| ExposureLink { share: Some(link.share.unwrap_or(1.0) / count), ..*link }).collect();
        let more = Given { links, ..given };
        let mut less = more.clone();
        let lessened = &mut less.links[which.index(more.links.len())];
        lessened.share = lessened.share.map(|share| share * factor);
        let before = less.graph().solve(&less.risks).expect("risks");
        let after = more.graph().solve(&more.risks).expect("risks");
        for actor in actors(more.risks.len()) {
            prop_assert!(after.total(actor) >= before.total(actor) - TOLERANCE);
        }
    }

    #[test]
    fn the_order_of_links_does_not_matter(given in networks(), turn in any::<prop::sample::Index>()) {
        let mut turned = given.links.clone();
        turned.reverse();
        if !turned.is_empty() {
            turned.rotate_left(turn.index(given.links.len()));
        }
        let turned = Given { links: turned, ..given.clone() };
        prop_assert_eq!(turned.graph(), given.graph());
    }

    #[test]
    fn going_on_from_an_earlier_solution_gives_the_same(before in networks(), after in networks()) {
        // The same actors; some of them have other risks and other links.
        let actors_of_both = before.risks.len().min(after.risks.len()) as u32;
        let moves = |actor: ActorIndex| actor.0.is_multiple_of(3);
        let within = |link: &&ExposureLink| link.from.0 < actors_of_both && link.to.0 < actors_of_both;
        let of_both = |risks: &[f64], links: Vec<ExposureLink>| Given { damping: before.damping, risks: risks[..actors_of_both as usize].to_vec(), links };
        let first = of_both(&before.risks, before.links.iter().filter(within).copied().collect());
        let kept = first.links.iter().filter(|link| !moves(link.from));
        let new = after.links.iter().filter(within).filter(|link| moves(link.from));
        let mut second = of_both(&before.risks, kept.chain(new).copied().collect());
        let changed: Vec<ActorIndex> = actors(second.risks.len()).filter(|&actor| moves(actor)).collect();
        for actor in &changed {
            second.risks[actor.0 as usize] = after.risks[actor.0 as usize];
        }
        let former = first.graph().solve(&first.risks).expect("risks");
        let graph = second.graph();
        let again = graph.solve_again(&second.risks, &former, &changed).expect("risks");
        let anew = graph.solve(&second.risks).expect("risks");
        for actor in actors(second.risks.len()) {
            prop_assert_eq!(again.of(actor), anew.of(actor));
            prop_assert!((again.total(actor) - anew.total(actor)).abs() <= 3.0 * TOLERANCE);
        }
        // Once more, it has nothing to do.
        let idle = graph.solve_again(&second.risks, &again, &[]).expect("risks");
        prop_assert!(actors(second.risks.len()).all(|actor| idle.of(actor) == anew.of(actor)));
    }
}

/// Two actors change places, one goes, and one comes.
#[test]
fn an_earlier_solution_is_moved_to_other_places() {
    let graph = ExposureGraph::new(3, 0.5, &[link(0, 1, None), link(2, 1, Some(0.5))]).expect("a network");
    let former = graph.solve(&[0.0, 1.0, 0.0]).expect("risks");
    let moved = former.moved(&[Some(ActorIndex(1)), Some(ActorIndex(0)), None]);
    assert_eq!([0, 1, 2].map(|at| moved.of(ActorIndex(at))), [0, 5_000, 0]);
    let graph = ExposureGraph::new(3, 0.5, &[link(1, 0, None), link(2, 0, Some(0.1))]).expect("a network");
    let risks = [1.0, 0.0, 0.0];
    let again = graph.solve_again(&risks, &moved, &[ActorIndex(2)]).expect("risks");
    let anew = graph.solve(&risks).expect("risks");
    assert_eq!([0, 1, 2].map(|at| again.of(ActorIndex(at))), [0, 1, 2].map(|at| anew.of(ActorIndex(at))));
    assert_eq!(again.of(ActorIndex(2)), 500);
}

#[test]
fn what_is_further_away_counts_less() {
    let links = [link(0, 1, None), link(1, 2, None), link(2, 3, None)];
    let graph = ExposureGraph::new(4, 0.5, &links).expect("a network");
    let solved = graph.solve(&[0.0, 0.0, 0.0, 1.0]).expect("risks");
    let exposures: Vec<u32> = actors(4).map(|actor| solved.of(actor)).collect();
    assert_eq!(exposures, [1_250, 2_500, 5_000, 0]);
}

#[test]
fn nobody_is_exposed_to_himself() {
    let alone = ExposureGraph::new(1, 0.5, &[link(0, 0, None)]).expect("a network");
    assert_eq!(alone.solve(&[1.0]).expect("risks").of(ActorIndex(0)), 0);
}

#[test]
fn what_is_not_known_counts_as_a_whole_and_more_than_a_whole_is_shared_out() {
    let risks = [0.0, 1.0, 0.0];
    let of = |links: &[ExposureLink]| ExposureGraph::new(3, 0.5, links).expect("a network").solve(&risks).expect("risks").of(ActorIndex(0));
    assert_eq!(of(&[link(0, 1, None)]), 5_000);
    assert_eq!(of(&[link(0, 1, Some(1.0))]), 5_000);
    assert_eq!(of(&[link(0, 1, Some(0.25))]), 1_250);
    assert_eq!(of(&[link(0, 1, Some(0.25)), link(0, 1, Some(0.25))]), 2_500);
    assert_eq!(of(&[link(0, 1, None), link(0, 2, None)]), 2_500);
    assert_eq!(of(&[]), 0);
}

#[test]
fn only_what_moves_is_looked_at() {
    // A thousand pairs, of which one changes.
    let links: Vec<ExposureLink> = (0..1_000).map(|pair| link(2 * pair, 2 * pair + 1, Some(0.5))).collect();
    let graph = ExposureGraph::new(2_000, 0.5, &links).expect("a network");
    let mut risks = vec![0.3; 2_000];
    let former = graph.solve(&risks).expect("risks");
    risks[1] = 0.9;
    let again = graph.solve_again(&risks, &former, &[ActorIndex(1)]).expect("risks");
    assert!(again.work() <= 1, "{}", again.work());
    assert_eq!((again.of(ActorIndex(0)), again.of(ActorIndex(2))), (2_250, former.of(ActorIndex(2))));
}

#[test]
fn what_is_no_network_is_refused() {
    let new = |damping: f64, links: &[ExposureLink]| ExposureGraph::new(2, damping, links).map(|_| ());
    assert_eq!(new(0.95, &[]), Err(InvalidExposure::Damping(0.95)));
    assert_eq!(new(-0.1, &[]), Err(InvalidExposure::Damping(-0.1)));
    assert_eq!(new(0.5, &[link(0, 2, None)]), Err(InvalidExposure::Absent(ActorIndex(2))));
    assert_eq!(new(0.5, &[link(0, 1, Some(1.5))]), Err(InvalidExposure::Share(1.5)));
    assert!(new(f64::NAN, &[]).is_err());
    let graph = ExposureGraph::new(2, 0.5, &[]).expect("a network");
    assert_eq!(graph.solve(&[0.0]), Err(InvalidExposure::Risks { actors: 2, risks: 1 }));
    assert_eq!(graph.solve(&[0.0, 2.0]), Err(InvalidExposure::Risk(2.0)));
    let former = graph.solve(&[0.0, 0.0]).expect("risks");
    assert_eq!(graph.solve_again(&[0.0, 0.0], &former, &[ActorIndex(2)]), Err(InvalidExposure::Absent(ActorIndex(2))));
}

/// Ten thousand actors in communities of ten, of whom one in a hundred has another risk. Where everybody is linked to everybody, more moves.
#[test]
fn going_on_costs_a_fifth_at_most_where_one_in_a_hundred_has_changed() {
    let links = (0..10_000_u32).flat_map(|actor| {
        let (community, place) = (actor / 10 * 10, actor % 10);
        [1, 3].map(|further| link(actor, community + (place + further) % 10, Some(0.5)))
    });
    let graph = ExposureGraph::new(10_000, 0.5, &links.collect::<Vec<_>>()).expect("a network");
    let mut risks: Vec<f64> = (0..10_000_u32).map(|actor| f64::from(actor % 7) / 10.0).collect();
    let former = graph.solve(&risks).expect("risks");
    let changed: Vec<ActorIndex> = actors(10_000).step_by(100).collect();
    for actor in &changed {
        risks[actor.0 as usize] = 1.0;
    }
    let again = graph.solve_again(&risks, &former, &changed).expect("risks");
    let anew = graph.solve(&risks).expect("risks");
    assert!(again.work() * 5 <= anew.work(), "{} links beside {}", again.work(), anew.work());
    assert!(actors(10_000).all(|actor| again.of(actor) == anew.of(actor)));
}
