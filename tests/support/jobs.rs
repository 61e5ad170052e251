//! Work in the background: waiting until none is left.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::Api;

/// Far longer than the lease of a worker that was killed, and than a busy machine takes for what a test has left to be done.
const DONE_WITHIN: Duration = Duration::from_secs(240);

/// That a run is done and nothing is wrong with it. A step that a busy machine is too slow for is done again, and the run says so.
#[track_caller]
pub fn is_done(run: &Value) {
    let error = &run["lastError"];
    assert!(run["status"] == "DONE" && (error.is_null() || error == "it took longer than it may"), "{run}");
}

/// Waits until no job is due, under way or failing; panics with the names of those that are left.
pub async fn none_left(api: &Api) {
    let left = left(api).await;
    assert!(left.is_empty(), "left in the background: {left:?}");
}

/// The jobs that are still due, under way or failing after all the time they may need.
pub async fn left(api: &Api) -> Vec<String> {
    let (started, first) = (Instant::now(), Shown::now(api).await);
    loop {
        let shown = Shown::now(api).await;
        let left = shown.of("amlgraph_job_left").into_iter().filter(|(_, left)| *left > 0.0).map(|(job, _)| job).collect::<Vec<_>>();
        // The look under way may have been before what was just written; the one after it was not.
        if shown.looks() >= first.looks() + 2.0 && left.is_empty() {
            return left;
        }
        if started.elapsed() > DONE_WITHIN {
            return if left.is_empty() { vec!["nobody looks what is due".to_owned()] } else { left };
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// What `/metrics` shows of jobs and statements.
pub struct Shown(String);

impl Shown {
    pub async fn now(api: &Api) -> Self {
        Self(api.anonymous().get("/metrics").await.expect(200).text)
    }

    /// A metric by job.
    pub fn of(&self, metric: &str) -> BTreeMap<String, f64> {
        self.by("job", metric)
    }

    /// How often each statement ran.
    pub fn statements(&self) -> BTreeMap<String, f64> {
        self.by("statement", "amlgraph_statement_seconds_count")
    }

    /// A metric by its only label.
    fn by(&self, label: &str, metric: &str) -> BTreeMap<String, f64> {
        let begin = format!("{metric}{{{label}=\"");
        let lines = self.0.lines().filter_map(|line| line.strip_prefix(&begin)?.split_once("\"} "));
        lines.map(|(job, value)| (job.to_owned(), value.parse().expect("a number"))).collect()
    }

    fn looks(&self) -> f64 {
        let value = self.0.lines().find_map(|line| line.strip_prefix("amlgraph_job_looks_total "));
        value.map_or(0.0, |value| value.parse().expect("a number"))
    }
}
