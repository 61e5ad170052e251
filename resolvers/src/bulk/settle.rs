//! Noting how items stand.

use std::time::Duration;

use cypher::{Params, Value, WriteStatement, map, statements};
use graph_schema::bulk::{BulkItemState, BulkList, MissingRelation};
use graph_schema::date::Timestamp;
use graph_schema::event::{CaseCreationFailed, Event};
use graph_schema::id::CaseId;

use super::{Item, LARGEST_REQUEST, Outcome};
use crate::policy::Permit;
use crate::queue::{Along, AtDatabase, Change, Done, EventRow, Item as QueueItem, Outcomes, Priority, Rank, UnitOfWork, Write};
use crate::values::word;
use crate::{Error, Inner, Result};

/// How long after its first try an item is tried again; twice as long after each further one ...
const FIRST_WAIT: Duration = Duration::from_secs(5);
/// ... but no longer than this.
const LONGEST_WAIT: Duration = Duration::from_secs(15 * 60);
/// Why an item waits that nothing is the matter with.
const BEHIND: &str = "waits for an earlier item about the same thing";
/// So many of the things that an item waits for are named.
const MOST_NAMED: usize = 1_000;

/// Items after they were tried, in rows by what became of them.
#[derive(Default)]
pub(super) struct Settled {
    completed: Vec<Value>,
    deferred: Vec<Value>,
    failed: Vec<Value>,
    /// Cases that will not be made.
    events: Vec<EventRow>,
}

/// How an item stands from now on.
struct Standing {
    state: BulkItemState,
    missing: Vec<MissingRelation>,
    faults: Vec<String>,
    /// How long until it is tried again, where it waits.
    wait: Duration,
}

impl Standing {
    /// What has waited for too long for what it names has failed. What waits behind another has not been looked at: it has its turn once that has ended.
    fn of(item: &Item, outcome: Outcome, now: Timestamp, defer_for: Duration) -> Self {
        let waited = Duration::from_millis(u64::try_from(now.millis() - item.created_at.millis()).unwrap_or_default());
        // However long it lay before it was looked at, what it names may be just behind it.
        let waiting = if item.attempts == 0 || waited < defer_for { BulkItemState::Deferred } else { BulkItemState::Failed };
        let of = |state| Self { state, missing: Vec::new(), faults: Vec::new(), wait: wait_after(item.attempts) };
        match outcome {
            Outcome::Completed => of(BulkItemState::Completed),
            Outcome::Failed(faults) | Outcome::Refused(faults) => Self { faults, ..of(BulkItemState::Failed) },
            Outcome::Later(reason) => Self { faults: vec![reason], ..of(waiting) },
            Outcome::Behind => {
                // Those before it came no later, and so end now, too.
                let wait = if waited < defer_for { wait_after(item.attempts) } else { FIRST_WAIT };
                Self { faults: vec![BEHIND.to_owned()], wait, ..of(BulkItemState::Deferred) }
            }
            Outcome::Missing(mut missing) => {
                missing.truncate(MOST_NAMED);
                let faults = if waiting == BulkItemState::Failed { vec!["waited too long for what it names".to_owned()] } else { Vec::new() };
                Self { missing, faults, ..of(waiting) }
            }
        }
    }

    /// What the item's node says of it.
    fn props(self, item: &Item, now: Timestamp) -> Vec<(&'static str, Value)> {
        let texts = |texts: Vec<String>| Value::List(texts.into_iter().map(Value::from).collect());
        let due = now.millis() + i64::try_from(self.wait.as_millis()).unwrap_or_default();
        let mut props = vec![
            ("state", word(&self.state)),
            ("missing", texts(self.missing.iter().map(ToString::to_string).collect())),
            ("faults", texts(self.faults)),
            ("attempts", (item.attempts + 1).into()),
        ];
        match self.state {
            BulkItemState::Deferred | BulkItemState::Pending => props.push(("dueAt", due.into())),
            // One that is done is kept for its state, not for what it said.
            BulkItemState::Completed => props.extend([("processedAt", now.millis().into()), ("dueAt", Value::Null), ("body", Value::Null)]),
            BulkItemState::Failed => props.extend([("processedAt", now.millis().into()), ("dueAt", Value::Null)]),
        }
        props
    }
}

fn map_of(props: Vec<(&'static str, Value)>) -> Value {
    Value::Map(props.into_iter().map(|(name, value)| (name.into(), value)).collect())
}

/// By how often it was tried before.
fn wait_after(attempts: i64) -> Duration {
    let doublings = u32::try_from(attempts.clamp(0, 10)).unwrap_or_default();
    (FIRST_WAIT * 2u32.pow(doublings)).min(LONGEST_WAIT)
}

impl Settled {
    /// Adds a row for an item that was tried for the first time, where it needs one: of what is done only cases are asked for by their ids.
    pub fn first_try(&mut self, item: &Item, outcome: Outcome, now: Timestamp, defer_for: Duration) {
        let unmade = item.case().filter(|_| !matches!(outcome, Outcome::Refused(_)));
        let standing = Standing::of(item, outcome, now, defer_for);
        let state = standing.state;
        if state == BulkItemState::Completed && item.list != BulkList::Cases {
            return;
        }
        let mut props = vec![
            ("id", Value::from(item.id.as_str())),
            ("name", item.name.as_str().into()),
            ("list", word(&item.list)),
            ("subject", item.subject.as_deref().into()),
            ("body", (&*item.body).into()),
            ("createdAt", item.created_at.millis().into()),
            ("logicalTime", item.time.into()),
        ];
        let said = standing.props(item, now);
        props.retain(|(name, _)| !said.iter().any(|(said, _)| said == name));
        props.extend(said);
        self.row(state, map_of(props));
        if state == BulkItemState::Failed {
            self.events.extend(unmade.map(|case| creation_failed(item, case, now)));
        }
    }

    /// Whether no item waits or has failed.
    pub fn is_nothing_left(&self) -> bool {
        self.deferred.is_empty() && self.failed.is_empty()
    }

    /// Adds a row for an item that had waited.
    pub fn another_try(&mut self, item: &Item, outcome: Outcome, now: Timestamp, defer_for: Duration) {
        let unmade = item.case().filter(|_| !matches!(outcome, Outcome::Refused(_)));
        let standing = Standing::of(item, outcome, now, defer_for);
        let state = standing.state;
        let is = |wanted: BulkItemState| Value::List(if state == wanted { vec![true.into()] } else { Vec::new() });
        let row = map([
            ("id", item.id.as_str().into()),
            ("attempts", item.attempts.into()),
            ("completed", is(BulkItemState::Completed)),
            ("failed", is(BulkItemState::Failed)),
            ("props", map_of(standing.props(item, now))),
        ]);
        self.row(state, row);
        if state == BulkItemState::Failed {
            self.events.extend(unmade.map(|case| creation_failed(item, case, now)));
        }
    }

    fn row(&mut self, state: BulkItemState, row: Value) {
        match state {
            BulkItemState::Completed => self.completed.push(row),
            BulkItemState::Deferred | BulkItemState::Pending => self.deferred.push(row),
            BulkItemState::Failed => self.failed.push(row),
        }
    }
}

/// There is no case in whose order of events it could stand: it comes before the first.
fn creation_failed(item: &Item, case: &str, now: Timestamp) -> EventRow {
    let event = Event::CaseCreationFailed(CaseCreationFailed { id: CaseId::new(case) });
    let (name, data) = (event.name(), event.data());
    EventRow { id: format!("{}-failed", item.id), name, case_id: case.to_owned(), sequence: 0, created_at: now.millis(), data }
}

/// Rows for a statement that notes how items stand, and events that go with them.
struct Notes {
    rows: Vec<Value>,
    events: Vec<EventRow>,
}

/// Notes how items stand. Leaves no audit entry: those of the items say who brought what.
struct Note(WriteStatement);

impl Change for Note {
    type Row = Notes;
    type Answer = ();

    fn name(&self) -> &'static str {
        self.0.label()
    }

    fn rank(&self) -> Rank {
        Rank::Administration
    }

    fn size(&self, notes: &Notes) -> usize {
        notes.rows.iter().map(Value::size).sum()
    }

    /// What was taken can be noted, however large a single item of it is.
    fn largest(&self) -> usize {
        LARGEST_REQUEST
    }

    fn apply<'a>(&'a self, unit: &'a mut UnitOfWork, items: &'a [QueueItem<'a, Notes>]) -> AtDatabase<'a, Outcomes<()>> {
        Box::pin(async move {
            let rows = items.iter().flat_map(|item| item.row.rows.iter().cloned()).collect();
            let now = items.first().map_or(0, |item| item.entry.at().millis());
            unit.put(self.0, Params::rows(rows).with("now", now)).await?;
            Ok(items.iter().map(|item| Ok(Done { answer: (), entry: None, events: item.row.events.clone(), kept: None })).collect())
        })
    }
}

static PART: Note = Note(statements::bulk::SETTLE_PART);
static ITEMS: Note = Note(statements::bulk::SETTLE_ITEMS);

impl Inner {
    /// Ends a part, all of whose items were tried.
    pub(super) async fn settle_part(&self, part: &str, settled: Settled) -> Result<()> {
        let Settled { completed, deferred, failed, events } = settled;
        let row = map([("id", part.into()), ("completed", completed.into()), ("deferred", deferred.into()), ("failed", failed.into())]);
        self.note(&PART, part, Notes { rows: vec![row], events }).await
    }

    /// Notes how items stand that had waited.
    pub(super) async fn settle_items(&self, settled: Settled) -> Result<()> {
        let Settled { completed, deferred, failed, events } = settled;
        let rows: Vec<Value> = completed.into_iter().chain(deferred).chain(failed).collect();
        if rows.is_empty() {
            return Ok(());
        }
        self.note(&ITEMS, "deferred", Notes { rows, events }).await
    }

    async fn note(&self, note: &'static Note, id: &str, notes: Notes) -> Result<()> {
        let write = Write::new(notes, self.entry(&Permit::of_service(), "BulkPart", id, "bulk.processed"));
        let along = Along { priority: Priority::Bulk, ..Along::default() };
        self.queue.write_along(note, write, along).await.map_err(Error::from)
    }
}
