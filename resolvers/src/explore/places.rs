//! How many lists one caller may have read at once: a document may ask for thirty, and others want the database's connections, too.

use std::sync::Arc;

use moka::sync::Cache;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Lists of one caller at once: less than half of the connections that there are unless it is set.
const AT_ONCE: usize = 6;
/// Callers that are remembered; who is forgotten begins anew.
const CALLERS: u64 = 10_000;

/// The places of all callers, by their ids. Cheap to clone; all clones share.
#[derive(Clone)]
pub(crate) struct ListPlaces {
    by_caller: Cache<String, Arc<Semaphore>>,
}

impl Default for ListPlaces {
    fn default() -> Self {
        Self { by_caller: Cache::new(CALLERS) }
    }
}

impl ListPlaces {
    /// Waits for a place; it is free again when what comes back is dropped.
    pub(crate) async fn enter(&self, caller: &str) -> Option<OwnedSemaphorePermit> {
        let places = self.by_caller.get_with_by_ref(caller, || Arc::new(Semaphore::new(AT_ONCE)));
        // It is never closed.
        places.acquire_owned().await.ok()
    }
}
