//! The change feed: every change that was committed, once, by its position.
//!
//! A transaction that changes something leaves a `(:ChangeSet:Unsequenced)` with the ids of its audit entries and events, in the transaction itself, so
//! that there is one if and only if it was committed ([`crate::queue::ChangeSet`]). The job `change-feed`, which one worker of all has at a time, gives
//! each set its position after the commit ([`sequencer`]): 1, 2, 3 and so on without a gap. So no two writes wait for each other because of the feed, and
//! whoever has read up to a position has seen all that will ever be at or before it.
//!
//! A change that begins after another was answered comes behind it, as far as the clocks of the instances agree where different ones made them. Of two
//! that are made at the same time either may be first. Sets are kept for a time that is set; a reader that comes too late is told so.
//!
//! [`Resolvers::changes`] reads the sets with their changes. [`events`] reads the events that they name, and lets a reader wait for some.

pub(crate) mod events;
mod forget;
mod position;
pub(crate) mod sequencer;
mod state;
pub(crate) mod watch;

use std::collections::HashMap;

use cypher::statements::rows::{AuditEntry, ChangeFeedState, ChangeSetRow};
use cypher::{Params, Reading, statements};
use graph_schema::date::Timestamp;
use serde::de::DeserializeOwned;

pub use events::{EventNames, EventPage, EventsQuery, FollowedEvent};
pub(crate) use forget::forget_some;
pub use position::EventPosition;
pub(crate) use sequencer::{Sequenced, sequence_some};
pub(crate) use state::{BETWEEN_LOOKS, LOOK, LOOKS_FOR_SETS, state};
pub(crate) use watch::EventWatch;

use crate::policy::{Action, Permit, Subject};
use crate::{Caller, Error, Inner, Resolvers, Result, boxed};

/// The job that gives change sets their positions.
pub(crate) const JOB: &str = "change-feed";
/// How many sets one read answers with at most.
pub const MOST_SETS: usize = 200;
/// About how many changes: a set is never divided, and one is always answered with.
const MOST_CHANGES: usize = 1_000;
/// From so many bytes of old and new values on a part has no more sets.
const MOST_BYTES: usize = 8 << 20;

/// What is to be read of the feed.
#[derive(Debug, Clone, Copy)]
pub struct ChangesQuery {
    /// The position of the last set that was read before; none: from the first that is kept.
    pub after: Option<i64>,
    /// How many sets at most; of more than [`MOST_SETS`] so many.
    pub first: usize,
    /// Whether what the changed records were and became is wanted.
    pub values: bool,
}

/// A part of the feed.
#[derive(Debug, Clone)]
pub struct Changes {
    /// In the order of their positions, without a gap.
    pub sets: Vec<ChangeSet>,
    /// Up to where is read now: what `after` is to say next.
    pub position: i64,
    /// The position of the last set that there is.
    pub last: i64,
}

/// What one transaction changed.
#[derive(Debug, Clone)]
pub struct ChangeSet {
    pub position: i64,
    /// When it was written.
    pub at: Timestamp,
    /// One for each object that was changed.
    pub changes: Vec<Change>,
    /// Ids of the events that tell of it.
    pub events: Vec<String>,
}

/// A change of one object, as its audit entry says.
#[derive(Debug, Clone)]
pub struct Change {
    /// Of the entry.
    pub id: String,
    /// Such as `transaction.recorded`.
    pub action: String,
    /// The label of the object's node.
    pub object_type: String,
    pub object_id: Option<String>,
    pub case_id: Option<String>,
    /// Who did it.
    pub user_id: Option<String>,
    pub request_id: Option<String>,
    /// When the service took it.
    pub at: Timestamp,
    /// Why nothing was replaced, such as that something later is stored; nothing where it was.
    pub notes: Option<String>,
    /// What was replaced, where that was asked for.
    pub old_value: Option<String>,
    /// What was said, where that was asked for.
    pub new_value: Option<String>,
}

impl From<AuditEntry> for Change {
    fn from(entry: AuditEntry) -> Self {
        let AuditEntry { id, action, object_type, object_id, case_id, user_id, request_id, timestamp, notes, old_value, new_value, .. } = entry;
        Self { id, action, object_type, object_id, case_id, user_id, request_id, at: Timestamp(timestamp), notes, old_value, new_value }
    }
}

impl Resolvers {
    /// Reads the feed on from a position.
    ///
    /// [`Error::Forgotten`]: what comes behind `after` is kept no more.
    #[boxed]
    pub async fn changes(&self, caller: &Caller, query: ChangesQuery) -> Result<Changes> {
        let permit = self.inner.enter(caller, Action::FollowChanges, Subject::List("ChangeSet"))?;
        self.inner.changes(&permit, query).await
    }
}

impl Inner {
    pub(crate) async fn feed_state(&self, permit: &Permit<'_>) -> Result<ChangeFeedState> {
        let rows = self.read(permit, statements::change_feed::STATE, Params::none()).await?;
        Ok(statements::change_feed::STATE.first(rows)?)
    }

    /// All sets behind one, up to another. They have their positions, so that what is missing was forgotten since, or is not in the index yet: Neo4j shows the
    /// feed's new position a moment before it finds the sets by theirs.
    async fn sets<R: DeserializeOwned + 'static>(&self, permit: &Permit<'_>, reading: Reading<R>, (after, until): (i64, i64)) -> Result<Vec<R>> {
        let params = Params::none().with("from", after + 1).with("until", until);
        for _ in 0..LOOKS_FOR_SETS {
            let rows = self.read(permit, reading, params.clone()).await?;
            if rows.len() as i64 == until - after {
                return Ok(rows);
            }
            let oldest = self.feed_state(permit).await?.forgotten;
            if oldest > after {
                return Err(Error::Forgotten { oldest });
            }
            tokio::time::sleep(BETWEEN_LOOKS).await;
        }
        Err(Error::Internal("the change feed has a gap".to_owned()))
    }

    async fn changes(&self, permit: &Permit<'_>, query: ChangesQuery) -> Result<Changes> {
        let state = self.feed_state(permit).await?;
        let after = query.after.unwrap_or(state.forgotten);
        if after < state.forgotten {
            return Err(Error::Forgotten { oldest: state.forgotten });
        }
        if after > state.position {
            return Err(Error::invalid("after", format!("must be a position that was read before; the last one is {}", state.position)));
        }
        let until = state.position.min(after + query.first.min(MOST_SETS) as i64);
        let rows = self.sets(permit, statements::change_feed::READ, (after, until)).await?;
        let mut rows = some_of(rows);
        let mut entries = HashMap::new();
        if query.values {
            rows = self.read_values(permit, rows, &mut entries).await?;
        } else {
            let ids = rows.iter().flat_map(|row| row.entries.iter().map(String::as_str)).collect();
            self.read_entries(permit, ids, (false, &mut entries)).await?;
        }
        let position = rows.last().map_or(after, |row| row.position);
        let mut sets = Vec::with_capacity(rows.len());
        for row in rows {
            let changes = row.entries.iter().map(|id| {
                entries
                    .remove(id)
                    .ok_or_else(|| Error::Internal(format!("audit entry {id} of change set {} is not there, or named twice", row.position)))
            });
            sets.push(ChangeSet {
                position: row.position,
                at: Timestamp(row.created_at),
                changes: changes.collect::<Result<_>>()?,
                events: row.events,
            });
        }
        Ok(Changes { sets, position, last: state.position })
    }

    /// Reads entries with their texts, some sets at a time, until these are so large that the sets behind them are for the next part.
    async fn read_values(
        &self,
        permit: &Permit<'_>,
        mut rows: Vec<ChangeSetRow>,
        entries: &mut HashMap<String, Change>,
    ) -> Result<Vec<ChangeSetRow>> {
        let (mut read, mut bytes) = (0, 0);
        while read < rows.len() && (read == 0 || bytes < MOST_BYTES) {
            let ids: Vec<&str> = rows[read].entries.iter().map(String::as_str).collect();
            bytes += self.read_entries(permit, ids, (true, entries)).await?;
            read += 1;
        }
        rows.truncate(read);
        Ok(rows)
    }

    /// Reads entries, with their texts or without; says how many bytes these have.
    async fn read_entries(&self, permit: &Permit<'_>, ids: Vec<&str>, (values, entries): (bool, &mut HashMap<String, Change>)) -> Result<usize> {
        if ids.is_empty() {
            return Ok(0);
        }
        let rows = self.read(permit, statements::change_feed::ENTRIES, Params::none().with("ids", ids).with("values", values)).await?;
        let bytes = rows.iter().flat_map(|row| [&row.entry.old_value, &row.entry.new_value]).flatten().map(String::len).sum();
        entries.extend(rows.into_iter().map(|row| (row.entry.id.clone(), row.entry.into())));
        Ok(bytes)
    }
}

/// As many sets from the first on as are not too many changes together.
pub fn some_of(mut rows: Vec<ChangeSetRow>) -> Vec<ChangeSetRow> {
    let mut changes = 0;
    let fitting = rows.iter().take_while(|row| {
        changes += row.entries.len();
        changes <= MOST_CHANGES
    });
    let fitting = fitting.count().max(1);
    rows.truncate(fitting);
    rows
}
