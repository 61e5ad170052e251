//! What the program tells about itself: logs to standard error, metrics for Prometheus.
//!
//! Logs are text on a terminal and JSON elsewhere. Neither carries personal data: statements by label, routes by template, no ids, no bodies, and of
//! errors and panics no part that could quote what was being worked on. No filter changes that.

use std::io::IsTerminal;
use std::time::Duration;

use anyhow::Context;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tracing::Level;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// Upper bounds of the histograms of times, in seconds: from a cached read to the longest request.
const SECONDS: &[f64] = &[0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0];
/// Upper bounds of the histograms of how much was gathered (rows of a batch, keys of a load).
const COUNTS: &[f64] = &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1024.0];
/// Between two upkeeps every measured value waits in memory.
const UPKEEP: Duration = Duration::from_secs(5);

/// Starts logging with a filter that was checked with the settings.
pub fn log(filter: &str) -> anyhow::Result<()> {
    let filter = EnvFilter::try_new(filter).context("log")?;
    let subscriber = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    let discreet = filter_fn(|event| may_tell(event.target(), event.level()));
    if std::io::stderr().is_terminal() {
        subscriber.finish().with(discreet).try_init()
    } else {
        subscriber.json().flatten_event(true).with_ansi(false).with_current_span(true).with_span_list(false).finish().with(discreet).try_init()
    }
    .map_err(|error| anyhow::anyhow!("logging: {error}"))?;
    // A panic is logged like any other defect, so that the log stays JSON where it is read by machines.
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        // A text that was made may have in it what was being worked on; one that stands in the program has not.
        let text = panic.payload().downcast_ref::<&'static str>().copied().unwrap_or("its text is not told");
        tracing::error!(place, text, "panic");
    }));
    Ok(())
}

/// The crates of this program: they log no values of records.
const OURS: [&str; 10] =
    ["amlgraph", "cypher", "graph_schema", "graphql_api", "graphql_http", "graphql_service", "queries", "resolvers", "rest_compat", "sample"];

/// Whether an event may be logged, whatever the filter says. Libraries log what they send and read, and the database's driver even in its warnings.
fn may_tell(target: &str, level: &Level) -> bool {
    let part = target.split("::").next().unwrap_or_default();
    match part {
        "neo4rs" => *level <= Level::ERROR,
        part => OURS.contains(&part) || *level <= Level::WARN,
    }
}

/// Starts measuring; the handle renders what was measured. Needs the async runtime.
pub fn measure() -> anyhow::Result<PrometheusHandle> {
    let recorder = PrometheusBuilder::new()
        .set_buckets(COUNTS)
        .and_then(|builder| builder.set_buckets_for_metric(Matcher::Suffix("_seconds".into()), SECONDS))
        .context("metrics")?
        .build_recorder();
    let handle = recorder.handle();
    metrics::set_global_recorder(recorder).map_err(|error| anyhow::anyhow!("metrics: {error}"))?;
    let upkeep = handle.clone();
    tokio::spawn(async move {
        let mut ticks = tokio::time::interval(UPKEEP);
        loop {
            ticks.tick().await;
            upkeep.run_upkeep();
        }
    });
    describe();
    Ok(handle)
}

/// The help texts of `/metrics`.
fn describe() {
    use metrics::{describe_counter as counter, describe_gauge as gauge, describe_histogram as histogram};
    counter!("amlgraph_http_requests_total", "requests answered, by method, route and status");
    histogram!("amlgraph_http_request_seconds", "time from a request's head to its answer, by method and route");
    gauge!("amlgraph_http_requests_in_flight", "requests under way");
    gauge!("amlgraph_http_body_bytes", "bytes of large bodies that are held, of limits.bodies");
    histogram!("amlgraph_statement_seconds", "time of a statement, the wait for a connection included, by statement");
    counter!("amlgraph_statement_errors_total", "failed statements, by statement and kind");
    histogram!("amlgraph_batch_rows", "rows of a batch of writes, by operation");
    counter!("amlgraph_batch_retries_total", "batches tried again after a conflict, by operation");
    histogram!("amlgraph_loader_keys", "keys that one statement of a read answers, by statement");
    counter!("amlgraph_job_runs_total", "steps of background jobs that ended in this process, by job and outcome (done, failed, lost)");
    histogram!("amlgraph_job_seconds", "time of a step of a background job");
    gauge!("amlgraph_job_success_age_seconds", "time since a background job last succeeded in any process, or was first known");
    gauge!("amlgraph_job_failures", "failures in a row of a background job");
    gauge!("amlgraph_job_left", "1 while a background job is due, under way or failing");
    counter!("amlgraph_case_counts_lost_total", "cases that were counted anew because what they were counted as could not be read");
    counter!("amlgraph_job_looks_total", "times this process has looked which background jobs are due");
    gauge!("amlgraph_event_polls_waiting", "requests that wait for events");
    gauge!("amlgraph_live_connections", "connections that stay open, by transport (ws, sse)");
    gauge!("amlgraph_live_subscriptions", "subscriptions under way, by transport");
    counter!("amlgraph_live_messages_total", "results and ends of operations sent on connections that stay open, by transport");
    counter!("amlgraph_live_gaps_total", "times a subscription was told that events are missing");
    counter!(
        "amlgraph_live_closes_total",
        "connections that have ended, by close code; 0 where the client has ended it or it broke off, 1000 where a stream of events came to its end"
    );
    counter!("amlgraph_cache_hits_total", "look-ups of walks and lists that the read cache has answered");
    counter!("amlgraph_cache_misses_total", "look-ups that it has not answered");
    counter!("amlgraph_cache_invalidations_total", "those of them where a write had made an answer useless, or was making it so");
    counter!("amlgraph_cache_evictions_total", "answers that had to make room for others, or for which there was none");
    gauge!("amlgraph_cache_bytes", "bytes of the answers that the read cache has, about");
    counter!("amlgraph_cache_looks_total", "times this process has looked what others have written");
    counter!("amlgraph_cache_notes_total", "notes by which it has told others what it has written");
    gauge!("amlgraph_cache_doubts", "statements of which it is not known whether a write was made, so that what they touch is not cached");
    counter!("amlgraph_cache_bypasses_total", "questions that the read cache was not asked, by reason (start, late, position)");
    gauge!("amlgraph_pool_free", "free places in the pool of database connections when one was last taken");
}

#[cfg(test)]
mod tests;
