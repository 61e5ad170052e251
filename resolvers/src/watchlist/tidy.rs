//! What an import leaves, whatever came of it: what it has staged in vain goes, what it has replaced is marked, and its files go.
//!
//! All of it is done in portions, and can be done again. Only what the import itself has staged is touched: another one may have begun since.

use std::time::Duration;

use cypher::statements::rows::{AbandonedImport, BegunImport, ImportingWatchlist, TotalRow};
use cypher::statements::watchlist as statements;
use cypher::{Params, Reading};
use graph_schema::id::FileId;

use super::import::ImportWatchlist;
use super::version_id;
use crate::conflicts::despite_conflicts;
use crate::{Inner, Result};

/// How long looking for what was left may take.
const LIMIT: Duration = Duration::from_secs(5);
/// How long one transaction may take: the embedded engine looks at all entries of a version.
const WRITE_LIMIT: Duration = Duration::from_secs(50);
/// As many entries as one transaction changes; the statements say so themselves.
const AT_A_TIME: i64 = 1000;

impl Inner {
    /// Begins an import, after what another one has left of the same list was tidied up.
    pub(super) async fn begin_import(&self, import: &ImportWatchlist, job: &str) -> Result<BegunImport> {
        for left in self.imports_that_left_something().await? {
            if left.id == import.list && left.import_id != job {
                self.tidy_up(&left).await?;
            }
        }
        let params = Params::none().with("id", import.list.as_str()).with("name", import.name.as_str()).with("holder", job);
        let params = params.with("names", import.uploads()).with("now", self.clock.now().millis());
        let rows = despite_conflicts(|| self.engine.write_as(statements::BEGIN, params.clone())).await?;
        let begun = statements::BEGIN.first(rows)?;
        // What of another import was under way still when that was tidied up.
        let params = Params::none().with("id", version_id(&begun.id, begun.version + 1)).with("holder", job);
        self.each_portion(statements::UNSTAGE_OTHERS, params.clone()).await?;
        self.each_portion(statements::RESTORE_OTHERS, params).await?;
        Ok(begun)
    }

    /// Tidies up what imports have left that have ended.
    pub(crate) async fn tidy_up_imports(&self) -> Result<()> {
        for left in self.imports_that_left_something().await? {
            if !left.open {
                self.tidy_up(&left).await?;
            }
        }
        Ok(())
    }

    async fn imports_that_left_something(&self) -> Result<Vec<ImportingWatchlist>> {
        Ok(self.engine.read_as(statements::IMPORTING, Params::none(), LIMIT).await?)
    }

    async fn tidy_up(&self, left: &ImportingWatchlist) -> Result<()> {
        let holder = left.import_id.as_str();
        // A run that was cut off may be about to make its version count: it has, or it can't any more.
        let params = Params::none().with("id", left.id.as_str()).with("holder", holder);
        let abandoned = despite_conflicts(|| self.engine.write_as(statements::ABANDON, params.clone())).await?;
        // Another import, which has begun since, has tidied up before.
        let Some(AbandonedImport { version }) = abandoned.into_iter().next() else { return Ok(()) };
        let (counting, next) = (version_id(&left.id, version), version_id(&left.id, version + 1));
        self.each_portion(statements::UNSTAGE, Params::none().with("id", next.as_str()).with("holder", holder)).await?;
        self.each_portion(statements::RESTORE, Params::none().with("id", next.as_str()).with("holder", holder)).await?;
        self.each_portion(statements::SETTLE, Params::none().with("id", counting.as_str())).await?;
        // One that has not ended, and waits to be tried again, needs its files.
        if !left.open {
            for id in &left.uploads {
                self.settings.files.store.remove(&self.key_of_file(&FileId::new(id.clone())).await?).await;
            }
            let params = Params::none().with("ids", left.uploads.clone());
            despite_conflicts(|| self.engine.write(statements::DROP_UPLOADS, params.clone())).await?;
        }
        despite_conflicts(|| self.engine.write(statements::FORGET_UNPUBLISHED, params.clone())).await?;
        despite_conflicts(|| self.engine.write(statements::CLOSE, params.clone())).await?;
        Ok(())
    }

    /// Does what a statement does, some at a time, until nothing is left.
    async fn each_portion(&self, statement: Reading<TotalRow>, params: Params) -> Result<()> {
        loop {
            let rows = despite_conflicts(|| self.engine.write_within_as(statement, params.clone(), WRITE_LIMIT)).await?;
            if statement.first(rows)?.total < AT_A_TIME {
                return Ok(());
            }
        }
    }
}
