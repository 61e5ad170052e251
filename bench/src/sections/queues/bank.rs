//! Cases and observations of a bank, each a matter of its number alone. So what a page has to show is known without the store that is filled from them.

use crate::payments::Random;

pub const DAY: i64 = 86_400_000;
/// Of history.
pub const DAYS: i64 = 730;
/// Observations that came with each case, though only some of them became one.
pub const OBSERVATIONS: i64 = 10;
pub const USERS: u64 = 60;
pub const RULES: u64 = 40;
pub const TAGS: u64 = 20;
const PRIORITIES: [&str; 3] = ["HIGH", "MEDIUM", "LOW"];
/// What stands for no due time, and for no score, in orders.
pub const NOT_DUE: i64 = 9_007_199_254_740_991;
pub const NOT_SCORED: i64 = -9_100_000_000_000_000_000;

/// A step of the workflows that are there from the start, with the seconds that a case may stand on it.
#[derive(Debug, PartialEq, Eq)]
pub struct Step {
    pub id: &'static str,
    pub status: &'static str,
    pub due_within: Option<i64>,
}

const fn step(id: &'static str, status: &'static str, days: Option<i64>) -> Step {
    let due_within = match days {
        Some(days) => Some(days * DAY / 1000),
        None => None,
    };
    Step { id, status, due_within }
}

/// Of analyses, the last one closed.
pub static ANALYSIS: [Step; 5] = [
    step("default-analysis/to-do", "TO_DO", Some(5)),
    step("default-analysis/in-progress", "IN_PROGRESS", Some(20)),
    step("default-analysis/on-hold", "ON_HOLD", None),
    step("default-analysis/waiting-for-data", "WAITING_FOR_DATA", Some(30)),
    step("default-analysis/closed", "CLOSED", None),
];
/// Of filings, the last one closed.
pub static FILING: [Step; 5] = [
    step("default-filing/to-do", "TO_DO", Some(5)),
    step("default-filing/drafting", "DRAFTING", Some(10)),
    step("default-filing/review", "REVIEW", Some(5)),
    step("default-filing/filed", "FILED", None),
    step("default-filing/closed", "CLOSED", None),
];

/// How many there are, and when it is now (epoch milliseconds).
#[derive(Clone, Copy)]
pub struct Bank {
    pub cases: i64,
    pub now: i64,
}

pub struct Actor {
    /// In ten-thousandths; none was scored.
    pub parts: Option<i64>,
    /// 3 is the highest, 0 none.
    pub band: i64,
}

/// Times are epoch milliseconds.
pub struct Case {
    pub number: i64,
    pub filing: bool,
    pub step: &'static Step,
    pub open: bool,
    pub created: i64,
    pub since: i64,
    pub updated: i64,
    pub assignee: Option<u64>,
    pub creator: u64,
    /// Whom it focuses on, by number, and how risky that actor is.
    pub actor: i64,
    pub band: i64,
    pub tag: Option<u64>,
    /// So many of its observations became it.
    pub raised: i64,
    pub request: Option<Request>,
}

pub struct Observation {
    pub number: i64,
    pub at: i64,
    pub actor: i64,
    pub rule: u64,
    /// −1 stands for none.
    pub billionths: i64,
    pub units: i64,
    pub priority: &'static str,
    pub raised: bool,
    /// Without a case.
    pub dismissed: bool,
}

/// What was asked for on a case, answered where it is not open.
#[derive(Clone, Copy)]
pub struct Request {
    pub created: i64,
    pub due: i64,
    pub open: bool,
}

/// Ids are as long as the longest, so that their order is that of numbers.
pub fn case_id(number: i64) -> String {
    format!("case-{number:08}")
}

pub fn actor_id(number: i64) -> String {
    format!("actor-{number:08}")
}

pub fn observation_id(number: i64) -> String {
    format!("observation-{number:08}")
}

pub fn user_id(number: u64) -> String {
    format!("analyst-{number:03}")
}

pub fn rule_id(number: u64) -> String {
    format!("rule-{number:02}")
}

/// Small numbers more often than large ones: of 100,000 the first is there some 66 times as often as the average.
fn skewed(random: &mut Random, bound: u64) -> u64 {
    random.below(bound) * random.below(bound) / bound * random.below(bound) / bound
}

fn random_of(kind: u64, number: i64) -> Random {
    Random::new((number.unsigned_abs() << 3) | kind)
}

fn whole(random: &mut Random, bound: i64) -> i64 {
    random.below(bound.max(1).unsigned_abs()).cast_signed()
}

impl Bank {
    /// As many as cases.
    pub fn actors(&self) -> i64 {
        self.cases
    }

    pub fn actor(&self, number: i64) -> Actor {
        let mut random = random_of(1, number);
        if random.below(10) == 0 {
            return Actor { parts: None, band: 0 };
        }
        // Scores are low, mostly.
        let parts = whole(&mut random, 1_000) * whole(&mut random, 1_000);
        let band = match parts {
            700_000.. => 3,
            400_000.. => 2,
            _ => 1,
        };
        Actor { parts: Some(parts), band }
    }

    /// From the oldest on: those that are old are closed, mostly.
    pub fn case(&self, number: i64) -> Case {
        let mut random = random_of(2, number);
        let apart = DAYS * DAY / self.cases;
        let created = self.now - DAYS * DAY + number * apart + whole(&mut random, apart);
        let filing = random.below(100) < 15;
        let open = random.below(100) < if number < self.cases / 5 * 4 { 3 } else { 70 };
        let steps = if filing { &FILING } else { &ANALYSIS };
        let step = match (open, random.below(100)) {
            (false, _) => &steps[4],
            (true, 0..40) => &steps[0],
            (true, 40..75) => &steps[1],
            (true, 75..85) => &steps[2],
            (true, _) => &steps[3],
        };
        let age = self.now - created;
        let lately = whole(&mut random, age.min(60 * DAY));
        let since = if open { self.now - lately } else { created + lately };
        let since = step.due_within.map_or(since, |seconds| self.not_today(since + seconds * 1000) - seconds * 1000);
        let updated = since + whole(&mut random, (self.now - since).min(10 * DAY));
        let actor = skewed(&mut random, self.actors().unsigned_abs()).cast_signed();
        let idle = if step.status == "TO_DO" { 50 } else { 3 };
        let assignee = skewed(&mut random, USERS);
        let assignee = (random.below(100) >= idle).then_some(assignee);
        let tag = skewed(&mut random, TAGS);
        let tag = (random.below(100) < 40).then_some(tag);
        let creator = random.below(USERS);
        let raised = 1 + whole(&mut random, 4);
        let band = self.actor(actor).band;
        // Each that waits for data has an open one, and of those that are closed one in 20 had one.
        let waits = step.status == "WAITING_FOR_DATA";
        let due = self.not_today(since + (3 + number % 28) * DAY);
        let request = (waits || (!open && number % 20 == 0)).then_some(Request { created: since, due, open: waits });
        Case { number, filing, step, open, created, since, updated, assignee, creator, actor, band, tag, raised, request }
    }

    /// A day later where it is within a day from now: what is overdue stays the same while it is asked for.
    fn not_today(&self, at: i64) -> i64 {
        if (self.now..self.now + DAY).contains(&at) { at + DAY } else { at }
    }

    pub fn all_cases(&self) -> impl Iterator<Item = Case> {
        let bank = *self;
        (0..self.cases).map(move |number| bank.case(number))
    }

    /// Those that came with a case, an hour after another, a day before it.
    pub fn observations(&self, case: &Case) -> Vec<Observation> {
        (0..OBSERVATIONS).map(|place| self.observation(case, place)).collect()
    }

    fn observation(&self, case: &Case, place: i64) -> Observation {
        let number = case.number * OBSERVATIONS + place;
        let mut random = random_of(3, number);
        let at = case.created - DAY + place * DAY / 24;
        let rule = skewed(&mut random, RULES);
        let scored = random.below(20) != 0;
        let billionths = whole(&mut random, 1_001) * 1_000_000;
        let units = 100 + whole(&mut random, 1_000) * whole(&mut random, 1_000);
        let priority = match random.below(10) {
            0 => PRIORITIES[0],
            1..4 => PRIORITIES[1],
            _ => PRIORITIES[2],
        };
        let raised = place < case.raised;
        let dismissed = !raised && at < self.now - 20 * DAY && random.below(100) < 92;
        Observation { number, at, actor: case.actor, rule, billionths: if scored { billionths } else { -1 }, units, priority, raised, dismissed }
    }
}

impl Case {
    pub fn due(&self) -> Option<i64> {
        self.step.due_within.map(|seconds| self.since + seconds * 1000)
    }

    pub fn due_order(&self) -> i64 {
        self.due().unwrap_or(NOT_DUE)
    }

    /// 0 while it is open.
    pub fn closed_order(&self) -> i64 {
        if self.open { 0 } else { self.since }
    }

    /// What the audit log has of it: whose act, what it was, and when.
    pub fn acts(&self) -> [(u64, &'static str, i64); 3] {
        let worker = self.assignee.unwrap_or(self.creator);
        [(self.creator, "case.created", self.created), (worker, "case.workflow.actioned", self.since), (worker, "case.commented", self.updated)]
    }
}

impl Observation {
    pub fn handled(&self) -> bool {
        self.raised || self.dismissed
    }
}
