//! Bringing a store up to date beside processes that have it in use.

use std::time::Duration;

use cypher::Engine;
use queries::{ReadCache, Sharing};

use crate::boxed;
use crate::clock::{Clock, SystemClock};

/// Applies the migrations that the store does not have yet. Where this process has a read cache, so may others: they are told what that changes. Who tells them
/// ends behind that, with its connections, as soon as others know that nothing more comes; a write in doubt takes five minutes.
///
/// A process that is ended by SIGTERM meanwhile is one that was killed: nobody listens to the signal before the store is up to date. What was begun is undone or
/// committed, and the next start goes on with the first migration that is not marked. Its writer does not say that it is quiet, so that others go past their read
/// caches for six and a half minutes. To listen would not change that: the statement that is given up is in doubt for nearly as long.
#[boxed]
pub async fn migrate(engine: &Engine, cache_bytes: usize, cache_staleness: Duration) -> Result<(), cypher::Error> {
    if cache_bytes == 0 || cypher::is_migrated(engine).await? {
        // It refuses a store that is newer.
        return cypher::migrate(engine).await.map(drop);
    }
    let sharing = Sharing { process: SystemClock.id(), staleness: cache_staleness };
    let (telling, cache) = ReadCache::over(engine.clone(), cache_bytes, &sharing);
    let migrated = cypher::migrate(&telling).await;
    if let Some(cache) = cache {
        cache.close().await;
    }
    migrated.map(drop)
}
