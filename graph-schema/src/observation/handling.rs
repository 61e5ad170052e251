//! How an observation was handled: what somebody did with it.

use async_graphql::Enum;

use crate::{date::Timestamp, id::UserId};

/// A way in which an observation is handled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Enum)]
#[graphql(name = "ObservationHandlingKind")]
pub enum HandlingKind {
    /// A case was raised from it.
    CaseRaised,
    /// It was dismissed without a case.
    Dismissed,
    /// Feedback was given on it in a case.
    FeedbackGiven,
    /// Something was done with it in a case, such as whitelisting it.
    ActionTaken,
}

/// How an observation was handled.
#[derive(Debug, Clone, PartialEq)]
pub struct ObservationHandling {
    /// The kind of the act.
    pub kind: HandlingKind,
    /// The time of the act.
    pub at: Timestamp,
    /// The reason that was given; null when none was.
    pub reason: Option<String>,
    /// The feedback that was given on it, by itself or with its dismissal; null when none was.
    pub feedback: Option<String>,
    /// The id of the user or credential that did it; null where it is not kept.
    pub user_id: Option<UserId>,
}
