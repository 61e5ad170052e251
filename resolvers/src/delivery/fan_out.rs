//! Events become deliveries.

use std::collections::BTreeMap;
use std::time::Duration;

use cypher::statements::delivery as statements;
use cypher::statements::rows::{PendingEvent, PendingEvents, Subscriber, TakenEvent};
use cypher::{Engine, Error, Params, Transaction, Value, map};
use graph_schema::date::Timestamp;
use graph_schema::webhook::EVERY_EVENT;

use crate::conflicts::despite_conflicts;
use crate::{Clock, Inner, Result};

/// How many events are taken at once, at the most, and how many deliveries are made of them: of an event that very many webhooks are told of fewer are.
const EVENTS: usize = 256;
const DELIVERIES: usize = 20_000;
/// How many deliveries one statement makes.
const ROWS: usize = 1_000;
/// How long the transaction may take: an event that ten thousand webhooks are told of is as many deliveries.
const LIMIT: Duration = Duration::from_secs(30);

/// What one step came to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct FannedOut {
    pub events: usize,
    pub deliveries: usize,
    /// Webhooks that are told of events, whichever.
    pub subscribers: usize,
    /// As many events were taken as could be: others are likely to wait.
    pub is_full: bool,
}

/// Takes some of the events that wait and makes their deliveries; all of it or nothing.
pub(crate) async fn fan_out(inner: &Inner) -> Result<FannedOut> {
    // Read outside of the transaction: the look over all that waits may pass over what is being stored; what is taken is looked for again below.
    let waiting = inner.engine.read_as(statements::PENDING, Params::none().with("most", EVENTS as i64), LIMIT).await?;
    let Some(waiting) = waiting.into_iter().next() else { return Ok(FannedOut::default()) };
    let mut most = most_of(&waiting);
    loop {
        match despite_conflicts(|| take(&inner.engine, &*inner.clock, &waiting, most)).await {
            Err(Error::TimeLimit { .. }) if most > 1 => most /= 2,
            made => return Ok(made?),
        }
    }
}

/// So many events that their deliveries can be made at once.
fn most_of(waiting: &PendingEvents) -> usize {
    let wants_some = |subscriber: &&Subscriber| waiting.events.iter().any(|event| wants(subscriber, &event.event_name));
    let told = waiting.subscribers.iter().filter(wants_some).count();
    EVENTS.min(DELIVERIES / told.max(1)).max(1)
}

/// Whether a webhook is told of events of this name.
fn wants(subscriber: &Subscriber, event_name: &str) -> bool {
    subscriber.events.iter().any(|name| name == EVERY_EVENT || name == event_name)
}

async fn take(engine: &Engine, clock: &dyn Clock, waiting: &PendingEvents, most: usize) -> std::result::Result<FannedOut, Error> {
    let rows = Params::rows(rows_by_case(&waiting.events, &clock.id())).with("most", most as i64);
    let subscribers = &waiting.subscribers;
    let taken = |events: usize, deliveries: usize| FannedOut { events, deliveries, subscribers: subscribers.len(), is_full: events >= most };
    if subscribers.is_empty() {
        // Nobody is told of anything: taking them is all there is to do.
        let events = engine.write_within_as(statements::TAKE_EVENTS, rows, LIMIT).await?;
        return Ok(taken(events.len(), 0));
    }
    let made = engine.in_transaction(LIMIT, async |transaction| make_deliveries(transaction, clock, rows, subscribers).await).await;
    made.map(|(events, deliveries)| taken(events, deliveries))
}

/// Answers with how many events were taken, and how many deliveries were made of them.
async fn make_deliveries(
    transaction: &mut Transaction,
    clock: &dyn Clock,
    take: Params,
    subscribers: &[Subscriber],
) -> std::result::Result<(usize, usize), Error> {
    let mut taken = transaction.run_as(statements::TAKE_EVENTS, take).await?;
    taken.sort_by(|one, other| (&one.case_id, one.sequence, &one.id).cmp(&(&other.case_id, other.sequence, &other.id)));
    let mut rows = rows(&taken, subscribers, clock);
    // Lanes are locked in one order everywhere. The sort is stable: within a lane the order is that of the events.
    rows.sort_by(|(one, _), (other, _)| one.cmp(other));
    let made = (taken.len(), rows.len());
    let mut rows = rows.into_iter().map(|(_, row)| row).peekable();
    while rows.peek().is_some() {
        transaction.put(statements::FAN_OUT, Params::rows(rows.by_ref().take(ROWS).collect())).await?;
    }
    Ok(made)
}

/// The cases of events that were found, each with the last of its events.
fn rows_by_case(found: &[PendingEvent], write_id: &str) -> Vec<Value> {
    let mut last: BTreeMap<&str, i64> = BTreeMap::new();
    for event in found {
        let sequence = last.entry(&event.case_id).or_insert(event.sequence);
        *sequence = event.sequence.max(*sequence);
    }
    let row = |(case_id, sequence): (&str, i64)| map([("caseId", case_id.into()), ("sequence", sequence.into()), ("writeId", write_id.into())]);
    last.into_iter().map(row).collect()
}

/// A row for each event and webhook that is told of it, with the id of its lane.
fn rows(events: &[TakenEvent], subscribers: &[Subscriber], clock: &dyn Clock) -> Vec<(String, Value)> {
    let now: Timestamp = clock.now();
    let mut rows = Vec::new();
    for event in events {
        for subscriber in subscribers.iter().filter(|subscriber| wants(subscriber, &event.event_name)) {
            let lane = format!("{}/{}", subscriber.id, event.case_id);
            let row = map([
                ("id", clock.id().into()),
                ("name", event.event_name.as_str().into()),
                ("eventId", event.id.as_str().into()),
                ("eventName", event.event_name.as_str().into()),
                ("caseId", event.case_id.as_str().into()),
                ("sequence", event.sequence.into()),
                ("webhookId", subscriber.id.as_str().into()),
                ("laneId", lane.as_str().into()),
                ("now", now.millis().into()),
            ]);
            rows.push((lane, row));
        }
    }
    rows
}
