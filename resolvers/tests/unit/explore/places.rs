use std::sync::atomic::Ordering;
use std::time::Duration;

use futures::FutureExt;
use resolvers::testing::explore::places::ListPlaces;

/// How many of ten lists are read at once.
fn at_once(places: &ListPlaces, caller: &str, others_walk: bool) -> usize {
    let entered: Vec<_> = (0..10).filter_map(|_| places.enter(caller, || others_walk).now_or_never()).collect();
    entered.len()
}

/// This caller has read lists that took so long.
fn read(places: &ListPlaces, caller: &str, took: Duration) {
    (0..20).for_each(|_| places.of(caller).note(took));
}

#[test]
fn slow_lists_leave_the_database_to_others() {
    let places = ListPlaces::default();
    assert_eq!(at_once(&places, "a", true), 6);
    read(&places, "a", Duration::from_millis(500));
    assert_eq!((at_once(&places, "a", true), at_once(&places, "b", true)), (1, 6), "the others keep theirs");
    read(&places, "c", Duration::from_millis(20));
    assert_eq!((at_once(&places, "c", true), at_once(&places, "c", false)), (2, 6), "a little slow");
    assert_eq!(at_once(&places, "a", false), 2, "nobody is there");
    let other = places.enter("b", || false).now_or_never();
    assert_eq!((at_once(&places, "a", false), other.is_some()), (1, true), "another reads a list");
    drop(other);
    read(&places, "a", Duration::from_millis(1));
    assert_eq!(at_once(&places, "a", true), 6, "his are quick again");
    assert_eq!(places.all.load(Ordering::Relaxed), 0);
}

#[test]
fn what_was_read_is_noted_and_what_was_broken_off_is_not() {
    let places = ListPlaces::default();
    read(&places, "a", Duration::from_millis(500));
    let before = places.of("a").took.load(Ordering::Relaxed);
    drop(places.enter("a", || true).now_or_never());
    assert_eq!(places.of("a").took.load(Ordering::Relaxed), before);
    places.enter("a", || true).now_or_never().expect("a place").read();
    assert!(places.of("a").took.load(Ordering::Relaxed) < before);
}
