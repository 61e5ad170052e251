//! The time by which those who wait are measured: of tests of who goes next it stands still, and goes where they put it.

use std::time::Instant;

#[cfg(not(test))]
pub fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
pub use stopped::now;

#[cfg(test)]
pub mod stopped {
    use std::cell::Cell;
    use std::time::{Duration, Instant};

    thread_local! {
        /// Where the time of this thread stands still: each test has a thread to itself.
        static STANDS: Cell<Option<Instant>> = const { Cell::new(None) };
    }

    pub fn now() -> Instant {
        STANDS.get().unwrap_or_else(Instant::now)
    }

    /// From now on it stands still, for this test.
    pub fn stop() {
        STANDS.set(Some(now()));
    }

    pub fn forward(time: Duration) {
        STANDS.set(Some(now() + time));
    }
}
