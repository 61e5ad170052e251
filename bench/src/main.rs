//! Measures amlgraph against what a client gets that talks to the same database itself, and prints tables for `bench/results/`.
//!
//! One run starts a Neo4j of its own and the release binary `amlgraph` that lies beside this one, each section on a store of its own making.
//! A cell is measured raw and through the service by turns, so that every ratio comes from the same machine in the same minutes.

// Modules, the lowest first: database http metrics machine cell payments receiver subscriber report facade service asked desk traffic sections.

mod asked;
mod cell;
mod database;
mod desk;
mod facade;
mod http;
mod machine;
mod metrics;
mod payments;
mod receiver;
mod report;
mod sections;
mod service;
mod subscriber;
#[cfg(test)]
mod tests;
mod traffic;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::{Parser, ValueEnum};
use test_support::neo4j::{Neo4j, Options, TunedFor};

use cell::Plan;
use facade::Packages;
use sections::embedded::Sample;
use sections::screening::Source;
use sections::webhooks::{self, Hanging};
use sections::{
    builds, bulk, cache, counts, detection, embedded, fairness, graphql, guessing, import, ingest, live, mixed, queues, reads, rescreening, rows,
    screening, screens, sizes, start, streams, supernodes,
};
use service::{Content, Program, Store};

/// Measures amlgraph against raw access to the same database.
#[derive(Parser)]
#[command(name = "bench")]
struct Arguments {
    /// Seconds of each side of a cell
    #[arg(long, default_value_t = 4.0)]
    seconds: f64,
    /// Seconds before each measurement that are not counted; before each cell, again and again until both sides get no faster
    #[arg(long, default_value_t = 1.0)]
    warm_up: f64,
    /// Seconds that each side works before the first cell of what is written to Neo4j, and of section facade
    #[arg(long, default_value_t = 45.0)]
    java: f64,
    /// Turns that both sides take
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=100))]
    rounds: u32,
    /// Neo4j's heap in MiB
    #[arg(long, default_value_t = 1536)]
    heap: u32,
    /// Another amlgraph than the one beside this program
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// Yet another amlgraph, for sections builds, cache and screens to measure the first against
    #[arg(long, value_name = "FILE")]
    other: Option<PathBuf>,
    /// Connections of each side in section builds
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..=1000))]
    connections: u16,
    /// Payments of the stores of section streams, and of the larger one of section detection
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(i64).range(20_000..=50_000_000))]
    payments: i64,
    /// Cases of the store of section queues, each with ten observations
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(i64).range(1_000..=1_000_000))]
    cases: i64,
    /// Subscribers of section live: each is an open file and a port of this machine
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u16).range(10..=25_000))]
    subscribers: u16,
    /// A list whose names section screening changes until it has as many as it wants, in any format that `amlgraph list import` takes [default: invented names]
    #[arg(long, value_name = "FILE")]
    list: Option<PathBuf>,
    /// Only these sections
    #[arg(long, value_delimiter = ',')]
    only: Vec<Section>,
    /// Only on this engine
    #[arg(long)]
    engine: Option<EngineName>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum EngineName {
    Neo4j,
    Embedded,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Section {
    /// Start to ready and idle memory, both engines
    Start,
    /// 32 rows a statement against 1, on one connection
    Rows,
    /// One payment a request on Neo4j
    Ingest,
    /// One payment a request on Neo4j, to accounts by IBAN or number
    Numbers,
    /// The same, mixed traffic and bulk requests through two builds of amlgraph by turns, both engines; only when it is asked for
    Builds,
    /// Payments among other writes, against payments alone, on Neo4j
    Mixed,
    /// What an audit entry of a read costs, on Neo4j
    Reads,
    /// `amlgraph import` into Neo4j
    Import,
    /// Bulk requests of 1,000 payments by number on Neo4j, and what single requests notice of them
    Bulk,
    /// Events to webhooks, both engines
    Webhooks,
    /// GraphQL on Neo4j
    Graphql,
    /// GraphQL on Neo4j against @neo4j/graphql on GraphQL Yoga; needs npm
    Facade,
    /// What others notice of one caller who asks the worst documents he may, both engines
    Fairness,
    /// What callers notice of many who guess keys, both engines
    Guessing,
    /// Pages of an account with 300,000 payments and of a phone that 50,000 share, both engines
    Supernodes,
    /// Verification of roll-ups over a million payments, and readers beside it, both engines
    Streams,
    /// A day's detection runs, the next day's with ten times the history, and readers beside them, both engines; only when it is asked for
    Detection,
    /// 100,000 actors screened after a list has changed, both engines; only when it is asked for
    Rescreening,
    /// Payments that are screened while their sender waits, with 10,000 and 1,000,000 names, both engines; only when it is asked for
    Screening,
    /// Numbers of 100,000 cases, gone through and counted, both engines; only when it is asked for
    Counts,
    /// The first page of every queue, and numbers, of 100,000 cases and a million observations, on Neo4j; only when it is asked for
    Queues,
    /// The screens of an analysts' user interface through two builds of amlgraph by turns, on Neo4j; only when it is asked for
    Screens,
    /// 10,000 subscribers that are idle, how soon they are told, and payments beside some, both engines; only when it is asked for
    Live,
    /// Walks from accounts that are asked for by Zipf's law while payments are written, with the read cache, without it, through another build and through
    /// @neo4j/graphql, by turns, both engines; only when it is asked for; needs npm
    Cache,
    /// Ingest and GraphQL on the embedded engine
    Embedded,
    /// Loading the sample, and payments on an empty store and on the sample's, on the embedded engine
    Sizes,
}

const ON_NEO4J: [Section; 24] = [
    Section::Start,
    Section::Rows,
    Section::Ingest,
    Section::Numbers,
    Section::Builds,
    Section::Mixed,
    Section::Reads,
    Section::Import,
    Section::Bulk,
    Section::Webhooks,
    Section::Graphql,
    Section::Facade,
    Section::Fairness,
    Section::Guessing,
    Section::Supernodes,
    Section::Streams,
    Section::Detection,
    Section::Rescreening,
    Section::Screening,
    Section::Counts,
    Section::Queues,
    Section::Screens,
    Section::Live,
    Section::Cache,
];
/// Those that need the sample in a store of the embedded engine.
const ON_THE_SAMPLE: [Section; 5] = [Section::Start, Section::Embedded, Section::Sizes, Section::Fairness, Section::Guessing];

impl Arguments {
    fn wants(&self, section: Section) -> bool {
        self.only.is_empty() || self.only.contains(&section)
    }

    /// Of a section that takes long, and says nothing of others.
    fn asks_for(&self, section: Section) -> bool {
        self.only.contains(&section)
    }

    /// What sections builds, cache and screens measure against; none where none of them is asked for.
    fn other_program(&self, folder: &Path) -> Result<Option<Program>> {
        if ![Section::Builds, Section::Cache, Section::Screens].into_iter().any(|section| self.asks_for(section)) {
            ensure!(self.other.is_none(), "--other is for sections builds, cache and screens: --only builds,cache,screens");
            return Ok(None);
        }
        let path = self.other.clone().context("sections builds, cache and screens need --other")?;
        Program::found(Some(path), folder).map(Some)
    }

    fn plan(&self) -> Plan {
        Plan {
            measured: Duration::from_secs_f64(self.seconds),
            warm_up: Duration::from_secs_f64(self.warm_up),
            rounds: self.rounds,
            java: Duration::from_secs_f64(self.java),
        }
    }
}

#[tokio::main]
async fn main() -> ExitCode {
    match run(Arguments::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench: {error:#}");
            ExitCode::FAILURE
        }
    }
}

async fn run(arguments: Arguments) -> Result<()> {
    let folder = tempfile::Builder::new().prefix("amlgraph-bench-").tempdir().context("making a folder")?;
    let program = Program::found(arguments.program.clone(), folder.path())?;
    println!("Measured on {}", machine::line());
    println!("Each side of a cell for {} s in {} turns, after {} s of warming up each.", arguments.seconds, arguments.rounds, arguments.warm_up);
    println!("Before what is written to Neo4j both sides work for {} s, so that Java has compiled it.", arguments.java);
    if arguments.engine != Some(EngineName::Embedded) {
        on_neo4j(&arguments, &program, folder.path()).await?;
    }
    if arguments.engine != Some(EngineName::Neo4j) {
        on_embedded(&arguments, &program, folder.path()).await?;
    }
    Ok(())
}

async fn on_neo4j(arguments: &Arguments, program: &Program, folder: &Path) -> Result<()> {
    if !ON_NEO4J.into_iter().any(|section| arguments.wants(section)) {
        return Ok(());
    }
    // Before anything is measured: it may turn out that they can't be had.
    let packages = if arguments.wants(Section::Facade) || arguments.asks_for(Section::Cache) { Some(Packages::fetched().await?) } else { None };
    let other = arguments.other_program(folder)?;
    // The largest store has some two gigabytes.
    let page_cache_mib = if arguments.asks_for(Section::Queues) { 2_048 } else { 512 };
    let options = Options { heap_mib: arguments.heap, page_cache_mib, tuned_for: TunedFor::Throughput };
    let server = tokio::task::spawn_blocking(move || Neo4j::start_with(options)).await??;
    println!("Neo4j 5.26 Community with {} MiB of heap and {page_cache_mib} MiB of page cache, on the same machine.", arguments.heap);
    let plan = arguments.plan();
    ingest::warm_up(&server, plan).await?;
    if arguments.wants(Section::Start) {
        start::head();
        start::on_neo4j(program, &server).await?;
    }
    if arguments.wants(Section::Rows) {
        rows::on_neo4j(&server, plan).await?;
    }
    if arguments.wants(Section::Ingest) {
        ingest::on_neo4j(program, &server, plan).await?;
    }
    if arguments.wants(Section::Numbers) {
        ingest::by_number_on_neo4j(program, &server, plan).await?;
    }
    if let Some(other) = other.as_ref().filter(|_| arguments.asks_for(Section::Builds)) {
        builds::on_neo4j(program, other, &server, arguments.connections.into(), plan).await?;
    }
    if arguments.wants(Section::Mixed) {
        mixed::on_neo4j(program, &server, plan).await?;
    }
    if arguments.wants(Section::Reads) {
        reads::on_neo4j(program, &server, plan).await?;
    }
    if arguments.wants(Section::Import) {
        import::on_neo4j(program, &server, folder, arguments.rounds).await?;
    }
    if arguments.wants(Section::Bulk) {
        bulk::on_neo4j(program, &server, plan).await?;
    }
    if arguments.wants(Section::Webhooks) {
        let store = Store::Neo4j(&server);
        database::wipe(&server).await?;
        webhooks::run(program, store, "Neo4j").await?;
        webhooks::many_head();
        for hanging in [Hanging::None, Hanging::OneInAHundred] {
            database::wipe(&server).await?;
            webhooks::many(program, store, "Neo4j", hanging).await?;
        }
    }
    if arguments.wants(Section::Graphql) {
        graphql::on_neo4j(program, &server, plan).await?;
    }
    if arguments.wants(Section::Fairness) {
        fairness::head();
        database::wipe(&server).await?;
        fairness::run(program, Store::Neo4j(&server), "Neo4j", server.process_id(), plan).await?;
    }
    if arguments.wants(Section::Guessing) {
        guessing::head();
        database::wipe(&server).await?;
        guessing::run(program, Store::Neo4j(&server), "Neo4j", server.process_id(), plan).await?;
    }
    if arguments.wants(Section::Supernodes) {
        report::doing("supernodes on Neo4j");
        database::wipe(&server).await?;
        // Makes the indexes.
        program.serve(Store::Neo4j(&server), Content::AsItIs).await?.stop().await?;
        let raw = database::raw(&server, 1)?;
        supernodes::fill(&raw).await?;
        report::heading("Supernodes, Neo4j");
        supernodes::run(program, Store::Neo4j(&server), &raw, server.process_id(), plan).await?;
    }
    if arguments.wants(Section::Streams) {
        report::doing("streams on Neo4j");
        database::wipe(&server).await?;
        // Makes the indexes.
        program.serve(Store::Neo4j(&server), Content::AsItIs).await?.stop().await?;
        let payments = streams::fill(&database::raw(&server, 1)?, arguments.payments).await?;
        streams::head();
        streams::run(program, Store::Neo4j(&server), "Neo4j", server.process_id(), payments, plan).await?;
    }
    if arguments.asks_for(Section::Rescreening) {
        report::doing("rescreening on Neo4j");
        database::wipe(&server).await?;
        // Makes the indexes.
        program.serve(Store::Neo4j(&server), Content::AsItIs).await?.stop().await?;
        rescreening::fill(&database::raw(&server, 1)?).await?;
        rescreening::head();
        rescreening::run(program, Store::Neo4j(&server), "Neo4j").await?;
    }
    if arguments.asks_for(Section::Screening) {
        let source = Source::of(arguments.list.as_deref())?;
        screening::head();
        for size in screening::SIZES {
            database::wipe(&server).await?;
            // Makes the indexes.
            program.serve(Store::Neo4j(&server), Content::AsItIs).await?.stop().await?;
            ingest::make_accounts(&database::raw(&server, 1)?).await?;
            let store = Store::Neo4j(&server);
            screening::run(program, (store, store), ("Neo4j", server.process_id()), &source, size, plan).await?;
        }
    }
    if arguments.asks_for(Section::Detection) {
        detection::on_neo4j(program, &server, options, arguments.payments, plan).await?;
    }
    if arguments.asks_for(Section::Counts) {
        database::wipe(&server).await?;
        // Makes the indexes.
        program.serve(Store::Neo4j(&server), Content::AsItIs).await?.stop().await?;
        counts::fill(&database::raw(&server, 1)?).await?;
        counts::run(program, Store::Neo4j(&server), "Neo4j", Some(&server), plan).await?;
    }
    if arguments.asks_for(Section::Queues) {
        database::wipe(&server).await?;
        // Makes the indexes.
        program.serve(Store::Neo4j(&server), Content::AsItIs).await?.stop().await?;
        queues::run(program, &server, arguments.cases, plan).await?;
    }
    if let Some(other) = other.as_ref().filter(|_| arguments.asks_for(Section::Screens)) {
        screens::on_neo4j(program, other, &server, plan).await?;
    }
    if arguments.asks_for(Section::Live) {
        live::on_neo4j(program, &server, arguments.subscribers.into(), plan).await?;
    }
    if let (Some(packages), Some(other)) = (&packages, other.as_ref().filter(|_| arguments.asks_for(Section::Cache))) {
        cache::on_neo4j(packages, program, other, &server, plan).await?;
    }
    if let Some(packages) = packages.filter(|_| arguments.wants(Section::Facade)) {
        sections::facade::on_neo4j(&packages, program, &server, plan).await?;
    }
    Ok(())
}

async fn on_embedded(arguments: &Arguments, program: &Program, folder: &Path) -> Result<()> {
    let other = arguments.other_program(folder)?;
    if let Some(other) = other.as_ref().filter(|_| arguments.asks_for(Section::Builds)) {
        builds::on_the_embedded_engine(program, other, folder, arguments.connections.into(), arguments.plan()).await?;
    }
    if arguments.wants(Section::Webhooks) {
        webhooks::run(program, Store::Embedded(&folder.join("webhooks")), "embedded").await?;
        webhooks::many_head();
        webhooks::many(program, Store::Embedded(&folder.join("webhooks-none")), "embedded", Hanging::None).await?;
        webhooks::many(program, Store::Embedded(&folder.join("webhooks-some")), "embedded", Hanging::OneInAHundred).await?;
    }
    if arguments.wants(Section::Supernodes) {
        embedded::supernodes(program, folder, arguments.plan()).await?;
    }
    if arguments.wants(Section::Streams) {
        let store = folder.join("streams");
        let engine = embedded::open(&store).await?;
        let payments = streams::fill(&engine, arguments.payments).await?;
        engine.close().await?;
        drop(engine);
        streams::head();
        streams::run(program, Store::Embedded(&store), "embedded", None, payments, arguments.plan()).await?;
    }
    if arguments.asks_for(Section::Rescreening) {
        let store = folder.join("rescreening");
        let engine = embedded::open(&store).await?;
        rescreening::fill(&engine).await?;
        engine.close().await?;
        drop(engine);
        rescreening::head();
        rescreening::run(program, Store::Embedded(&store), "embedded").await?;
    }
    if arguments.asks_for(Section::Screening) {
        let source = Source::of(arguments.list.as_deref())?;
        screening::head();
        for size in screening::SIZES {
            let (store, plain) = (folder.join(format!("screening-{size}")), folder.join(format!("screening-{size}-plain")));
            for folder in [&store, &plain] {
                embedded::prepare(folder).await?;
            }
            let stores = (Store::Embedded(&store), Store::Embedded(&plain));
            screening::run(program, stores, ("embedded", None), &source, size, arguments.plan()).await?;
        }
    }
    if arguments.asks_for(Section::Detection) {
        detection::on_the_embedded_engine(program, folder, arguments.payments, arguments.plan()).await?;
    }
    if arguments.asks_for(Section::Counts) {
        let store = folder.join("counts");
        let engine = embedded::open(&store).await?;
        counts::fill(&engine).await?;
        engine.close().await?;
        drop(engine);
        counts::run(program, Store::Embedded(&store), "embedded", None, arguments.plan()).await?;
    }
    if arguments.asks_for(Section::Live) {
        live::on_the_embedded_engine(program, folder, arguments.subscribers.into(), arguments.plan()).await?;
    }
    if let Some(other) = other.as_ref().filter(|_| arguments.asks_for(Section::Cache)) {
        cache::on_the_embedded_engine(program, other, folder, arguments.plan()).await?;
    }
    if !ON_THE_SAMPLE.into_iter().any(|section| arguments.wants(section)) {
        return Ok(());
    }
    let plan = arguments.plan();
    let sample_folder = folder.join("sample");
    let sample = Sample::load(program, &sample_folder).await?;
    sample.report();
    if arguments.wants(Section::Sizes) {
        sizes::on_embedded(program, &sample, folder, plan).await?;
    }
    if arguments.wants(Section::Embedded) {
        embedded::ingest(program, folder, plan).await?;
        embedded::graphql(program, &sample, folder, plan).await?;
    }
    if arguments.wants(Section::Fairness) {
        fairness::head();
        fairness::run(program, Store::Embedded(sample.folder), "embedded", None, plan).await?;
    }
    if arguments.wants(Section::Guessing) {
        guessing::head();
        guessing::run(program, Store::Embedded(sample.folder), "embedded", None, plan).await?;
    }
    if arguments.wants(Section::Start) {
        start::head();
        start::embedded(program, &folder.join("empty"), sample.folder).await?;
    }
    Ok(())
}
