//! Rings of shared identities: actors that hold devices, phones or addresses together.
//!
//! Two actors are *linked* when both hold one identity that at most `holders` actors hold. A ring is a connected component of linked
//! actors, of `members` actors or more.
//!
//! - An identity that more actors hold (a switchboard, a public terminal, the address of a registration agent) links nobody.
//! - An actor that holds an identity twice holds it once. An identity of one actor links nobody.
//! - There is no time in it: what counts as held is the caller's to decide.
//!
//! Time is that of a sort of the holdings. Sources: Sadowski and Rathle, *Fraud Detection: Discovering Connections with Graph Databases*
//! (Neo4j, 2014), for fraud rings by shared identifiers; Tarjan, *Efficiency of a Good But Not Linear Set Union Algorithm* (JACM 1975).

use crate::joined::Joined;

/// An actor, counted from zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ActorIndex(pub u32);

/// An identity, counted from zero: a device, a phone, an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IdentityIndex(pub u32);

/// That an actor holds an identity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Holding {
    pub identity: IdentityIndex,
    pub actor: ActorIndex,
}

/// What makes a ring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RingLimits {
    /// The most actors that an identity may have and still link them.
    pub holders: usize,
    /// The fewest actors of a ring.
    pub members: usize,
}

/// A ring: its actors, and the identities that link them, both in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdentityRing {
    pub members: Vec<ActorIndex>,
    pub identities: Vec<IdentityIndex>,
}

/// All rings, by their first actor.
pub fn identity_rings(holdings: &[Holding], limits: RingLimits) -> Vec<IdentityRing> {
    let mut holdings = holdings.to_vec();
    holdings.sort_unstable();
    holdings.dedup();
    let shared: Vec<&[Holding]> =
        holdings.chunk_by(|one, other| one.identity == other.identity).filter(|holders| (2..=limits.holders).contains(&holders.len())).collect();
    let mut actors: Vec<ActorIndex> = shared.iter().flat_map(|holders| holders.iter().map(|holding| holding.actor)).collect();
    actors.sort_unstable();
    actors.dedup();
    let place = |actor: ActorIndex| actors.partition_point(|&known| known < actor);
    let mut joined = Joined::new(actors.len());
    for holders in &shared {
        for holding in &holders[1..] {
            joined.join(place(holders[0].actor), place(holding.actor));
        }
    }
    let mut rings: Vec<IdentityRing> = vec![IdentityRing { members: Vec::new(), identities: Vec::new() }; actors.len()];
    for (place, &actor) in actors.iter().enumerate() {
        rings[joined.root(place)].members.push(actor);
    }
    for holders in &shared {
        rings[joined.root(place(holders[0].actor))].identities.push(holders[0].identity);
    }
    rings.retain(|ring| !ring.members.is_empty() && ring.members.len() >= limits.members);
    rings
}
