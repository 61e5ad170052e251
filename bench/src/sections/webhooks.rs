//! Events on their way to a local receiver: how many a second when many wait, how long one takes from the answer to the request that caused it until it
//! arrives, and what ten thousand receivers notice of a hundredth of them that hang.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::http::{self, Connection};
use crate::receiver::{HANGS, Receiver};
use crate::report;
use crate::service::{Content, KEY, Program, Service, Store};

/// Events that wait when delivery begins.
const BACKLOG: usize = 4_000;
/// Events one after another.
const ONE_BY_ONE: usize = 300;
const RECEIVERS: usize = 10_000;
/// Of so many receivers one hangs.
const ONE_IN: usize = 100;
/// Events that all receivers are told of, one after another.
const TO_ALL: usize = 3;
const CONNECTIONS: usize = 16;
const PATIENCE: Duration = Duration::from_secs(180);
const SETTINGS: [(&str, &str); 2] =
    [("AMLGRAPH_WEBHOOKS__ALLOW_PRIVATE", "true"), ("AMLGRAPH_WEBHOOKS__KEY", "YSBrZXkgb2YgdGhlIGJlbmNobWFyaywgMzIgYnl0ZXM=")];

/// The section on one engine; `wipe` empties its store.
pub async fn run(program: &Program, store: Store<'_>, engine: &str) -> Result<()> {
    report::doing(&format!("webhooks on {engine}"));
    let receiver = Receiver::start().await?;
    let service = program.serve_by(store, Content::AsItIs, &SETTINGS, &["--no-worker"]).await?;
    register(&service, &format!("http://{}/", receiver.address)).await?;
    make_cases(&service, BACKLOG).await?;
    service.stop().await?;
    let service = program.serve_with(store, Content::AsItIs, &SETTINGS).await?;
    let arrivals = receiver.take(BACKLOG, PATIENCE).await?;
    let (first, last) = (arrivals.first().context("an event")?.at, arrivals.last().context("an event")?.at);
    let rate = BACKLOG as f64 / (last - first).as_secs_f64();
    let one_by_one = one_by_one(&service, &receiver).await?;
    service.stop().await?;
    report::heading(&format!("Events to a local receiver, {engine}"));
    println!(
        "| {} events that wait, events/s | one after another: from the answer to arrival, p50 / p99 ms |\n|---|---|",
        report::rate(BACKLOG as f64)
    );
    println!("| {} | {:.1} / {:.1} |", report::rate(rate), report::quantile(&one_by_one, 0.5), report::quantile(&one_by_one, 0.99));
    Ok(())
}

/// The same for many receivers: with none that hangs, and with some.
pub async fn many(program: &Program, store: Store<'_>, engine: &str, hanging: Hanging) -> Result<()> {
    report::doing(&format!("{RECEIVERS} receivers on {engine}, {hanging:?}"));
    let receiver = Receiver::start().await?;
    let service = program.serve_with(store, Content::AsItIs, &SETTINGS).await?;
    register_many(&service, &receiver, hanging).await?;
    let answering = match hanging {
        Hanging::None => RECEIVERS,
        Hanging::OneInAHundred => RECEIVERS - RECEIVERS / ONE_IN,
    };
    let mut millis = Vec::new();
    for _ in 0..TO_ALL {
        make_cases(&service, 1).await?;
        let told = Instant::now();
        let arrivals = receiver.take(answering, PATIENCE).await?;
        millis.extend(arrivals.iter().map(|arrival| arrival.at.saturating_duration_since(told).as_secs_f64() * 1000.0));
    }
    millis.sort_by(f64::total_cmp);
    println!(
        "| {engine}, {} | {:.0} / {:.0} |",
        if hanging == Hanging::None { "none hangs" } else { "1 % hang" },
        report::quantile(&millis, 0.5),
        report::quantile(&millis, 0.99)
    );
    service.stop().await
}

/// The head of the table of [`many`].
pub fn many_head() {
    report::heading(&format!("One event to {} receivers, one after another", report::rate(RECEIVERS as f64)));
    println!("| | those that answer: from the event's answer to arrival, p50 / p99 ms |\n|---|---|");
}

/// Which receivers answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hanging {
    None,
    OneInAHundred,
}

async fn register(service: &Service, url: &str) -> Result<()> {
    let body = json!({"name": "bench", "url": url, "events": ["*"]}).to_string();
    Connection::open(service.address).await?.send_for_success(&http::post("/api/webhooks", KEY, &body)).await.map(drop)
}

async fn register_many(service: &Service, receiver: &Receiver, hanging: Hanging) -> Result<()> {
    let requests: Vec<Vec<u8>> = (0..RECEIVERS)
        .map(|number| {
            let hangs = hanging == Hanging::OneInAHundred && number % ONE_IN == 0;
            let url = format!("http://{}{}/{number}", receiver.address, if hangs { HANGS } else { "" });
            http::post("/api/webhooks", KEY, &json!({"name": format!("bench {number}"), "url": url, "events": ["*"]}).to_string())
        })
        .collect();
    send_all(service, requests).await.map(drop)
}

async fn make_cases(service: &Service, count: usize) -> Result<()> {
    let requests = (0..count).map(|_| http::post("/api/cases", KEY, "{}")).collect();
    send_all(service, requests).await.map(drop)
}

/// Sends requests over some connections.
pub async fn send_all(service: &Service, requests: Vec<Vec<u8>>) -> Result<()> {
    let share = requests.len().div_ceil(CONNECTIONS).max(1);
    let senders: Vec<_> = requests
        .chunks(share)
        .map(|share| {
            let (address, share) = (service.address, share.to_vec());
            tokio::spawn(async move {
                let mut connection = Connection::open(address).await?;
                for request in share {
                    connection.send_for_success(&request).await?;
                }
                anyhow::Ok(())
            })
        })
        .collect();
    for sender in senders {
        sender.await??;
    }
    Ok(())
}

/// Cases one after another, each when the one before has arrived; milliseconds from its answer to its arrival, sorted.
async fn one_by_one(service: &Service, receiver: &Receiver) -> Result<Vec<f64>> {
    let mut connection = Connection::open(service.address).await?;
    let request = http::post("/api/cases", KEY, "{}");
    let mut millis = Vec::with_capacity(ONE_BY_ONE);
    for _ in 0..ONE_BY_ONE {
        let answer: Value = serde_json::from_slice(connection.send_for_success(&request).await?)?;
        let answered = Instant::now();
        let id = answer["case_id"].as_str().context("a case has an id")?.to_owned();
        let arrived: HashMap<String, Instant> = receiver.take(1, PATIENCE).await?.into_iter().map(|arrival| (arrival.case, arrival.at)).collect();
        let at = arrived.get(&id).context("the case's event came")?;
        millis.push(at.saturating_duration_since(answered).as_secs_f64() * 1000.0);
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    millis.sort_by(f64::total_cmp);
    Ok(millis)
}
