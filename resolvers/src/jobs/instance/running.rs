//! A run of a job, as the job sees it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::Serialize;

use super::store::InstanceStore;
use crate::jobs::JobContext;
use crate::jobs::lease::Renewed;
use crate::{Error, boxed};

/// Why a run ends before its job is done.
#[derive(Debug, Clone)]
pub enum Stopped {
    /// It could not be done now; it is tried again after a wait.
    Failed(Error),
    /// It never can be, for this reason, which is shown: nothing of a record, nothing of the inside.
    ForEver(String),
    /// Somebody has cancelled the job.
    Cancelled,
    /// Another worker has it now, or nobody: nothing more is to be done.
    LeaseLost,
}

impl From<Error> for Stopped {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl From<cypher::Error> for Stopped {
    fn from(error: cypher::Error) -> Self {
        Self::Failed(error.into())
    }
}

/// How far a job is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// So many are done, of whatever it counts.
    pub done: u64,
    /// Of so many, where that is known.
    pub total: Option<u64>,
}

/// A run that has its job's lease.
pub struct Running {
    pub(super) id: String,
    /// Which run of the job it is: an older one is told that it has lost the lease.
    pub(super) runs: i64,
    /// It has saved something: its failures are counted anew.
    pub(super) has_saved: AtomicBool,
    pub(super) lease: Duration,
    pub(super) store: Arc<InstanceStore>,
    pub(super) context: JobContext,
}

impl Running {
    /// The job's id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// What it works with.
    pub fn context(&self) -> &JobContext {
        &self.context
    }

    /// Notes how far it is: what is done until now is not done again. An error is to be passed on: the run is over.
    pub async fn save<C: Serialize + Sync>(&self, checkpoint: &C, progress: Progress) -> Result<(), Stopped> {
        let checkpoint = serde_json::to_string(checkpoint).map_err(|error| Stopped::ForEver(error.to_string()))?;
        self.save_text(checkpoint, progress, true).await
    }

    /// Shows how far it is, and nothing else: after a crash this is done again, and who fails behind it has failed as if it were not done. The checkpoint
    /// stays what was saved; it is said again.
    pub async fn show<C: Serialize + Sync>(&self, checkpoint: &C, progress: Progress) -> Result<(), Stopped> {
        let checkpoint = serde_json::to_string(checkpoint).map_err(|error| Stopped::ForEver(error.to_string()))?;
        self.save_text(checkpoint, progress, false).await
    }

    #[boxed]
    async fn save_text(&self, checkpoint: String, progress: Progress, further: bool) -> Result<(), Stopped> {
        match self.store.save(self, checkpoint, progress, further).await? {
            Renewed::Yes => {
                self.has_saved.fetch_or(further, Ordering::Relaxed);
                Ok(())
            }
            Renewed::Cancelled => Err(Stopped::Cancelled),
            Renewed::Lost => Err(Stopped::LeaseLost),
        }
    }
}

/// Why a run has failed, for those who see the job: nothing of a record, nothing of the inside, of which the log has more.
pub(super) fn shown_reason(error: &Error) -> String {
    match error {
        Error::Unavailable { .. } => "the database could not be used".to_owned(),
        Error::TooLong => "it took longer than it may".to_owned(),
        Error::NotFound { kind, id } => format!("there is no {} {id}", kind.as_str()),
        Error::Invalid(faults) | Error::Unreadable(faults) => faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "),
        _ => "the service has failed at it; see its log".to_owned(),
    }
}
