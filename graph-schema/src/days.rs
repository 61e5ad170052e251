//! How late a record may be dated: nothing could ever replace what is dated long after it was sent (decisions, "Dates").

use crate::date::{Date, Timestamp};
use crate::fault::Fault;

const DAY: i64 = 24 * 60 * 60 * 1000;

/// The last day that a date may name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Latest {
    Today,
    /// Which is today in another time zone.
    Tomorrow,
}

/// A date of a record: where it stands, what it is, and how late it may be.
pub type Dated<'a> = (&'a str, Option<Date>, Latest);

/// Today and tomorrow in UTC.
#[derive(Debug, Clone, Copy)]
pub struct Days {
    today: Option<Date>,
    tomorrow: Option<Date>,
}

impl Days {
    pub fn at(now: Timestamp) -> Self {
        Self { today: now.date(), tomorrow: Timestamp(now.millis() + DAY).date() }
    }

    /// A fault for each date that is still to come.
    pub fn faults<'a>(self, dates: impl IntoIterator<Item = Dated<'a>>) -> Vec<Fault> {
        let fault = |(at, date, latest): Dated<'_>| {
            let (end, word) = match latest {
                Latest::Today => (self.today?, "today"),
                Latest::Tomorrow => (self.tomorrow?, "tomorrow"),
            };
            date.filter(|date| *date > end).map(|_| Fault::new(at, format!("must not be after {word} ({end}, UTC)")))
        };
        dates.into_iter().filter_map(fault).collect()
    }
}
