//! The scores of all actors together, and what a process keeps of them: the next run goes on from there, so that it evaluates whoever has changed alone. What
//! comes out is the same as from nothing, which is what a process has that has just begun, and what rules leave that have changed.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

use analytics::{ActorIndex, InvalidExposure};
use detection::Quantity;
use risk::{ActorType, Comparison, Facts, Member, RiskRule, Scores, TieKind, compare, score, score_again};
use serde::{Deserialize, Serialize};

use super::RiskBands;
use super::facts::KnownActor;
use super::load::{Linked, compare_volumes, ties_among};
use super::rule_set::LiveRules;

/// Actors that are shown at most of those whose band is another.
pub const SHOWN: usize = 100;

/// All actors with what they are linked to.
pub struct Population {
    pub actors: Vec<KnownActor>,
    linked: Vec<Linked>,
}

/// What was calculated of all actors.
#[derive(Debug)]
pub struct Calculation {
    rules: LiveRules,
    /// In the order of the actors.
    ids: Vec<String>,
    pub scores: Scores,
}

/// The last calculation of this process.
#[derive(Debug, Default)]
pub(crate) struct LastCalculation(Mutex<Option<Arc<Calculation>>>);

impl LastCalculation {
    pub fn get(&self) -> Option<Arc<Calculation>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn put(&self, calculation: Arc<Calculation>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(calculation);
    }
}

impl Calculation {
    /// The places that actors have here. Both are in the order of ids.
    fn places(&self, actors: &[KnownActor]) -> Vec<Option<ActorIndex>> {
        let mut former = self.ids.iter().zip(0..).peekable();
        let mut place = |id: &str| {
            while former.next_if(|(known, _)| known.as_str() < id).is_some() {}
            former.next_if(|(known, _)| known.as_str() == id).map(|(_, at)| ActorIndex(at))
        };
        actors.iter().map(|actor| place(&actor.id)).collect()
    }
}

impl Population {
    /// Of all actors, in the order of their ids.
    pub fn of(mut actors: Vec<KnownActor>) -> Self {
        compare_volumes(&mut actors);
        let linked = ties_among(&actors);
        Self { actors, linked }
    }

    /// Those that are scored, of the types that a rule scores.
    fn scored(&self, rule: &RiskRule) -> Vec<ActorIndex> {
        let is_of = |kind: Option<ActorType>| kind.is_some_and(|kind| rule.is_for(kind));
        self.actors.iter().zip(0..).filter(|(actor, _)| actor.is_scored() && is_of(actor.kind)).map(|(_, at)| ActorIndex(at)).collect()
    }

    /// The scores by these rules, from former ones of the same rules where there are some.
    pub fn calculate(&self, rules: &LiveRules, former: Option<&Calculation>) -> Result<Calculation, InvalidExposure> {
        let members = self.members(rules);
        let scores = match former.filter(|former| former.rules == *rules) {
            Some(former) => score_again(&members, &former.scores, &former.places(&self.actors))?,
            None => score(&members)?,
        };
        // Where no rule is live there is no member, and nothing to go on from.
        let ids = self.actors.iter().take(members.len()).map(|actor| actor.id.clone()).collect();
        Ok(Calculation { rules: rules.clone(), ids, scores })
    }

    /// What a rule would say if it were live, beside what the live ones say; with so many of those whose band is another.
    pub fn compare(&self, rule: &RiskRule, live: &Calculation, bands: RiskBands, shown: usize) -> Result<BesideLive, InvalidExposure> {
        let scores = score(&self.members(&live.rules.with(rule)))?;
        // Where no live rule scores a type of actors, what one says of them counts for others alone.
        let live_score = |at: ActorIndex| {
            self.actors.get(at.0 as usize)?.kind.and_then(|kind| live.rules.of(Some(kind)))?;
            live.scores.summary(at).map(|summary| summary.score)
        };
        let comparison = compare(&self.scored(rule), live_score, &scores, |score| bands.band(score.to_f64()));
        Ok(self.beside(comparison, bands, shown))
    }

    /// Of somebody of whom nobody says what it is any rule says how it counts for others.
    fn members<'a>(&'a self, rules: &'a LiveRules) -> Vec<Member<'a>> {
        let Some(any) = rules.of(None) else { return Vec::new() };
        let member = |(actor, linked): (&'a KnownActor, &'a Linked)| Member {
            facts: &actor.facts,
            rule: rules.of(actor.kind).unwrap_or(any),
            ties: &linked.ties,
            read: linked.read,
        };
        self.actors.iter().zip(&self.linked).map(member).collect()
    }

    fn beside(&self, Comparison { scored, bands: counts, moved }: Comparison, bands: RiskBands, shown: usize) -> BesideLive {
        let banded = |score: Quantity| (score.to_f64(), bands.band(score.to_f64()).to_owned());
        let first = moved.iter().take(shown).filter_map(|moved| {
            let ((live_score, live_band), (score, band)) = (banded(moved.live), banded(moved.other));
            Some(OtherBand { actor: self.actors.get(moved.actor.0 as usize)?.id.clone(), live_score, live_band, score, band })
        });
        let first = first.collect();
        BesideLive { scored, bands: counts.into_iter().map(|(band, count)| (band.to_owned(), count)).collect(), other_bands: moved.len(), first }
    }
}

/// What a rule would say if it were live.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BesideLive {
    pub scored: usize,
    /// How many scores are in which band.
    pub bands: BTreeMap<String, usize>,
    /// How many actors have another band than by the live rules.
    pub other_bands: usize,
    /// The first of these, by their ids.
    #[serde(default)]
    pub first: Vec<OtherBand>,
}

/// An actor whose band would be another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OtherBand {
    pub actor: String,
    pub live_score: f64,
    pub live_band: String,
    pub score: f64,
    pub band: String,
}

/// What stands for what was read of an actor: its texts, and its ties to whoever they lead to.
pub fn fingerprint(facts: &Facts, ties: &[(String, TieKind, Option<f64>)]) -> u64 {
    let mut hasher = DefaultHasher::new();
    facts.hash_texts(&mut hasher);
    ties.iter().for_each(|(other, kind, share)| (other, kind, share.map(f64::to_bits)).hash(&mut hasher));
    hasher.finish()
}
