//! Exposure: the risk of the network around an actor, damped by distance.
//!
//! Each actor `i` has a risk of its own, `r(i)` from 0 to 1, and links to others, each with a share `s(i, j)` from 0 to 1: whom it pays, owns, shares
//! identities with. The *weight* of a link, the *total* of an actor and its *exposure* are, for a damping `d` with 0 ≤ d ≤ 0.9,
//!
//! ```text
//! w(i, j) = s(i, j) / max(1, Σ s(i, k))      for j ≠ i
//! x(i)    = (1 − d) · r(i) + d · Σ w(i, j) · x(j)
//! e(i)    = Σ w(i, j) · x(j)
//! ```
//!
//! What is `n` links away counts `dⁿ` of what it is.
//!
//! - **It converges.** Let `F` be the right side of `x`. No row of `w` sums to more than one, hence `max |F(x) − F(y)| ≤ d · max |x − y|`: `F` is a
//!   contraction, and has one fixed point (Banach). `F` is monotone and keeps within 0..=1; sweeps from `x = 0` therefore rise towards the fixed point and
//!   never pass it. Behind `k` sweeps no total lacks more than `dᵏ`.
//! - **How exact.** There are so many sweeps that `dᵏ` is at most `(1 − d)` times [`TOLERANCE`], whatever the risks are. [`Exposures::residual`] is the
//!   largest `|F(x) − x|` of what came out; a total is off by the residual divided by `1 − d` at most.
//! - **Monotone.** A higher risk of anybody lowers no total and no exposure, to the last bit: the number of sweeps does not depend on the risks, and
//!   sums, products and roundings are monotone. A larger share lowers none as long as the shares of an actor sum to at most one; above that they are parts of a
//!   whole, and a larger part with one is a smaller part with another.
//! - **Rounded.** [`Exposures::of`] answers in ten-thousandths. [`ExposureGraph::solve_again`] goes on from an earlier solution and answers with the
//!   same ten-thousandths as [`ExposureGraph::solve`]: where a value is too near to where roundings part, all is solved anew.
//! - **Links to oneself** don't count. **Parallel links** add up. A link **whose share is not known** counts as one: what is not known is not innocent.
//! - **Order**: the same links in another order are the same graph.
//!
//! A sweep takes time linear in the links. Sources: Katz, *A New Status Index Derived from Sociometric Analysis* (Psychometrika 1953); Page et al., *The
//! PageRank Citation Ranking* (1999), for damping; Berkhin, *Bookmark-Coloring Algorithm for Personalized PageRank* (Internet Mathematics 2006), for
//! going on from where something has changed.

use std::collections::VecDeque;

use crate::ActorIndex;

/// How far totals are from the exact ones at most, but for the rounding of floating numbers.
pub const TOLERANCE: f64 = 1e-12;
/// The largest damping: above it so many sweeps are needed that what is far away counts as much as what is near.
pub const MOST_DAMPING: f64 = 0.9;
/// Into so many parts exposures are rounded.
pub const PARTS: u32 = 10_000;
/// What is added before the fraction is cut off. A half would be where short decimals and simple fractions are.
const ROUNDING: f64 = 8.0 / 17.0;
/// Within this distance (in parts) of where roundings part, two solutions may differ: four tolerances, and what floating numbers add.
const MARGIN: f64 = 1e-7;

/// Going on may cost one part in so many of what all sweeps do; behind that all is solved.
const WORTH_IT: u64 = 4;

/// That an actor is exposed to another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExposureLink {
    pub from: ActorIndex,
    pub to: ActorIndex,
    /// From 0 to 1; nothing where it is not known.
    pub share: Option<f64>,
}

/// What is no network of exposures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum InvalidExposure {
    /// The damping is not from 0 to [`MOST_DAMPING`].
    Damping(f64),
    /// A link names an actor behind the last one.
    Absent(ActorIndex),
    /// A share is not from 0 to 1.
    Share(f64),
    /// A risk is not from 0 to 1.
    Risk(f64),
    /// There is not one risk for each actor.
    Risks { actors: usize, risks: usize },
}

impl std::fmt::Display for InvalidExposure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Damping(damping) => write!(f, "the damping must be from 0 to {MOST_DAMPING}, not {damping}"),
            Self::Absent(actor) => write!(f, "a link names the actor {}, which is not there", actor.0),
            Self::Share(share) => write!(f, "a share must be from 0 to 1, not {share}"),
            Self::Risk(risk) => write!(f, "a risk must be from 0 to 1, not {risk}"),
            Self::Risks { actors, risks } => write!(f, "there must be one risk for each of {actors} actors, not {risks}"),
        }
    }
}

impl std::error::Error for InvalidExposure {}

/// Who is exposed to whom.
#[derive(Debug, Clone, PartialEq)]
pub struct ExposureGraph {
    damping: f64,
    /// Where the links of each actor begin; one entry more than there are actors.
    starts: Vec<usize>,
    /// To whom each link goes, and its weight; by actor, then by the other.
    links: Vec<(u32, f64)>,
    /// The same of `exposed`.
    exposed_starts: Vec<usize>,
    /// Who is exposed to each actor.
    exposed: Vec<u32>,
}

/// The exposures of all actors.
#[derive(Debug, Clone, PartialEq)]
pub struct Exposures {
    totals: Vec<f64>,
    exposures: Vec<f64>,
    residual: f64,
    work: u64,
}

impl Exposures {
    /// The exposure of an actor in ten-thousandths, from 0 to [`PARTS`]; 0 for one that is not there.
    pub fn of(&self, actor: ActorIndex) -> u32 {
        self.exposures.get(actor.0 as usize).map_or(0, |&exposure| parts(exposure).floor() as u32)
    }

    /// The exposure of an actor as it was computed, from 0 to 1.
    pub fn exact(&self, actor: ActorIndex) -> f64 {
        self.exposures.get(actor.0 as usize).copied().unwrap_or_default()
    }

    /// The total of an actor, from 0 to 1: its own risk and its exposure.
    pub fn total(&self, actor: ActorIndex) -> f64 {
        self.totals.get(actor.0 as usize).copied().unwrap_or_default()
    }

    /// How much one more sweep would change a total at most.
    pub fn residual(&self) -> f64 {
        self.residual
    }

    /// How many links were looked at.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// The same of other actors: each has what the one at its place among these has, and one without a place has nothing.
    pub fn moved(&self, places: &[Option<ActorIndex>]) -> Self {
        let of = |values: &[f64]| -> Vec<f64> {
            let value = |place: &Option<ActorIndex>| place.and_then(|place| values.get(place.0 as usize).copied());
            places.iter().map(|place| value(place).unwrap_or_default()).collect()
        };
        Self { totals: of(&self.totals), exposures: of(&self.exposures), residual: self.residual, work: self.work }
    }

    /// Whether each exposure is far enough from where roundings part.
    fn is_rounded_safely(&self) -> bool {
        self.exposures.iter().all(|&exposure| {
            let parts = parts(exposure);
            let behind = parts - parts.floor();
            (MARGIN..=1.0 - MARGIN).contains(&behind)
        })
    }
}

/// What the shares of links add up to.
fn sum(links: &[(u32, u32, f64)]) -> f64 {
    links.iter().fold(0.0, |sum, &(_, _, share)| sum + share)
}

fn parts(exposure: f64) -> f64 {
    exposure * f64::from(PARTS) + ROUNDING
}

impl ExposureGraph {
    /// So many actors and the links among them.
    pub fn new(actors: usize, damping: f64, links: &[ExposureLink]) -> Result<Self, InvalidExposure> {
        if !(0.0..=MOST_DAMPING).contains(&damping) {
            return Err(InvalidExposure::Damping(damping));
        }
        let mut shares = Vec::with_capacity(links.len());
        for &ExposureLink { from, to, share } in links {
            let share = share.unwrap_or(1.0);
            if let Some(absent) = [from, to].into_iter().find(|actor| actor.0 as usize >= actors) {
                return Err(InvalidExposure::Absent(absent));
            }
            if !(0.0..=1.0).contains(&share) {
                return Err(InvalidExposure::Share(share));
            }
            if from != to && share > 0.0 {
                shares.push((from.0, to.0, share));
            }
        }
        // Sums of floating numbers depend on their order.
        shares.sort_unstable_by(|one, other| (one.0, one.1).cmp(&(other.0, other.1)).then(one.2.total_cmp(&other.2)));
        Ok(Self::of_sorted(actors, damping, &shares))
    }

    fn of_sorted(actors: usize, damping: f64, shares: &[(u32, u32, f64)]) -> Self {
        let (mut starts, mut exposed_starts) = (vec![0; actors + 1], vec![0; actors + 1]);
        let mut links = Vec::with_capacity(shares.len());
        for row in shares.chunk_by(|one, other| one.0 == other.0) {
            let whole = sum(row).max(1.0);
            for parallel in row.chunk_by(|one, other| one.1 == other.1) {
                let (from, to, _) = parallel[0];
                links.push((to, sum(parallel) / whole));
                starts[from as usize + 1] += 1;
                exposed_starts[to as usize + 1] += 1;
            }
        }
        for actor in 0..actors {
            starts[actor + 1] += starts[actor];
            exposed_starts[actor + 1] += exposed_starts[actor];
        }
        let mut next = exposed_starts.clone();
        let mut exposed = vec![0; links.len()];
        for actor in 0..actors {
            for &(to, _) in &links[starts[actor]..starts[actor + 1]] {
                exposed[next[to as usize]] = actor as u32;
                next[to as usize] += 1;
            }
        }
        Self { damping, starts, links, exposed_starts, exposed }
    }

    /// How many actors there are.
    pub fn actors(&self) -> usize {
        self.starts.len() - 1
    }

    /// The exposures where these are the own risks of the actors.
    pub fn solve(&self, risks: &[f64]) -> Result<Exposures, InvalidExposure> {
        self.check(risks)?;
        let mut totals = vec![0.0; self.actors()];
        let mut work = 0;
        for _ in 0..self.sweeps() {
            let mut is_changed = false;
            for (actor, &risk) in risks.iter().enumerate() {
                let total = self.total(risk, self.around(actor, &totals));
                is_changed |= total != totals[actor];
                totals[actor] = total;
            }
            work += self.links.len() as u64;
            // Further sweeps would change nothing, either.
            if !is_changed {
                break;
            }
        }
        let exposures: Vec<f64> = (0..self.actors()).map(|actor| self.around(actor, &totals)).collect();
        let left = risks.iter().zip(&exposures).zip(&totals).map(|((&risk, &exposure), total)| (self.total(risk, exposure) - total).abs());
        let residual = left.fold(0.0, f64::max);
        Ok(Exposures { totals, exposures, residual, work: work + self.links.len() as u64 })
    }

    /// The same from an earlier solution of as many actors, of whom these have another risk or other links since. What does not move is not looked at.
    pub fn solve_again(&self, risks: &[f64], former: &Exposures, changed: &[ActorIndex]) -> Result<Exposures, InvalidExposure> {
        self.check(risks)?;
        if let Some(&absent) = changed.iter().find(|actor| actor.0 as usize >= self.actors()) {
            return Err(InvalidExposure::Absent(absent));
        }
        if former.totals.len() != self.actors() {
            return self.solve(risks);
        }
        match self.settled(risks, former, changed) {
            Some(again) if again.is_rounded_safely() => Ok(again),
            _ => self.solve(risks),
        }
    }

    /// Looks again at whoever has changed, and at whoever is exposed to one that moved by more than is tolerated. Nothing where so much moves that it is
    /// cheaper to solve all.
    fn settled(&self, risks: &[f64], former: &Exposures, changed: &[ActorIndex]) -> Option<Exposures> {
        let Exposures { mut totals, mut exposures, .. } = former.clone();
        let tolerated = self.tolerated();
        let most = self.links.len() as u64 * self.sweeps() as u64 / WORTH_IT;
        let mut waits = vec![false; self.actors()];
        let mut waiting = VecDeque::new();
        let mut work = 0;
        for &ActorIndex(actor) in changed {
            if !std::mem::replace(&mut waits[actor as usize], true) {
                waiting.push_back(actor as usize);
            }
        }
        while let Some(actor) = waiting.pop_front() {
            waits[actor] = false;
            exposures[actor] = self.around(actor, &totals);
            work += self.row(actor).len() as u64;
            let total = self.total(risks[actor], exposures[actor]);
            if (total - totals[actor]).abs() <= tolerated {
                continue;
            }
            totals[actor] = total;
            for &exposed in &self.exposed[self.exposed_starts[actor]..self.exposed_starts[actor + 1]] {
                if !std::mem::replace(&mut waits[exposed as usize], true) {
                    waiting.push_back(exposed as usize);
                }
            }
            if work > most {
                return None;
            }
        }
        Some(Exposures { totals, exposures, residual: former.residual.max(tolerated), work })
    }

    fn check(&self, risks: &[f64]) -> Result<(), InvalidExposure> {
        if risks.len() != self.actors() {
            return Err(InvalidExposure::Risks { actors: self.actors(), risks: risks.len() });
        }
        match risks.iter().find(|risk| !(0.0..=1.0).contains(*risk)) {
            Some(&risk) => Err(InvalidExposure::Risk(risk)),
            None => Ok(()),
        }
    }

    /// So many that the damping to their power is what is tolerated at most.
    fn sweeps(&self) -> usize {
        if self.damping == 0.0 { 1 } else { (self.tolerated().ln() / self.damping.ln()).ceil() as usize }
    }

    /// The residual that is tolerated: divided by what is not damped, it is how far totals are off.
    fn tolerated(&self) -> f64 {
        TOLERANCE * (1.0 - self.damping)
    }

    fn total(&self, risk: f64, exposure: f64) -> f64 {
        (1.0 - self.damping) * risk + self.damping * exposure
    }

    fn around(&self, actor: usize, totals: &[f64]) -> f64 {
        self.row(actor).iter().fold(0.0, |sum, &(to, weight)| sum + weight * totals[to as usize])
    }

    fn row(&self, actor: usize) -> &[(u32, f64)] {
        &self.links[self.starts[actor]..self.starts[actor + 1]]
    }
}
