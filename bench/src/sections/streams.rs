//! Long reads: verification of roll-ups over many payments; how many a second, what it takes of memory, and what 32 readers notice of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use cypher::{Engine, Params, Statement, Value};
use serde_json::{Value as Json, json};

use crate::asked::{Asked, requests};
use crate::cell::{Plan, alone};
use crate::database::write;
use crate::http::{self, Connection};
use crate::machine::{Processes, peak_mib, resident_mib};
use crate::report;
use crate::service::{Content, KEY, Program, Service, Store};

const ACCOUNTS: i64 = 20_000;
const BATCH: i64 = 2_000;
const READERS: usize = 32;
const LOOK: Duration = Duration::from_millis(100);

const FILL_ACCOUNTS: Statement = Statement::new(
    "fill/accounts",
    "UNWIND range($from, $to) AS i CREATE (a:Account {id: 'account-' + toString(i), name: 'Account', record: '{}', status: 'ACTIVE'})",
);
/// Each account pays another, again and again.
const FILL_PAYMENTS: Statement = Statement::new(
    "fill/payments",
    "UNWIND range($from, $to) AS i
WITH i, i % 20000 AS sender
MATCH (a:Account {id: 'account-' + toString(sender)}) MATCH (b:Account {id: 'account-' + toString((sender * 31 + 1) % 20000)})
CREATE (t:Transaction {id: 'payment-' + toString((i * 104729) % 100000000 + 100000000), name: '1 EUR', createdAt: 1700000000000 + i * 1000, amount: 1.0,
  amountUnits: 1, amountNanos: 0, standardizedAmount: 1.0, standardUnits: 1, standardNanos: 0, currency: 'EUR', direction: 'OUTBOUND', status: 'COMPLETED',
  counted: true, accountId: a.id, accountOwnerId: 'owner', recordedAt: 1, logicalTime: 1})
CREATE (a)-[:SENT]->(t) CREATE (t)-[:RECEIVED_BY]->(b)",
);
/// What `$each` payments of each account add up to.
const FILL_ROLL_UPS: Statement = Statement::new(
    "fill/roll_ups",
    "UNWIND range($from, $to) AS i
MATCH (a:Account {id: 'account-' + toString(i)}) MATCH (b:Account {id: 'account-' + toString((i * 31 + 1) % 20000)})
CREATE (a)-[:TRANSFERRED_TO {currency: 'EUR', sentCount: $each, sentUnits: $each, sentNanos: 0, sentStandardUnits: $each, sentStandardNanos: 0,
  receivedCount: 0, receivedUnits: 0, receivedNanos: 0, receivedStandardUnits: 0, receivedStandardNanos: 0, first: 1700000000000 + i * 1000,
  last: 1700000000000 + (i + ($each - 1) * 20000) * 1000, largerTally: 'SENT', count: $each, totalUnits: $each, totalNanos: 0, total: toFloat($each)}]->(b)",
);

const READ: &str = "query($id: ID!) { account(id: $id) { id name transferredTo(first: 5) { edges { count total node { id name } } } } }";
const START: &str = "mutation { verifyTransfers(input: {}) { job { id } userErrors { message } } }";
const JOB: &str = "query($id: ID!) { job(id: $id) { status result lastError } }";

/// Fills a store that is empty but for its schema with about so many payments; answers with how many.
pub async fn fill(engine: &Engine, payments: i64) -> Result<i64> {
    let each = (payments / ACCOUNTS).max(1);
    for (statement, many) in [(FILL_ACCOUNTS, ACCOUNTS), (FILL_PAYMENTS, each * ACCOUNTS), (FILL_ROLL_UPS, ACCOUNTS)] {
        for from in (0..many).step_by(BATCH as usize) {
            let params = Params::none().with("from", Value::from(from)).with("to", Value::from(from + BATCH - 1)).with("each", Value::from(each));
            write(engine, statement, params).await?;
        }
    }
    Ok(each * ACCOUNTS)
}

/// Heads the table of the section.
pub fn head() {
    report::heading("Long reads: verification of roll-ups, and 32 readers beside it");
    println!(
        "| | payments | payments/s alone | MiB resident before, at most | p99 ms of readers alone | beside it | ratio | payments/s beside readers |"
    );
    println!("|---|---|---|---|---|---|---|---|");
}

/// The section on one engine, whose store is filled.
pub async fn run(program: &Program, store: Store<'_>, engine: &str, database: Option<u32>, payments: i64, plan: Plan) -> Result<()> {
    report::doing(&format!("streams, {engine}"));
    let service = program.serve(store, Content::AsItIs).await?;
    let processes = Processes { database, service: Some(service.id()) };
    let before = resident_mib(service.id())?;
    let mut verifier = Verifier { connection: Connection::open(service.address).await? };
    let took = verifier.verify().await?;
    let most = peak_mib(service.id())?;

    let roots: Vec<String> = (0..1_000).map(|number| format!("account-{}", number * 19)).collect();
    let asked = requests(READ, &roots);
    let readers = async || Asked::on(service.address, &asked, READERS).await;
    let undisturbed = alone(readers().await?, plan, &processes).await?;
    let (verified, disturbed) = beside(&service, async || alone(readers().await?, plan, &processes).await).await?;
    let [quick, slow] = [&undisturbed, &disturbed].map(|measured| measured.millis(0.99));
    println!(
        "| {engine} | {payments} | {} | {before:.0}, {most:.0} | {quick:.1} | {slow:.1} | **{:.2}** | {} |",
        report::rate(payments as f64 / took.as_secs_f64()),
        slow / quick,
        report::rate(verified * payments as f64),
    );
    service.stop().await
}

/// What is measured while one verification follows another; and how many of them a second came to their end meanwhile, or until the last one did.
async fn beside<T>(service: &Service, measure: impl AsyncFnOnce() -> Result<T>) -> Result<(f64, T)> {
    let (go_on, ended) = (Arc::new(AtomicBool::new(true)), Arc::new(AtomicU64::new(0)));
    let mut verifier = Verifier { connection: Connection::open(service.address).await? };
    let began = Instant::now();
    let verifying = {
        let (go_on, ended) = (Arc::clone(&go_on), Arc::clone(&ended));
        tokio::spawn(async move {
            while go_on.load(Ordering::Relaxed) {
                verifier.verify().await?;
                ended.fetch_add(1, Ordering::Relaxed);
            }
            anyhow::Ok(())
        })
    };
    let measured = measure().await?;
    go_on.store(false, Ordering::Relaxed);
    verifying.await??;
    let a_second = ended.load(Ordering::Relaxed) as f64 / began.elapsed().as_secs_f64();
    Ok((a_second, measured))
}

/// An administrator who has all roll-ups verified.
struct Verifier {
    connection: Connection,
}

impl Verifier {
    async fn ask(&mut self, document: &str, variables: Json) -> Result<Json> {
        let request = http::post("/graphql", KEY, &json!({"query": document, "variables": variables}).to_string());
        let mut answer: Json = serde_json::from_slice(self.connection.send_for_success(&request).await?)?;
        ensure!(answer["errors"].is_null(), "answered {answer}");
        Ok(answer["data"].take())
    }

    /// How long it took.
    async fn verify(&mut self) -> Result<Duration> {
        let began = Instant::now();
        let started = self.ask(START, json!({})).await?;
        let id = started["verifyTransfers"]["job"]["id"].as_str().with_context(|| format!("answered {started}"))?.to_owned();
        loop {
            let job = self.ask(JOB, json!({"id": id})).await?["job"].take();
            match job["status"].as_str() {
                Some("DONE") => {
                    let result = &job["result"];
                    let result: Json = result.as_str().map(serde_json::from_str).transpose()?.unwrap_or_else(|| result.clone());
                    ensure!(result["differences"] == json!(0), "roll-ups are wrong: {result}");
                    return Ok(began.elapsed());
                }
                Some("QUEUED" | "RUNNING") => tokio::time::sleep(LOOK).await,
                _ => bail!("the job is {job}"),
            }
        }
    }
}
