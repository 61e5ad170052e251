//! Taking a bulk request.

use std::sync::Arc;

use cypher::statements::rows::LockedBulkRequest;
use cypher::{Params, Reading, Value, WriteStatement, map, statements};
use graph_schema::bulk::{BulkList, BulkLists};
use graph_schema::date::Timestamp;
use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::{JOB, LARGEST_REQUEST};
use crate::derived_id::digest_id;
use crate::jobs::{DoneBy, Wanted, row_of};
use crate::logical_time::{LogicalTime, TICK};
use crate::policy::{Action, Subject};
use crate::queue::{Amend, Amended, Amending, Decision, Rank, Write};
use crate::{Answered, Caller, Error, IdempotencyKey, Inner, Once, Resolvers, Result, boxed};

/// About how many bytes of items a part has: one statement reads it, one transaction ends it.
const PART_BYTES: usize = 1 << 20;
/// How often it is tried to let the clock go on where others do so at the same moment.
const TICK_TRIES: u32 = 5;
/// The header that names a request.
const AT: &str = "x-request-id";

impl Resolvers {
    /// Bulk ingest: takes a request whose `lists` were read from `body`, under the caller's request id. Answers with `request_id`.
    #[boxed]
    pub async fn bulk_ingest<'a>(&'a self, caller: &'a Caller, lists: BulkLists<'a>, body: &'a str, key: Option<IdempotencyKey>) -> Result<Answered> {
        let inner = &self.inner;
        let id = digest_id("bulk", &[&caller.id, &caller.request_id]);
        let permit = inner.enter(caller, Action::Ingest, Subject::One("BulkRequest", &id))?;
        if lists.0.iter().any(|(list, _)| *list == BulkList::Cases) {
            inner.enter(caller, Action::RecordCase, Subject::One("BulkRequest", &id))?;
        }
        // Before it is taken, so that what is acknowledged from now on comes after it.
        let first = inner.tick().await?;
        let now = inner.clock.now();
        let sizes: Vec<Value> = lists.0.iter().map(|(list, items)| format!("{} {}", list.field(), items.len()).into()).collect();
        let body_hash = hash(body);
        let props = [
            ("name", Value::from(format!("Bulk request {}", caller.request_id))),
            ("requestId", (&*caller.request_id).into()),
            ("receivedAt", now.millis().into()),
            ("bodyHash", body_hash.as_str().into()),
            ("userId", caller.id.as_str().into()),
            ("userName", caller.name.as_str().into()),
            ("userRole", caller.roles.to_string().into()),
            ("means", caller.means.as_str().into()),
            ("userIP", caller.ip.map(|ip| ip.to_string()).into()),
            ("sizes", Value::List(sizes)),
        ];
        let items = lists.0.iter().map(|(_, items)| items.len()).sum();
        let write = map([
            ("id", id.as_str().into()),
            ("props", map(props)),
            ("parts", Value::List(parts(&lists, first))),
            ("job", job(caller, &id, now, items)),
        ]);
        let entry = inner.entry(&permit, "BulkRequest", &id, "bulk.accepted");
        let row = NewBulkRequest { id, body_hash, write, size: body.len() };
        let answer = serde_json::json!({"request_id": &*caller.request_id}).to_string();
        let answered = inner.answer_once(&permit, Once { key, body }, answer, &Amending::<Accept>::NEW, Write::new(row, entry)).await?;
        inner.waker.wake(JOB);
        Ok(answered)
    }
}

/// The row for the job that a request of so many items is.
fn job(caller: &Caller, id: &str, now: Timestamp, items: usize) -> Value {
    let payload = serde_json::json!({"requestId": &*caller.request_id}).to_string();
    let wanted = Wanted { name: format!("Bulk request {}", caller.request_id), ..Wanted::default() };
    row_of(caller, id, now, (JOB, &payload, wanted), DoneBy::StandingJob { items })
}

impl Inner {
    /// The logical time of the first item of a bulk request that is about to be taken: the clock has gone on for it.
    async fn tick(&self) -> Result<LogicalTime> {
        let mut tried = 0;
        loop {
            let params = Params::none().with("writeId", self.clock.id()).with("tick", TICK);
            match self.engine.write_as(statements::bulk::TICK, params).await.and_then(|rows| statements::bulk::TICK.first(rows)) {
                Ok(row) => return Ok(LogicalTime::first_of_tick(row.time)),
                Err(error) if error.is_conflict() && tried < TICK_TRIES => tried += 1,
                Err(error) => return Err(error.into()),
            }
        }
    }
}

/// The lists in parts, whose ids stand in the order in which they are to be processed. `time` is that of the first item; the others follow.
fn parts(lists: &BulkLists<'_>, time: LogicalTime) -> Vec<Value> {
    let mut parts = Vec::new();
    let mut places = 0;
    for (list, items) in &lists.0 {
        let mut first = 0;
        while first < items.len() {
            let mut bytes = 0;
            let fits = items[first..].iter().take_while(|item| {
                bytes += item.len() + 1;
                bytes <= PART_BYTES
            });
            // One that is larger than a part is one for itself.
            let end = first + fits.count().max(1);
            let id = format!("{}/{:02}/{first:04}", time.sortable(), *list as usize);
            parts.push(part(*list, &items[first..end], first, (id, time.behind(places + first))));
            first = end;
        }
        places += items.len();
    }
    parts
}

fn part(list: BulkList, items: &[&str], first: usize, (id, time): (String, LogicalTime)) -> Value {
    let subjects: Vec<String> = match list {
        BulkList::Cases => items.iter().filter_map(|item| subject(list, item)).collect(),
        _ => Vec::new(),
    };
    map([
        ("id", id.into()),
        ("name", format!("{}[{first}..{}]", list.field(), first + items.len()).into()),
        ("list", crate::values::word(&list)),
        ("body", format!("[{}]", items.join(",")).into()),
        ("first", (first as i64).into()),
        ("size", (items.len() as i64).into()),
        ("logicalTime", time.into()),
        ("subjects", Value::List(subjects.into_iter().map(Value::from).collect())),
    ])
}

/// The id of what an item of a list is about, as such ids are written.
pub(super) fn subject(list: BulkList, item: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Identified {
        id: String,
    }
    let id = serde_json::from_str::<Identified>(item).ok()?.id;
    Some(list.spelled(&id))
}

fn hash(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

struct NewBulkRequest {
    id: String,
    body_hash: String,
    write: Value,
    size: usize,
}

/// Takes a request, unless it was taken before.
struct Accept;

impl Amend for Accept {
    type Row = NewBulkRequest;
    type Locked = LockedBulkRequest;
    type Stored = LockedBulkRequest;
    type Answer = ();

    const LOCK: Reading<LockedBulkRequest> = statements::bulk::LOCK;
    const WRITE: WriteStatement = statements::bulk::ACCEPT;
    const RANK: Rank = Rank::Administration;
    const LARGEST: usize = LARGEST_REQUEST;

    fn id(row: &NewBulkRequest) -> &str {
        &row.id
    }

    fn size(row: &NewBulkRequest) -> usize {
        row.size
    }

    fn decide(row: &NewBulkRequest, stored: Option<LockedBulkRequest>, _: Decision<'_>) -> Result<Amended<()>> {
        match stored.and_then(|stored| stored.body_hash) {
            None => Ok(Amended::by((), row.write.clone())),
            Some(before) if before == row.body_hash => Ok(Amended::nothing(())),
            Some(_) => Err(Error::invalid(AT, "is the id of another request; use a new id for a new request, the same only to send it again")),
        }
    }
}

/// The text of a body that was read as one.
pub(super) fn items_of(body: &str) -> serde_json::Result<Vec<Arc<str>>> {
    let items: Vec<&serde_json::value::RawValue> = serde_json::from_str(body)?;
    Ok(items.into_iter().map(|item| Arc::from(item.get())).collect())
}
