//! Bulk requests of 1,000 payments by number: how long until all of one are there, how many a second, against batches of 500 written by hand over one
//! connection; and what those who send one payment a request notice while bulk is processed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use cypher::Params;
use serde_json::{Value, json};
use test_support::neo4j::Neo4j;

use crate::cell::{Plan, alone};
use crate::database::{self, write};
use crate::http::{self, Connection};
use crate::machine::{Processes, Share};
use crate::payments::{Accounts, Flow, Naming, Payment, RECORD_BATCH_BY_NUMBER, Random};
use crate::report;
use crate::sections::ingest;
use crate::service::{Content, KEY, Program, Service, Store};

pub const ITEMS: usize = 1_000;
const BATCH: usize = 500;
const FLOW: Flow = Flow { accounts: Accounts::Spread, naming: Naming::Number };
/// Requests that both sides write before anything is measured, and of a turn.
const WARM_UP: usize = 20;
pub const OF_A_TURN: usize = 10;
/// How often is asked whether one request is done, and whether many are: each question takes the database some time, too, which those who write by hand
/// do not spend.
const LOOK_AT_ONE: Duration = Duration::from_millis(5);
const LOOK_AT_MANY: Duration = Duration::from_millis(200);
const PATIENCE: Duration = Duration::from_secs(120);
/// Connections of those who send one payment a request beside it.
const SINGLE: usize = 8;

/// The section.
pub async fn on_neo4j(program: &Program, server: &Neo4j, plan: Plan) -> Result<()> {
    report::doing("bulk on Neo4j");
    database::wipe(server).await?;
    let service = program.serve(Store::Neo4j(server), Content::AsItIs).await?;
    ingest::make_accounts(&database::raw(server, 1)?).await?;
    let mut sender = Sender::open(&service).await?;
    let mut random = Random::new(5_000);
    by_hand(server, &mut random, WARM_UP).await?;
    sender.send_all(&mut random, WARM_UP).await?;
    let processes = Processes { database: server.process_id(), service: Some(service.id()) };
    let (mut raw, mut bulk, mut single) = (Turns::default(), Turns::default(), Vec::new());
    for round in 1..=plan.rounds {
        report::doing(&format!("bulk: round {round} of {}", plan.rounds));
        let before = processes.used();
        raw.add(by_hand(server, &mut random, OF_A_TURN).await?, processes.used() - before);
        let before = processes.used();
        bulk.add(sender.send_all(&mut random, OF_A_TURN).await?, processes.used() - before);
        for _ in 0..OF_A_TURN {
            single.push(sender.send_all(&mut random, 1).await?);
        }
    }
    single.sort_unstable();
    report::heading("Bulk requests of 1,000 payments by number, Neo4j");
    println!("| | payments/s | ratio | processor ms of a payment: Neo4j / amlgraph / client |\n|---|---|---|---|");
    println!("| raw batches of {BATCH} | {} | | {} |", report::rate(raw.rate()), report::share(raw.millis_each()));
    println!("| bulk | {} | **{:.2}** | {} |", report::rate(bulk.rate()), bulk.rate() / raw.rate(), report::share(bulk.millis_each()));
    println!("\nOne request alone, until all is done: median {:.0} ms.", single[single.len() / 2].as_secs_f64() * 1000.0);
    beside(server, &service, plan).await?;
    service.stop().await
}

/// What the turns of one side took.
#[derive(Default)]
struct Turns {
    payments: usize,
    time: Duration,
    share: Share,
}

impl Turns {
    fn add(&mut self, time: Duration, share: Share) {
        self.payments += ITEMS * OF_A_TURN;
        self.time += time;
        self.share += share;
    }

    fn rate(&self) -> f64 {
        self.payments as f64 / self.time.as_secs_f64()
    }

    fn millis_each(&self) -> Share {
        self.share.millis_each(self.payments)
    }
}

/// Single requests alone, and while bulk requests are processed one after another.
async fn beside(server: &Neo4j, service: &Service, plan: Plan) -> Result<()> {
    report::doing("single requests beside bulk");
    let processes = Processes { database: server.process_id(), service: Some(service.id()) };
    let undisturbed = alone(ingest::senders(service.address, FLOW, SINGLE).await?, plan, &processes).await?;
    let go_on = Arc::new(AtomicBool::new(true));
    let done = Arc::new(AtomicU64::new(0));
    let pouring = {
        let (mut sender, go_on, done) = (Sender::open(service).await?, Arc::clone(&go_on), Arc::clone(&done));
        let mut random = Random::new(6_000);
        tokio::spawn(async move {
            while go_on.load(Ordering::Relaxed) {
                sender.send_all(&mut random, 2).await?;
                done.fetch_add(2 * ITEMS as u64, Ordering::Relaxed);
            }
            anyhow::Ok(())
        })
    };
    let started = Instant::now();
    let disturbed = alone(ingest::senders(service.address, FLOW, SINGLE).await?, plan, &processes).await?;
    let poured = done.load(Ordering::Relaxed) as f64 / started.elapsed().as_secs_f64();
    go_on.store(false, Ordering::Relaxed);
    pouring.await??;
    println!(
        "\nOne payment a request, {SINGLE} connections, alone and while bulk requests are processed ({} payments/s of bulk beside it):\n",
        report::rate(poured)
    );
    println!("| | payments/s | p50 / p99 ms |\n|---|---|---|");
    println!("| alone | {} | {} |", report::rate(undisturbed.rate()), report::times(&undisturbed));
    println!("| beside bulk | {} | {} |", report::rate(disturbed.rate()), report::times(&disturbed));
    println!("\np99: **{:.2}** of what it is alone", disturbed.millis(0.99) / undisturbed.millis(0.99));
    Ok(())
}

async fn by_hand(server: &Neo4j, random: &mut Random, requests: usize) -> Result<Duration> {
    let engine = database::raw(server, 1)?;
    let payments: Vec<Payment> = (0..requests * ITEMS).map(|_| FLOW.payment(random)).collect();
    let batches: Vec<Params> = payments.chunks(BATCH).map(|batch| Params::rows(batch.iter().map(Payment::row).collect())).collect();
    let started = Instant::now();
    for batch in batches {
        write(&engine, RECORD_BATCH_BY_NUMBER, batch).await?;
    }
    Ok(started.elapsed())
}

/// Somebody who sends bulk requests.
pub struct Sender(Connection);

impl Sender {
    pub async fn open(service: &Service) -> Result<Self> {
        Ok(Self(Connection::open(service.address).await?))
    }

    /// Sends so many requests one after another and waits until all is there: from the first byte on.
    pub async fn send_all(&mut self, random: &mut Random, requests: usize) -> Result<Duration> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let mut names = Vec::with_capacity(requests);
        let mut bodies = Vec::with_capacity(requests);
        for _ in 0..requests {
            let items: Vec<String> = (0..ITEMS).map(|_| FLOW.payment(random).bulk_item()).collect();
            let name = format!("bench-{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
            bodies.push(http::post_as(&name, "/api/bulk", KEY, &format!(r#"{{"transactions":[{}]}}"#, items.join(","))));
            names.push(name);
        }
        let look = if requests == 1 { LOOK_AT_ONE } else { LOOK_AT_MANY };
        let started = Instant::now();
        for body in &bodies {
            self.0.send_for_success(body).await?;
        }
        // They are processed in the order in which they came.
        let last = names.last().context("at least one request")?;
        while !self.is_done(last).await? {
            if started.elapsed() > PATIENCE {
                bail!("bulk requests were not processed within {PATIENCE:?}");
            }
            tokio::time::sleep(look).await;
        }
        Ok(started.elapsed())
    }

    async fn is_done(&mut self, name: &str) -> Result<bool> {
        let query = "query($name: String!) { bulkRequests(requestId: $name, first: 1) { edges { node { progress { completed items failed } } } } }";
        let body = json!({"query": query, "variables": {"name": name}}).to_string();
        let answer: Value = serde_json::from_slice(self.0.send_for_success(&http::post("/graphql", KEY, &body)).await?)?;
        let progress = &answer["data"]["bulkRequests"]["edges"][0]["node"]["progress"][0];
        if progress["failed"].as_i64().is_some_and(|failed| failed > 0) {
            bail!("payments of a bulk request have failed: {progress}");
        }
        Ok(progress["items"].is_i64() && progress["completed"] == progress["items"])
    }
}
