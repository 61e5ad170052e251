use std::time::Duration;

use resolvers::testing::long_reads::pace::{Company, FEWEST, MOST, Pace};

#[test]
fn pages_become_as_large_as_they_may_take_time() {
    let mut pace = Pace::default();
    let a_row = |micros: u64, pace: &mut Pace| {
        for _ in 0..10 {
            pace.took(pace.size(), Duration::from_micros(micros * pace.size() as u64), Company::Alone);
        }
        pace.size()
    };
    assert_eq!(a_row(50, &mut pace), 1_000);
    assert_eq!(a_row(500, &mut pace), 100);
    assert_eq!((a_row(1, &mut pace), a_row(1_000_000, &mut pace)), (MOST, FEWEST));
    pace.took(FEWEST, Duration::ZERO, Company::Others);
    assert_eq!(pace.size(), 2 * FEWEST);
    pace.took(1, Duration::ZERO, Company::Alone);
    assert_eq!(pace.size(), 2 * FEWEST, "a rest says nothing");
}
