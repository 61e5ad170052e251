//! `amlgraph serve`: the API, and the worker's part unless it is left to `amlgraph work`.

use std::net::SocketAddr;

use anyhow::Context;
use cypher::Engine;
use graphql_http::LiveStop;
use metrics_exporter_prometheus::PrometheusHandle;
use resolvers::{FirstKey, Resolvers};
use tokio::net::TcpListener;

use super::{documents, print};
use crate::cli::Serve;
use crate::config::{Secret, Settings};
use crate::http::{self, Faces};
use crate::import::{self, Source};
use crate::{store, telemetry, worker};

/// Questions to the sample network that have interesting answers.
const QUERIES: [(&str, &str); 3] = [
    (
        "One of the busiest accounts: who holds it, and where most of its money goes",
        r#"{ account(id: "account-28710447624489049") { actors(first: 3) { edges { role node { name } } } transferredTo(first: 5) { totalCount edges { total count currency node { id actors(first: 1) { edges { node { name } } } } } } } }"#,
    ),
    (
        "Three steps along the money of a loan, some of which comes back to it",
        r#"{ account(id: "loan-4722587159251388512") { transferredTo(first: 3) { edges { total node { id transferredTo(first: 3) { edges { total node { id transferredTo(first: 3) { edges { total node { id } } } } } } } } } } }"#,
    ),
    (
        "A blocked device, and the two people whose accounts were signed in to from it",
        r#"{ device(id: "medium-1075") { type blocked accounts(first: 5) { edges { count last node { id actors(first: 3) { edges { node { id name } } } } } } } }"#,
    ),
];

/// Serves until told to stop.
pub async fn run(settings: Settings, options: Serve) -> anyhow::Result<()> {
    let metrics = telemetry::measure()?;
    // Before anything else: a port in use is told at once, and no two of us start on one store by mistake.
    let listener = http::listen(settings.listen)?;
    let checking = tokio::spawn(documents::warn_of_listed(settings.graphql.clone()));
    let engine = http::serve_meanwhile(&listener, &settings.limits, store::open(&settings)).await?;
    let resolvers = store::resolvers(&engine, &settings)?;
    let served = serve(&settings, &options, (listener, metrics), (&engine, &resolvers)).await;
    checking.abort();
    // However it ends: other processes would wait for one that writes and is gone.
    resolvers.close().await;
    let closed = engine.close().await.context("closing the store");
    served.and(closed)?;
    tracing::info!("stopped");
    Ok(())
}

/// The same, over a store that is open.
async fn serve(
    settings: &Settings,
    options: &Serve,
    (listener, metrics): (TcpListener, PrometheusHandle),
    (engine, resolvers): (&Engine, &Resolvers),
) -> anyhow::Result<()> {
    store::check_rules(resolvers).await?;
    store::check_first_key(engine, settings).await?;
    let address = listener.local_addr().context("the address listened on")?;
    let live = LiveStop::default();
    let app = http::app(Faces { resolvers: resolvers.clone(), engine: engine.name(), metrics, live: live.clone() }, settings)?;
    if options.sample {
        load_sample(resolvers, engine).await?;
    }
    // Last, as it is shown once: a start that fails after it was made would leave a store that nobody can get into.
    let key = resolvers.first_key(settings.admin_key.as_ref().map(Secret::reveal)).await.context("making the first key")?;
    tell_of(&key);
    let working = (!options.no_worker).then(|| worker::start(resolvers));
    // It answers meanwhile, and is ready once that is done.
    let warming = tokio::spawn(resolvers.keep_warm());
    let counted = resolvers.clone();
    let counting = tokio::spawn(async move { counted.keep_overdue_counted().await });
    let screened = resolvers.clone();
    let loading = tokio::spawn(async move { screened.keep_watchlists_loaded().await });
    greet(address, &key);
    if options.sample {
        suggest();
    }
    tracing::info!(%address, engine = engine.name(), "ready");
    let followed = resolvers.clone();
    let stop = async move {
        http::stop_signal().await;
        // Requests that wait for events are answered at once, so that they do not hold up the end.
        followed.end_waits();
    };
    http::serve(listener, app, &settings.limits, &live, stop).await;
    warming.abort();
    counting.abort();
    loading.abort();
    if let Some(working) = working {
        working.stop().await;
    }
    Ok(())
}

async fn load_sample(resolvers: &Resolvers, engine: &Engine) -> anyhow::Result<()> {
    if !store::is_empty(engine).await? {
        tracing::info!("the store is not empty: the sample network is not loaded");
        return Ok(());
    }
    let network = sample::network().context("the bundled sample")?;
    let source = Source::made(network.lists())?;
    let summary = import::load(source, import::Target::store(resolvers.clone(), "sample"), None).await.context("loading the sample network")?;
    tracing::info!(accepted = summary.accepted(), failed = summary.failed(), "the sample network is loaded");
    Ok(())
}

/// Says where the key that is set does not open the store: else whoever counts on it learns that when he needs it.
fn tell_of(key: &FirstKey) {
    let problem = match key {
        FirstKey::Made(_) | FirstKey::Known => return,
        FirstKey::Unknown => "is none of this store's, or was revoked: it counts on an empty store alone, and is not taken over later",
        FirstKey::OfAnotherRole => "is a key of this store, but no administrator's",
    };
    tracing::warn!(
        "AMLGRAPH_ADMIN_KEY {problem}. Set it to the administrator's key of this store, or to nothing; where that key is lost, `amlgraph key recover` \
         makes another"
    );
}

fn greet(address: SocketAddr, key: &FirstKey) {
    let mut shown = address;
    if address.ip().is_unspecified() {
        // What listens everywhere is reached here, too.
        shown.set_ip(if address.is_ipv6() { std::net::Ipv6Addr::LOCALHOST.into() } else { std::net::Ipv4Addr::LOCALHOST.into() });
    }
    print(&format!("amlgraph is ready\n  API      http://{shown}/docs\n  GraphQL  http://{shown}/graphql"));
    if let FirstKey::Made(key) = key {
        print(&format!("  Key      {key}\n           (the first administrator's API key; it is shown this once: send it as x-api-key)"));
    }
}

fn suggest() {
    print("\nThree queries to paste:");
    for (about, query) in QUERIES {
        print(&format!("\n# {about}\n{query}"));
    }
}
