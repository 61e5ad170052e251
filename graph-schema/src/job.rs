//! Jobs: work in the background that somebody has asked for.

use async_graphql::Enum;
use serde::{Deserialize, Serialize};

/// How a job stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum JobStatus {
    /// It waits for its turn, or until it is tried again.
    Queued,
    /// A worker is at it, or was when it was last heard of.
    Running,
    /// It has done what it was to do.
    Done,
    /// It can't be done, for the reason that `lastError` says.
    Failed,
    /// Somebody has cancelled it. What was done until then stays done.
    Cancelled,
}

impl JobStatus {
    /// As the graph has it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "QUEUED",
            Self::Running => "RUNNING",
            Self::Done => "DONE",
            Self::Failed => "FAILED",
            Self::Cancelled => "CANCELLED",
        }
    }

    /// Whether nothing more comes of it.
    pub fn is_ended(self) -> bool {
        matches!(self, Self::Done | Self::Failed | Self::Cancelled)
    }
}
