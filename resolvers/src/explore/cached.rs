//! Reads by way of the cache: what it has is not read, and what it has not is read together.
//!
//! A walk whose caller wants to know its statements goes past it, and so does a request that says so. Both are asked for the right to it before.

use std::sync::Arc;

use cypher::graph::{Composed, Found, Walk};
use cypher::{Error, Row};
use futures::future::try_join_all;
use queries::ReadCache;

use crate::policy::Permit;
use crate::{Inner, explain};

impl Inner {
    /// What is found at a node; nothing when there is no such node.
    pub(crate) async fn cached_walk(&self, permit: &Permit<'_>, walk: &Arc<Walk>, id: &str) -> Result<Option<Arc<Found>>, Error> {
        let Some(cache) = self.cache_for(permit).filter(|_| walk.visit().passing.is_none()) else {
            return self.walks.walk(permit, walk, id).await;
        };
        let assembly = cache.look_up(walk, id);
        let pieces = assembly.pieces();
        let is_whole = pieces.first().is_some_and(|piece| Arc::ptr_eq(&piece.walk, walk));
        // Neo4j may have no plan for a piece though it has one for the whole.
        if !is_whole && pieces.iter().all(|piece| self.shapes.is_ready(&piece.walk)) {
            let found = try_join_all(pieces.iter().map(|piece| self.walks.walk(permit, &piece.walk, &piece.id))).await?;
            if let Some(found) = assembly.put_together(&found) {
                return Ok(Some(found));
            }
        }
        self.walks.walk(permit, walk, id).await
    }

    /// The one row of a composed statement, if it has one; one answer serves all who ask it at the same time.
    pub(crate) async fn cached_row(&self, permit: &Permit<'_>, label: &'static str, composed: Composed) -> Result<Option<Arc<Row>>, Error> {
        if let Some(row) = self.cache_for(permit).and_then(|cache| cache.find_row(&composed)) {
            return Ok(Some(row));
        }
        let keeping = self.cache.as_ref().map(|cache| (cache, cache.now(), composed.clone()));
        let row = self.shared_row(permit, label, composed).await?;
        if let (Some((cache, since, composed)), Some(row)) = (keeping, &row) {
            cache.keep_row(&composed, row, since);
        }
        Ok(row)
    }

    /// The cache, for who may be answered from it.
    fn cache_for(&self, permit: &Permit<'_>) -> Option<&ReadCache> {
        self.cache.as_ref().filter(|_| !permit.caller().past_cache && !explain::is_wanted())
    }
}
