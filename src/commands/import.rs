//! `amlgraph import DIR`: files into a store, or to a server.

use std::process::ExitCode;

use anyhow::Context;

use super::print;
use crate::cli::Import;
use crate::config::Settings;
use crate::import::{self, Checkpoint, Source, Summary, Target};
use crate::{http, store};

/// Imports and prints the summary. Exit code 1 when any line was refused.
pub async fn run(settings: Settings, options: Import) -> anyhow::Result<ExitCode> {
    let summary = match server(&options, std::env::var("AMLGRAPH_URL").ok())? {
        Some((url, key)) => {
            let checkpoint = checkpoint(&options, &url)?;
            let source = Source::folder(&options.dir, &checkpoint)?;
            checkpoint.begin()?;
            let target = Target::server(&url, &key, checkpoint.run())?;
            unless_stopped(import::load(source, target, Some(checkpoint))).await?
        }
        None => into_store(&settings, &options).await?,
    };
    print(&summary.to_string());
    Ok(if summary.failed() == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The server that it is for, and a key there; nothing where it is for a store, as `--database` says whatever the environment does.
fn server(options: &Import, from_environment: Option<String>) -> anyhow::Result<Option<(String, String)>> {
    let is_for_a_store = options.store.database.is_some();
    let Some(url) = options.url.clone().or(from_environment.filter(|url| !url.is_empty() && !is_for_a_store)) else { return Ok(None) };
    let key = options.key.clone();
    let key = key.with_context(|| format!("--key (or AMLGRAPH_KEY) must be a key to {url}, or --database the store to write to"))?;
    Ok(Some((url, key)))
}

async fn into_store(settings: &Settings, options: &Import) -> anyhow::Result<Summary> {
    let engine = store::open(settings).await?;
    let resolvers = store::resolvers(&engine, settings)?;
    let mut checkpoint = checkpoint(options, &settings.database.store.name())?;
    if store::is_empty(&engine).await? {
        // Whatever an earlier run did, it is not in this store.
        checkpoint.forget();
    }
    let source = Source::folder(&options.dir, &checkpoint)?;
    checkpoint.begin()?;
    let target = Target::store(resolvers.clone(), checkpoint.run());
    let outcome = unless_stopped(import::load(source, target, Some(checkpoint))).await;
    resolvers.close().await;
    engine.close().await.context("closing the store")?;
    outcome
}

fn checkpoint(options: &Import, target: &str) -> anyhow::Result<Checkpoint> {
    let mut checkpoint = Checkpoint::read(&options.dir, target)?;
    if options.restart {
        checkpoint.forget();
    }
    Ok(checkpoint)
}

async fn unless_stopped(loading: impl Future<Output = anyhow::Result<Summary>>) -> anyhow::Result<Summary> {
    tokio::select! {
        outcome = loading => outcome,
        () = http::stop_signal() => anyhow::bail!("stopped; the same command goes on from here"),
    }
}
