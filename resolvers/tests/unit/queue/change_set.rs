use std::collections::BTreeSet;

use resolvers::testing::queue::change_set::ChangeSet;

#[test]
fn stamps_go_up_and_no_two_are_alike() {
    let stamps = |_| std::thread::spawn(|| (0..10_000).map(|_| ChangeSet::begin().stamp).collect::<Vec<i64>>());
    let threads: Vec<_> = (0..4).map(stamps).collect();
    let mut all = BTreeSet::new();
    for thread in threads {
        let stamps = thread.join().expect("it ends");
        assert!(stamps.is_sorted());
        all.extend(stamps);
    }
    assert_eq!(all.len(), 40_000);
}
