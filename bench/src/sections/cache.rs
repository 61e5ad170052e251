//! The read cache: walks through the program with it, without it, through another build and through `@neo4j/graphql`, by turns.
//!
//! Accounts are asked for by Zipf's law over all of the sample while payments are written; then the two walks of section `facade` are, one after another. All
//! are before one Neo4j. On the embedded engine each has a store of its own, as no two processes can have the same one open, and the façade has none.

mod visitor;
mod zipf;

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use test_support::neo4j::Neo4j;

use crate::asked::{Asked, requests};
use crate::cell::{Measured, Plan, Side, Work};
use crate::database;
use crate::facade::Packages;
use crate::http::Connection;
use crate::machine::{Processes, resident_mib};
use crate::metrics::Metrics;
use crate::payments::network::Network;
use crate::report;
use crate::sections::facade::{QUESTIONS, Question, told};
use crate::service::{Content, Program, Service, Store};
use visitor::Visits;
use zipf::Zipf;

const BYTES: &str = "AMLGRAPH_CACHE__BYTES";
/// What is measured of the cache.
const HITS: &str = "amlgraph_cache_hits_total";
const MISSES: &str = "amlgraph_cache_misses_total";
const EVICTIONS: &str = "amlgraph_cache_evictions_total";
const HELD: &str = "amlgraph_cache_bytes";
const WITH: &[(&str, &str)] = &[(BYTES, "256MiB")];
const WITHOUT: &[(&str, &str)] = &[(BYTES, "0")];
const CAPTION: &str = "accounts by Zipf's law (s = 1) over all, 5 % payments";
const CONNECTIONS: usize = 32;
/// Of section facade.
const THREE_HOPS: &Question = &QUESTIONS[1];
const MIXED_WALK: &Question = &QUESTIONS[3];
/// Accounts whose answers are looked into, twice: the service plans a walk once it was met twice.
const CHECKED: usize = 50;
/// Longer than another process' change may go unnoticed, where that process tells what it writes; neither the other build nor the one without the cache does.
const QUIET: Duration = Duration::from_secs(2);
/// Longer than any change may go unnoticed.
const UNTOLD: Duration = Duration::from_secs(62);
const AGAIN: Duration = Duration::from_millis(500);

/// Those that take turns, in the order of the tables.
const OTHER: usize = 0;
const OFF: usize = 1;
const CACHED: usize = 2;
const FACADE: usize = 3;
/// Who is measured against whom. On the embedded engine there is no façade.
const RATIOS: [(usize, usize, &str); 4] =
    [(CACHED, OTHER, "cached to the other"), (CACHED, FACADE, "cached to façade"), (CACHED, OFF, "cached to off"), (OFF, OTHER, "off to the other")];

/// One that takes turns.
struct Contender {
    name: &'static str,
    address: SocketAddr,
    processes: Processes,
    /// Where its visitors pay, when not there: the façade has no mutation that keeps the totals.
    till: Option<SocketAddr>,
}

/// What came of a cell.
struct Cell {
    /// By contender, of all turns.
    totals: Vec<Measured>,
    /// Those look-ups that the cache was asked for, and those of them that it had.
    looked_up: f64,
    found: f64,
}

/// All of a section.
struct Contest<'a> {
    contenders: Vec<Contender>,
    network: Arc<Network>,
    engine: &'a str,
    plan: Plan,
}

/// The section.
pub async fn on_neo4j(packages: &Packages, program: &Program, other: &Program, server: &Neo4j, plan: Plan) -> Result<()> {
    report::doing("the read cache on Neo4j: loading the sample");
    database::empty(server).await?;
    let store = Store::Neo4j(server);
    // The older one first: it refuses a store that the newer has migrated, but does not mind when that happens beside it.
    let other = other.serve(store, Content::Sample).await?;
    let off = program.serve_with(store, Content::AsItIs, WITHOUT).await?;
    let cached = program.serve_with(store, Content::AsItIs, WITH).await?;
    let facade = packages.serve(server).await?;
    let mut contenders = contenders([&other, &off, &cached], server.process_id());
    let processes = Processes { database: server.process_id(), service: facade.id() };
    contenders.push(Contender { name: "@neo4j/graphql", address: facade.address, processes, till: Some(other.address) });
    contest(contenders, "Neo4j", plan).await?;
    facade.stop().await?;
    stopped([cached, off, other]).await
}

/// The section on the embedded engine.
pub async fn on_the_embedded_engine(program: &Program, other: &Program, folder: &Path, plan: Plan) -> Result<()> {
    report::doing("the read cache on the embedded engine: loading the sample");
    let stores = ["cache-other", "cache-off", "cache-cached"].map(|name| folder.join(name));
    let [of_other, of_off, of_cached] = &stores;
    let other = other.serve(Store::Embedded(of_other), Content::Sample).await?;
    let off = program.serve_with(Store::Embedded(of_off), Content::Sample, WITHOUT).await?;
    let cached = program.serve_with(Store::Embedded(of_cached), Content::Sample, WITH).await?;
    // No Java is to be warmed up.
    let plan = Plan { java: Duration::ZERO, ..plan };
    contest(contenders([&other, &off, &cached], None), "embedded engine", plan).await?;
    stopped([cached, off, other]).await
}

fn contenders(services: [&Service; 3], database: Option<u32>) -> Vec<Contender> {
    let names = ["the other", "cache off", "cached"];
    let of = |(name, service): (&'static str, &Service)| Contender {
        name,
        address: service.address,
        processes: Processes { database, service: Some(service.id()) },
        till: None,
    };
    names.into_iter().zip(services).map(of).collect()
}

async fn stopped(services: [Service; 3]) -> Result<()> {
    for service in services {
        service.stop().await?;
    }
    Ok(())
}

async fn contest(contenders: Vec<Contender>, engine: &str, plan: Plan) -> Result<()> {
    let network = Arc::new(Network::of_the_sample()?);
    let contest = Contest { contenders, network, engine, plan };
    contest.visits().await?;
    contest.walks().await
}

impl Contest<'_> {
    /// Visitors by Zipf's law, who write.
    async fn visits(&self) -> Result<()> {
        report::doing(&format!("the read cache, {}: checking answers and warming up", self.engine));
        let zipf = Arc::new(Zipf::over(self.network.accounts.len()));
        let often: Vec<String> = (0..CHECKED).map(|rank| self.network.accounts[zipf.of_rank(rank)].clone()).collect();
        self.check(THREE_HOPS, &often).await.context("before")?;
        let mut sides = Vec::new();
        for (at, contender) in self.contenders.iter().enumerate() {
            let requests = requests(document(THREE_HOPS, at), &self.network.accounts);
            let visits = Visits { network: Arc::clone(&self.network), zipf: Arc::clone(&zipf), requests, till: contender.till };
            sides.push(contender.side(visits.visitors(contender.address, CONNECTIONS).await?));
        }
        let heading = format!("Three hops of five from {CAPTION}, {CONNECTIONS} connections, {}", self.engine);
        self.measure(&heading, sides).await?;
        // What each has written all the others have to show.
        self.check(THREE_HOPS, &often).await.context("afterwards")
    }

    /// The walks of section facade, read only, from accounts that are drawn evenly.
    async fn walks(&self) -> Result<()> {
        for question in [THREE_HOPS, MIXED_WALK] {
            report::doing(&format!("the read cache, {}: {}", self.engine, question.caption));
            let payers = &self.network.payers;
            self.check(question, &payers[..CHECKED.min(payers.len())]).await.context(question.caption)?;
            let mut sides = Vec::new();
            for (at, contender) in self.contenders.iter().enumerate() {
                sides.push(contender.side(Asked::on(contender.address, &requests(document(question, at), payers), 1).await?));
            }
            self.measure(&format!("{}, from all who pay, evenly, one connection, {}", question.caption, self.engine), sides).await?;
        }
        Ok(())
    }

    /// Whether all say the same, those of this program word for word, and what the cache has what the store has. Nobody writes meanwhile.
    async fn check(&self, question: &Question, roots: &[String]) -> Result<()> {
        tokio::time::sleep(QUIET).await;
        let mut nodes = 0;
        let mut connections = Vec::new();
        for contender in &self.contenders {
            connections.push(Connection::open(contender.address).await?);
        }
        let deadline = Instant::now() + UNTOLD;
        for root in roots {
            nodes += loop {
                let answers = answers(question, root, &mut connections).await?;
                match self.agree(root, &answers) {
                    Ok(()) => break told(&answers[CACHED]).0,
                    Err(error) if Instant::now() > deadline => return Err(error),
                    Err(_) => tokio::time::sleep(AGAIN).await,
                }
            };
        }
        ensure!(nodes > 0, "no answer has a node");
        Ok(())
    }

    fn agree(&self, root: &str, answers: &[String]) -> Result<()> {
        // On the embedded engine each has written other payments to a store of its own.
        if self.contenders.len() <= FACADE {
            return Ok(());
        }
        ensure!(answers[CACHED] == answers[OFF], "{root}: {} from the cache, {} from the store", answers[CACHED], answers[OFF]);
        for (answer, contender) in answers.iter().zip(&self.contenders) {
            ensure!(told(answer) == told(&answers[OFF]), "{root}: {}: {answer}, without the cache {}", contender.name, answers[OFF]);
        }
        Ok(())
    }

    /// Lets all take turns, each the first by turns, and prints what came of it.
    async fn measure<W: Work>(&self, heading: &str, mut sides: Vec<Side<'_, W>>) -> Result<()> {
        self.warm_up(&mut sides).await?;
        report::heading(heading);
        self.head();
        let before = Metrics::of(self.contenders[CACHED].address).await?;
        let mut totals: Vec<Measured> = sides.iter().map(|_| Measured::default()).collect();
        let mut ratios: Vec<Vec<f64>> = self.ratios().map(|_| Vec::new()).collect();
        for number in 1..=self.plan.rounds {
            let mut turns: Vec<Measured> = sides.iter().map(|_| Measured::default()).collect();
            for place in 0..sides.len() {
                let at = (place + number as usize) % sides.len();
                // What was kept may be too old since its last turn.
                sides[at].settle(self.plan).await?;
                sides[at].measure(self.plan, &mut turns[at]).await?;
            }
            let rates: Vec<f64> = turns.iter().map(Measured::rate).collect();
            let of_turn: Vec<f64> = self.ratios().map(|(subject, basis, _)| rates[subject] / rates[basis]).collect();
            self.line(number, &rates, &of_turn);
            ratios.iter_mut().zip(of_turn).for_each(|(all, ratio)| all.push(ratio));
            totals.iter_mut().zip(turns).for_each(|(total, turn)| total.take_in(turn));
        }
        let after = Metrics::of(self.contenders[CACHED].address).await?;
        self.medians(ratios);
        let more = |name: &str| after.sum(name) - before.sum(name);
        let (found, missed) = (more(HITS), more(MISSES));
        let cell = Cell { totals: totals.into_iter().map(Measured::in_order).collect(), looked_up: found + missed, found };
        self.beside(&cell, &after, more(EVICTIONS))
    }

    async fn warm_up<W: Work>(&self, sides: &mut [Side<'_, W>]) -> Result<()> {
        let started = Instant::now();
        loop {
            for side in &mut *sides {
                side.settle(self.plan).await?;
            }
            if started.elapsed() > self.plan.java * sides.len() as u32 {
                return Ok(());
            }
        }
    }

    /// Those of which both are there.
    fn ratios(&self) -> impl Iterator<Item = (usize, usize, &'static str)> {
        let count = self.contenders.len();
        RATIOS.into_iter().filter(move |(subject, basis, _)| *subject < count && *basis < count)
    }

    fn head(&self) {
        let names: String = self.contenders.iter().map(|contender| format!(" {}, requests/s |", contender.name)).collect();
        let ratios: String = self.ratios().map(|(_, _, name)| format!(" {name} |")).collect();
        println!("| turn |{names}{ratios}\n|{}", "---|".repeat(1 + self.contenders.len() + self.ratios().count()));
    }

    fn line(&self, number: u32, rates: &[f64], ratios: &[f64]) {
        let rates: String = rates.iter().map(|rate| format!(" {} |", report::rate(*rate))).collect();
        let ratios: String = ratios.iter().map(|ratio| format!(" {ratio:.2} |")).collect();
        println!("| {number} |{rates}{ratios}");
    }

    fn medians(&self, ratios: Vec<Vec<f64>>) {
        let ratios: String = ratios.into_iter().map(|of_turns| format!(" **{:.2}** |", report::median(of_turns))).collect();
        println!("| median |{}{ratios}", " |".repeat(self.contenders.len()));
    }

    /// What the cache was good for, and what each took.
    fn beside(&self, cell: &Cell, after: &Metrics, evicted: f64) -> Result<()> {
        println!("\n| | p50 / p99 ms | cores: database / its own / client | MiB resident |\n|---|---|---|---|");
        for (contender, measured) in self.contenders.iter().zip(&cell.totals) {
            let resident = contender.processes.service.map(resident_mib).transpose()?.unwrap_or_default();
            println!("| {} | {} | {} | {resident:.0} |", contender.name, report::times(measured), report::share(measured.cores()));
        }
        let part = 100.0 * cell.found / cell.looked_up.max(1.0);
        let mib = after.sum(HELD) / f64::from(1 << 20);
        let looked_up = report::rate(cell.looked_up);
        println!("\nFound in the cache: **{part:.1} %** of {looked_up} look-ups; {} evicted; {mib:.1} MiB in it then.", report::rate(evicted));
        Ok(())
    }
}

impl Contender {
    fn side<W>(&self, workers: Vec<W>) -> Side<'_, W> {
        Side { name: self.name, workers, processes: &self.processes }
    }
}

/// What each says of a root, when asked for the second time: then it is in the cache, if not before.
async fn answers(question: &Question, root: &String, connections: &mut [Connection]) -> Result<Vec<String>> {
    let mut answers = Vec::new();
    for (at, connection) in connections.iter_mut().enumerate() {
        let request = &requests(document(question, at), std::slice::from_ref(root))[0];
        connection.send_for_success(request).await?;
        answers.push(String::from_utf8_lossy(connection.send_for_success(request).await?).into_owned());
    }
    Ok(answers)
}

/// A question in the language of one that takes turns.
fn document(question: &Question, at: usize) -> &'static str {
    if at == FACADE { question.theirs } else { question.ours }
}
