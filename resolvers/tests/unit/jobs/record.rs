use graph_schema::date::Timestamp;
use resolvers::testing::jobs::record::{Due, NEVER, Standing, Woken, wait_after};

fn standing(due_at: i64, rest_until: i64, lease_until: i64) -> Standing {
    Standing { runs: 1, due_at, rest_until, lease_until, failures: 0, succeeded_at: 0, work_waits: false }
}

#[test]
fn a_job_is_due_by_time_by_work_or_when_woken_unless_it_is_held_or_rests() {
    let now = Timestamp(1000);
    assert_eq!(standing(1000, 0, 1000).due(now, Woken::No), Due::Now);
    assert_eq!(standing(1001, 0, 0).due(now, Woken::No), Due::Not);
    assert_eq!(standing(NEVER, 0, 0).due(now, Woken::Yes), Due::Now);
    assert_eq!(Standing { work_waits: true, ..standing(NEVER, 0, 0) }.due(now, Woken::No), Due::Now);
    assert_eq!(standing(0, 0, 1001).due(now, Woken::Yes), Due::Later);
    assert_eq!(standing(0, 1001, 0).due(now, Woken::Yes), Due::Later);
}

#[test]
fn waits_after_failures_grow_and_have_an_end() {
    let seconds: Vec<u64> = [1, 2, 3, 10, 11, i64::MAX].map(|failures| wait_after(failures).as_secs()).to_vec();
    assert_eq!(seconds, [1, 2, 4, 512, 600, 600]);
}
