//! Cases that are changed at a steady rate, and when their subscribers are told.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::http::Connection;
use crate::machine::{Processes, Share};
use crate::report;
use crate::subscriber::{FOLLOWERS, Subscribers, request_name};
use crate::traffic;

/// Changes a second.
const RATE: usize = 20;
const INTERVAL: Duration = Duration::from_millis(1_000 / RATE as u64);
/// Changes before those that count: Neo4j makes plans, and Java begins to compile.
const WARM_UP: usize = 10 * RATE;
const MEASURED: usize = 30 * RATE;
/// Connections that changes are sent on by turns, so that a slow answer delays few that come behind it.
const SENDERS: usize = 8;

/// What came of changes, in milliseconds and in order.
pub struct Told {
    /// From a request to its answer.
    pub answered: Vec<f64>,
    /// From a request's answer to each of its events; 0 where the event came first.
    pub since_answer: Vec<f64>,
    /// From a request to each of its events.
    pub since_request: Vec<f64>,
    /// Cores in use meanwhile.
    pub cores: Share,
}

/// A change to send.
struct Change {
    number: usize,
    due: Instant,
    request: Vec<u8>,
}

/// When a change was sent, and when it was answered.
struct Sent {
    at: Instant,
    answered: Instant,
}

/// Changes cases one after another, each of which has its [`FOLLOWERS`]. Fails where one of them is not told.
pub async fn tell(address: SocketAddr, subscribers: &mut Subscribers, cases: &[String], processes: &Processes) -> Result<Told> {
    told(address, subscribers, cases, WARM_UP, processes).await.context("warming up")?;
    told(address, subscribers, cases, MEASURED, processes).await
}

async fn told(address: SocketAddr, subscribers: &mut Subscribers, cases: &[String], count: usize, processes: &Processes) -> Result<Told> {
    let (began, used) = (Instant::now(), processes.used());
    let sent = send_all(address, cases, count).await?;
    let arrivals = subscribers.take(count * FOLLOWERS).await?;
    let cores = (processes.used() - used).over(began.elapsed());
    let (mut since_answer, mut since_request) = (Vec::with_capacity(arrivals.len()), Vec::with_capacity(arrivals.len()));
    for ((number, _), at) in &arrivals {
        let change = sent.get(number).context("an event tells of a change that was not sent")?;
        since_answer.push(millis(change.answered, *at));
        since_request.push(millis(change.at, *at));
    }
    let answered: Vec<f64> = sent.values().map(|change| millis(change.at, change.answered)).collect();
    let [answered, since_answer, since_request] = [answered, since_answer, since_request].map(in_order);
    Ok(Told { answered, since_answer, since_request, cores })
}

/// Sends so many changes, each when it is due; by their numbers.
async fn send_all(address: SocketAddr, cases: &[String], count: usize) -> Result<HashMap<usize, Sent>> {
    /// No number comes twice.
    static NUMBERS: AtomicUsize = AtomicUsize::new(0);
    let first = NUMBERS.fetch_add(count, Ordering::Relaxed);
    let began = Instant::now() + INTERVAL;
    let change = |at: usize| {
        let number = first + at;
        let request = traffic::update_case_as(&request_name(number), &cases[at % cases.len()]);
        Change { number, due: began + INTERVAL * at as u32, request }
    };
    let of_sender = |sender: usize| (sender..count).step_by(SENDERS).map(change).collect::<Vec<_>>();
    let senders: Vec<_> = (0..SENDERS).map(|sender| tokio::spawn(send(address, of_sender(sender)))).collect();
    let mut sent = HashMap::with_capacity(count);
    for sender in senders {
        sent.extend(sender.await??);
    }
    Ok(sent)
}

async fn send(address: SocketAddr, changes: Vec<Change>) -> Result<Vec<(usize, Sent)>> {
    let mut connection = Connection::open(address).await?;
    let mut sent = Vec::with_capacity(changes.len());
    for change in changes {
        tokio::time::sleep_until(change.due.into()).await;
        let at = Instant::now();
        connection.send_for_success(&change.request).await.context("changing a case")?;
        sent.push((change.number, Sent { at, answered: Instant::now() }));
    }
    Ok(sent)
}

fn millis(from: Instant, to: Instant) -> f64 {
    to.saturating_duration_since(from).as_secs_f64() * 1000.0
}

fn in_order(mut millis: Vec<f64>) -> Vec<f64> {
    millis.sort_by(f64::total_cmp);
    millis
}

/// Opens the table of [`line`].
pub fn head(engine: &str) {
    report::heading(&format!("From a change by REST to its {FOLLOWERS} subscribers, {RATE} changes a second, {engine}"));
    println!(
        "| subscribers | events | from request to answer, p50 / p99 ms | from answer to event, p50 / p99 ms | from request to event, p50 / p99 ms | \
         cores then: database / amlgraph / client |"
    );
    println!("|---|---|---|---|---|---|");
}

/// What came of changes while there were so many subscribers.
pub fn line(subscribers: usize, told: &Told) {
    let times = |millis: &[f64]| format!("{:.1} / {:.1}", report::quantile(millis, 0.5), report::quantile(millis, 0.99));
    println!(
        "| {} | {} | {} | **{}** | {} | {} |",
        report::rate(subscribers as f64),
        report::rate(told.since_answer.len() as f64),
        times(&told.answered),
        times(&told.since_answer),
        times(&told.since_request),
        report::share(told.cores),
    );
}
