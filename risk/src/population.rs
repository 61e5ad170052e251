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
use detection::Quantity;

use crate::breakdown::{Breakdown, OwnPart, Summary, exposure_of};
use crate::facts::{Facts, Input};
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

    /// The score of an actor by the rule that scored it; nothing for one that is not there.
    pub fn score(&self, actor: ActorIndex, rule: &RiskRule) -> Option<Quantity> {
        Some(rule.score_with(&self.of(actor)?.own, self.exposures.of(actor)))
    }

    /// The same with what stands for all that it is made of.
    pub fn summary(&self, actor: ActorIndex, rule: &RiskRule) -> Option<Summary> {
        Some(rule.summary(&self.of(actor)?.own, self.exposures.of(actor)))
    }

    fn of(&self, actor: ActorIndex) -> Option<&Evaluated> {
        self.actors.get(actor.0 as usize)
    }
}

impl Member<'_> {
    /// What its rule says where it has this exposure, in ten-thousandths.
    pub fn breakdown(&self, exposure: u32) -> Breakdown {
        let mut facts = self.facts.clone();
        facts.set_number(Input::Exposure, exposure_of(exposure));
        self.rule.evaluate(&facts)
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
    Ok(Scores { evaluated: actors.len(), actors, exposures })
}

/// The same from former scores of the same rules, among which each actor has a place or, where it is new, none. Whoever is tied to somebody who was not there
/// then, or is there no longer, has other ties.
pub fn score_again(members: &[Member<'_>], former: &Scores, places: &[Option<ActorIndex>]) -> Result<Scores, InvalidExposure> {
    let mut changed = Vec::new();
    let mut actors = Vec::with_capacity(members.len());
    for (at, member) in members.iter().enumerate() {
        let fingerprint = member.fingerprint();
        let place = places.get(at).copied().flatten();
        let known = place.and_then(|place| former.of(place)).filter(|known| known.fingerprint == fingerprint);
        actors.push(known.cloned().unwrap_or_else(|| {
            changed.push(ActorIndex(at as u32));
            member.evaluate(fingerprint)
        }));
    }
    let exposures = graph(members)?.solve_again(&risks(members, &actors), &former.exposures.moved(places), &changed)?;
    Ok(Scores { evaluated: changed.len(), actors, exposures })
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
