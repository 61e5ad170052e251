//! The events of the change feed, for integrators who can't be sent webhooks: not of the document, and outside `/api`.

mod follow_events;

use std::time::Duration;

crate::operation::operations!(follow_events);

/// It may wait before it answers.
pub(crate) const FOLLOW: crate::Operation = follow_events::OPERATION;

/// The longest that it may wait.
pub const LONGEST_WAIT: Duration = Duration::from_secs(30);
