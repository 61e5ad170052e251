//! Windows of time, of two kinds, and which of their ends count.
//!
//! - A [`Lookback`] of length `W` ends at a payment of time `t` and is `(t − W, t]`. What is counted *per time* looks back so: two
//!   lookbacks side by side share no instant, so that no payment counts in both.
//! - A [`Span`] of length `W` bounds a pattern: its last payment is at most `W` after its first, `last − first ≤ W`. Both ends count.
//!
//! A lookback of zero is empty. A span of zero holds one instant.

use std::time::Duration;

use crate::Timestamp;

/// A half-open window `(t − length, t]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lookback(i64);

/// A bound on the time from a pattern's first payment to its last, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span(i64);

/// Whole milliseconds; what is longer than a [`Timestamp`] reaches is as long as all time.
fn millis(length: Duration) -> i64 {
    i64::try_from(length.as_millis()).unwrap_or(i64::MAX)
}

impl Lookback {
    pub fn new(length: Duration) -> Self {
        Self(millis(length))
    }

    /// Whether a payment of time `at` is in the window that ends at `end`.
    pub fn holds(self, at: Timestamp, end: Timestamp) -> bool {
        self.earliest(end) <= at && at <= end
    }

    /// The first millisecond of the window that ends at `end`; the one behind `end` where the window is empty.
    pub(crate) fn earliest(self, end: Timestamp) -> Timestamp {
        match self.0 {
            0 => Timestamp(end.0.saturating_add(1)),
            length => Timestamp(end.0.saturating_sub(length - 1)),
        }
    }
}

impl Span {
    pub fn new(length: Duration) -> Self {
        Self(millis(length))
    }

    /// Whether a pattern may reach from `first` to `last`.
    pub fn holds(self, first: Timestamp, last: Timestamp) -> bool {
        self.earliest(last) <= first && first <= last
    }

    /// The earliest time that a pattern may begin that ends at `last`.
    pub(crate) fn earliest(self, last: Timestamp) -> Timestamp {
        Timestamp(last.0.saturating_sub(self.0))
    }

    /// The latest time that a pattern may end that begins at `first`.
    pub(crate) fn latest(self, first: Timestamp) -> Timestamp {
        Timestamp(first.0.saturating_add(self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: Duration = Duration::from_secs(86_400);

    #[test]
    fn a_lookback_leaves_out_its_first_end() {
        let day = Lookback::new(DAY);
        let table = [(0, true), (1, true), (86_399_999, true), (86_400_000, false), (86_400_001, false)];
        for (gap, inside) in table {
            assert_eq!(day.holds(Timestamp(1_000), Timestamp(1_000 + gap)), inside, "{gap}");
        }
        assert!(!day.holds(Timestamp(1_001), Timestamp(1_000)));
    }

    #[test]
    fn a_span_holds_both_ends() {
        let day = Span::new(DAY);
        let table = [(0, true), (86_399_999, true), (86_400_000, true), (86_400_001, false)];
        for (gap, inside) in table {
            assert_eq!(day.holds(Timestamp(1_000), Timestamp(1_000 + gap)), inside, "{gap}");
        }
        assert!(!day.holds(Timestamp(1_001), Timestamp(1_000)));
    }

    #[test]
    fn zero_is_a_limit() {
        assert!(!Lookback::new(Duration::ZERO).holds(Timestamp(7), Timestamp(7)));
        assert!(Span::new(Duration::ZERO).holds(Timestamp(7), Timestamp(7)));
        assert!(!Span::new(Duration::ZERO).holds(Timestamp(6), Timestamp(7)));
    }

    #[test]
    fn the_ends_of_time_do_not_overflow() {
        let all = Duration::MAX;
        assert!(Span::new(all).holds(Timestamp(0), Timestamp(i64::MAX)));
        assert!(Span::new(all).holds(Timestamp(i64::MIN), Timestamp(-1)));
        assert!(Lookback::new(all).holds(Timestamp(i64::MIN), Timestamp(-2)));
        assert_eq!(Span::new(all).latest(Timestamp(1)), Timestamp(i64::MAX));
        assert!(!Span::new(DAY).holds(Timestamp(i64::MIN), Timestamp(i64::MAX)));
    }
}
