//! Contents of files that nobody came to own are removed (see [`crate::files`]).

use std::time::Duration;

use super::{Job, JobContext, Next};
use crate::{Result, files};

/// How often is looked at least.
const PAUSE: Duration = Duration::from_secs(3600);

/// Looks through the whole store of files for what no node names.
pub struct StrayFiles;

impl Job for StrayFiles {
    const NAME: &'static str = "stray-files";
    const LEASE: Duration = Duration::from_secs(30);

    async fn run(&self, context: &JobContext) -> Result<Next> {
        let inner = &context.resolvers.inner;
        let age = inner.settings.files.unclaimed_for;
        let removed = files::remove_stray(inner, age).await?;
        if removed > 0 {
            tracing::info!(removed, "contents of files that nobody owns were removed");
        }
        Ok(Next::After(PAUSE.min(age)))
    }
}
