//! Detection: a day's runs over a generated bank, what ten times the history makes of them, and what 32 readers notice of a run.

mod bank;
mod runs;

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use chrono::NaiveDate;
use cypher::Engine;
use test_support::neo4j::{Neo4j, Options};

use crate::asked::{Asked, requests};
use crate::cell::{Measured, Plan, Side};
use crate::database;
use crate::machine::{Processes, peak_mib, resident_mib};
use crate::report;
use crate::sections::{embedded, ingest};
use crate::service::{Content, Program, Service, Store};

use bank::Bank;
use runs::{Batches, LINES, Run, beside};

const READERS: usize = 32;
/// Actors that are asked about.
const ROOTS: usize = 1_000;
/// How many times as much the larger store has.
const TIMES: u32 = 10;
/// What the smaller store has: more than a run looks at, which is 371 days, so that all runs find a full time before them.
const DAYS: u32 = 400;
/// Days at the end of the smaller store that have such a time before them.
const MOST_ROUNDS: u32 = 27;
/// A day's runs in the half year, where business is as usual: so many days before its end.
const BEFORE_THE_END: u32 = 8;

const READ: &str = "query($id: ID!) { actor(id: $id) { id name accounts(first: 5) { edges { role node { id name \
                    transferredTo(first: 5) { edges { count total node { id name } } } } } } } }";

/// A bank in a store, and the service on it.
struct Served {
    service: Service,
    processes: Processes,
    bank: Bank,
    records: usize,
}

/// The section on Neo4j. A second server of the same options has the larger store.
pub async fn on_neo4j(program: &Program, server: &Neo4j, options: Options, payments: i64, plan: Plan) -> Result<()> {
    let served = served_by(program, server, Bank::of_half_a_year()?).await?;
    a_day(&served, "Neo4j", plan).await?;
    served.service.stop().await?;
    let [less, more] = banks(payments)?;
    let other = tokio::task::spawn_blocking(move || Neo4j::start_with(options)).await??;
    // As the first one was.
    ingest::warm_up(&other, plan).await?;
    let less = served_by(program, server, less).await?;
    let more = served_by(program, &other, more).await?;
    second_days([&less, &more], "Neo4j", plan).await?;
    less.service.stop().await?;
    more.service.stop().await
}

/// The section on the embedded engine.
pub async fn on_the_embedded_engine(program: &Program, folder: &Path, payments: i64, plan: Plan) -> Result<()> {
    let served = served_from(program, &folder.join("detection"), Bank::of_half_a_year()?).await?;
    a_day(&served, "embedded", plan).await?;
    served.service.stop().await?;
    let [less, more] = banks(payments)?;
    let less = served_from(program, &folder.join("detection-less"), less).await?;
    let more = served_from(program, &folder.join("detection-more"), more).await?;
    second_days([&less, &more], "embedded", plan).await?;
    less.service.stop().await?;
    more.service.stop().await
}

/// The same bank with its history, and with ten times as much, which is so many payments.
fn banks(payments: i64) -> Result<[Bank; 2]> {
    let payments = usize::try_from(payments)? / TIMES as usize;
    Ok([Bank::over(DAYS, payments)?, Bank::over(DAYS, payments)?.with_history(TIMES)])
}

async fn served_by(program: &Program, server: &Neo4j, bank: Bank) -> Result<Served> {
    report::doing(&format!("detection on Neo4j: a bank of {} payments", bank.payments()));
    database::wipe(server).await?;
    // Makes the indexes.
    program.serve(Store::Neo4j(server), Content::AsItIs).await?.stop().await?;
    let records = filled(&bank, &database::raw(server, 1)?).await?;
    let service = program.serve(Store::Neo4j(server), Content::AsItIs).await?;
    let processes = Processes { database: server.process_id(), service: Some(service.id()) };
    Ok(Served { service, processes, bank, records })
}

async fn served_from(program: &Program, store: &Path, bank: Bank) -> Result<Served> {
    report::doing(&format!("detection on the embedded engine: a bank of {} payments", bank.payments()));
    let engine = embedded::open(store).await?;
    let records = filled(&bank, &engine).await?;
    engine.close().await?;
    drop(engine);
    let service = program.serve(Store::Embedded(store), Content::AsItIs).await?;
    let processes = Processes { database: None, service: Some(service.id()) };
    Ok(Served { service, processes, bank, records })
}

async fn filled(bank: &Bank, engine: &Engine) -> Result<usize> {
    bank.fill(engine).await.context("filling a store with a bank")
}

/// A day's runs of both lines of business, first and again; then what readers notice of them.
async fn a_day(served: &Served, engine: &str, plan: Plan) -> Result<()> {
    let Served { service, bank, records, .. } = served;
    let date = bank.day_before_the_last(BEFORE_THE_END)?;
    let before = resident_mib(service.id())?;
    let mut batches = Batches::of(service).await?;
    report::doing(&format!("detection, {engine}: a day's runs"));
    let first = batches.day(date).await?;
    let mut again: [Vec<f64>; 2] = Default::default();
    for _ in 0..plan.rounds {
        let runs = batches.day(date).await?;
        again.iter_mut().zip(&runs).for_each(|(all, run)| all.push(run.took.as_secs_f64()));
    }
    report::heading(&format!(
        "Detection, a day's runs over {} payments ({records} records) of {} accounts, {engine}",
        bank.payments(),
        bank.accounts()
    ));
    println!(
        "Of {date}, with all payments before it. Resident memory of amlgraph {before:.0} MiB before, {:.0} MiB at most.\n",
        peak_mib(service.id())?
    );
    println!(
        "| line of business | actors | payments | findings | s, from the request to the end | again | payments/s |\n|---|---|---|---|---|---|---|"
    );
    for ((line, run), again) in LINES.iter().zip(&first).zip(again) {
        let (took, again) = (run.took.as_secs_f64(), report::median(again));
        let (actors, payments, findings) = (run.number("/actors"), run.number("/payments"), run.number("/findings/new"));
        println!("| {line} | {actors} | {payments} | {findings} | **{took:.1}** | {again:.1} | {} |", report::rate(payments as f64 / took));
    }
    let longest = first.iter().map(|run| run.took).max().unwrap_or_default();
    readers_beside(served, (date, longest), engine, plan).await
}

/// Readers by turns alone and beside a day's runs, which follow one another. A turn is no shorter than a run, so that all that a run does meets them.
async fn readers_beside(served: &Served, (date, longest): (NaiveDate, Duration), engine: &str, plan: Plan) -> Result<()> {
    report::doing(&format!("detection, {engine}: readers beside runs"));
    let Served { service, processes, bank, .. } = served;
    let plan = Plan { measured: plan.measured.max(longest * plan.rounds), ..plan };
    let workers = Asked::on(service.address, &requests(READ, &bank.some_actors(ROOTS)), READERS).await?;
    let mut readers = Side { name: "readers", workers, processes };
    readers.settle(plan).await?;
    let (mut undisturbed, mut disturbed, mut ended) = (Measured::default(), Measured::default(), 0);
    for _ in 0..plan.rounds {
        readers.measure(plan, &mut undisturbed).await?;
        ended += beside(service, date, async || readers.measure(plan, &mut disturbed).await).await?.0;
    }
    let [undisturbed, disturbed] = [undisturbed, disturbed].map(Measured::in_order);
    report::heading(&format!("Detection, {READERS} readers of actors' links beside runs, {engine}"));
    println!(
        "| requests/s alone | beside runs | p50 ms alone | beside runs | ratio | p99 ms alone | beside runs | ratio | runs that ended meanwhile |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    let [p50, p99] = [0.5, 0.99].map(|part| {
        let (quick, slow) = (undisturbed.millis(part), disturbed.millis(part));
        format!("{quick:.1} | {slow:.1} | **{:.2}**", slow / quick)
    });
    println!("| {} | {} | {p50} | {p99} | {ended} |", report::rate(undisturbed.rate()), report::rate(disturbed.rate()));
    Ok(())
}

/// Days' runs in both stores by turns, a day after the other: the first is not counted.
async fn second_days([less, more]: [&Served; 2], engine: &str, plan: Plan) -> Result<()> {
    let rounds = plan.rounds.min(MOST_ROUNDS);
    let mut both = [Batches::of(&less.service).await?, Batches::of(&more.service).await?];
    report::heading(&format!(
        "Detection, the second day with ten times the history: {} payments ({} records) against {} ({}), {engine}",
        less.bank.payments(),
        less.records,
        more.bank.payments(),
        more.records,
    ));
    println!(
        "The same {DAYS} days in both; the larger has nine times the same payments before them, each {DAYS} days earlier. A run looks at 371 days.\n\
         After a first day's runs each turn is the next day's, of both lines of business.\n"
    );
    println!("| day | payments looked at | s | s with ten times the history | ratio |\n|---|---|---|---|---|");
    let mut ratios = Vec::new();
    for round in 0..=rounds {
        report::doing(&format!("detection, {engine}: day {} of {}", round + 1, rounds + 1));
        let mut days: [Option<[Run; 2]>; 2] = [None, None];
        for at in if round.is_multiple_of(2) { [0, 1] } else { [1, 0] } {
            let date = less.bank.day_before_the_last(rounds - round)?;
            days[at] = Some(both[at].day(date).await?);
        }
        let [Some(less_runs), Some(more_runs)] = days else { continue };
        for (less, more) in less_runs.iter().zip(&more_runs) {
            ensure!(less.by_rule() == more.by_rule(), "the same days were found otherwise: {} and {}", less.by_rule(), more.by_rule());
        }
        let [took, with_more] = [&less_runs, &more_runs].map(|runs| runs.iter().map(|run| run.took).sum::<Duration>().as_secs_f64());
        let payments = less_runs[0].number("/payments");
        let counted = if round == 0 { "first, not counted".to_owned() } else { format!("{:.2}", with_more / took) };
        println!("| {} | {payments} | {took:.1} | {with_more:.1} | {counted} |", round + 1);
        ratios.extend((round > 0).then_some(with_more / took));
    }
    println!("| median | | | | **{:.2}** |", report::median(ratios));
    Ok(())
}
