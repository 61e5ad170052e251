//! Business days and the windows that end with them.

use std::time::Duration;

use analytics::Timestamp;
use serde::{Serialize, Serializer};

/// A business day, half-open: `start ≤ t < end`. Its time zone is the caller's matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day {
    start: Timestamp,
    end: Timestamp,
}

/// A half-open window of time: `start ≤ t < end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Window {
    /// Milliseconds since 1970.
    #[serde(serialize_with = "millis")]
    pub start: Timestamp,
    /// Milliseconds since 1970.
    #[serde(serialize_with = "millis")]
    pub end: Timestamp,
}

fn millis<S: Serializer>(at: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_i64(at.millis())
}

impl Day {
    /// The day from `start` up to `end`; `None` where it would be empty.
    pub fn new(start: Timestamp, end: Timestamp) -> Option<Self> {
        (start < end).then_some(Self { start, end })
    }

    pub fn start(self) -> Timestamp {
        self.start
    }

    pub fn end(self) -> Timestamp {
        self.end
    }

    pub fn holds(self, at: Timestamp) -> bool {
        self.start <= at && at < self.end
    }

    /// The time of the given length that ends with the day. A payment exactly that long before the day's end belongs to it.
    pub fn window(self, length: Duration) -> Window {
        Window { start: before(self.end, length), end: self.end }
    }
}

impl Window {
    pub fn holds(self, at: Timestamp) -> bool {
        self.start <= at && at < self.end
    }

    /// The time of the given length right before the window. It shares no instant with the window.
    pub fn history(self, length: Duration) -> Self {
        Self { start: before(self.start, length), end: self.start }
    }

    /// Milliseconds.
    pub fn length(self) -> i64 {
        self.end.millis() - self.start.millis()
    }
}

/// The time so long before another. Lengths are cut at a thousand years, which all times of payments are far from.
pub(crate) fn before(at: Timestamp, length: Duration) -> Timestamp {
    let length = i64::try_from(length.as_millis()).unwrap_or(i64::MAX).min(LONGEST_MILLIS);
    Timestamp::from_millis(at.millis().saturating_sub(length)).unwrap_or(at)
}

/// The milliseconds of a thousand years.
const LONGEST_MILLIS: i64 = 1_000 * 366 * 86_400_000;

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_millis(millis).expect("a time")
    }

    #[test]
    fn a_day_has_its_start_and_not_its_end() {
        let day = Day::new(at(0), at(100)).expect("a day");
        assert!(day.holds(at(0)) && day.holds(at(99)));
        assert!(!day.holds(at(100)) && !day.holds(at(-1)));
        assert_eq!(Day::new(at(5), at(5)), None);
    }

    #[test]
    fn a_window_and_its_history_share_no_instant() {
        let window = Day::new(at(0), at(100)).expect("a day").window(Duration::from_millis(250));
        let history = window.history(Duration::from_millis(50));
        assert_eq!((window.start, window.end), (at(-150), at(100)));
        assert_eq!((history.start, history.end), (at(-200), at(-150)));
        assert!(window.holds(at(-150)) && !history.holds(at(-150)));
    }

    #[test]
    fn a_window_of_no_length_holds_nothing() {
        let window = Day::new(at(0), at(100)).expect("a day").window(Duration::ZERO);
        assert!(!window.holds(at(100)) && !window.holds(at(99)));
    }
}
