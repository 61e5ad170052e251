//! Reading what risk rules look at, of all actors: a page at a time, behind what people wait for.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use analytics::ActorIndex;
use cypher::statements::rows::{RiskFactsRow, ScoredActorRow};
use cypher::{Params, Value, statements};
use detection::Quantity;
use risk::{ActorType, Input, Tie};

use super::facts::{KnownActor, Scope};
use crate::jobs::Stopped;
use crate::long_reads::{RowStream, Source, StreamedRow};
use crate::policy::Permit;
use crate::{Inner, Result};

/// Actors that one run holds in memory at most: some 10 GB.
const MOST_ACTORS: usize = 3_000_000;
/// The fewest members of a segment that tell what is usual in it.
const FEWEST_OF_SEGMENT: usize = 10;
/// What a read of scores may take.
const LIMIT: Duration = Duration::from_secs(20);

impl StreamedRow for RiskFactsRow {
    fn id(&self) -> &str {
        &self.id
    }
}

/// The time that facts are of.
#[derive(Debug, Clone, Copy)]
pub struct Times {
    /// What was recorded later is not seen; epoch milliseconds.
    pub known_up_to: i64,
    /// Findings count from here (included) ...
    pub begin: i64,
    /// ... to here (not included); epoch milliseconds.
    pub behind: i64,
}

impl Times {
    pub fn params(self, scope: &Scope) -> Params {
        Params::none().with("knownUpTo", self.known_up_to).with("asOf", scope.day.to_string()).with("begin", self.begin).with("behind", self.behind)
    }
}

impl Inner {
    /// All actors, in the order of their ids. More than can be held are refused for ever.
    pub(super) async fn actors_to_score(&self, _permit: &Permit<'_>, scope: &Scope, times: Times) -> std::result::Result<Vec<KnownActor>, Stopped> {
        let source = Source { keys: statements::actor::KEYS, rows: statements::risk::ACTORS, params: times.params(scope) };
        let mut stream = RowStream::new(self.long_reads.clone(), source, None);
        let mut actors = Vec::new();
        while let Some(page) = stream.next_page().await? {
            actors.extend(page.rows.into_iter().map(|row| KnownActor::of(row, scope)));
            if actors.len() > MOST_ACTORS {
                return Err(Stopped::ForEver(format!("there are more than {MOST_ACTORS} actors, which is more than one run can hold")));
            }
        }
        actors.sort_by(|one, other| one.id.cmp(&other.id));
        Ok(actors)
    }

    /// The scores of actors, by their ids.
    pub(super) async fn stored_scores(&self, _permit: &Permit<'_>, ids: &[&str]) -> Result<HashMap<String, ScoredActorRow>> {
        let ids: Vec<Value> = ids.iter().map(|id| Value::from(*id)).collect();
        let rows = self.long_reads.read(statements::risk::SCORES, Params::none().with("ids", Value::List(ids)), LIMIT).await?.0;
        Ok(rows.into_iter().map(|row| (row.id.clone(), row)).collect())
    }
}

/// To whom an actor is linked, and what stands for that and for its texts.
#[derive(Debug, Clone, PartialEq)]
pub struct Linked {
    pub ties: Vec<Tie>,
    pub read: u64,
}

/// The ties of actors to those who are among them, in the order of the actors.
pub fn ties_among(actors: &[KnownActor]) -> Vec<Linked> {
    let places: HashMap<&str, ActorIndex> = actors.iter().zip(0..).map(|(actor, at)| (actor.id.as_str(), ActorIndex(at))).collect();
    actors.iter().map(|actor| linked(actor, &places)).collect()
}

fn linked(actor: &KnownActor, places: &HashMap<&str, ActorIndex>) -> Linked {
    let (mut ties, mut absent) = (Vec::with_capacity(actor.ties.len()), Vec::new());
    for (other, kind, share) in &actor.ties {
        match places.get(other.as_str()) {
            Some(&to) => ties.push(Tie { to, kind: *kind, share: *share }),
            None => absent.push(other),
        }
    }
    // Somebody who is there in the next run, and was not in this one, is another tie.
    let read = if absent.is_empty() { actor.read } else { hash_of(&(actor.read, absent)) };
    Linked { ties, read }
}

fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Says of each actor how its volume compares with the median of its segment: the segmentation group in which it stands out most, of those with enough
/// members; without such a group, all of its type.
pub fn compare_volumes(actors: &mut [KnownActor]) {
    let mut by_segment: HashMap<&str, Vec<u128>> = HashMap::new();
    let mut by_type: HashMap<Option<ActorType>, Vec<u128>> = HashMap::new();
    for actor in actors.iter().filter(|actor| actor.volume > 0) {
        by_type.entry(actor.kind).or_default().push(actor.volume);
        for segment in &actor.segments {
            by_segment.entry(segment).or_default().push(actor.volume);
        }
    }
    by_segment.retain(|_, volumes| volumes.len() >= FEWEST_OF_SEGMENT);
    let of_segments: HashMap<String, u128> = by_segment.into_iter().map(|(segment, volumes)| (segment.to_owned(), median(volumes))).collect();
    let of_types: HashMap<Option<ActorType>, u128> = by_type.into_iter().map(|(kind, volumes)| (kind, median(volumes))).collect();
    for actor in actors {
        let lowest = actor.segments.iter().filter_map(|segment| of_segments.get(segment)).min();
        if let Some(&median) = lowest.or_else(|| of_types.get(&actor.kind)) {
            actor.facts.set_number(Input::VolumeAgainstSegment, multiple(actor.volume, median));
        }
    }
}

/// The lower one of the two in the middle, of a list that is not empty.
fn median(mut volumes: Vec<u128>) -> u128 {
    let middle = volumes.len().saturating_sub(1) / 2;
    *volumes.select_nth_unstable(middle).1
}

fn multiple(volume: u128, median: u128) -> Quantity {
    let count = |units: u128| Quantity::count(usize::try_from(units).unwrap_or(usize::MAX));
    Quantity::share(count(volume), count(median))
}
