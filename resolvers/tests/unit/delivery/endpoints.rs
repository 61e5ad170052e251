use std::time::Duration;

use graph_schema::date::Timestamp;
use resolvers::testing::clock::millis;
use resolvers::testing::delivery::endpoint::{Learnt, Turn};
use resolvers::testing::delivery::endpoints::{Endpoints, FOR_ALL, FOR_EACH, REMEMBERED};
use resolvers::testing::delivery::lane::HeldLane;

use super::held_lane;

const NOW: Timestamp = Timestamp(10_000_000);

/// Claims lanes of a receiver that answers within milliseconds; how many begin at once, and how many wait here.
fn claimed(endpoints: &mut Endpoints, webhook: &str, lanes: usize) -> (usize, usize) {
    let (mut at_once, mut soon) = (0, 0);
    for number in 0..lanes {
        let lane = HeldLane { webhook_id: webhook.to_owned(), ..held_lane(&format!("{webhook}/{number}")) };
        match endpoints.take(lane, NOW) {
            Turn::Now(_) => at_once += 1,
            Turn::Soon => soon += 1,
            Turn::Later(..) => {}
        }
    }
    for _ in 0..100 {
        endpoints.learn(webhook, Duration::from_millis(1), Learnt::Success, NOW);
    }
    (at_once, soon)
}

fn name(number: usize) -> String {
    format!("webhook-{number}")
}

#[test]
fn receivers_with_long_backlogs_leave_places_for_one_more() {
    let mut endpoints = Endpoints::default();
    for number in 0..40 {
        while !endpoints.not_now(NOW).passed_over.contains(&name(number)) {
            claimed(&mut endpoints, &name(number), 64);
        }
    }
    assert!(endpoints.waiting <= FOR_ALL + 40 * FOR_EACH, "{}", endpoints.waiting);
    let (at_once, soon) = claimed(&mut endpoints, "one-more", 10);
    assert!(at_once > 0 && soon >= FOR_EACH, "{at_once}, {soon}");
}

#[test]
fn places_even_out_as_lanes_come_to_an_end() {
    let mut endpoints = Endpoints::default();
    for round in 0..2_000 {
        for number in 0..8 {
            if !endpoints.not_now(NOW).passed_over.contains(&name(number)) {
                claimed(&mut endpoints, &name(number), 64);
            }
        }
        endpoints.ended(&name(round % 8));
    }
    let waiting: Vec<usize> = (0..8).map(|number| endpoints.known[&name(number)].waiting()).collect();
    assert!(waiting.iter().all(|waiting| (20..250).contains(waiting)), "{waiting:?}");
    assert_eq!(waiting.iter().sum::<usize>(), endpoints.waiting);
}

#[test]
fn a_receiver_that_nothing_was_sent_to_for_long_is_forgotten() {
    let mut endpoints = Endpoints::default();
    claimed(&mut endpoints, "webhook", 1);
    let later = Timestamp(NOW.millis() + millis(REMEMBERED) + 1);
    endpoints.not_now(later);
    assert_eq!(endpoints.known.len(), 1, "a lane of it is under way");
    endpoints.ended("webhook");
    endpoints.not_now(later);
    assert!(endpoints.known.is_empty());
}
