//! What callers notice of many who guess keys.
//!
//! 32 connections of one caller ask what analysts ask all day; 256 others, from the same address, send keys that are none: what could be one that was issued,
//! each of them another, and what could not.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Result, bail};
use tokio::task::JoinSet;

use crate::asked::{Asked, requests};
use crate::cell::{Compared, Plan, Side, Work, settled_by_turns};
use crate::http::{self, Connection};
use crate::machine::Processes;
use crate::report;
use crate::sections::fairness::{USUAL, accounts};
use crate::service::{Content, Program, Store};

const CALLERS: usize = 32;
const GUESSERS: usize = 256;

/// A caller, while others guess or do not.
struct Caller {
    asked: Asked,
    disturbed: bool,
    guessing: Arc<Guessing>,
}

impl Work for Caller {
    async fn once(&mut self) -> Result<()> {
        self.guessing.wanted.store(self.disturbed, Ordering::Relaxed);
        self.asked.once().await
    }
}

/// What came of the guesses.
#[derive(Default)]
struct Guessing {
    wanted: AtomicBool,
    looked_at: AtomicU64,
    told_to_wait: AtomicU64,
}

/// The section, on one engine; `database`: its process, where it has one.
pub async fn run(program: &Program, store: Store<'_>, engine: &str, database: Option<u32>, plan: Plan) -> Result<()> {
    report::doing(&format!("guessing, {engine}"));
    let service = program.serve(store, Content::Sample).await?;
    let processes = &Processes { database, service: Some(service.id()) };
    let accounts = accounts(service.address).await?;
    let usual: Arc<Vec<Vec<u8>>> = Arc::new(USUAL.iter().flat_map(|document| requests(document, &accounts.ids).to_vec()).collect());
    let guessing = Arc::new(Guessing::default());
    let mut tasks = JoinSet::new();
    for number in 0..GUESSERS {
        tasks.spawn(guess(service.address, number, Arc::clone(&guessing)));
    }
    let callers = async |disturbed| -> Result<Vec<Caller>> {
        let asked = Asked::on(service.address, &usual, CALLERS).await?;
        Ok(asked.into_iter().map(|asked| Caller { asked, disturbed, guessing: Arc::clone(&guessing) }).collect())
    };
    let alone = Side { name: "alone", workers: callers(false).await?, processes };
    let beside = Side { name: "beside those who guess", workers: callers(true).await?, processes };
    let compared = settled_by_turns(alone, beside, plan).await?;
    if let Some(ended) = tasks.try_join_next() {
        ended??;
        bail!("somebody who guesses has stopped");
    }
    line(engine, &compared, &guessing);
    tasks.shutdown().await;
    service.stop().await
}

/// Sends keys that are none, one after another, while it is wanted.
async fn guess(address: SocketAddr, number: usize, guessing: Arc<Guessing>) -> Result<()> {
    let mut connection = Connection::open(address).await?;
    for guess in 0_u64.. {
        while !guessing.wanted.load(Ordering::Relaxed) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let key = if guess % 2 == 0 { format!("aml_{:043}", ((number as u64) << 40) + guess) } else { format!("no key at all, {guess}") };
        let answer = connection.send(&http::get_with_key("/api/risk_scores", &key)).await?;
        match answer.status {
            401 => &guessing.looked_at,
            429 => &guessing.told_to_wait,
            status => bail!("a key that is none was answered {status}"),
        }
        .fetch_add(1, Ordering::Relaxed);
    }
    Ok(())
}

/// The head of the table.
pub fn head() {
    report::heading("32 connections of a caller beside 256 that guess keys");
    println!("| | alone, requests/s | p50 / p99 ms | beside them, requests/s | p50 / p99 ms | p99: ratio | guesses: refused / told to wait |");
    println!("|---|---|---|---|---|---|---|");
}

fn line(engine: &str, compared: &Compared, guessing: &Guessing) {
    let (alone, beside) = (&compared.basis, &compared.subject);
    println!(
        "| {engine} | {} | {} | {} | {} | **{:.2}** | {} / {} |",
        report::rate(alone.rate()),
        report::times(alone),
        report::rate(beside.rate()),
        report::times(beside),
        beside.millis(0.99) / alone.millis(0.99),
        guessing.looked_at.load(Ordering::Relaxed),
        guessing.told_to_wait.load(Ordering::Relaxed),
    );
}
