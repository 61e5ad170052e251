use std::sync::Arc;
use std::time::{Duration, Instant};

use cypher::statements::rows::IdRow;
use cypher::{Params, Reading};
use resolvers::testing::loader::query::LoaderQuery;
use resolvers::testing::loader::waiting::{Asker, PendingKey, SLOW, Waiter, Waiting};
use tokio::sync::oneshot;

fn waiting(asked: &[(&'static str, u64, u64)]) -> Waiting {
    let mut waiting = Waiting::default();
    for (statement, caller, request) in asked {
        let query = LoaderQuery::rows(Reading::<IdRow>::new(statement, ""), Params::none());
        // Nobody hears the answer, which is not looked at before it is given.
        let waiter = Waiter { asker: Asker { caller: *caller, request: *request }, answer: oneshot::channel().0 };
        waiting.add(PendingKey { query, id: Arc::from("id"), waiter });
    }
    waiting
}

fn started(waiting: &mut Waiting) -> Vec<&'static str> {
    std::iter::from_fn(|| waiting.start()).map(|started| started.query.label()).collect()
}

fn grow_slow(waiting: &mut Waiting) {
    waiting.running.iter_mut().for_each(|running| running.since -= SLOW);
}

#[test]
fn who_has_none_under_way_comes_first() {
    let mut waiting = waiting(&[("a1", 1, 1), ("a2", 1, 1), ("a3", 1, 1), ("b1", 2, 2)]);
    assert_eq!(started(&mut waiting), ["a1", "b1"]);
    assert_eq!(started(&mut waiting), Vec::<&str>::new(), "two keep the database busy");
}

#[test]
fn a_slow_one_keeps_no_place_from_who_has_none() {
    let mut waiting = waiting(&[("a1", 1, 1), ("b1", 2, 2), ("a2", 1, 3), ("b2", 2, 4), ("b3", 2, 5)]);
    assert_eq!(started(&mut waiting), ["a1", "b1"]);
    // The others stay quick, however long this test takes.
    let later = Instant::now() + Duration::from_secs(60);
    waiting.running[0].since -= SLOW;
    waiting.running[1].since = later;
    assert_eq!(started(&mut waiting), ["b2"], "beside that of the first, two that are quick");
    assert!(waiting.has_others_than(1) && waiting.has_others_than(2));
    waiting.running[2].since = later;
    waiting.ended(2);
    assert_eq!(started(&mut waiting), ["b3"], "who has none that is slow comes first");
    waiting.running[2].since = later;
    waiting.ended(3);
    assert_eq!(started(&mut waiting), ["a2"], "where nobody of those waits, others may");
}

#[test]
fn slow_ones_are_passed_by_others_and_not_by_their_own_request() {
    let mut waiting = waiting(&[("a1", 1, 1), ("a2", 1, 1), ("a3", 1, 1)]);
    assert_eq!(started(&mut waiting), ["a1", "a2"]);
    grow_slow(&mut waiting);
    assert_eq!(started(&mut waiting), Vec::<&str>::new());
    let more = [("c1", 1, 3), ("d1", 1, 4), ("e1", 1, 5), ("f1", 1, 6), ("b1", 2, 2)];
    for (statement, caller, request) in more {
        let query = LoaderQuery::rows(Reading::<IdRow>::new(statement, ""), Params::none());
        waiting.add(PendingKey { query, id: Arc::from("id"), waiter: Waiter { asker: Asker { caller, request }, answer: oneshot::channel().0 } });
    }
    let mut all = Vec::new();
    for _ in 0..more.len() {
        grow_slow(&mut waiting);
        all.extend(started(&mut waiting));
    }
    assert_eq!(all, ["b1", "c1", "d1"], "another caller first, then other requests in half of the places");
}
