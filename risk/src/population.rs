//! The scores of many actors together: what each is by itself, what that makes of those who are linked to it, and what all of it adds up to.
//!
//! 1. What each is by itself is what all factors but the exposure come to ([`RiskRule::own_risk`]).
//! 2. Exposures are those of [`analytics::ExposureGraph`], by the shares of the rule that scores whoever is exposed.
//! 3. A score is both together ([`Scores::summary`]). How it came about is worked out one by one ([`Member::breakdown`]): of many, breakdowns take much
//!    memory.
//!
//! [`score_again`] goes on from former scores of the same rules: whoever is as before is not evaluated again. The result is the same.

use std::hash::{DefaultHasher, Hash, Hasher};

use analytics::{ActorIndex, ExposureGraph, ExposureLink, Exposures, InvalidExposure};

use crate::breakdown::{Breakdown, OwnPart, Summary};
use crate::facts::Facts;
use crate::rule::{NetworkShares, RiskRule};

/// One of many actors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Member<'a> {
    /// All that is known of it but the exposure.
    pub facts: &'a Facts,
    /// The rule that scores it, or that would.
    pub rule: &'a RiskRule,
    /// To whom it is linked.
    pub ties: &'a [Tie],
    /// Stands for its texts ([`Facts::hash_texts`]) and its ties: as long as both are the same it is the same number. Whoever makes many members has it from
    /// when they were read; to look at all texts once more would cost a large part of what going on saves.
    pub read: u64,
}

/// What links an actor to another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tie {
    pub to: ActorIndex,
    pub kind: TieKind,
    /// Of what the rule says of this kind, the share that counts: from 0 to 1, nothing where it is not known.
    pub share: Option<f64>,
}

/// What kind of link it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TieKind {
    /// It pays the other.
    Pays,
    /// It owns the other, or the other owns it.
    Owns,
    /// It shares an identity with the other.
    SharesIdentity,
}

/// The scores of many actors.
#[derive(Debug, Clone, PartialEq)]
pub struct Scores {
    actors: Vec<Evaluated>,
    exposures: Exposures,
    /// In the order of the actors.
    summaries: Vec<Summary>,
    evaluated: usize,
}

/// What an actor is by itself, and what that was made of.
#[derive(Debug, Clone, PartialEq)]
struct Evaluated {
    fingerprint: u64,
    own: OwnPart,
}

impl Scores {
    pub fn exposures(&self) -> &Exposures {
        &self.exposures
    }

    /// How many actors were evaluated: all but those that were as before.
    pub fn evaluated(&self) -> usize {
        self.evaluated
    }

    /// The score of an actor; nothing for one that is not there.
    pub fn summary(&self, actor: ActorIndex) -> Option<Summary> {
        self.summaries.get(actor.0 as usize).copied()
    }
}

impl Member<'_> {
    /// What its rule says where it has this exposure, in ten-thousandths.
    pub fn breakdown(&self, exposure: u32) -> Breakdown {
        self.rule.evaluate_exposed(self.facts, exposure)
    }

    /// Of numbers it has how they are rated, so that a day more of a relation is the same as long as it is rated the same.
    fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.read.hash(&mut hasher);
        self.rule.number_ratings(self.facts).for_each(|rating| rating.hash(&mut hasher));
        hasher.finish()
    }

    fn evaluate(&self, fingerprint: u64) -> Evaluated {
        Evaluated { fingerprint, own: self.rule.own_part(self.facts) }
    }
}

/// The scores of actors.
pub fn score(members: &[Member<'_>]) -> Result<Scores, InvalidExposure> {
    let actors: Vec<Evaluated> = members.iter().map(|member| member.evaluate(member.fingerprint())).collect();
    let exposures = graph(members)?.solve(&risks(members, &actors))?;
    let summary = |((member, actor), at): ((&Member<'_>, &Evaluated), u32)| member.rule.summary(&actor.own, exposures.of(ActorIndex(at)));
    let summaries = members.iter().zip(&actors).zip(0..).map(summary).collect();
    Ok(Scores { evaluated: actors.len(), actors, exposures, summaries })
}

/// The same from former scores of the same rules, among which each actor has a place or, where it is new, none. Whoever is tied to somebody who was not there
/// then, or is there no longer, has other ties.
pub fn score_again(members: &[Member<'_>], former: &Scores, places: &[Option<ActorIndex>]) -> Result<Scores, InvalidExposure> {
    let (mut actors, mut changed) = (Vec::with_capacity(members.len()), Vec::new());
    // The places of those that are as they were.
    let mut kept: Vec<Option<ActorIndex>> = Vec::with_capacity(members.len());
    for (at, member) in members.iter().enumerate() {
        let fingerprint = member.fingerprint();
        let place = places.get(at).copied().flatten();
        let known = place.and_then(|place| former.actors.get(place.0 as usize)).filter(|known| known.fingerprint == fingerprint);
        kept.push(place.filter(|_| known.is_some()));
        actors.push(known.cloned().unwrap_or_else(|| {
            changed.push(ActorIndex(at as u32));
            member.evaluate(fingerprint)
        }));
    }
    let exposures = graph(members)?.solve_again(&risks(members, &actors), &former.exposures.moved(places), &changed)?;
    let mut summaries = Vec::with_capacity(members.len());
    for (at, (member, actor)) in members.iter().zip(&actors).enumerate() {
        let exposure = exposures.of(ActorIndex(at as u32));
        let known = kept[at].filter(|place| former.exposures.of(*place) == exposure).and_then(|place| former.summary(place));
        summaries.push(known.unwrap_or_else(|| member.rule.summary(&actor.own, exposure)));
    }
    Ok(Scores { evaluated: changed.len(), actors, exposures, summaries })
}

fn risks(members: &[Member<'_>], actors: &[Evaluated]) -> Vec<f64> {
    members.iter().zip(actors).map(|(member, actor)| actor.own.risk(member.rule).to_f64()).collect()
}

/// All live rules damp alike, so that any of them says how. Nobody is linked where there is nobody.
fn graph(members: &[Member<'_>]) -> Result<ExposureGraph, InvalidExposure> {
    let damping = members.first().map_or(0.0, |member| member.rule.network.damping.to_f64());
    let ties = members.iter().zip(0..).flat_map(|(member, at)| {
        let link = move |tie: &Tie| ExposureLink { from: ActorIndex(at), to: tie.to, share: Some(share(&member.rule.network, tie)) };
        member.ties.iter().map(link)
    });
    ExposureGraph::new(members.len(), damping, &ties.collect::<Vec<_>>())
}

fn share(network: &NetworkShares, tie: &Tie) -> f64 {
    let of_kind = match tie.kind {
        TieKind::Pays => network.payments,
        TieKind::Owns => network.ownership,
        TieKind::SharesIdentity => network.identities,
    };
    of_kind.to_f64() * tie.share.unwrap_or(1.0)
}
