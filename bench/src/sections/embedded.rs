//! The same on the embedded engine. Raw is the engine in this process, one statement a call, on a store of its own: two processes can't
//! have the same store open.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use cypher::{Embedded, Engine};

use crate::cell::Plan;
use crate::machine::{Processes, resident_mib};
use crate::report;
use crate::sections::{graphql, ingest};
use crate::service::{Content, Program, Store};

const CONNECTIONS: [usize; 3] = [1, 32, 64];

/// One payment a request, against one a statement.
pub async fn ingest(program: &Program, folder: &Path, plan: Plan) -> Result<()> {
    report::doing("ingest on the embedded engine");
    let (served, own) = (folder.join("ingest-served"), folder.join("ingest-raw"));
    // The accounts are put in before the service opens its store.
    let theirs = open(&served).await?;
    ingest::make_accounts(&theirs).await?;
    theirs.close().await?;
    drop(theirs);
    let raw = open(&own).await?;
    ingest::make_accounts(&raw).await?;
    let service = program.serve(Store::Embedded(&served), Content::AsItIs).await?;
    report::heading("Ingest, one payment a request, embedded engine");
    report::compared_head("payments");
    let processes = Processes { database: None, service: Some(service.id()) };
    for connections in CONNECTIONS {
        ingest::cells(&raw, &service, connections, plan, &processes).await?;
    }
    service.stop().await
}

/// The sample's questions. Leaves the sample's store behind in `folder`, for what comes next.
pub async fn graphql(program: &Program, sample: &Path, folder: &Path, plan: Plan) -> Result<()> {
    report::doing("GraphQL on the embedded engine");
    let service = program.serve(Store::Embedded(sample), Content::Sample).await?;
    let (loaded_after, loaded_mib) = (service.ready_after, resident_mib(service.id())?);
    service.stop().await?;
    let copy = folder.join("graphql-raw");
    copy_files(sample, &copy)?;
    let raw = open(&copy).await?;
    let service = program.serve(Store::Embedded(sample), Content::AsItIs).await?;
    report::heading("GraphQL over HTTP on the sample, embedded engine");
    report::compared_head("requests");
    let processes = Processes { database: None, service: Some(service.id()) };
    graphql::cells(&raw, &service, plan, &processes).await?;
    println!(
        "\n`serve --sample` on an empty store was ready after {:.1} s, with {loaded_mib:.0} MiB resident; after these requests: {:.0} MiB.",
        loaded_after.as_secs_f64(),
        resident_mib(service.id())?
    );
    service.stop().await
}

async fn open(folder: &Path) -> Result<Engine> {
    let engine = Embedded::open(folder).await.map(Engine::Embedded).with_context(|| folder.display().to_string())?;
    cypher::migrate(&engine).await.context("migrating")?;
    Ok(engine)
}

/// Copies a closed store: the files of its folder, and of the folders in it.
fn copy_files(from: &Path, to: &Path) -> Result<()> {
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
