//! How much a receiver may have under way: at first little, more with each success, half after each sign that it is overloaded. So a receiver that hangs
//! takes one place after its first silence, and one that keeps up takes as much as comes.
//!
//! Some lanes that were claimed and find their receiver full wait here in memory, if their turn comes soon, well before their lease is over: about what
//! the receiver takes in a second, so that no receiver fills the process. Further lanes are passed over as long as that is so, if it goes on that fast:
//! they stay due, and are claimed when what waits here comes to an end. Lanes of a receiver that is slow or fails are put off, in the graph, to when
//! their turn may come: those who claim would look at all of them each time.

use std::collections::VecDeque;
use std::time::Duration;

use graph_schema::date::Timestamp;

use super::lane::HeldLane;
use super::{AT_ONCE, millis};

/// Deliveries under way at once to a receiver that nobody knows yet, and at the most.
pub const AT_FIRST: usize = 4;
pub const AT_MOST: usize = 32;
/// How long one takes, as long as nobody knows.
const UNKNOWN: Duration = Duration::from_millis(50);
/// A lane whose turn comes sooner than this waits in memory: less than a lease has beyond the time of an attempt.
const SOON: Duration = Duration::from_secs(10);
/// How long a lane is put off, at the most and at the least.
const LATEST: Duration = Duration::from_secs(60);
const EARLIEST: Duration = Duration::from_millis(500);
/// It is put off for the time of so many attempts.
const ATTEMPTS_LATER: u32 = 4;
/// Lanes that wait here for each delivery that may be under way to a receiver that fails.
pub const WAITING_FOR_EACH: usize = 2;
/// For any other: as many as it takes in this time, within these bounds.
const AHEAD: Duration = Duration::from_secs(1);
const WAITING_AT_LEAST: usize = 64;
pub const WAITING_AT_MOST: usize = 512;

/// A receiver, as this process knows it.
pub struct Endpoint {
    under_way: usize,
    allowed: usize,
    /// What an attempt took lately.
    average: Duration,
    /// Lanes that were claimed, in the order in which they came.
    waiting: VecDeque<HeldLane>,
    failing: Failing,
    /// Until then it wants to be left alone.
    quiet_until: Timestamp,
    supply: Supply,
    /// When it had to do with anything last.
    met_at: Timestamp,
}

/// Whether further lanes of a receiver are claimed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Supply {
    Open,
    /// They were passed over; somebody has to claim again when what waits here comes to an end.
    PassedOver,
}

/// How the last attempt went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failing {
    Yes,
    No,
}

/// What becomes of a lane that was claimed.
pub enum Turn {
    Now(HeldLane),
    /// It waits in memory.
    Soon,
    /// Its lease is to be given back, and it is due again then.
    Later(HeldLane, Timestamp),
}

impl Default for Endpoint {
    fn default() -> Self {
        Self {
            under_way: 0,
            allowed: AT_FIRST,
            average: UNKNOWN,
            waiting: VecDeque::new(),
            failing: Failing::No,
            quiet_until: Timestamp(0),
            supply: Supply::Open,
            met_at: Timestamp(0),
        }
    }
}

impl Endpoint {
    /// A lane has been claimed. No more than its share of lanes may wait here.
    pub fn take(&mut self, lane: HeldLane, share: usize, now: Timestamp) -> Turn {
        self.met_at = now;
        if self.quiet_until > now {
            return Turn::Later(lane, self.quiet_until);
        }
        if self.under_way < self.allowed {
            self.under_way += 1;
            return Turn::Now(lane);
        }
        if self.has_room(share) {
            self.waiting.push_back(lane);
            return Turn::Soon;
        }
        if self.is_fast() {
            // It stays due, and is passed over until what waits here comes to an end.
            self.supply = Supply::PassedOver;
            let due_at = lane.due_at;
            return Turn::Later(lane, due_at);
        }
        let until = self.put_off_until(now);
        Turn::Later(lane, until)
    }

    /// Whether further lanes are to be passed over just now: half of those that may wait here do, and they are soon gone.
    pub fn pass_over(&mut self, share: usize, now: Timestamp) -> bool {
        let passed_over = self.quiet_until <= now && self.waiting.len() * 2 >= self.room(share) && self.is_fast();
        if passed_over {
            self.supply = Supply::PassedOver;
        }
        passed_over
    }

    /// Whether lanes that were passed over should be claimed now; says so once.
    pub fn runs_dry(&mut self, share: usize) -> bool {
        let dry = self.supply == Supply::PassedOver && self.waiting.len() * 4 <= self.room(share);
        if dry {
            self.supply = Supply::Open;
        }
        dry
    }

    /// Until when further lanes are to be put off: until those that wait here had their turn.
    pub fn full_until(&self, share: usize, now: Timestamp) -> Option<Timestamp> {
        if self.quiet_until > now {
            return Some(self.quiet_until);
        }
        let is_full = self.under_way >= self.allowed && !self.has_room(share);
        is_full.then(|| self.put_off_until(now))
    }

    /// An attempt has ended.
    pub fn learn(&mut self, took: Duration, outcome: Learnt, now: Timestamp) {
        self.met_at = now;
        self.average = (self.average * 3 + took) / 4;
        match outcome {
            Learnt::Success => {
                self.allowed = (self.allowed + 1).min(AT_MOST);
                self.failing = Failing::No;
            }
            Learnt::Failure => self.failing = Failing::Yes,
            Learnt::Overload { asks_for } => {
                self.allowed = (self.allowed / 2).max(1);
                self.failing = Failing::Yes;
                self.quiet_until = self.quiet_until.max(Timestamp(now.millis() + millis(asks_for)));
            }
        }
    }

    pub fn failing(&self) -> Failing {
        self.failing
    }

    /// A lane has been dealt with; answers with those whose turn it is now.
    pub fn ended(&mut self) -> Vec<HeldLane> {
        self.under_way = self.under_way.saturating_sub(1);
        let mut turns = Vec::new();
        while self.under_way < self.allowed
            && let Some(lane) = self.waiting.pop_front()
        {
            self.under_way += 1;
            turns.push(lane);
        }
        turns
    }

    /// Lanes that wait here and for which there is no room any more; they are to be given back, due then.
    pub fn overflow(&mut self, now: Timestamp) -> (VecDeque<HeldLane>, Timestamp) {
        let kept = match (self.failing, self.quiet_until > now) {
            (_, true) => 0,
            (Failing::Yes, false) => self.allowed * WAITING_FOR_EACH,
            (Failing::No, false) => self.waiting.len(),
        };
        let over = self.waiting.split_off(kept.min(self.waiting.len()));
        (over, self.put_off_until(now))
    }

    /// Lanes that wait here; they are to be given back.
    pub fn give_up_waiting(&mut self) -> VecDeque<HeldLane> {
        std::mem::take(&mut self.waiting)
    }

    /// How many lanes wait here.
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Whether nothing of it is here, and nothing was since then.
    pub fn is_idle_since(&self, then: Timestamp) -> bool {
        self.under_way == 0 && self.waiting.is_empty() && self.met_at.max(self.quiet_until) < then
    }

    /// How many lanes may wait here.
    fn room(&self, share: usize) -> usize {
        self.ahead().min(share)
    }

    /// How many would keep it busy.
    fn ahead(&self) -> usize {
        match self.failing {
            Failing::Yes => self.allowed * WAITING_FOR_EACH,
            Failing::No => {
                let ahead = AHEAD.div_duration_f64(self.average.max(Duration::from_micros(1))) * self.allowed as f64;
                (ahead as usize).clamp(WAITING_AT_LEAST, WAITING_AT_MOST)
            }
        }
    }

    /// Whether it takes what is claimed at once within a second, or nobody knows yet: its lanes do not stay due for long, so that not many are passed
    /// over again and again.
    fn is_fast(&self) -> bool {
        self.failing == Failing::No && (self.ahead() >= AT_ONCE || self.average == UNKNOWN)
    }

    /// Whether another lane may wait here.
    fn has_room(&self, share: usize) -> bool {
        self.waiting.len() < self.room(share) && self.wait_for(self.waiting.len() + 1) <= SOON
    }

    /// How long the lane in this place of the queue waits for its turn.
    fn wait_for(&self, place: usize) -> Duration {
        self.average.mul_f64(place as f64 / self.allowed as f64)
    }

    /// When a lane is looked at again that is put off now: some attempts later, whoever else waits, and not after those are done that are here.
    fn put_off_until(&self, now: Timestamp) -> Timestamp {
        let here = (self.under_way + self.waiting.len()) / self.allowed + 1;
        let wait = (self.average * ATTEMPTS_LATER.min(here as u32)).clamp(EARLIEST, LATEST);
        Timestamp(now.millis() + millis(wait)).max(self.quiet_until)
    }
}

/// What an attempt says of its receiver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Learnt {
    Success,
    Failure,
    /// It did not answer, or said that it is busy, and perhaps for how long it wants to be left alone.
    Overload {
        asks_for: Duration,
    },
}
