//! `amlgraph import` of the sample's payments into an empty store, against 500-row batches written by hand over one connection.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use cypher::{Params, Statement};
use test_support::neo4j::Neo4j;

use crate::database::{self, number, read, write};
use crate::payments::{Payment, RECORD_BATCH};
use crate::report::{self, rate};
use crate::service::{Program, Store};

const BATCH: usize = 500;
const LIST: &str = "transactions";
/// Lines that both sides write before anything is measured.
const WARM_UP: usize = 10_000;

/// The section. Both sides take turns, on a store that is wiped in between.
pub async fn on_neo4j(program: &Program, server: &Neo4j, folder: &Path, rounds: u32) -> Result<()> {
    let network = sample::network()?;
    let list = network.lists().into_iter().find(|list| list.name == LIST).context("the sample has payments")?;
    let lines: Vec<String> = list.lines.collect();
    let total = lines.len();
    // Read and put together before the clock runs: the raw side has nothing to do but to send.
    let payments = lines.iter().map(|line| Payment::of_line(line)).collect::<Result<Vec<_>>>()?;
    report::doing("import: warming up");
    let part = payments.get(..WARM_UP).context("the sample is larger")?;
    raw(server, batches(part)).await?;
    imported(program, server, folder, &lines[..WARM_UP]).await?;
    let (mut by_hand, mut imports) = (Duration::ZERO, Duration::ZERO);
    for round in 1..=rounds {
        report::doing(&format!("import: round {round} of {rounds}"));
        by_hand += raw(server, batches(&payments)).await?;
        imports += imported(program, server, folder, &lines).await?;
    }
    let a_second = |time: Duration| total as f64 * f64::from(rounds) / time.as_secs_f64();
    let (by_hand, imports) = (a_second(by_hand), a_second(imports));
    report::heading("Import, the sample's payments into an empty store, Neo4j");
    println!("| rows | raw batches of 500, rows/s | amlgraph import, rows/s | ratio |\n|---|---|---|---|");
    println!("| {} | {} | {} | **{:.2}** |", rate(total as f64), rate(by_hand), rate(imports), imports / by_hand);
    Ok(())
}

fn batches(payments: &[Payment]) -> Vec<Params> {
    payments.chunks(BATCH).map(|batch| Params::rows(batch.iter().map(Payment::row).collect())).collect()
}

async fn raw(server: &Neo4j, batches: Vec<Params>) -> Result<Duration> {
    database::wipe(server).await?;
    let engine = database::raw(server, 1)?;
    let started = Instant::now();
    for batch in batches {
        write(&engine, RECORD_BATCH, batch).await?;
    }
    Ok(started.elapsed())
}

async fn imported(program: &Program, server: &Neo4j, folder: &Path, lines: &[String]) -> Result<Duration> {
    database::wipe(server).await?;
    let folder = folder.join("import");
    fs::create_dir_all(&folder)?;
    let mut file = fs::File::create(folder.join(LIST).with_extension("ndjson"))?;
    file.write_all(lines.join("\n").as_bytes())?;
    drop(file);
    let took = program.import(&folder, Store::Neo4j(server)).await?;
    fs::remove_dir_all(&folder)?;
    const COUNT: Statement = Statement::new("raw/count", "MATCH (t:Transaction)\nRETURN count(t) AS n");
    let there = number(&read(&database::raw(server, 1)?, COUNT, Params::none()).await?);
    ensure!(there == lines.len() as i64, "{there} payments are there after the import of {}", lines.len());
    Ok(took)
}
