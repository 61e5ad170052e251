//! How attempts went is written for all lanes that have ended one meanwhile, in one transaction, which also finds what is next in each: a receiver that
//! keeps up costs a share of a transaction for each event.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use cypher::statements::delivery as statements;
use cypher::statements::rows::LaneHead;
use cypher::{Engine, Error, Params, Transaction, Value, map};
use graph_schema::date::Timestamp;
use graph_schema::delivery::DeliveryAttempt;
use tokio::sync::{mpsc, oneshot};

use super::lane::Lease;
use super::millis;
use super::verdict::{Follows, PATIENCE};

/// The most that one transaction settles, and how many may wait for it.
const AT_ONCE: usize = 256;
const WAITING: usize = 2_048;
/// How long a transaction may take.
const LIMIT: Duration = Duration::from_secs(10);
/// Between two tries of a batch.
const PAUSE: Duration = Duration::from_millis(50);

/// How an attempt went, and what follows.
#[derive(Debug)]
pub(super) struct Settlement {
    pub lane_id: String,
    pub webhook_id: String,
    pub delivery_id: String,
    pub lease: Lease,
    pub attempt: DeliveryAttempt,
    /// Attempts that had failed before.
    pub failures: i64,
    pub follows: Follows,
    /// The address that was attempted.
    pub url: String,
    pub gone: Gone,
    pub now: Timestamp,
    /// Until when the lane is held on, if it is.
    pub held_until: Timestamp,
}

impl Settlement {
    /// Whether the delivery is over, so that the lane is held on for what is next.
    fn is_over(&self) -> bool {
        matches!(self.follows, Follows::Delivered | Follows::GivenUp)
    }

    fn row(&self) -> Value {
        let due_at = match self.follows {
            Follows::Delivered | Follows::GivenUp => Value::from(self.held_until.millis()),
            Follows::Again { at } => at.millis().into(),
        };
        let failed = i64::from(self.follows != Follows::Delivered);
        let props = map([
            ("state", self.follows.state().as_str().into()),
            ("failures", (self.failures + failed).into()),
            ("finishedAt", if self.is_over() { self.now.millis().into() } else { Value::Null }),
        ]);
        map([
            ("laneId", self.lane_id.as_str().into()),
            ("holder", self.lease.holder.as_str().into()),
            ("deliveryId", self.delivery_id.as_str().into()),
            ("attempt", text_of(&self.attempt).into()),
            ("props", props),
            ("dueAt", due_at),
            ("released", flag(!self.is_over())),
            ("ended", flag(self.is_over())),
        ])
    }
}

/// Whether a receiver said that it is gone for good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gone {
    Yes,
    No,
}

/// What a lane is told once its attempt is settled.
#[derive(Debug)]
pub(super) enum Settled {
    /// This is next in it; it is still held.
    Next(Box<LaneHead>),
    /// It was let go of: nothing waits in it now, or it waits itself.
    LetGo,
    /// It is somebody else's meanwhile, or the database could not be reached in time.
    Lost,
}

type Waiting = (Settlement, oneshot::Sender<Settled>);

/// Settles attempts. Cheap to clone.
#[derive(Clone)]
pub(super) struct Settler(mpsc::Sender<Waiting>);

impl Settler {
    /// One that works until all its clones are gone.
    pub fn start(engine: Engine) -> Self {
        let (sender, mut receiver) = mpsc::channel::<Waiting>(WAITING);
        tokio::spawn(async move {
            let mut batch = Vec::new();
            while receiver.recv_many(&mut batch, AT_ONCE).await > 0 {
                settle_all(&engine, std::mem::take(&mut batch)).await;
            }
        });
        Self(sender)
    }

    /// Writes how an attempt went; answers what is next in its lane.
    pub async fn settle(&self, settlement: Settlement) -> Settled {
        let (tell, told) = oneshot::channel();
        if self.0.send((settlement, tell)).await.is_err() {
            return Settled::Lost;
        }
        told.await.unwrap_or(Settled::Lost)
    }
}

/// Tries until it is written, or no lane of it can be held any longer.
async fn settle_all(engine: &Engine, batch: Vec<Waiting>) {
    metrics::histogram!("amlgraph_deliveries_settled").record(batch.len() as f64);
    let settlements: Vec<&Settlement> = batch.iter().map(|(settlement, _)| settlement).collect();
    let good_until = settlements.iter().map(|settlement| settlement.lease.good_until).max().unwrap_or_else(Instant::now);
    let written = loop {
        match engine.in_transaction(LIMIT, async |transaction| write_in(transaction, &settlements).await).await {
            Ok(told) => break Some(told),
            Err(error) if Instant::now() < good_until => {
                tracing::warn!(%error, "outcomes of deliveries could not be written; it is tried again");
                tokio::time::sleep(PAUSE).await;
            }
            Err(error) => {
                tracing::error!(%error, "outcomes of deliveries could not be written in time: these events are sent once more");
                break None;
            }
        }
    };
    let mut told = written.unwrap_or_default();
    for (settlement, tell) in batch {
        // Nobody listens any more when the process stops.
        let _ = tell.send(told.remove(&settlement.lane_id).unwrap_or(Settled::Lost));
    }
}

async fn write_in(transaction: &mut Transaction, settlements: &[&Settlement]) -> Result<BTreeMap<String, Settled>, Error> {
    // Locks are taken in one order everywhere.
    let by_lane: BTreeMap<&str, &Settlement> = settlements.iter().map(|settlement| (settlement.lane_id.as_str(), *settlement)).collect();
    let rows = by_lane.values().map(|settlement| settlement.row()).collect();
    let ours = transaction.run_as(statements::SETTLE, Params::rows(rows)).await?;
    let mut told: BTreeMap<String, Settled> = ours.into_iter().map(|row| (row.id, Settled::LetGo)).collect();
    let over: Vec<&str> =
        by_lane.iter().filter(|(lane, settlement)| settlement.is_over() && told.contains_key(**lane)).map(|(lane, _)| *lane).collect();
    let mut empty = Vec::new();
    if !over.is_empty() {
        for head in transaction.run_as(statements::HEADS, Params::none().with("ids", over)).await? {
            if head.delivery.is_some() {
                told.insert(head.id.clone(), Settled::Next(Box::new(head)));
            } else if let Some(settlement) = by_lane.get(head.id.as_str()) {
                empty.push(rest_row(&head.id, &settlement.lease, None, settlement.now));
            }
        }
    }
    if !empty.is_empty() {
        transaction.put(statements::REST, Params::rows(empty)).await?;
    }
    let standings = standings(&by_lane, &told);
    if !standings.is_empty() {
        transaction.put(statements::STANDING, Params::rows(standings)).await?;
    }
    Ok(told)
}

/// A row of `delivery/rest`.
pub(super) fn rest_row(lane_id: &str, lease: &Lease, due_at: Option<Timestamp>, now: Timestamp) -> Value {
    map([
        ("laneId", lane_id.into()),
        ("holder", lease.holder.as_str().into()),
        ("dueAt", due_at.map(Timestamp::millis).into()),
        ("now", now.millis().into()),
    ])
}

/// What is to be noted of webhooks, by the address that was attempted: one row each. A success among failures is a success.
fn standings(settlements: &BTreeMap<&str, &Settlement>, told: &BTreeMap<String, Settled>) -> Vec<Value> {
    let mut rows: BTreeMap<(&str, &str), (Option<i64>, Gone)> = BTreeMap::new();
    for (_, settlement) in settlements.iter().filter(|(lane, _)| told.contains_key(**lane)) {
        let failed_at = (settlement.follows != Follows::Delivered).then(|| settlement.now.millis());
        let row = rows.entry((&settlement.webhook_id, &settlement.url)).or_insert((failed_at, settlement.gone));
        row.0 = row.0.and(failed_at);
        row.1 = if settlement.gone == Gone::Yes { Gone::Yes } else { row.1 };
    }
    let now = settlements.values().map(|settlement| settlement.now.millis()).max().unwrap_or_default();
    let row = |((id, url), (failed_at, gone)): ((&str, &str), (Option<i64>, Gone))| {
        map([
            ("id", id.into()),
            ("url", url.into()),
            ("failedAt", failed_at.into()),
            ("gone", flag(gone == Gone::Yes)),
            ("patience", (now - millis(PATIENCE)).into()),
        ])
    };
    rows.into_iter().map(row).collect()
}

/// A list that a statement goes through once, or not at all.
fn flag(is: bool) -> Value {
    Value::List(if is { vec![true.into()] } else { Vec::new() })
}

fn text_of(attempt: &DeliveryAttempt) -> String {
    // Numbers and texts in a plain struct.
    serde_json::to_string(attempt).unwrap_or_else(|error| panic!("an attempt is always writable: {error}"))
}

/// Until when a lane is held that is claimed or goes on now.
pub(super) fn held_until(now: Timestamp, lease: Duration) -> Timestamp {
    Timestamp(now.millis() + millis(lease))
}
