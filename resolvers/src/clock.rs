//! Time and ids, from outside: tests and replays bring their own.

use std::sync::Mutex;
use std::time::Duration;

use graph_schema::date::Timestamp;
use uuid::{ContextV7, Uuid};

/// Counts the ids of one millisecond, so that of two requests, one after the other's answer, the second is the later one.
static ORDER: Mutex<ContextV7> = Mutex::new(ContextV7::new());

/// A span in milliseconds, as times in the graph are counted. One that no clock measures is as long as two of it, and a time, can be added up.
pub fn millis(span: Duration) -> i64 {
    i64::try_from(span.as_millis()).unwrap_or(i64::MAX / 4)
}

/// Where an operation gets the time and fresh ids from.
pub trait Clock: Send + Sync + 'static {
    /// Now, in milliseconds since 1970.
    fn now(&self) -> Timestamp;

    /// A fresh id. Ids made later sort later.
    fn id(&self) -> String {
        let millis = u64::try_from(self.now().millis()).unwrap_or_default();
        let at = uuid::Timestamp::from_unix(&ORDER, millis / 1000, (millis % 1000) as u32 * 1_000_000);
        Uuid::new_v7(at).to_string()
    }
}

/// The machine's clock.
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Timestamp(chrono::Utc::now().timestamp_millis())
    }
}
