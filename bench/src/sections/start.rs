//! From starting the process to ready on a store that is migrated, and memory when nothing is asked.

use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use test_support::neo4j::Neo4j;

use crate::database;
use crate::machine::resident_mib;
use crate::report;
use crate::service::{Content, Program, Store};

const STARTS: usize = 5;
/// Idle is after this pause.
const IDLE_AFTER: Duration = Duration::from_secs(2);

/// Opens the section's table.
pub fn head() {
    report::heading("Start and memory");
    println!("| | start to ready, median of {STARTS}, ms | all, ms | resident when idle, MiB |\n|---|---|---|---|");
}

/// The line of Neo4j.
pub async fn on_neo4j(program: &Program, server: &Neo4j) -> Result<()> {
    report::doing("starts on Neo4j");
    database::wipe(server).await?;
    line("Neo4j, migrated store", program, Store::Neo4j(server)).await
}

/// The lines of the embedded engine: an empty store and the sample's.
pub async fn embedded(program: &Program, empty: &Path, sample: &Path) -> Result<()> {
    report::doing("starts on the embedded engine");
    line("embedded, migrated store", program, Store::Embedded(empty)).await?;
    line("embedded, the sample's store", program, Store::Embedded(sample)).await
}

async fn line(caption: &str, program: &Program, store: Store<'_>) -> Result<()> {
    // The first start makes the key and whatever else is made once.
    program.serve(store, Content::AsItIs).await?.stop().await?;
    let mut millis = Vec::with_capacity(STARTS);
    let mut resident = Vec::with_capacity(STARTS);
    for _ in 0..STARTS {
        let service = program.serve(store, Content::AsItIs).await?;
        millis.push(service.ready_after.as_secs_f64() * 1000.0);
        tokio::time::sleep(IDLE_AFTER).await;
        resident.push(resident_mib(service.id())?);
        service.stop().await?;
    }
    let all: Vec<String> = millis.iter().map(|millis| format!("{millis:.0}")).collect();
    println!("| {caption} | **{:.0}** | {} | **{:.1}** |", report::median(millis), all.join(", "), report::median(resident));
    Ok(())
}
