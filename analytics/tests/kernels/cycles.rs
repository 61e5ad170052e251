//! Cycles in time order.

use std::collections::{BTreeMap, BTreeSet};

use analytics::{AccountIndex, CycleLimits, Network, Payment, cycles, for_each_ring};
use proptest::prelude::*;

use crate::networks::{loaded, network, payment, payments, reordered, restored, shuffled, span};

/// Rings, chains, and rings that it closes, of each payment; by length from two on.
type Counts = Vec<(Vec<u32>, Vec<u32>, u32)>;

/// By the definition: goes through all chains of payments.
fn all_cycles(payments: &[Payment], millis: i64, most: u32) -> Counts {
    let lengths = most.max(2) as usize - 1;
    let mut counts = vec![(vec![0; lengths], vec![0; lengths], 0); payments.len()];
    for closing in 0..payments.len() {
        // The chains of each sequence of accounts.
        let mut rings: BTreeMap<Vec<AccountIndex>, Vec<Vec<usize>>> = BTreeMap::new();
        extend(payments, millis, most, closing, &mut Vec::new(), &mut rings);
        for chains in rings.values() {
            let bin = chains[0].len() - 1;
            let members: BTreeSet<usize> = chains.iter().flatten().copied().chain([closing]).collect();
            members.iter().for_each(|&member| counts[member].0[bin] += 1);
            for chain in chains {
                chain.iter().chain([&closing]).for_each(|&member| counts[member].1[bin] += 1);
            }
            counts[closing].2 += 1;
        }
    }
    counts
}

fn extend(
    payments: &[Payment],
    millis: i64,
    most: u32,
    closing: usize,
    chain: &mut Vec<usize>,
    rings: &mut BTreeMap<Vec<AccountIndex>, Vec<Vec<usize>>>,
) {
    let (end, start, last) = (payments[closing].from, payments[closing].to, payments[closing].at);
    if end == start || chain.len() as u32 + 2 > most {
        return;
    }
    let here = chain.last().map_or(start, |&place| payments[place].to);
    for (place, next) in payments.iter().enumerate() {
        let in_time = next.at < last && last.millis() - next.at.millis() <= millis;
        let follows = chain.last().is_none_or(|&before| payments[before].at < next.at);
        let is_new = next.to != start && chain.iter().all(|&before| payments[before].to != next.to);
        if next.from != here || !in_time || !follows || !is_new {
            continue;
        }
        chain.push(place);
        if next.to == end {
            let accounts = chain.iter().map(|&place| payments[place].from).collect();
            rings.entry(accounts).or_default().push(chain.clone());
        } else {
            extend(payments, millis, most, closing, chain, rings);
        }
        chain.pop();
    }
}

fn found(network: &Network, millis: u64, most: u32) -> Counts {
    let found = cycles(network, CycleLimits { span: span(millis), payments: most });
    loaded(network, |payment| (found.rings(payment), found.ways(payment), found.closed(payment)))
}

proptest! {
    #[test]
    fn cycles_are_those_of_the_definition((payments, places) in shuffled(22), millis in 0..14_u64, most in 0..7_u32) {
        let expected = all_cycles(&payments, millis as i64, most);
        prop_assert_eq!(&found(&network(&payments), millis, most), &expected);
        let reordered = found(&network(&reordered(&payments, &places)), millis, most);
        prop_assert_eq!(restored(reordered, &places), expected);
    }

    #[test]
    fn a_ring_shows_the_members_of_each_step(payments in payments(22), millis in 0..14_u64) {
        let network = network(&payments);
        for_each_ring(&network, CycleLimits { span: span(millis), payments: 5 }, |ring| {
            let mut here = network.to(ring.closing);
            for step in 0..ring.length() - 1 {
                let members = ring.members(step);
                assert!(!members.is_empty() && members.is_sorted());
                assert!(members.iter().all(|&member| network.from(member) == here));
                here = network.to(members[0]);
                assert!(members.iter().all(|&member| network.to(member) == here));
            }
            assert_eq!(here, network.from(ring.closing));
        });
    }
}

/// More links at one account than a walk backward looks at, and more than are looked through for parallel ones.
#[test]
fn a_hub_has_the_same_cycles() {
    let mut payments: Vec<Payment> = (0..700).map(|n| payment(10 + n % 40, 0, i64::from(n))).collect();
    payments.extend((0..60).map(|n| payment(1, 10 + n % 40, i64::from(n % 7))));
    payments.extend([payment(0, 1, 800), payment(0, 1, 900), payment(0, 2, 800), payment(2, 10, 0)]);
    assert_eq!(found(&network(&payments), 10_000, 4), all_cycles(&payments, 10_000, 4));
}
