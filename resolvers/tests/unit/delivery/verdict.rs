use std::time::Duration;

use chrono::DateTime;
use graph_schema::date::Timestamp;
use resolvers::testing::delivery::verdict::{Answered, Follows, retry_after, verdict};

const NOW: Timestamp = Timestamp(1_800_000_000_000);
const SCHEDULE: [Duration; 2] = [Duration::from_secs(5), Duration::from_secs(300)];

fn status(status: u16) -> Answered {
    Answered::Status { status, retry_after: None }
}

fn wait(follows: Follows) -> f64 {
    let Follows::Again { at } = follows else { panic!("{follows:?}") };
    (at.millis() - NOW.millis()) as f64 / 1000.0
}

#[test]
fn two_hundreds_are_success_and_all_else_is_not() {
    for success in [200, 201, 202, 204, 299] {
        assert_eq!(verdict(&status(success), 0, &SCHEDULE, NOW), Follows::Delivered);
    }
    let failures = [status(199), status(301), status(302), status(400), status(404), status(410), status(500), Answered::TooLate, Answered::NotAtAll];
    for failure in failures {
        let follows = verdict(&failure, 0, &SCHEDULE, NOW);
        assert!((5.0..=5.5).contains(&wait(follows)), "{failure:?}: {follows:?}");
    }
    assert!(status(410).is_gone() && !status(404).is_gone());
}

#[test]
fn waits_follow_the_schedule_until_it_is_over() {
    assert!((300.0..=330.0).contains(&wait(verdict(&status(500), 1, &SCHEDULE, NOW))));
    assert_eq!(verdict(&status(500), 2, &SCHEDULE, NOW), Follows::GivenUp);
}

#[test]
fn who_is_busy_says_for_how_long() {
    let busy = |status, seconds| Answered::Status { status, retry_after: Some(Duration::from_secs(seconds)) };
    for code in [429, 502, 503, 504] {
        assert_eq!(wait(verdict(&busy(code, 60), 0, &SCHEDULE, NOW)), 60.0);
        assert!(wait(verdict(&busy(code, 1), 0, &SCHEDULE, NOW)) >= 5.0, "never sooner than by the schedule");
        assert_eq!(wait(verdict(&busy(code, 10_000_000), 0, &SCHEDULE, NOW)), 86_400.0);
    }
    assert!(wait(verdict(&busy(500, 60), 0, &SCHEDULE, NOW)) < 6.0, "no other may");
}

#[test]
fn retry_after_is_seconds_or_a_date() {
    let now = DateTime::parse_from_rfc3339("2026-11-06T08:49:37Z").unwrap().to_utc();
    assert_eq!(retry_after("120", now), Some(Duration::from_secs(120)));
    assert_eq!(retry_after("Fri, 06 Nov 2026 08:50:37 GMT", now), Some(Duration::from_secs(60)));
    assert_eq!(retry_after("Fri, 06 Nov 2026 08:00:00 GMT", now), Some(Duration::ZERO));
    assert_eq!(retry_after("soon", now), None);
}
