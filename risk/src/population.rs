//! The scores of many actors together: what each is by itself, what that makes of those who are linked to it, and what all of it adds up to.
//!
//! 1. The own risk of each is what all factors but the exposure say ([`RiskRule::own_risk`]).
//! 2. Exposures are those of [`analytics::ExposureGraph`], by the shares of the rule that scores whoever is exposed.
//! 3. The exposure is a fact as others are, and the rule is evaluated with it.
//!
//! [`score_again`] goes on from former scores: who has changed is evaluated anew, and so is whose exposure is another. The result is the same.

use analytics::{ActorIndex, ExposureGraph, ExposureLink, Exposures, InvalidExposure, PARTS};
use detection::Quantity;

use crate::breakdown::Breakdown;
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
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
    own: Vec<f64>,
    exposures: Exposures,
    breakdowns: Vec<Breakdown>,
}

impl Scores {
    /// In the order of the actors.
    pub fn breakdowns(&self) -> &[Breakdown] {
        &self.breakdowns
    }

    pub fn exposures(&self) -> &Exposures {
        &self.exposures
    }
}

impl Member<'_> {
    /// What its rule says where it has this exposure, in ten-thousandths.
    pub fn breakdown(&self, exposure: u32) -> Breakdown {
        let mut facts = self.facts.clone();
        facts.set_number(Input::Exposure, Quantity::share(Quantity::count(exposure as usize), Quantity::count(PARTS as usize)));
        self.rule.evaluate(&facts)
    }
}

/// The exposures of actors alone: of many, breakdowns take much memory, and are made one by one ([`Member::breakdown`]).
pub fn exposures(members: &[Member<'_>]) -> Result<Exposures, InvalidExposure> {
    let own: Vec<f64> = members.iter().map(own_risk).collect();
    graph(members)?.solve(&own)
}

/// The scores of actors.
pub fn score(members: &[Member<'_>]) -> Result<Scores, InvalidExposure> {
    let own: Vec<f64> = members.iter().map(own_risk).collect();
    let exposures = graph(members)?.solve(&own)?;
    let breakdowns = members.iter().zip(0..).map(|(member, at)| member.breakdown(exposures.of(ActorIndex(at)))).collect();
    Ok(Scores { own, exposures, breakdowns })
}

/// The same of as many actors as before, of whom these have other facts or ties since.
pub fn score_again(members: &[Member<'_>], former: &Scores, changed: &[ActorIndex]) -> Result<Scores, InvalidExposure> {
    if former.own.len() != members.len() {
        return score(members);
    }
    let Scores { mut own, mut breakdowns, .. } = former.clone();
    let mut is_changed = vec![false; members.len()];
    for &actor in changed {
        let at = actor.0 as usize;
        let member = members.get(at).ok_or(InvalidExposure::Absent(actor))?;
        own[at] = own_risk(member);
        is_changed[at] = true;
    }
    let exposures = graph(members)?.solve_again(&own, &former.exposures, changed)?;
    for (at, member) in members.iter().enumerate() {
        let actor = ActorIndex(at as u32);
        if is_changed[at] || exposures.of(actor) != former.exposures.of(actor) {
            breakdowns[at] = member.breakdown(exposures.of(actor));
        }
    }
    Ok(Scores { own, exposures, breakdowns })
}

fn own_risk(member: &Member<'_>) -> f64 {
    member.rule.own_risk(member.facts).to_f64()
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
