//! Rings of shared identities.

use std::collections::BTreeSet;

use analytics::{ActorIndex, Holding, IdentityIndex, IdentityRing, RingLimits, identity_rings};
use proptest::prelude::*;

fn holding(actor: u32, identity: u32) -> Holding {
    Holding { identity: IdentityIndex(identity), actor: ActorIndex(actor) }
}

/// By the definition: from each actor on along identities that link, until nobody is new.
fn all_rings(holdings: &[Holding], limits: RingLimits) -> Vec<IdentityRing> {
    let holders = |identity| holdings.iter().filter(|holding| holding.identity == identity).map(|holding| holding.actor).collect::<BTreeSet<_>>();
    let links = |identity| (2..=limits.holders).contains(&holders(identity).len());
    let mut rings: Vec<IdentityRing> = Vec::new();
    for first in holdings.iter().map(|holding| holding.actor).collect::<BTreeSet<_>>() {
        if rings.iter().any(|ring| ring.members.contains(&first)) {
            continue;
        }
        let mut members = BTreeSet::from([first]);
        loop {
            let held = holdings.iter().filter(|holding| members.contains(&holding.actor) && links(holding.identity));
            let next: BTreeSet<ActorIndex> = held.flat_map(|holding| holders(holding.identity)).chain(members.clone()).collect();
            if next == members {
                break;
            }
            members = next;
        }
        let held = holdings.iter().filter(|holding| members.contains(&holding.actor) && links(holding.identity));
        let identities: BTreeSet<IdentityIndex> = held.map(|holding| holding.identity).collect();
        if members.len() >= limits.members.max(2) {
            rings.push(IdentityRing { members: members.into_iter().collect(), identities: identities.into_iter().collect() });
        }
    }
    rings
}

proptest! {
    #[test]
    fn rings_are_those_of_the_definition(
        pairs in prop::collection::vec((0..9_u32, 0..7_u32), 0..20),
        holders in 0..5_usize,
        members in 0..5_usize,
    ) {
        let holdings: Vec<Holding> = pairs.iter().map(|&(actor, identity)| holding(actor, identity)).collect();
        let limits = RingLimits { holders, members };
        let expected = all_rings(&holdings, limits);
        prop_assert_eq!(&identity_rings(&holdings, limits), &expected);
        let backwards: Vec<Holding> = holdings.into_iter().rev().collect();
        prop_assert_eq!(identity_rings(&backwards, limits), expected);
    }
}

const LIMITS: RingLimits = RingLimits { holders: 3, members: 3 };

#[test]
fn an_identity_of_as_many_holders_as_allowed_links_them_and_one_of_more_does_not() {
    let three = [holding(0, 0), holding(1, 0), holding(2, 0)];
    assert_eq!(identity_rings(&three, LIMITS).len(), 1);
    let four = [three.as_slice(), &[holding(3, 0)]].concat();
    assert_eq!(identity_rings(&four, LIMITS), []);
}

#[test]
fn an_identity_that_is_held_twice_by_one_is_held_once() {
    assert_eq!(identity_rings(&[holding(0, 0), holding(0, 0), holding(0, 0)], LIMITS), []);
    let twice = [holding(0, 0), holding(0, 0), holding(1, 0), holding(2, 0)];
    assert_eq!(identity_rings(&twice, LIMITS).len(), 1);
}

#[test]
fn a_chain_of_shared_identities_is_one_ring() {
    let chain = [holding(0, 0), holding(1, 0), holding(1, 1), holding(2, 1)];
    let ring = IdentityRing { members: [0, 1, 2].map(ActorIndex).into(), identities: [0, 1].map(IdentityIndex).into() };
    assert_eq!(identity_rings(&chain, LIMITS), [ring]);
}
