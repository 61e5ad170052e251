use std::time::Duration;

use resolvers::testing::queue::pace::{Alike, LEAST, MOST, Pace, Way};

const MILLIS: fn(u64) -> Duration = Duration::from_millis;
const PAYMENTS: Alike = (("payment", Way::AtOnce), 8);
const CASES: Alike = (("case", Way::InSteps), 8);

#[test]
fn what_is_usual_says_how_long_it_may_take() {
    let pace = Pace::default();
    assert_eq!(pace.limit(&[PAYMENTS]), MOST, "nothing is known");
    pace.took(&[PAYMENTS], MILLIS(10));
    assert_eq!(pace.limit(&[PAYMENTS]), LEAST);
    assert_eq!(pace.limit(&[PAYMENTS, CASES]), MOST, "of one nothing is known");
    for _ in 0..20 {
        pace.took(&[PAYMENTS], MILLIS(200));
    }
    let slow = pace.limit(&[PAYMENTS]);
    assert!(slow > MILLIS(1_500) && slow < MILLIS(1_600), "{slow:?}");
    pace.took(&[CASES], MILLIS(1));
    assert_eq!(pace.limit(&[PAYMENTS, CASES]), slow, "the slower one counts");
}

#[test]
fn those_of_other_sizes_tell_about_one() {
    let pace = Pace::default();
    let of = |class| [(PAYMENTS.0, class)];
    pace.took(&of(5), MILLIS(100));
    for (class, wanted) in [(0, 800), (4, 800), (5, 800), (6, 3_000), (15, 3_000)] {
        assert_eq!(pace.limit(&of(class)), MILLIS(wanted), "{class}");
    }
    pace.took(&of(6), MILLIS(150));
    assert_eq!(pace.limit(&of(6)), MILLIS(1_200));
    pace.took(&of(4), MILLIS(10));
    assert_eq!(pace.limit(&of(6)), MILLIS(1_200), "four times four times as long as the smaller one is longer");
    assert_eq!(pace.limit(&of(5)), LEAST);
}

#[test]
fn one_row_makes_nobody_slow_for_long_and_a_slow_database_is_waited_for() {
    let pace = Pace::default();
    pace.took(&[PAYMENTS], MILLIS(20));
    for wanted in [1_000, 2_000, 3_000, 3_000] {
        pace.gave_up(&[PAYMENTS], pace.limit(&[PAYMENTS]));
        assert_eq!(pace.limit(&[PAYMENTS]), MILLIS(wanted));
    }
    for _ in 0..60 {
        pace.took(&[PAYMENTS], MILLIS(20));
    }
    assert_eq!(pace.limit(&[PAYMENTS]), LEAST);
    pace.forget();
    assert_eq!(pace.limit(&[PAYMENTS]), MOST);
}
