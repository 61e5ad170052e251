//! Changes that can be followed live, and how they are read from the store.

use std::collections::HashMap;
use std::sync::Arc;

use cypher::statements::rows::LiveEntry;
use cypher::statements::{change_feed, live as statements};
use cypher::{Engine, Error, Params};
use graph_schema::date::Timestamp;

use crate::change_feed::{EventPosition, LOOK};

/// How many ids one statement looks up.
const LOOKED_UP: usize = 1_000;
/// The action by which an observation comes, or comes again.
pub const RECORDED: &str = "observation.recorded";
/// The result of a change that was made.
pub const SUCCESS: &str = "SUCCESS";

/// What is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Topic {
    /// Whatever is done with cases and what belongs to them.
    CaseChanges,
    /// Observations that were not there before.
    NewObservations,
}

impl Topic {
    pub(super) const ALL: [Self; 2] = [Self::CaseChanges, Self::NewObservations];

    /// Its place among all.
    pub(super) fn index(self) -> usize {
        match self {
            Self::CaseChanges => 0,
            Self::NewObservations => 1,
        }
    }
}

/// A change of a topic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TopicChange {
    pub topic: Topic,
    /// Behind the change: who goes on from here gets the next one.
    pub position: EventPosition,
    /// The id of the case or observation.
    pub id: String,
    /// Such as `case.assigned`.
    pub action: String,
    /// Who did it.
    pub user_id: Option<String>,
    pub request_id: Option<String>,
    /// When the service took it.
    pub at: Timestamp,
}

/// Sets of changes that were read, and those changes among them that belong to a topic.
#[derive(Debug, Clone)]
pub struct ReadSets {
    /// The last set.
    pub until: i64,
    /// In the order of their positions.
    pub changes: Vec<Arc<TopicChange>>,
}

/// The changes of all sets behind one, up to another; nothing where one of them, or a change in it, can't be found: it was forgotten, or is not in the index
/// yet. (Neo4j shows the feed's new position a moment before it finds the sets by theirs.)
pub async fn read_sets(engine: &Engine, (after, until): (i64, i64)) -> Result<Option<ReadSets>, Error> {
    let params = Params::none().with("from", after + 1).with("until", until);
    let sets = engine.read_as(change_feed::READ, params, LOOK).await?;
    if sets.len() as i64 != until - after {
        return Ok(None);
    }
    let ids: Vec<&str> = sets.iter().flat_map(|set| set.entries.iter().map(String::as_str)).collect();
    let mut entries: HashMap<String, LiveEntry> = HashMap::with_capacity(ids.len());
    for ids in ids.chunks(LOOKED_UP) {
        let found = engine.read_as(statements::ENTRIES, Params::none().with("ids", ids.to_vec()), LOOK).await?;
        entries.extend(found.into_iter().map(|entry| (entry.id.clone(), entry)));
    }
    let mut changes = Vec::new();
    for set in &sets {
        for (at, id) in set.entries.iter().enumerate() {
            let Some(entry) = entries.remove(id) else { return Ok(None) };
            changes.extend(change_of(entry, EventPosition::inside(set.position, at + 1, set.entries.len())));
        }
    }
    let first = first_entries(engine, &changes).await?;
    let is_wanted = |found: &FoundChange| found.change.topic != Topic::NewObservations || first.get(&found.change.id) == Some(&found.entry);
    let changes = changes.into_iter().filter(is_wanted).map(|found| Arc::new(found.change)).collect();
    Ok(Some(ReadSets { until, changes }))
}

/// A change, and the audit entry that says so.
pub struct FoundChange {
    pub change: TopicChange,
    pub entry: String,
}

/// The change that an audit entry tells of, where it belongs to a topic and something was changed.
pub fn change_of(entry: LiveEntry, position: EventPosition) -> Option<FoundChange> {
    let LiveEntry { id: entry, action, object_id, case_id, user_id, request_id, timestamp, notes, action_result } = entry;
    if notes.is_some() || action_result.is_some_and(|result| result != SUCCESS) {
        return None;
    }
    let (topic, id) = match case_id {
        Some(case) => (Topic::CaseChanges, case),
        None if action == RECORDED => (Topic::NewObservations, object_id?),
        None => return None,
    };
    let change = TopicChange { topic, position, id, action, user_id, request_id, at: Timestamp(timestamp) };
    Some(FoundChange { change, entry })
}

/// By the ids of the observations among the changes: the entry with which each was recorded for the first time.
async fn first_entries(engine: &Engine, changes: &[FoundChange]) -> Result<HashMap<String, String>, Error> {
    let observations = changes.iter().filter(|found| found.change.topic == Topic::NewObservations);
    let mut ids: Vec<&str> = observations.map(|found| found.change.id.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    let mut first = HashMap::with_capacity(ids.len());
    for ids in ids.chunks(LOOKED_UP) {
        let found = engine.read_as(statements::FIRST_ENTRIES, Params::none().with("ids", ids.to_vec()), LOOK).await?;
        first.extend(found.into_iter().filter_map(|row| Some((row.id, row.entry?))));
    }
    Ok(first)
}
