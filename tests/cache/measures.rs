//! The settings of the cache, what it counts, and the headers by which clients speak of it.

use std::time::Duration;

use crate::support::Api;

pub const BYTES: &str = "AMLGRAPH_CACHE__BYTES";
/// For servers that cache: more than any test here fills, and how old another instance's reads may be.
pub const SETTINGS: [(&str, &str); 2] = [(BYTES, "64MiB"), ("AMLGRAPH_CACHE__STALENESS", "500ms")];
/// The same as the setting.
pub const STALENESS: Duration = Duration::from_millis(500);

/// Where in the feed a write is at the latest; who sends it back reads nothing older.
pub const POSITION: &str = "x-amlgraph-position";

const HITS: &str = "amlgraph_cache_hits_total";

/// A client that asks the store, past the cache.
pub fn past_it(api: &Api) -> Api {
    api.with_header("cache-control", "no-cache")
}

/// A client that reads nothing older than a position.
pub fn behind(api: &Api, position: &str) -> Api {
    api.with_header(POSITION, position)
}

/// How often an instance has found in its cache what was asked for.
pub async fn hits(api: &Api) -> f64 {
    let shown = api.anonymous().get("/metrics").await.expect(200).text;
    let value = |line: &str| {
        let (labels, value) = line.strip_prefix(HITS)?.rsplit_once(' ')?;
        let is_it = labels.is_empty() || labels.starts_with('{');
        is_it.then(|| value.parse::<f64>().expect("a number"))
    };
    shown.lines().filter_map(value).sum()
}
