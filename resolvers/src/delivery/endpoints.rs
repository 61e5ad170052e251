//! All receivers that this process has to do with, and what each may have of the lanes that wait here.
//!
//! Of the places for them each receiver may take as many as are free, and not more than it has use for. So the first may take half, and the more receivers
//! have long backlogs, the less each: there are always places for one more.

use std::collections::HashMap;
use std::time::Duration;

use cypher::{Value, map};
use graph_schema::date::Timestamp;

use super::MOST_HELD;
use super::endpoint::{Endpoint, Failing, Learnt, Turn};
use super::lane::HeldLane;
use super::millis;

/// Lanes that wait, of those that this process holds; and what each receiver may have whatever the others have.
const FOR_ALL: usize = MOST_HELD / 2;
const FOR_EACH: usize = 4;
/// A receiver that nothing was sent to for so long is a new one when it is met again.
const REMEMBERED: Duration = Duration::from_secs(3_600);

/// Receivers by the ids of their webhooks.
#[derive(Default)]
pub(super) struct Endpoints {
    known: HashMap<String, Endpoint>,
    /// How many lanes wait here for all of them.
    waiting: usize,
}

/// Whose lanes are not to be claimed just now, as `delivery/claim` takes them.
pub(super) struct NotNow {
    /// Webhooks.
    pub passed_over: Vec<String>,
    /// Webhooks, and until when their lanes are put off.
    pub full: Vec<Value>,
    /// So many lanes of one of the others may wait here, at the most.
    pub share: usize,
}

/// What follows when a lane has been dealt with.
#[derive(Default)]
pub(super) struct Ended {
    /// Lanes whose turn it is now.
    pub turns: Vec<HeldLane>,
    /// Whether lanes that were passed over should be claimed now.
    pub runs_dry: bool,
}

impl Endpoints {
    /// Before lanes are claimed: looks whose are enough.
    pub fn not_now(&mut self, now: Timestamp) -> NotNow {
        self.known.retain(|_, endpoint| !endpoint.is_idle_since(Timestamp(now.millis() - millis(REMEMBERED))));
        let share = self.share();
        let mut not_now = NotNow { passed_over: Vec::new(), full: Vec::new(), share };
        for (id, endpoint) in &mut self.known {
            if endpoint.pass_over(share, now) {
                not_now.passed_over.push(id.clone());
            } else if let Some(until) = endpoint.full_until(share, now) {
                not_now.full.push(map([("id", id.as_str().into()), ("until", until.millis().into())]));
            }
        }
        not_now
    }

    /// A lane has been claimed.
    pub fn take(&mut self, lane: HeldLane, now: Timestamp) -> Turn {
        let share = self.share();
        let endpoint = self.known.entry(lane.webhook_id.clone()).or_default();
        let before = endpoint.waiting();
        let turn = endpoint.take(lane, share, now);
        self.waiting += endpoint.waiting() - before;
        turn
    }

    /// How the last attempt to a receiver went.
    pub fn failing(&self, webhook_id: &str) -> Failing {
        self.known.get(webhook_id).map_or(Failing::No, Endpoint::failing)
    }

    /// An attempt has ended; answers with lanes for which there is no room any more, due then.
    pub fn learn(&mut self, webhook_id: &str, took: Duration, outcome: Learnt, now: Timestamp) -> Option<(Vec<HeldLane>, Timestamp)> {
        let endpoint = self.known.get_mut(webhook_id)?;
        endpoint.learn(took, outcome, now);
        let (over, until) = endpoint.overflow(now);
        self.waiting -= over.len();
        (!over.is_empty()).then(|| (over.into(), until))
    }

    /// A lane has been dealt with.
    pub fn ended(&mut self, webhook_id: &str) -> Ended {
        let Some(endpoint) = self.known.get_mut(webhook_id) else { return Ended::default() };
        let turns = endpoint.ended();
        self.waiting -= turns.len();
        let share = self.share();
        let runs_dry = self.known.get_mut(webhook_id).is_some_and(|endpoint| endpoint.runs_dry(share));
        Ended { turns, runs_dry }
    }

    /// All lanes that wait here; they are to be given back.
    pub fn give_up_waiting(&mut self) -> Vec<HeldLane> {
        self.waiting = 0;
        self.known.values_mut().flat_map(Endpoint::give_up_waiting).collect()
    }

    /// How many lanes of one receiver may wait here, with those that do.
    fn share(&self) -> usize {
        FOR_ALL.saturating_sub(self.waiting).max(FOR_EACH)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp(10_000_000);

    /// Claims lanes of a receiver that answers within milliseconds; how many begin at once, and how many wait here.
    fn claimed(endpoints: &mut Endpoints, webhook: &str, lanes: usize) -> (usize, usize) {
        let (mut at_once, mut soon) = (0, 0);
        for number in 0..lanes {
            let lane = HeldLane { webhook_id: webhook.to_owned(), ..HeldLane::for_tests(&format!("{webhook}/{number}")) };
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
}
