//! Where a reader of events is in the change feed.

use std::fmt;

/// Most digits of a number in a position: all such numbers fit.
const MOST_DIGITS: usize = 18;

/// Up to where the events of the feed were read: all sets up to one, and perhaps the first events of the set behind it.
///
/// As a text it is a position of the feed, such as `17`: set 17 and all before it were read. Inside of a set it has the number of events that were read
/// of that set: `18.2` is behind the second event of set 18, with all sets before it. So a reader may stop behind any event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct EventPosition {
    /// The last set of which all is read; 0 before the first.
    set: i64,
    /// How many events of the next set are read.
    further: i64,
}

impl EventPosition {
    /// Behind all of a set.
    pub(crate) fn behind(set: i64) -> Self {
        Self { set, further: 0 }
    }

    /// Behind the first events of a set that has so many events.
    pub(crate) fn inside(set: i64, read: usize, events: usize) -> Self {
        if read == events { Self::behind(set) } else { Self { set: set - 1, further: read as i64 } }
    }

    /// The last set of which all is read.
    pub(crate) fn set(self) -> i64 {
        self.set
    }

    /// How many events of the next set are read.
    pub(crate) fn further(self) -> usize {
        usize::try_from(self.further).unwrap_or_default()
    }

    /// Reads a position from its text; `None` for what the feed can't have given.
    pub fn parse(text: &str) -> Option<Self> {
        match text.split_once('.') {
            None => number(text).map(Self::behind),
            Some((set, further)) => {
                let (set, further) = (number(set)?, number(further)?);
                (set > 0 && further > 0).then_some(Self { set: set - 1, further })
            }
        }
    }
}

/// Digits alone, and no more of them than fit.
fn number(text: &str) -> Option<i64> {
    let is_number = (1..=MOST_DIGITS).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { text.parse().ok() } else { None }
}

impl fmt::Display for EventPosition {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.further {
            0 => write!(formatter, "{}", self.set),
            further => write!(formatter, "{}.{further}", self.set + 1),
        }
    }
}
