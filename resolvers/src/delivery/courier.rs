//! Claims lanes that are due and delivers what is in them, beside the couriers of all other processes.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use cypher::statements::delivery as statements;
use cypher::statements::rows::{ClaimedLane, LaneHead};
use cypher::{Params, Transaction, Value};
use graph_schema::date::Timestamp;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

use super::address::Resolver;
use super::endpoint::{Failing, Learnt, Turn};
use super::endpoints::{Endpoints, NotNow};
use super::lane::{Found, HeldLane, Lease};
use super::send::{Attempted, Sender};
use super::settle::{Gone, Settled, Settlement, Settler, held_until, rest_row};
use super::verdict::{Follows, verdict};
use super::{AT_ONCE, DELIVERIES_JOB, MOST_HELD, lease, millis};
use crate::conflicts::despite_conflicts;
use crate::{Inner, Result};

/// Of lanes that are due so many are claimed, or more: fewer are not worth a transaction.
const CLAIMED_AT_LEAST: usize = 32;
/// Requests under way at once, and of them to receivers whose last attempt has failed: those that hang leave room for the others.
const REQUESTS: usize = 1_024;
const TO_FAILING: usize = 256;
/// Deliveries of a removed webhook that are ended at once.
const CANCELLED: i64 = 1_000;
/// How long a lane is put off that can't be delivered because of our own settings.
const UNTIL_MENDED: Duration = Duration::from_secs(60);
/// And one to a receiver that fails, while all places for such are taken.
const UNTIL_PLACES: Duration = Duration::from_secs(5);
const LIMIT: Duration = Duration::from_secs(10);
/// Where the next attempt is so soon, this process looks for it just then; all others, and all processes, look every second.
const SOON_AGAIN: Duration = Duration::from_secs(60);
/// How often the backlog is measured, at the most; and how many lanes are counted.
const MEASURED_EVERY: Duration = Duration::from_secs(5);
const COUNTED: i64 = 100_000;

/// The courier of this process. Cheap to clone; all clones share.
#[derive(Clone)]
pub(crate) struct Courier(Arc<Shared>);

struct Shared {
    inner: Arc<Inner>,
    sender: Sender,
    settler: Settler,
    lease: Duration,
    endpoints: Mutex<Endpoints>,
    /// Lanes that this process holds.
    held: AtomicUsize,
    /// There may be more that is due than could be claimed.
    more: AtomicBool,
    stopping: AtomicBool,
    let_go: Notify,
    requests: Arc<Semaphore>,
    to_failing: Arc<Semaphore>,
    measured: Mutex<Option<Instant>>,
}

/// Lanes that were claimed: what is first in each.
struct Claimed {
    heads: Vec<LaneHead>,
    /// Since when they were due.
    due_at: HashMap<String, Timestamp>,
    lease: Lease,
    until: Timestamp,
    /// There may be more that is due.
    more: bool,
}

impl Courier {
    pub fn new(inner: &Arc<Inner>) -> Result<Self> {
        let webhooks = &inner.settings.webhooks;
        let sender = Sender::new(webhooks.reach, Resolver::system(webhooks.reach), webhooks.timeout)?;
        let shared = Shared {
            sender,
            settler: Settler::start(inner.engine.clone()),
            lease: lease(webhooks.timeout),
            inner: Arc::clone(inner),
            endpoints: Mutex::default(),
            held: AtomicUsize::new(0),
            more: AtomicBool::new(false),
            stopping: AtomicBool::new(false),
            let_go: Notify::new(),
            requests: Arc::new(Semaphore::new(REQUESTS)),
            to_failing: Arc::new(Semaphore::new(TO_FAILING)),
            measured: Mutex::default(),
        };
        Ok(Self(Arc::new(shared)))
    }

    /// Claims what is due, as much as this process may hold, and begins to deliver it.
    pub async fn pump(&self) -> Result<()> {
        let shared = &self.0;
        while !shared.is_stopping() {
            let room = MOST_HELD.saturating_sub(shared.held.load(Ordering::Relaxed));
            if room < CLAIMED_AT_LEAST {
                shared.more.store(true, Ordering::Relaxed);
                break;
            }
            let claimed = despite_conflicts(|| shared.try_to_claim(room)).await?;
            let more = claimed.more;
            self.begin(claimed).await?;
            if !more {
                break;
            }
        }
        shared.measure().await;
        Ok(())
    }

    /// Takes no more, and returns when all that is under way has come to an end.
    pub async fn stop(&self) {
        let shared = &self.0;
        shared.stopping.store(true, Ordering::Relaxed);
        let waiting = shared.endpoints().give_up_waiting();
        let lanes = waiting.len();
        shared.rest(waiting, |_| None).await;
        shared.let_go_of(lanes);
        loop {
            let let_go = shared.let_go.notified();
            if shared.held.load(Ordering::Relaxed) == 0 {
                return;
            }
            let_go.await;
        }
    }

    /// Sees what is to be done with each lane, and begins it.
    async fn begin(&self, claimed: Claimed) -> Result<()> {
        let shared = &self.0;
        let Claimed { heads, mut due_at, lease, until, .. } = claimed;
        let now = shared.inner.clock.now();
        let (mut rest, mut parked, mut orphaned) = (Vec::new(), Vec::new(), Vec::new());
        for head in heads {
            let id = head.id.clone();
            let due_at = due_at.remove(&id).unwrap_or(now);
            match HeldLane::found(head, lease.clone(), due_at, shared.inner.vault.as_deref(), now) {
                Ok(Found::Held(lane)) => rest.extend(self.take(*lane, now)),
                Ok(Found::Empty) => rest.push(rest_row(&id, &lease, None, now)),
                Ok(Found::Parked) => parked.push(rest_row(&id, &lease, Some(now), now)),
                Ok(Found::Orphaned) => {
                    rest.push(rest_row(&id, &lease, None, now));
                    orphaned.push(id);
                }
                Err(error) => {
                    tracing::error!(%error, "a lane's events can't be delivered");
                    rest.push(rest_row(&id, &lease, Some(Timestamp(now.millis() + millis(UNTIL_MENDED))), now));
                }
            }
        }
        tracing::trace!(resting = rest.len(), parked = parked.len(), orphaned = orphaned.len(), until = until.millis(), "lanes claimed");
        if !orphaned.is_empty() {
            // What is left is found when the lane is let go of, and goes the next time.
            let params = Params::none().with("ids", orphaned).with("now", now.millis()).with("most", CANCELLED);
            shared.inner.engine.write_as(statements::CANCEL, params).await?;
        }
        if !rest.is_empty() {
            shared.inner.engine.write(statements::REST, Params::rows(rest)).await?;
        }
        if !parked.is_empty() {
            shared.inner.engine.write(statements::PARK, Params::rows(parked)).await?;
        }
        Ok(())
    }

    /// Begins with a lane or lets it wait here; one that has to wait longer has a row.
    fn take(&self, lane: HeldLane, now: Timestamp) -> Option<Value> {
        let mut endpoints = self.0.endpoints();
        // Who waits for a place among those that fail is not to take the others' places here.
        let turn = match endpoints.failing(&lane.webhook_id) {
            Failing::Yes if self.0.to_failing.available_permits() == 0 => Turn::Later(lane, Timestamp(now.millis() + millis(UNTIL_PLACES))),
            _ => endpoints.take(lane, now),
        };
        // Before anybody else may let go of it.
        if !matches!(turn, Turn::Later(..)) {
            self.0.held.fetch_add(1, Ordering::Relaxed);
        }
        drop(endpoints);
        match turn {
            Turn::Now(lane) => {
                self.start(lane);
                None
            }
            Turn::Soon => None,
            Turn::Later(lane, until) => Some(rest_row(&lane.id, &lane.lease, Some(until), now)),
        }
    }

    fn start(&self, lane: HeldLane) {
        let courier = self.clone();
        tokio::spawn(async move {
            let webhook_id = lane.webhook_id.clone();
            courier.0.deliver_lane(lane).await;
            let ended = courier.0.endpoints().ended(&webhook_id);
            ended.turns.into_iter().for_each(|lane| courier.start(lane));
            if ended.runs_dry {
                courier.0.inner.waker.wake(DELIVERIES_JOB);
            }
            courier.0.let_go_of(1);
        });
    }
}

impl Shared {
    fn endpoints(&self) -> MutexGuard<'_, Endpoints> {
        self.endpoints.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }

    /// Lanes are held no more.
    fn let_go_of(&self, lanes: usize) {
        let left = self.held.fetch_sub(lanes, Ordering::Relaxed) - lanes;
        if left < MOST_HELD / 2 && self.more.swap(false, Ordering::Relaxed) {
            self.inner.waker.wake(DELIVERIES_JOB);
        }
        self.let_go.notify_waiters();
    }

    async fn try_to_claim(&self, room: usize) -> std::result::Result<Claimed, cypher::Error> {
        let now = self.inner.clock.now();
        let lease = Lease { holder: self.inner.clock.id(), good_until: Instant::now() + self.lease };
        let until = held_until(now, self.lease);
        let NotNow { passed_over, full, share } = self.endpoints().not_now(now);
        // What one receiver can't have is not claimed, as all of it may be to one. What is put off needs no place.
        let places = room.min(AT_ONCE).min(share.max(CLAIMED_AT_LEAST));
        let params = Params::none().with("now", now.millis()).with("until", until.millis()).with("holder", lease.holder.as_str());
        let params = params.with("most", AT_ONCE as i64).with("places", places as i64);
        let params = params.with("passedOver", passed_over).with("full", Value::List(full));
        let (claimed, heads) = self.inner.engine.in_transaction(LIMIT, async |transaction| claim_in(transaction, params).await).await?;
        let more = claimed.len() >= places;
        let due_at = claimed.into_iter().filter_map(|lane| lane.due_at.map(|due_at| (lane.id, Timestamp(due_at)))).collect();
        Ok(Claimed { heads, due_at, lease, until, more })
    }

    /// Delivers what is in a lane, one after another, until nothing is left, something fails, or it is lost.
    async fn deliver_lane(&self, lane: HeldLane) {
        let mut lane = lane;
        loop {
            let _place = self.place(&lane.webhook_id).await;
            if self.is_stopping() || !lane.lease.is_good_for(self.inner.settings.webhooks.timeout) {
                // It waited too long for its place; whoever is next begins with a fresh lease.
                self.rest(vec![lane], Some).await;
                return;
            }
            let attempted = match self.sender.attempt(&lane.message).await {
                Ok(attempted) => attempted,
                Err(error) => {
                    tracing::error!(%error, "a delivery can't be sent");
                    self.rest(vec![lane], |now| Some(Timestamp(now.millis() + millis(UNTIL_MENDED)))).await;
                    return;
                }
            };
            drop(_place);
            match self.settle(lane, attempted).await {
                Some(next) => lane = next,
                None => return,
            }
        }
    }

    /// A place among the requests under way; those to receivers that fail have some of them only.
    async fn place(&self, webhook_id: &str) -> (Option<OwnedSemaphorePermit>, Option<OwnedSemaphorePermit>) {
        let failing = self.endpoints().failing(webhook_id);
        let among_failing = match failing {
            Failing::Yes => Arc::clone(&self.to_failing).acquire_owned().await.ok(),
            Failing::No => None,
        };
        (among_failing, Arc::clone(&self.requests).acquire_owned().await.ok())
    }

    /// Writes how an attempt went; what is next in its lane.
    async fn settle(&self, lane: HeldLane, attempted: Attempted) -> Option<HeldLane> {
        let Attempted { answered, attempt, took } = attempted;
        let now = self.inner.clock.now();
        let learnt = match (answered.is_success(), answered.is_overload()) {
            (true, _) => Learnt::Success,
            (false, false) => Learnt::Failure,
            (false, true) => Learnt::Overload { asks_for: answered.asks_for() },
        };
        let overflow = self.endpoints().learn(&lane.webhook_id, took, learnt, now);
        if let Some((over, until)) = overflow {
            let lanes = over.len();
            self.rest(over, |_| Some(until)).await;
            self.let_go_of(lanes);
        }
        let follows = verdict(&answered, lane.failures, &self.inner.settings.webhooks.retry_schedule, now);
        metrics::counter!("amlgraph_delivery_attempts_total", "outcome" => outcome(learnt)).increment(1);
        metrics::histogram!("amlgraph_delivery_attempt_seconds").record(took.as_secs_f64());
        if learnt == Learnt::Success && lane.failures == 0 {
            let age = (now.millis() - lane.message.created_at).max(0) as f64 / 1000.0;
            metrics::histogram!("amlgraph_delivery_latency_seconds").record(age);
        }
        if let Follows::Again { at } = follows {
            self.look_again_at(at, now);
        }
        let HeldLane { id, webhook_id, delivery_id, lease, failures, message, .. } = lane;
        let renewed = Lease { good_until: Instant::now() + self.lease, ..lease.clone() };
        let held_until = held_until(now, self.lease);
        let gone = if answered.is_gone() { Gone::Yes } else { Gone::No };
        let url = message.url;
        let settlement = Settlement { lane_id: id, webhook_id, delivery_id, lease, attempt, failures, follows, url, gone, now, held_until };
        match self.settler.settle(settlement).await {
            Settled::Next(head) => self.go_on(*head, renewed, now).await,
            Settled::LetGo => None,
            Settled::Lost => {
                metrics::counter!("amlgraph_deliveries_lost_total").increment(1);
                None
            }
        }
    }

    fn look_again_at(&self, at: Timestamp, now: Timestamp) {
        let wait = Duration::from_millis(u64::try_from(at.millis() - now.millis()).unwrap_or_default());
        if wait > SOON_AGAIN {
            return;
        }
        let waker = self.inner.waker.clone();
        tokio::spawn(async move {
            tokio::time::sleep(wait).await;
            waker.wake(DELIVERIES_JOB);
        });
    }

    /// With what is next in a lane that is held on.
    async fn go_on(&self, head: LaneHead, lease: Lease, now: Timestamp) -> Option<HeldLane> {
        let id = head.id.clone();
        match HeldLane::found(head, lease.clone(), now, self.inner.vault.as_deref(), now) {
            Ok(Found::Held(lane)) => Some(*lane),
            // Whoever claims it next sees what is to be done; that is not this lane's usual way.
            Ok(Found::Empty | Found::Parked | Found::Orphaned) | Err(_) => {
                self.write_rest(vec![rest_row(&id, &lease, Some(now), now)]).await;
                None
            }
        }
    }

    /// Gives lanes back.
    async fn rest(&self, lanes: Vec<HeldLane>, due_at: impl Fn(Timestamp) -> Option<Timestamp>) {
        if lanes.is_empty() {
            return;
        }
        let now = self.inner.clock.now();
        let due_at = due_at(now).or(Some(now));
        self.write_rest(lanes.iter().map(|lane| rest_row(&lane.id, &lane.lease, due_at, now)).collect()).await;
    }

    async fn write_rest(&self, rows: Vec<Value>) {
        if let Err(error) = self.inner.engine.write(statements::REST, Params::rows(rows)).await {
            tracing::warn!(%error, "lanes could not be let go of; their leases run out by themselves");
        }
    }

    /// What waits, for the metrics.
    async fn measure(&self) {
        {
            let mut measured = self.measured.lock().unwrap_or_else(PoisonError::into_inner);
            if measured.is_some_and(|at| at.elapsed() < MEASURED_EVERY) {
                return;
            }
            *measured = Some(Instant::now());
        }
        let now = self.inner.clock.now();
        let params = Params::none().with("now", now.millis()).with("most", COUNTED);
        match self.inner.engine.read_as(statements::BACKLOG, params, LIMIT).await {
            Ok(rows) => {
                let row = rows.first();
                let oldest = row.and_then(|row| row.oldest).map_or(0.0, |oldest| (now.millis() - oldest).max(0) as f64 / 1000.0);
                metrics::gauge!("amlgraph_delivery_lanes_waiting").set(row.map_or(0.0, |row| row.waiting as f64));
                metrics::gauge!("amlgraph_delivery_oldest_seconds").set(oldest);
            }
            Err(error) => tracing::debug!(%error, "the backlog of deliveries could not be measured"),
        }
    }
}

/// Claims, and looks what is first in each lane that was taken.
async fn claim_in(transaction: &mut Transaction, params: Params) -> std::result::Result<(Vec<ClaimedLane>, Vec<LaneHead>), cypher::Error> {
    let claimed = transaction.run_as(statements::CLAIM, params).await?;
    let ids: Vec<&str> = claimed.iter().filter(|lane| lane.taken).map(|lane| lane.id.as_str()).collect();
    if ids.is_empty() {
        return Ok((claimed, Vec::new()));
    }
    let heads = transaction.run_as(statements::HEADS, Params::none().with("ids", ids)).await?;
    Ok((claimed, heads))
}

fn outcome(learnt: Learnt) -> &'static str {
    match learnt {
        Learnt::Success => "delivered",
        Learnt::Failure => "failed",
        Learnt::Overload { .. } => "unanswered",
    }
}
