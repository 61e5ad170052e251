//! A writer, a store and a follower whose statements take their time, are lost, or arrive long after they were given up. Whatever happens, what the follower
//! takes for certain is in notes that it has applied, or is known to it as anything.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap};

use super::*;

/// Of each run, in milliseconds.
const TIME: u64 = 20_000;
const RUNS: u64 = 300;
/// A statement is given up after this.
const PATIENCE: u64 = 100;
const BETWEEN_RENEWALS: u64 = 80;
const QUIET_AFTER: u64 = 300;

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }

    fn is_one_of(&mut self, many: u64) -> bool {
        self.below(many) == 0
    }
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    WriteWanted,
    Committed(usize),
    Heard(usize),
    Said(Message),
    Answered(u64),
    GivenUp(u64),
    Tick,
    Look,
    Seen { begun: u64 },
    Read { begun: u64, text: Option<String>, plan: Vec<u64>, is_anything: bool },
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Message {
    renewal: u64,
    text: String,
    note: Option<(u64, BTreeSet<usize>)>,
}

/// What the writer is at.
#[derive(Debug, Clone, Copy, PartialEq)]
enum State {
    Quiet,
    Beginning,
    Writing,
    Ending,
}

struct Model {
    random: Random,
    now: u64,
    events: BinaryHeap<Reverse<(u64, u64, Event)>>,
    scheduled: u64,
    // The store.
    stored: Option<(u64, String)>,
    notes: HashMap<u64, BTreeSet<usize>>,
    // The writer.
    state: State,
    last: Standing,
    answered_at: u64,
    used_at: u64,
    waiting: usize,
    under_way: BTreeSet<usize>,
    over: BTreeSet<usize>,
    taken: BTreeSet<usize>,
    // All writes.
    writes: usize,
    committed: BTreeMap<usize, u64>,
    // The follower.
    start: Instant,
    writers: Writers,
    applied: HashMap<usize, u64>,
    all_applied: u64,
    certain: usize,
}

impl Model {
    fn new(seed: u64) -> Self {
        Self {
            random: Random(seed),
            now: 0,
            events: BinaryHeap::new(),
            scheduled: 0,
            stored: None,
            notes: HashMap::new(),
            state: State::Quiet,
            last: Standing::NEW,
            answered_at: 0,
            used_at: 0,
            waiting: 0,
            under_way: BTreeSet::new(),
            over: BTreeSet::new(),
            taken: BTreeSet::new(),
            writes: 0,
            committed: BTreeMap::new(),
            start: Instant::now(),
            writers: Writers::new(Duration::from_secs(400)),
            applied: HashMap::new(),
            all_applied: 0,
            certain: 0,
        }
    }

    fn after(&mut self, wait: u64, event: Event) {
        self.scheduled += 1;
        self.events.push(Reverse((self.now + wait, self.scheduled, event)));
    }

    fn run(mut self) -> usize {
        self.after(1, Event::WriteWanted);
        self.after(1, Event::Look);
        while let Some(Reverse((at, _, event))) = self.events.pop().filter(|Reverse((at, ..))| *at < TIME) {
            self.now = at;
            self.happens(event);
        }
        self.certain
    }

    fn happens(&mut self, event: Event) {
        match event {
            Event::WriteWanted => {
                self.waiting += 1;
                self.begin_writes();
                let pause = if self.random.is_one_of(20) { 1_500 } else { 60 };
                let wait = 1 + self.random.below(pause);
                self.after(wait, Event::WriteWanted);
            }
            Event::Committed(write) => drop(self.committed.insert(write, self.now)),
            Event::Heard(write) => {
                self.under_way.remove(&write);
                self.over.insert(write);
                self.used_at = self.now;
            }
            Event::Said(message) => self.store(message),
            Event::Answered(renewal) if renewal == self.last.renewal => self.answered(),
            Event::GivenUp(renewal) if renewal == self.last.renewal => self.given_up(),
            Event::Answered(_) | Event::GivenUp(_) => {}
            Event::Tick => self.tick(),
            Event::Look => {
                let (begun, wait) = (self.now, self.random.below(30));
                self.after(wait, Event::Seen { begun });
            }
            Event::Seen { begun } => self.see(begun),
            Event::Read { begun, text, plan, is_anything } => self.know(begun, text.as_deref(), &plan, is_anything),
        }
    }

    fn begin_writes(&mut self) {
        match self.state {
            State::Quiet => self.say(State::Beginning),
            State::Beginning | State::Ending => {}
            State::Writing => {
                for _ in 0..std::mem::take(&mut self.waiting) {
                    let write = self.writes;
                    self.writes += 1;
                    self.under_way.insert(write);
                    let takes = if self.random.is_one_of(10) { 500 } else { 40 };
                    let (commit, hear) = (1 + self.random.below(takes), 1 + self.random.below(takes));
                    if !self.random.is_one_of(8) {
                        self.after(commit, Event::Committed(write));
                    }
                    // Whoever gave it up waits until it can't come about any more.
                    self.after(commit + hear, Event::Heard(write));
                }
            }
        }
    }

    fn say(&mut self, state: State) {
        self.state = state;
        let renewal = self.last.renewal + 1;
        let mut note = None;
        match state {
            State::Beginning => self.last = Standing { renewal, answered: renewal, waited: 0, is_quiet: false, ..self.last },
            State::Ending => self.last = Standing { renewal, is_quiet: true, ..self.last },
            State::Writing | State::Quiet => {
                self.taken.append(&mut self.over);
                let told: BTreeSet<usize> = self.taken.union(&self.under_way).copied().collect();
                self.taken.clone_from(&told);
                let notes = self.last.notes + u64::from(!told.is_empty());
                let waited = (self.now - self.answered_at) * 1_000;
                self.last = Standing { renewal, waited, is_quiet: false, notes, ..self.last };
                note = (!told.is_empty()).then_some((notes, told));
            }
        }
        let message = Message { renewal, text: self.last.to_text(), note };
        let (there, back) = (1 + self.random.below(30), 1 + self.random.below(30));
        match self.random.below(12) {
            0 => {}
            1 => {
                let late = 50 + self.random.below(800);
                self.after(late, Event::Said(message));
            }
            _ => {
                self.after(there, Event::Said(message));
                self.after(there + back, Event::Answered(renewal));
            }
        }
        self.after(PATIENCE, Event::GivenUp(renewal));
    }

    fn store(&mut self, message: Message) {
        if self.stored.as_ref().is_none_or(|(renewal, _)| *renewal < message.renewal) {
            self.stored = Some((message.renewal, message.text));
            self.notes.extend(message.note);
        }
    }

    fn answered(&mut self) {
        match self.state {
            State::Beginning => {
                (self.state, self.answered_at, self.used_at) = (State::Writing, self.now, self.now);
                self.begin_writes();
                self.after(BETWEEN_RENEWALS, Event::Tick);
            }
            State::Writing => {
                self.last.answered = self.last.renewal;
                self.answered_at = self.now;
                self.taken.clear();
                self.after(BETWEEN_RENEWALS, Event::Tick);
            }
            State::Ending => {
                self.state = State::Quiet;
                if self.waiting > 0 {
                    self.say(State::Beginning);
                }
            }
            State::Quiet => {}
        }
        // That nothing was heard of it does not matter any more.
        self.events.retain(|Reverse((_, _, event))| !matches!(event, Event::GivenUp(_)));
    }

    fn given_up(&mut self) {
        match self.state {
            State::Ending if self.waiting == 0 => self.say(State::Ending),
            State::Ending | State::Beginning => self.say(State::Beginning),
            State::Writing => self.after(BETWEEN_RENEWALS, Event::Tick),
            State::Quiet => {}
        }
    }

    fn tick(&mut self) {
        let is_used = !self.under_way.is_empty() || !self.over.is_empty() || !self.taken.is_empty() || self.waiting > 0;
        let is_idle = self.now - self.used_at > QUIET_AFTER;
        self.say(if !is_used && is_idle { State::Ending } else { State::Writing });
    }

    fn found(text: Option<&str>) -> Vec<FoundWriter> {
        let standing = text.and_then(Standing::of_text);
        let renewal = standing.map_or(0, |standing| standing.renewal);
        text.map(|_| FoundWriter { id: "w".to_owned(), renewal, standing }).into_iter().collect()
    }

    fn at(&self, millis: u64) -> Instant {
        self.start + Duration::from_millis(millis)
    }

    fn see(&mut self, begun: u64) {
        let text = self.stored.as_ref().map(|(_, text)| text.clone());
        let Plan { is_anything, notes } = self.writers.plan(self.at(begun), &Self::found(text.as_deref()));
        let plan = notes.into_iter().map(|(_, number)| number).collect();
        let wait = self.random.below(30);
        self.after(wait, Event::Read { begun, text, plan, is_anything });
    }

    fn know(&mut self, begun: u64, text: Option<&str>, plan: &[u64], is_anything: bool) {
        for number in plan {
            match self.notes.get(number) {
                Some(writes) => self.applied.extend(writes.iter().map(|write| (*write, self.now))),
                None => self.all_applied = self.now,
            }
        }
        if is_anything {
            self.all_applied = self.now;
        }
        let known = self.writers.know(self.at(begun), Self::found(text));
        if let Some(certain) = known.certain {
            self.certain += 1;
            for (write, committed) in &self.committed {
                let applied = self.applied.get(write).copied().unwrap_or_default().max(self.all_applied);
                let is_before = self.at(*committed) < certain;
                assert!(
                    !is_before || applied >= *committed,
                    "write {write} of {committed} is not known at {}, and all before {:?} is certain",
                    self.now,
                    certain.duration_since(self.start)
                );
            }
        }
        let pause = if self.random.is_one_of(30) { 1_000 } else { 60 };
        let wait = 20 + self.random.below(pause);
        self.after(wait, Event::Look);
    }
}

#[test]
fn what_is_certain_is_known_whatever_is_lost_or_late() {
    let certain: usize = (1..=RUNS).map(|seed| Model::new(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15)).run()).sum();
    assert!(certain > RUNS as usize * 50, "{certain} times something was certain");
}
