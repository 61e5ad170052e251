use std::time::Duration;

use chrono::{DateTime, NaiveDate};
use chrono_tz::Tz;
use resolvers::detection::day_of;
use resolvers::testing::detection::business_day::{parts_of, span_before};

fn hours(date: &str, zone: Tz) -> (String, i64) {
    let date: NaiveDate = date.parse().expect("a date");
    let day = day_of(date, zone).expect("a day");
    let start = DateTime::from_timestamp_millis(day.start().millis()).expect("an instant");
    (start.format("%Y-%m-%dT%H:%MZ").to_string(), (day.end().millis() - day.start().millis()) / 3_600_000)
}

#[test]
fn days_follow_the_clocks_of_their_zone() {
    let cases = [
        (Tz::UTC, "2026-03-29", "2026-03-29T00:00Z", 24),
        (Tz::Europe__Berlin, "2026-03-28", "2026-03-27T23:00Z", 24),
        (Tz::Europe__Berlin, "2026-03-29", "2026-03-28T23:00Z", 23),
        (Tz::Europe__Berlin, "2026-10-25", "2026-10-24T22:00Z", 25),
        (Tz::Asia__Kolkata, "2026-01-01", "2025-12-31T18:30Z", 24),
        (Tz::America__Los_Angeles, "2026-01-01", "2026-01-01T08:00Z", 24),
        (Tz::Pacific__Kiritimati, "2026-01-01", "2025-12-31T10:00Z", 24),
        // Clocks went from midnight to one.
        (Tz::America__Sao_Paulo, "2018-11-04", "2018-11-04T03:00Z", 23),
    ];
    for (zone, date, start, length) in cases {
        assert_eq!(hours(date, zone), (start.to_owned(), length), "{date} in {zone}");
    }
}

#[test]
fn the_time_before_a_day_is_read_without_gap_or_overlap() {
    let day = day_of("2026-10-25".parse().expect("a date"), Tz::Europe__Berlin).expect("a day");
    let ten_days = span_before(day, Duration::from_secs(10 * 24 * 60 * 60));
    assert_eq!(ten_days, (day.end().millis() - 10 * 24 * 3_600_000, day.end().millis()));
    for (count, expected) in [(0, 1), (1, 1), (3, 3), (10, 10), (1_000, 10)] {
        let parts = parts_of(ten_days, count);
        assert_eq!(parts.len(), expected, "{count}: {parts:?}");
        assert_eq!((parts.first().map(|part| part.0), parts.last().map(|part| part.1)), (Some(ten_days.0), Some(ten_days.1)));
        assert!(parts.windows(2).all(|pair| pair[0].1 == pair[1].0));
    }
    // The day itself is read whole, however little the rules look back.
    assert_eq!(span_before(day, Duration::from_secs(1)).0, day.start().millis());
}
