//! `amlgraph work`: the worker's part without the API.

use anyhow::Context;

use crate::config::Settings;
use crate::{http, store, worker};

/// Works until told to stop.
pub async fn run(settings: Settings) -> anyhow::Result<()> {
    let engine = store::open(&settings).await?;
    let resolvers = store::resolvers(&engine, &settings)?;
    store::check_rules(&resolvers).await?;
    tracing::info!(engine = engine.name(), "working");
    let screened = resolvers.clone();
    let loading = tokio::spawn(async move { screened.keep_watchlists_loaded().await });
    let working = worker::start(&resolvers);
    http::stop_signal().await;
    working.stop().await;
    loading.abort();
    resolvers.close().await;
    engine.close().await.context("closing the store")?;
    tracing::info!("stopped");
    Ok(())
}
