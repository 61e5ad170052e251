//! Fans and scatter-gathers.

use std::collections::{BTreeMap, BTreeSet};

use analytics::{AccountIndex, Bins, Fan, Legs, Network, Payment, Role, Side, fans, for_each_scatter_gather, scatter_gathers};
use proptest::prelude::*;

use crate::networks::{loaded, lookback, network, payments, reordered, restored, shuffled, span};

fn bins() -> Bins {
    Bins::new((2..=12).collect()).unwrap()
}

/// The account whose fan a payment is in, and the one at its other end.
fn ends(payment: &Payment, side: Side) -> (AccountIndex, AccountIndex) {
    match side {
        Side::In => (payment.to, payment.from),
        Side::Out => (payment.from, payment.to),
    }
}

/// By the definition: what each payment closes, and the fans that it is a member of by size.
fn all_fans(payments: &[Payment], side: Side, millis: i64) -> (Vec<Fan>, Vec<Vec<u32>>) {
    let mut closed = vec![Fan::default(); payments.len()];
    let mut memberships = vec![vec![0; bins().len()]; payments.len()];
    for (place, closing) in payments.iter().enumerate().filter(|(_, closing)| closing.from != closing.to) {
        let is_member = |payment: &Payment| {
            let gap = closing.at.millis() - payment.at.millis();
            payment.from != payment.to && ends(payment, side).0 == ends(closing, side).0 && (0..millis).contains(&gap)
        };
        let members: Vec<usize> = (0..payments.len()).filter(|&member| is_member(&payments[member])).collect();
        let accounts: BTreeSet<AccountIndex> = members.iter().map(|&member| ends(&payments[member], side).1).collect();
        closed[place] = Fan { accounts: accounts.len() as u32, payments: members.len() as u32 };
        if let Some(bin) = bins().of(accounts.len() as u32) {
            members.into_iter().for_each(|member| memberships[member][bin] += 1);
        }
    }
    (closed, memberships)
}

fn found_fans(network: &Network, side: Side, millis: u64) -> (Vec<Fan>, Vec<Vec<u32>>) {
    let found = fans(network, side, lookback(millis), &bins());
    (loaded(network, |payment| found.closed(payment)), loaded(network, |payment| found.memberships(payment)))
}

/// The legs of a pair of accounts by intermediary: places of scatter and gather payments.
type Legged = BTreeMap<AccountIndex, (Vec<usize>, Vec<usize>)>;

/// By the definition: the patterns that each payment closes, and those that it is a member of by size.
fn all_scatter_gathers(payments: &[Payment], millis: i64, legs: Legs) -> (Vec<u32>, Vec<Vec<u32>>) {
    let mut closed = vec![0; payments.len()];
    let mut memberships = vec![vec![0; bins().len()]; payments.len()];
    let accounts: BTreeSet<AccountIndex> = payments.iter().flat_map(|payment| [payment.from, payment.to]).collect();
    for (&source, &sink) in accounts.iter().flat_map(|source| accounts.iter().map(move |sink| (source, sink))).filter(|(source, sink)| source != sink)
    {
        let between =
            |from, to| (0..payments.len()).filter(move |&place| (payments[place].from, payments[place].to) == (from, to)).collect::<Vec<_>>();
        let legged: Legged = accounts
            .iter()
            .filter(|&&account| account != source && account != sink)
            .map(|&account| (account, (between(source, account), between(account, sink))))
            .filter(|(_, (scatters, gathers))| !scatters.is_empty() && !gathers.is_empty())
            .collect();
        let all: Vec<usize> = legged.values().flat_map(|(scatters, gathers)| scatters.iter().chain(gathers)).copied().collect();
        for closing in all {
            if legs == Legs::AsGraphFeaturePreprocessor && is_superseded(payments, millis, &legged, closing) {
                continue;
            }
            let (size, members) = pattern(payments, millis, legs, &legged, closing);
            if size >= 2 && members.contains(&closing) {
                closed[closing] += 1;
                if let Some(bin) = bins().of(size) {
                    members.into_iter().for_each(|member| memberships[member][bin] += 1);
                }
            }
        }
    }
    (closed, memberships)
}

fn pattern(payments: &[Payment], millis: i64, legs: Legs, legged: &Legged, closing: usize) -> (u32, BTreeSet<usize>) {
    let in_window = |&&place: &&usize| (0..=millis).contains(&(payments[closing].at.millis() - payments[place].at.millis()));
    let (mut size, mut members) = (0, BTreeSet::new());
    for (scatters, gathers) in legged.values() {
        let walks: Vec<(usize, usize)> = scatters
            .iter()
            .filter(in_window)
            .flat_map(|&scatter| gathers.iter().filter(in_window).map(move |&gather| (scatter, gather)))
            .filter(|&(scatter, gather)| legs != Legs::InOrder || payments[scatter].at < payments[gather].at)
            .collect();
        size += u32::from(!walks.is_empty());
        members.extend(walks.into_iter().flat_map(|(scatter, gather)| [scatter, gather]));
    }
    (size, members)
}

fn is_superseded(payments: &[Payment], millis: i64, legged: &Legged, closing: usize) -> bool {
    let latest = |places: &[usize]| places.iter().map(|&place| payments[place].at).max().unwrap();
    let at = payments[closing].at;
    let scatters = legged.values().any(|(scatters, _)| scatters.contains(&closing));
    legged.values().any(|legs| {
        let (own, other) = if scatters { (&legs.0, &legs.1) } else { (&legs.1, &legs.0) };
        let (own, other) = (latest(own), latest(other));
        own > at || own.millis() >= at.millis() - millis && other > at
    })
}

fn found_scatter_gathers(network: &Network, millis: u64, legs: Legs) -> (Vec<u32>, Vec<Vec<u32>>) {
    let found = scatter_gathers(network, span(millis), legs, &bins());
    (loaded(network, |payment| found.closed(payment)), loaded(network, |payment| found.memberships(payment)))
}

const LEGS: [Legs; 3] = [Legs::InOrder, Legs::AnyOrder, Legs::AsGraphFeaturePreprocessor];

proptest! {
    #[test]
    fn fans_are_those_of_the_definition((payments, places) in shuffled(24), millis in 0..14_u64) {
        for side in [Side::In, Side::Out] {
            let expected = all_fans(&payments, side, millis as i64);
            prop_assert_eq!(&found_fans(&network(&payments), side, millis), &expected);
            let (closed, memberships) = found_fans(&network(&reordered(&payments, &places)), side, millis);
            prop_assert_eq!((restored(closed, &places), restored(memberships, &places)), expected);
        }
    }

    #[test]
    fn scatter_gathers_are_those_of_the_definition((payments, places) in shuffled(24), millis in 0..14_u64) {
        for legs in LEGS {
            let expected = all_scatter_gathers(&payments, millis as i64, legs);
            prop_assert_eq!(&found_scatter_gathers(&network(&payments), millis, legs), &expected);
            let (closed, memberships) = found_scatter_gathers(&network(&reordered(&payments, &places)), millis, legs);
            prop_assert_eq!((restored(closed, &places), restored(memberships, &places)), expected);
        }
    }

    #[test]
    fn a_pattern_shows_its_members_in_the_order_of_time(payments in payments(24), millis in 0..14_u64) {
        let network = network(&payments);
        for_each_scatter_gather(&network, span(millis), Legs::InOrder, |pattern| {
            assert!(pattern.legs.is_sorted_by_key(|leg| leg.at));
            assert!(pattern.legs.iter().any(|leg| leg.payment == pattern.closing && leg.role == Role::Gather));
            let intermediaries: BTreeSet<AccountIndex> = pattern.legs.iter().map(|leg| leg.intermediary).collect();
            assert_eq!(intermediaries.len() as u32, pattern.size);
            assert!(!intermediaries.contains(&pattern.source) && !intermediaries.contains(&pattern.sink));
        });
    }
}
