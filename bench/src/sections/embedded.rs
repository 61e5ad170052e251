//! The same on the embedded engine. Raw is the engine in this process, one statement a call, on a store of its own: two processes can't
//! have the same store open.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use cypher::{Embedded, Engine};

use crate::cell::Plan;
use crate::machine::{Processes, peak_mib, resident_mib};
use crate::payments::Naming;
use crate::report;
use crate::sections::{graphql, ingest, supernodes as pages};
use crate::service::{Content, Program, Store};

const CONNECTIONS: [usize; 3] = [1, 32, 64];
const BY_ID: ingest::Names = ingest::Names { raw: Naming::Id, sent: Naming::Id };

/// One payment a request, against one a statement.
pub async fn ingest(program: &Program, folder: &Path, plan: Plan) -> Result<()> {
    report::doing("ingest on the embedded engine");
    let (served, own) = (folder.join("ingest-served"), folder.join("ingest-raw"));
    prepare(&served).await?;
    let raw = open(&own).await?;
    ingest::make_accounts(&raw).await?;
    let service = program.serve(Store::Embedded(&served), Content::AsItIs).await?;
    report::heading("Ingest, one payment a request, embedded engine");
    report::compared_head("payments");
    let processes = Processes { database: None, service: Some(service.id()) };
    for connections in CONNECTIONS {
        ingest::cells(&raw, &service, BY_ID, connections, plan, &processes).await?;
    }
    service.stop().await
}

/// The sample in a store of its own, and what it took to load it there.
pub struct Sample<'a> {
    pub folder: &'a Path,
    pub loaded_after: Duration,
    pub resident_mib: f64,
    pub peak_mib: f64,
}

impl<'a> Sample<'a> {
    /// Loads it with `serve --sample` into a folder where nothing is yet.
    pub async fn load(program: &Program, folder: &'a Path) -> Result<Self> {
        report::doing("the embedded engine: loading the sample");
        let service = program.serve(Store::Embedded(folder), Content::Sample).await?;
        let process = service.id();
        let sample = Self { folder, loaded_after: service.ready_after, resident_mib: resident_mib(process)?, peak_mib: peak_mib(process)? };
        service.stop().await?;
        Ok(sample)
    }

    /// Says what it took.
    pub fn report(&self) {
        let Self { loaded_after, resident_mib, peak_mib, .. } = self;
        report::heading("Loading the sample, embedded engine");
        println!(
            "`serve --sample` on an empty store was ready after **{:.1} s**, with **{resident_mib:.0} MiB** resident then and {peak_mib:.0} MiB at most.",
            loaded_after.as_secs_f64()
        );
    }
}

/// The sample's questions.
pub async fn graphql(program: &Program, sample: &Sample<'_>, folder: &Path, plan: Plan) -> Result<()> {
    report::doing("GraphQL on the embedded engine");
    let copy = folder.join("graphql-raw");
    copy_files(sample.folder, &copy)?;
    let raw = open(&copy).await?;
    let service = program.serve(Store::Embedded(sample.folder), Content::AsItIs).await?;
    report::heading("GraphQL over HTTP on the sample, embedded engine");
    report::compared_head("requests");
    let processes = Processes { database: None, service: Some(service.id()) };
    graphql::cells(&raw, &service, plan, &processes).await?;
    println!("\nResident memory of amlgraph after these requests: {:.0} MiB.", resident_mib(service.id())?);
    service.stop().await
}

/// Pages of supernodes; the raw side has a copy of the store.
pub async fn supernodes(program: &Program, folder: &Path, plan: Plan) -> Result<()> {
    report::doing("supernodes on the embedded engine");
    let (served, own) = (folder.join("supernodes-served"), folder.join("supernodes-raw"));
    fill(&served).await?;
    copy_files(&served, &own)?;
    report::heading("Supernodes, embedded engine");
    pages::run(program, Store::Embedded(&served), &open(&own).await?, None, plan).await
}

/// Fills a store with supernodes, and lets go of it.
async fn fill(folder: &Path) -> Result<()> {
    let store = open(folder).await?;
    pages::fill(&store).await?;
    store.close().await?;
    Ok(())
}

/// Puts the accounts that payments go between into a store, before a service opens it.
pub async fn prepare(folder: &Path) -> Result<()> {
    let store = open(folder).await?;
    ingest::make_accounts(&store).await?;
    store.close().await?;
    Ok(())
}

/// A store in this process, migrated.
pub async fn open(folder: &Path) -> Result<Engine> {
    let engine = Embedded::open(folder).await.map(Engine::Embedded).with_context(|| folder.display().to_string())?;
    cypher::migrate(&engine).await.context("migrating")?;
    Ok(engine)
}

/// Copies a closed store: the files of its folder, and of the folders in it.
pub fn copy_files(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).with_context(|| from.display().to_string())? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_files(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), &target)?;
        }
    }
    Ok(())
}
