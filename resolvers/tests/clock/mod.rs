//! Time that a test puts forward.

// Not every test needs each of them.
#![allow(dead_code)]

use std::sync::atomic::{AtomicI64, Ordering};

use graph_schema::date::Timestamp;
use resolvers::{Clock, SystemClock};

/// The machine's clock, put forward by so many milliseconds.
#[derive(Default)]
pub struct Ahead(pub AtomicI64);

/// A clock that stands still until it is put forward.
pub struct Standing(pub AtomicI64);

impl Standing {
    pub fn at_present() -> Self {
        Self(AtomicI64::new(SystemClock.now().millis()))
    }
}

impl Clock for Standing {
    fn now(&self) -> Timestamp {
        Timestamp(self.0.load(Ordering::Relaxed))
    }
}

impl Clock for Ahead {
    fn now(&self) -> Timestamp {
        Timestamp(SystemClock.now().millis() + self.0.load(Ordering::Relaxed))
    }
}
