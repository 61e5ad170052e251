//! Settings of the read cache.

use std::ops::RangeInclusive;
use std::time::Duration;

use super::reading::Reading;
use super::{duration, size};

/// Shorter and all instances would do little but tell one another; longer and a page would show what its user has seen changed.
const STALENESS: RangeInclusive<Duration> = Duration::from_millis(200)..=Duration::from_secs(10);

/// How much is kept, and how old it may be.
pub struct Cache {
    /// Bytes; with 0 nothing is kept.
    pub bytes: usize,
    /// As far as other instances have written.
    pub staleness: Duration,
}

impl Cache {
    /// Where nothing is said, it is on for an embedded store. On Neo4j all processes that write have to have it, which one alone can't know.
    pub fn read(reading: &mut Reading, is_embedded: bool, is_cluster: bool) -> Self {
        let default = if is_embedded { 64 << 20 } else { 0 };
        let bytes = reading.take_optional("cache.bytes", size::parse_or_none).unwrap_or(default);
        let staleness = reading.take("cache.staleness", "500ms", staleness);
        if bytes > 0 && is_cluster {
            reading.fault("cache.bytes", "must be 0 with neo4j://: a member of a cluster may not have yet what was just written to another");
        }
        Self { bytes, staleness }
    }
}

fn staleness(text: &str) -> Result<Duration, String> {
    let span = duration::parse(text)?;
    if STALENESS.contains(&span) { Ok(span) } else { Err(format!("\"{text}\" must be from 200ms to 10s")) }
}
