//! What a transaction changes, as one set of the change feed ([`crate::change_feed`]).

use std::sync::atomic::{AtomicI64, Ordering};

use cypher::{Value, map};
use uuid::Uuid;

/// Stamps go up by more than this from one millisecond to the next.
const PER_MILLISECOND: i64 = 1 << 20;

/// The last stamp of this process.
static LAST: AtomicI64 = AtomicI64::new(0);

/// A set of changes that is about to be sent.
pub struct ChangeSet {
    id: String,
    /// By which sets are sequenced that are found at the same time.
    pub stamp: i64,
}

impl ChangeSet {
    /// To be asked for just before the last statement is sent: of two writes of one process the one that is sent later has the larger stamp.
    pub fn begin() -> Self {
        let now = chrono::Utc::now().timestamp_millis() * PER_MILLISECOND;
        let last = LAST.fetch_max(now, Ordering::Relaxed);
        let stamp = if last < now { now } else { LAST.fetch_add(1, Ordering::Relaxed) + 1 };
        Self { id: Uuid::now_v7().to_string(), stamp }
    }

    /// When it was made, in milliseconds since 1970, by its stamp.
    pub fn millis(stamp: i64) -> i64 {
        stamp / PER_MILLISECOND
    }

    /// For a statement that knows itself what it has written.
    pub fn open(self) -> Value {
        map([("id", self.id.into()), ("stamp", self.stamp.into()), ("createdAt", Self::millis(self.stamp).into())])
    }

    /// With what it is made of: ids of audit entries and of events, spaces between them.
    pub fn of(self, entries: String, events: String) -> Value {
        map([
            ("id", self.id.into()),
            ("stamp", self.stamp.into()),
            ("createdAt", Self::millis(self.stamp).into()),
            ("entries", entries.into()),
            ("events", events.into()),
        ])
    }
}
