//! Business days: from midnight to midnight in a time zone. A day may have 23 or 25 hours.

use std::time::Duration;

use analytics::Timestamp;
use chrono::{DateTime, Days, NaiveDate, NaiveTime, TimeDelta, TimeZone, Utc};
use chrono_tz::Tz;
use detection::Day;

/// The day of a date; nothing for one that the calendar does not hold, or that is too far from 1970.
pub fn day_of(date: NaiveDate, zone: Tz) -> Option<Day> {
    let start = begin(date, zone)?;
    let end = begin(date.checked_add_days(Days::new(1))?, zone)?;
    Day::new(start, end)
}

/// The date that it is now.
pub fn date_at(millis: i64, zone: Tz) -> Option<NaiveDate> {
    DateTime::<Utc>::from_timestamp_millis(millis).map(|at| at.with_timezone(&zone).date_naive())
}

/// The time that ends with a day, and has all of it: milliseconds, half-open.
pub fn span_before(day: Day, lookback: Duration) -> (i64, i64) {
    (day.window(lookback).start.millis().min(day.start().millis()), day.end().millis())
}

/// Consecutive parts of a span, about so many, none of them shorter than a day.
pub fn parts_of((begin, end): (i64, i64), count: usize) -> Vec<(i64, i64)> {
    const SHORTEST: i64 = 24 * 60 * 60 * 1000;
    let count = i64::try_from(count).unwrap_or(i64::MAX).max(1);
    let length = ((end - begin).max(0) / count + 1).max(SHORTEST);
    let mut parts = Vec::new();
    let mut from = begin;
    while from < end {
        let until = from.saturating_add(length).min(end);
        parts.push((from, until));
        from = until;
    }
    parts
}

/// The first instant of a date. Where a change of the clock skips midnight, the day begins with the first instant behind the gap.
fn begin(date: NaiveDate, zone: Tz) -> Option<Timestamp> {
    const STEP: TimeDelta = TimeDelta::minutes(15);
    let mut local = date.and_time(NaiveTime::MIN);
    while local.date() == date {
        if let Some(at) = zone.from_local_datetime(&local).earliest() {
            return Timestamp::from_millis(at.timestamp_millis());
        }
        local = local.checked_add_signed(STEP)?;
    }
    // The whole day is skipped: it ends where it begins, with the next one.
    begin(date.checked_add_days(Days::new(1))?, zone)
}
