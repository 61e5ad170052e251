//! Time that a test puts forward.

use std::sync::atomic::{AtomicI64, Ordering};

use graph_schema::date::Timestamp;
use resolvers::{Clock, SystemClock};

/// The machine's clock, put forward by so many milliseconds.
#[derive(Default)]
pub struct Ahead(pub AtomicI64);

impl Clock for Ahead {
    fn now(&self) -> Timestamp {
        Timestamp(SystemClock.now().millis() + self.0.load(Ordering::Relaxed))
    }
}
