//! Stacked bipartite layers.

use std::collections::BTreeSet;

use analytics::{AccountIndex, Network, Payment, StackLimits, stacks};
use proptest::prelude::*;

use crate::networks::{network, paid, payment, reordered, span};

/// A payment, by its place in the order of loading, at a step.
type Place = (usize, usize);

/// Whether a set of places holds together, by the definition.
fn holds(payments: &[Payment], limits: &Limits, places: &[Place]) -> bool {
    let step_of = |place: &Place| place.0;
    let follows = |earlier: &Place, later: &Place| {
        let (earlier, later) = (&payments[earlier.1], &payments[later.1]);
        earlier.to == later.from && (1..=limits.millis).contains(&(later.at.millis() - earlier.at.millis()))
    };
    let enough = |step: usize, account: AccountIndex, pays: bool, least: usize| {
        let ends = |place: &Place| (payments[place.1].from, payments[place.1].to);
        let at_step = places.iter().filter(|place| step_of(place) == step).map(ends);
        let others: BTreeSet<AccountIndex> =
            at_step.filter(|&(from, to)| if pays { from == account } else { to == account }).map(|(from, to)| if pays { to } else { from }).collect();
        others.len() >= least
    };
    let account_holds = |layer: usize, account: AccountIndex| {
        (layer == limits.steps || enough(layer, account, true, limits.receivers)) && (layer == 0 || enough(layer - 1, account, false, limits.senders))
    };
    places.iter().all(|place| {
        let (step, payment) = (place.0, &payments[place.1]);
        (step == 0 || places.iter().any(|other| other.0 + 1 == step && follows(other, place)))
            && (step + 1 == limits.steps || places.iter().any(|other| other.0 == step + 1 && follows(place, other)))
            && account_holds(step, payment.from)
            && account_holds(step + 1, payment.to)
    })
}

#[derive(Debug, Clone)]
struct Limits {
    steps: usize,
    senders: usize,
    receivers: usize,
    millis: i64,
}

/// All sets of places that hold together, joined.
fn all_places(payments: &[Payment], limits: &Limits) -> BTreeSet<Place> {
    let can_stand = |payment: &usize| payments[*payment].from != payments[*payment].to;
    let all: Vec<Place> = (0..limits.steps).flat_map(|step| (0..payments.len()).filter(can_stand).map(move |payment| (step, payment))).collect();
    let mut joined = BTreeSet::new();
    for set in 0..1_u32 << all.len() {
        let places: Vec<Place> = all.iter().enumerate().filter(|(bit, _)| set >> bit & 1 == 1).map(|(_, &place)| place).collect();
        if holds(payments, limits, &places) {
            joined.extend(places);
        }
    }
    joined
}

fn found(network: &Network, limits: &Limits) -> BTreeSet<Place> {
    let limits =
        StackLimits { steps: limits.steps, senders: limits.senders as u32, receivers: limits.receivers as u32, span: span(limits.millis as u64) };
    let stacks = stacks(network, limits);
    // Stacks share no account in a layer.
    let mut seen: BTreeSet<(usize, AccountIndex)> = BTreeSet::new();
    for stack in &stacks {
        for (layer, accounts) in stack.layers(network).into_iter().enumerate() {
            assert!(accounts.into_iter().all(|account| seen.insert((layer, account))));
        }
    }
    let places = stacks.iter().flat_map(|stack| stack.steps.iter().enumerate());
    places.flat_map(|(step, payments)| payments.iter().map(move |&payment| (step, network.loaded(payment)))).collect()
}

fn payments(most: usize) -> impl Strategy<Value = Vec<Payment>> {
    let payment = (0..4_u32, 0..4_u32, 0..5_i64).prop_map(|(from, to, at)| paid(from, to, at, 1, 0));
    prop::collection::vec(payment, 0..=most)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn stacks_are_all_sets_that_hold_together(payments in payments(9), steps in 0..3_usize, senders in 0..3_usize, receivers in 0..3_usize, millis in 0..5_i64) {
        let payments = if steps == 2 { &payments[..payments.len().min(6)] } else { &payments[..] };
        let limits = Limits { steps, senders, receivers, millis };
        let expected = all_places(payments, &limits);
        prop_assert_eq!(&found(&network(payments), &limits), &expected);
        let backwards: Vec<usize> = (0..payments.len()).rev().collect();
        let other: BTreeSet<Place> = found(&network(&reordered(payments, &backwards)), &limits);
        prop_assert_eq!(other.into_iter().map(|(step, payment)| (step, backwards[payment])).collect::<BTreeSet<_>>(), expected);
    }
}

/// Two layers of two accounts between a first and a last one.
fn stack(second: i64) -> Vec<Payment> {
    let mut payments = Vec::new();
    for (from, to) in [(0, 2), (0, 3), (1, 2), (1, 3)] {
        payments.push(payment(from, to, 10));
        payments.push(payment(from + 2, to + 2, second));
    }
    payments
}

fn count(payments: &[Payment]) -> usize {
    let limits = Limits { steps: 2, senders: 2, receivers: 2, millis: 5 };
    found(&network(payments), &limits).len()
}

#[test]
fn a_stack_is_found_within_its_span_and_not_at_one_instant() {
    assert_eq!(count(&stack(15)), 8);
    assert_eq!(count(&stack(16)), 0);
    assert_eq!(count(&stack(11)), 8);
    assert_eq!(count(&stack(10)), 0);
}

#[test]
fn a_missing_payment_takes_the_whole_stack_along() {
    assert_eq!(count(&stack(12)[1..]), 0);
}

#[test]
fn parallel_payments_are_places_but_one_account() {
    let mut payments = stack(12);
    payments.push(payment(0, 2, 11));
    assert_eq!(count(&payments), 9);
    let lone: Vec<Payment> = [(0, 2), (0, 2), (2, 3), (2, 3)].map(|(from, to)| payment(from, to, i64::from(from))).into();
    assert_eq!(count(&lone), 0);
}

#[test]
fn two_stacks_are_two() {
    let mut payments = stack(12);
    payments.extend(stack(12).into_iter().map(|payment| paid(payment.from.0 + 10, payment.to.0 + 10, payment.at.millis(), 1, 0)));
    let network = network(&payments);
    let limits = StackLimits { steps: 2, senders: 2, receivers: 2, span: span(5) };
    let stacks = stacks(&network, limits);
    assert_eq!(stacks.len(), 2);
    assert_eq!(stacks[0].layers(&network).iter().map(Vec::len).collect::<Vec<_>>(), [2, 2, 2]);
}
