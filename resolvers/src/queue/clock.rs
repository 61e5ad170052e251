//! The time by which those who wait are measured: in tests of who goes next it stands still, and goes where they put it.

use std::cell::Cell;
use std::time::{Duration, Instant};

thread_local! {
    /// Where the time of this thread stands still: each test has a thread to itself. Of the program no thread stops it.
    static STANDS: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// The time: the machine's, unless this thread has stopped it.
pub fn now() -> Instant {
    STANDS.get().unwrap_or_else(Instant::now)
}

/// From now on it stands still, for this thread.
pub fn stop() {
    STANDS.set(Some(now()));
}

/// It stands so much later.
pub fn forward(time: Duration) {
    STANDS.set(Some(now() + time));
}
