//! One build against another, on the same Neo4j: payments by number, with raw, mixed traffic, and bulk requests, by turns.
//!
//! Two runs of this benchmark differ by more than most changes of the program gain or lose. So whoever weighs one gives the build before it
//! (`--other`), and reads the median of the turns. That both do the same work is seen by section numbers, or by the tests.

use std::path::Path;
use std::time::Instant;

use anyhow::Result;
use cypher::{Embedded, Engine};
use test_support::neo4j::Neo4j;

use crate::cell::{Measured, Plan, Side, Work};
use crate::database;
use crate::machine::Processes;
use crate::payments::{Accounts, Flow, Links, Naming, Random};
use crate::report;
use crate::sections::bulk::{ITEMS, OF_A_TURN, Sender};
use crate::sections::ingest::{Raw, Sent, make_accounts, raw_workers, senders};
use crate::sections::mixed;
use crate::service::{Content, Program, Service, Store};

const FLOW: Flow = Flow { accounts: Accounts::Spread, naming: Naming::Number };
const HEAD: &str = "| turn | raw, payments/s | the other, payments/s | cores: database / amlgraph / client | this, payments/s | cores | the other to raw | \
                    this to raw | this to the other |\n|---|---|---|---|---|---|---|---|---|";

/// Those that take turns.
struct Sides<'a> {
    raw: Side<'a, Raw>,
    other: Side<'a, Sent>,
    this: Side<'a, Sent>,
}

/// What they did in one turn.
struct Turn {
    raw: Measured,
    other: Measured,
    this: Measured,
}

/// Of two builds alone.
const TWO: &str = "| turn | the other, {}/s | p50 / p99 ms | this, {}/s | p50 / p99 ms | this to the other |\n|---|---|---|---|---|---|";

/// Requests that a build has processed before a turn is measured: it has just been started.
const BULK_WARM_UP: usize = 3;

/// The section.
pub async fn on_neo4j(program: &Program, other: &Program, server: &Neo4j, connections: usize, plan: Plan) -> Result<()> {
    report::doing("two builds on Neo4j");
    database::empty(server).await?;
    // The older one first: it refuses a store that the newer has migrated, but does not mind when that happens beside it.
    let other_service = other.serve(Store::Neo4j(server), Content::AsItIs).await?;
    let this = program.serve(Store::Neo4j(server), Content::AsItIs).await?;
    make_accounts(&database::raw(server, 1)?).await?;
    let processes = [None, Some(other_service.id()), Some(this.id())].map(|service| Processes { database: server.process_id(), service });
    numbers(server, [&other_service, &this], &processes, connections, plan).await?;
    mixed_traffic([&other_service, &this], &processes, "Neo4j", plan).await?;
    this.stop().await?;
    other_service.stop().await?;
    bulk(program, other, server, plan).await
}

/// The section on the embedded engine: each build has a store of its own, as two processes can't have the same one open.
pub async fn on_the_embedded_engine(program: &Program, other: &Program, folder: &Path, connections: usize, plan: Plan) -> Result<()> {
    report::doing("two builds on the embedded engine");
    let stores = ["builds-other", "builds-this"].map(|name| folder.join(name));
    let other_service = with_accounts(other, &stores[0]).await?;
    let this = with_accounts(program, &stores[1]).await?;
    let processes = [None, Some(other_service.id()), Some(this.id())].map(|service| Processes { database: None, service });
    let [_, others, its] = &processes;
    let side = |name, workers, processes| Side { name, workers, processes };
    two(
        (&format!("Two builds, payments by number to 6,200 accounts, {connections} connections, embedded engine"), "payments"),
        side("the other", senders(other_service.address, FLOW, connections).await?, others),
        side("this", senders(this.address, FLOW, connections).await?, its),
        plan,
    )
    .await?;
    mixed_traffic([&other_service, &this], &processes, "embedded engine", plan).await?;
    this.stop().await?;
    other_service.stop().await?;
    bulk_on_the_embedded_engine([other, program], folder, plan).await
}

/// A build on a store of its own making, with the accounts.
async fn with_accounts(build: &Program, store: &Path) -> Result<Service> {
    build.serve(Store::Embedded(store), Content::AsItIs).await?.stop().await?;
    let engine = Embedded::open(store).await.map(Engine::Embedded)?;
    make_accounts(&engine).await?;
    engine.close().await?;
    drop(engine);
    build.serve(Store::Embedded(store), Content::AsItIs).await
}

async fn bulk_on_the_embedded_engine(builds: [&Program; 2], folder: &Path, plan: Plan) -> Result<()> {
    report::heading("Two builds, bulk requests of 1,000 payments by number, embedded engine");
    println!("| turn | the other, payments/s | this, payments/s | this to the other |\n|---|---|---|---|");
    let mut random = Random::new(7_000);
    let mut ratios = Vec::new();
    for number in 1..=plan.rounds {
        let mut rates = [0.0; 2];
        for at in if number.is_multiple_of(2) { [1, 0] } else { [0, 1] } {
            report::doing(&format!("bulk on the embedded engine: turn {number} of {}", plan.rounds));
            let service = with_accounts(builds[at], &folder.join(format!("builds-bulk-{number}-{at}"))).await?;
            rates[at] = sent_in_bulk(&service, &mut random).await?;
            service.stop().await?;
        }
        let [others, its] = rates;
        println!("| {number} | {} | {} | {:.2} |", report::rate(others), report::rate(its), its / others);
        ratios.push(its / others);
    }
    println!("| median | | | **{:.2}** |", report::median(ratios));
    Ok(())
}

async fn numbers(server: &Neo4j, services: [&Service; 2], processes: &[Processes; 3], connections: usize, plan: Plan) -> Result<()> {
    let mut sides = Sides::of(server, services, processes, connections).await?;
    sides.warm_up(plan).await?;
    report::heading(&format!("Two builds, payments by number to 6,200 accounts, {connections} connections, raw knows the ids, Neo4j"));
    println!("{HEAD}");
    let mut ratios: [Vec<f64>; 3] = Default::default();
    for number in 1..=plan.rounds {
        let turn = sides.turn(number, plan).await?;
        turn.print(number);
        ratios.iter_mut().zip(turn.ratios()).for_each(|(all, ratio)| all.push(ratio));
    }
    let [other_to_raw, this_to_raw, this_to_other] = ratios.map(report::median);
    println!("| median | | | | | | **{other_to_raw:.2}** | **{this_to_raw:.2}** | **{this_to_other:.2}** |");
    Ok(())
}

async fn mixed_traffic([other, this]: [&Service; 2], [_, others, its]: &[Processes; 3], engine: &str, plan: Plan) -> Result<()> {
    report::doing("two builds: mixed traffic");
    let other = Side { name: "the other", workers: mixed::senders(other.address).await?, processes: others };
    let this = Side { name: "this", workers: mixed::senders(this.address).await?, processes: its };
    let heading = format!("Two builds, mixed traffic ({}), {} connections, {engine}", mixed::CAPTION, mixed::CONNECTIONS);
    two((&heading, "requests"), other, this, plan).await
}

/// Two builds by turns, without raw.
async fn two<W: Work>((heading, unit): (&str, &str), mut other: Side<'_, W>, mut this: Side<'_, W>, plan: Plan) -> Result<()> {
    let started = Instant::now();
    while started.elapsed() < 2 * plan.java {
        other.settle(plan).await?;
        this.settle(plan).await?;
    }
    report::heading(heading);
    println!("{}", TWO.replace("{}", unit));
    let mut ratios = Vec::new();
    for number in 1..=plan.rounds {
        let [others, its] = pair(&mut other, &mut this, number, plan).await?;
        let ratio = its.rate() / others.rate();
        let told = |measured: &Measured| format!("{} | {}", report::rate(measured.rate()), report::times(measured));
        println!("| {number} | {} | {} | {ratio:.2} |", told(&others), told(&its));
        ratios.push(ratio);
    }
    println!("| median | | | | | **{:.2}** |", report::median(ratios));
    Ok(())
}

/// A turn of both; each is the first every second time.
async fn pair<W: Work>(other: &mut Side<'_, W>, this: &mut Side<'_, W>, number: u32, plan: Plan) -> Result<[Measured; 2]> {
    let (mut others, mut its) = (Measured::default(), Measured::default());
    let this_is_first = number.is_multiple_of(2);
    if this_is_first {
        this.measure(plan, &mut its).await?;
    }
    other.measure(plan, &mut others).await?;
    if !this_is_first {
        this.measure(plan, &mut its).await?;
    }
    Ok([others.in_order(), its.in_order()])
}

/// One build at a time, on a store that is empty but for the accounts: two beside each other would process one another's requests.
async fn bulk(program: &Program, other: &Program, server: &Neo4j, plan: Plan) -> Result<()> {
    report::doing("two builds: bulk requests");
    report::heading("Two builds, bulk requests of 1,000 payments by number, Neo4j");
    println!("| turn | the other, payments/s | this, payments/s | this to the other |\n|---|---|---|---|");
    let mut random = Random::new(7_000);
    let mut ratios = Vec::new();
    for number in 1..=plan.rounds {
        let this_is_first = number.is_multiple_of(2);
        let mut rates = [0.0; 2];
        for (at, build) in if this_is_first { [(1, program), (0, other)] } else { [(0, other), (1, program)] } {
            report::doing(&format!("bulk: turn {number} of {}", plan.rounds));
            rates[at] = bulk_rate(build, server, &mut random).await?;
        }
        let [others, its] = rates;
        println!("| {number} | {} | {} | {:.2} |", report::rate(others), report::rate(its), its / others);
        ratios.push(its / others);
    }
    println!("| median | | | **{:.2}** |", report::median(ratios));
    Ok(())
}

/// Payments a second of a build that has the store for itself.
async fn bulk_rate(build: &Program, server: &Neo4j, random: &mut Random) -> Result<f64> {
    database::empty(server).await?;
    let service = build.serve(Store::Neo4j(server), Content::AsItIs).await?;
    make_accounts(&database::raw(server, 1)?).await?;
    let rate = sent_in_bulk(&service, random).await?;
    service.stop().await?;
    Ok(rate)
}

/// Payments a second of a service that has just been started.
async fn sent_in_bulk(service: &Service, random: &mut Random) -> Result<f64> {
    let mut sender = Sender::open(service).await?;
    sender.send_all(random, BULK_WARM_UP).await?;
    let time = sender.send_all(random, OF_A_TURN).await?;
    Ok((OF_A_TURN * ITEMS) as f64 / time.as_secs_f64())
}

impl<'a> Sides<'a> {
    async fn of(server: &Neo4j, [other, this]: [&Service; 2], [by_hand, others, its]: &'a [Processes; 3], connections: usize) -> Result<Self> {
        let workers = raw_workers(&database::raw(server, connections)?, Links::Merged, Flow { naming: Naming::Id, ..FLOW }, connections);
        Ok(Self {
            raw: Side { name: "raw", workers, processes: by_hand },
            other: Side { name: "the other", workers: senders(other.address, FLOW, connections).await?, processes: others },
            this: Side { name: "this", workers: senders(this.address, FLOW, connections).await?, processes: its },
        })
    }

    async fn warm_up(&mut self, plan: Plan) -> Result<()> {
        let started = Instant::now();
        while started.elapsed() < 3 * plan.java {
            self.raw.settle(plan).await?;
            self.other.settle(plan).await?;
            self.this.settle(plan).await?;
        }
        Ok(())
    }

    /// The builds come first by turns.
    async fn turn(&mut self, number: u32, plan: Plan) -> Result<Turn> {
        let mut raw = Measured::default();
        self.raw.measure(plan, &mut raw).await?;
        let [other, this] = pair(&mut self.other, &mut self.this, number, plan).await?;
        Ok(Turn { raw, other, this })
    }
}

impl Turn {
    fn ratios(&self) -> [f64; 3] {
        let [raw, other, this] = [&self.raw, &self.other, &self.this].map(Measured::rate);
        [other / raw, this / raw, this / other]
    }

    fn print(&self, number: u32) {
        let [raw, other, this] = [&self.raw, &self.other, &self.this].map(|measured| report::rate(measured.rate()));
        let [others, its] = [&self.other, &self.this].map(|measured| report::share(measured.cores()));
        let [other_to_raw, this_to_raw, this_to_other] = self.ratios();
        println!("| {number} | {raw} | {other} | {others} | {this} | {its} | {other_to_raw:.2} | {this_to_raw:.2} | {this_to_other:.2} |");
    }
}
