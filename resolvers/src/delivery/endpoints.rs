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
pub const FOR_ALL: usize = MOST_HELD / 2;
pub const FOR_EACH: usize = 4;
/// A receiver that nothing was sent to for so long is a new one when it is met again.
pub const REMEMBERED: Duration = Duration::from_secs(3_600);

/// Receivers by the ids of their webhooks.
#[derive(Default)]
pub struct Endpoints {
    pub known: HashMap<String, Endpoint>,
    /// How many lanes wait here for all of them.
    pub waiting: usize,
}

/// Whose lanes are not to be claimed just now, as `delivery/claim` takes them.
pub struct NotNow {
    /// Webhooks.
    pub passed_over: Vec<String>,
    /// Webhooks, and until when their lanes are put off.
    pub full: Vec<Value>,
    /// So many lanes of one of the others may wait here, at the most.
    pub share: usize,
}

/// What follows when a lane has been dealt with.
#[derive(Default)]
pub struct Ended {
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
