use std::sync::Arc;
use std::time::Duration;

use resolvers::EventNames;
use resolvers::testing::change_feed::watch::{EventWatch, Seen, Tail, Waited, Waiter};
use tokio::time::Instant;

fn seen(behind: i64, last: &[(&str, i64)]) -> Seen {
    let last = last.iter().map(|(name, set)| ((*name).to_owned(), *set)).collect();
    Seen { tail: Some(Tail { behind, until: 20, last }), ..Seen::default() }
}

#[test]
fn a_reader_is_told_of_the_names_that_it_wants_behind_its_set() {
    let only_b = EventNames::These(vec!["b".to_owned()]);
    let table = [
        (seen(10, &[]), 10, &EventNames::All, false),
        (seen(10, &[]), 9, &EventNames::All, true),
        (seen(10, &[("a", 15)]), 14, &EventNames::All, true),
        (seen(10, &[("a", 15)]), 15, &EventNames::All, false),
        (seen(10, &[("a", 15)]), 14, &only_b, false),
        (seen(10, &[("a", 11), ("b", 15)]), 14, &only_b, true),
        (Seen::default(), 0, &EventNames::All, false),
    ];
    for (seen, set, names, told) in table {
        assert_eq!(seen.tells(set, names), told, "{seen:?} behind {set}, {names:?}");
    }
}

/// A watch that is told by a test, and whose task is not started.
fn watched() -> (EventWatch, Waiter) {
    let watch = EventWatch::default();
    let shared = Arc::clone(&watch.0);
    shared.readers().waiting += 1;
    let waiter = Waiter { seen: shared.seen.subscribe(), shared };
    (watch, waiter)
}

#[tokio::test]
async fn a_wait_ends_with_events_with_its_time_and_with_the_process() {
    let (watch, mut waiter) = watched();
    let never = Instant::now() + Duration::from_secs(3600);
    assert_eq!(waiter.wait(7, &EventNames::All, Instant::now()).await, Waited::Nothing { until: 7 }, "nobody has looked");
    watch.0.seen.send_modify(|now| *now = seen(10, &[("a", 15)]));
    assert_eq!(waiter.wait(12, &EventNames::All, never).await, Waited::Told);
    assert_eq!(waiter.wait(15, &EventNames::All, Instant::now()).await, Waited::Nothing { until: 20 }, "all up to there was looked at");
    watch.0.seen.send_modify(|now| now.is_away = true);
    assert_eq!(waiter.wait(15, &EventNames::All, Instant::now()).await, Waited::Unknown);
    watch.0.seen.send_modify(|now| now.is_away = false);
    watch.stop();
    assert_eq!(waiter.wait(15, &EventNames::All, never).await, Waited::Nothing { until: 20 });
    drop(waiter);
    assert_eq!(watch.0.readers().waiting, 0);
    assert!(!watch.0.somebody_waits());
}
