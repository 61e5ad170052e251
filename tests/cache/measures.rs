//! The setting of the cache, what it counts, and the header by which clients go past it.

use std::time::Duration;

use crate::support::Api;

pub const BYTES: &str = "AMLGRAPH_CACHE__BYTES";
/// For servers that cache: more than any test here fills.
pub const SETTINGS: [(&str, &str); 2] = [(BYTES, "64MiB"), (STALENESS, "10s")];
/// On a Neo4j there are servers of other tests. What they write may be as old as it likes here: what a server has written itself is never stale.
const STALENESS: &str = "AMLGRAPH_CACHE__STALENESS";
/// For one of several servers of a test, with the staleness that is not set.
pub const AS_SHIPPED: [(&str, &str); 1] = [(BYTES, "64MiB")];
/// The header that goes from one to the other.
pub const POSITION: &str = "x-amlgraph-position";

const HITS: &str = "amlgraph_cache_hits_total";
/// How often what was asked before is looked for in the cache, and how long after one look comes the next.
const LOOKS: usize = 20;
const BETWEEN_LOOKS: Duration = Duration::from_millis(100);

/// A client that asks the store, past the cache.
pub fn past_it(api: &Api) -> Api {
    api.with_header("cache-control", "no-cache")
}

/// How often an instance has found in its cache what was asked for.
pub async fn hits(api: &Api) -> f64 {
    sum(api, HITS, "").await
}

/// How many statements an instance has sent by which it tells others something or is told something.
pub async fn statements_about_others(api: &Api) -> f64 {
    sum(api, "amlgraph_statement_seconds_count", "statement=\"read_cache/").await
}

/// The sum of a metric's values whose labels have this text among them.
async fn sum(api: &Api, metric: &str, label: &str) -> f64 {
    let shown = api.anonymous().get("/metrics").await.expect(200).text;
    let value = |line: &str| {
        let (labels, value) = line.strip_prefix(metric)?.rsplit_once(' ')?;
        let is_it = (labels.is_empty() || labels.starts_with('{')) && labels.contains(label);
        is_it.then(|| value.parse::<f64>().expect("a number"))
    };
    shown.lines().filter_map(value).sum()
}

/// Whether what is asked again and again comes to be answered from the cache. Once may be too early: what was written just now may still be screened or
/// counted by a job, whose write between two questions is good reason to ask the store.
pub async fn comes_to_be_cached<F: Future<Output = ()>>(api: &Api, ask: impl Fn() -> F) -> bool {
    ask().await;
    for _ in 0..LOOKS {
        let before = hits(api).await;
        ask().await;
        if hits(api).await > before {
            return true;
        }
        tokio::time::sleep(BETWEEN_LOOKS).await;
    }
    false
}
