use std::time::Duration;

use graph_schema::date::Timestamp;
use resolvers::testing::delivery::endpoint::{AT_FIRST, AT_MOST, Endpoint, Failing, Learnt, Turn, WAITING_AT_MOST, WAITING_FOR_EACH};
use resolvers::testing::delivery::lane::HeldLane;

use super::held_lane;

const NOW: Timestamp = Timestamp(1_000_000);
/// More than anyone has room for.
const SHARE: usize = 1_000;
const HANGS: Learnt = Learnt::Overload { asks_for: Duration::ZERO };

fn lane(number: usize) -> HeldLane {
    held_lane(&format!("lane-{number}"))
}

/// Claims lanes; how many begin at once, wait in memory, are put off.
fn claimed(endpoint: &mut Endpoint, lanes: usize) -> (usize, usize, Vec<i64>) {
    let (mut at_once, mut soon, mut later) = (0, 0, Vec::new());
    for number in 0..lanes {
        match endpoint.take(lane(number), SHARE, NOW) {
            Turn::Now(_) => at_once += 1,
            Turn::Soon => soon += 1,
            Turn::Later(_, until) => later.push(until.millis() - NOW.millis()),
        }
    }
    (at_once, soon, later)
}

#[test]
fn an_unknown_receiver_begins_with_little_and_gets_more_with_each_success() {
    let mut endpoint = Endpoint::default();
    let (at_once, soon, later) = claimed(&mut endpoint, 100);
    // At 50 ms each, four at once.
    assert_eq!((at_once, soon, later.len()), (AT_FIRST, 80, 100 - AT_FIRST - 80));
    endpoint.learn(Duration::from_millis(2), Learnt::Success, NOW);
    assert_eq!(endpoint.ended().len(), 2, "the one that ended, and one more");
    for _ in 0..100 {
        endpoint.learn(Duration::from_millis(2), Learnt::Success, NOW);
    }
    assert_eq!(endpoint.ended().len(), AT_MOST - AT_FIRST, "never more than that");
}

#[test]
fn one_that_hangs_comes_down_to_one_and_gives_back_what_waits() {
    let mut endpoint = Endpoint::default();
    claimed(&mut endpoint, 50);
    for _ in 0..4 {
        endpoint.learn(Duration::from_secs(15), HANGS, NOW);
    }
    let (over, until) = endpoint.overflow(NOW);
    assert_eq!(over.len(), 50 - AT_FIRST - WAITING_FOR_EACH);
    assert!(until > NOW);
    endpoint.give_up_waiting();
    for _ in 0..4 {
        assert!(endpoint.ended().is_empty());
    }
    let (at_once, soon, later) = claimed(&mut endpoint, 10);
    assert_eq!((at_once, soon, later.len()), (1, 0, 9));
    assert!(later.iter().all(|wait| (500..=60_000).contains(wait)), "{later:?}");
    assert!(endpoint.full_until(SHARE, NOW).is_some_and(|until| until.millis() - NOW.millis() > 15_000));
    assert_eq!(endpoint.failing(), Failing::Yes);
}

#[test]
fn one_that_asks_for_quiet_gets_it() {
    let mut endpoint = Endpoint::default();
    claimed(&mut endpoint, 5);
    endpoint.learn(Duration::from_millis(2), Learnt::Overload { asks_for: Duration::from_secs(30) }, NOW);
    assert_eq!(endpoint.overflow(NOW).0.len(), 1);
    let (at_once, soon, later) = claimed(&mut endpoint, 3);
    assert_eq!((at_once, soon, later), (0, 0, vec![30_000; 3]));
    assert_eq!(endpoint.full_until(SHARE, NOW), Some(Timestamp(NOW.millis() + 30_000)));
    assert_eq!(endpoint.full_until(SHARE, Timestamp(NOW.millis() + 30_001)), None);
}

#[test]
fn lanes_of_one_that_is_fast_are_passed_over_until_it_runs_dry() {
    let mut endpoint = Endpoint::default();
    for _ in 0..100 {
        endpoint.learn(Duration::from_millis(2), Learnt::Success, NOW);
    }
    claimed(&mut endpoint, AT_MOST + WAITING_AT_MOST / 2 - 1);
    assert!(!endpoint.pass_over(SHARE, NOW));
    assert_eq!(claimed(&mut endpoint, 256), (0, 256, Vec::new()), "what is claimed once more has room");
    assert!(endpoint.pass_over(SHARE, NOW));
    let mut ended = 0;
    while !endpoint.runs_dry(SHARE) {
        endpoint.ended();
        ended += 1;
    }
    assert_eq!(ended, WAITING_AT_MOST - 1 - WAITING_AT_MOST / 4);
    assert!(!endpoint.runs_dry(SHARE), "it says so once");
}

#[test]
fn lanes_of_one_that_is_slow_or_fails_are_put_off() {
    for (took, learnt) in [(Duration::from_secs(5), Learnt::Success), (Duration::from_millis(2), Learnt::Failure), (Duration::from_secs(15), HANGS)] {
        let mut endpoint = Endpoint::default();
        (0..20).for_each(|_| endpoint.learn(took, learnt, NOW));
        claimed(&mut endpoint, 200);
        assert!(!endpoint.pass_over(SHARE, NOW) && endpoint.full_until(SHARE, NOW).is_some(), "{learnt:?}");
    }
}

#[test]
fn one_with_room_or_a_short_queue_is_not_full() {
    let mut endpoint = Endpoint::default();
    assert_eq!(endpoint.full_until(SHARE, NOW), None);
    claimed(&mut endpoint, 50);
    assert_eq!(endpoint.full_until(SHARE, NOW), None);
    endpoint.learn(Duration::from_secs(15), HANGS, NOW);
    assert!(endpoint.full_until(SHARE, NOW).is_some());
}
