use std::sync::Arc;

use graph_schema::date::Timestamp;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use resolvers::testing::change_feed::position;
use resolvers::testing::live::change::ReadSets;
use resolvers::testing::live::memory::{Bounds, Memory, Reader, Step};
use resolvers::{EventPosition, Gap, GapReason, Topic, TopicChange};

const TOPICS: [Topic; 2] = [Topic::CaseChanges, Topic::NewObservations];

/// A feed: the changes of each set, the first set first.
#[derive(Default)]
struct Feed {
    sets: Vec<Vec<Arc<TopicChange>>>,
    forgotten: i64,
}

impl Feed {
    fn last(&self) -> i64 {
        self.sets.len() as i64
    }

    /// Adds a set with some entries, of which some belong to a topic.
    fn add(&mut self, random: &mut StdRng) {
        let set = self.last() + 1;
        let many = random.random_range(1..5);
        let mut changes = Vec::new();
        for read in 1..=many {
            let topic = match random.random_range(0..4) {
                0 => Topic::CaseChanges,
                1 => Topic::NewObservations,
                _ => continue,
            };
            let position = position::inside(set, read, many);
            let (id, action) = (format!("{set}-{read}"), "done".to_owned());
            changes.push(Arc::new(TopicChange { topic, position, id, action, user_id: None, request_id: None, at: Timestamp(0) }));
        }
        self.sets.push(changes);
    }

    fn read(&self, after: i64, until: i64) -> ReadSets {
        let sets = &self.sets[after as usize..until as usize];
        ReadSets { until, changes: sets.iter().flatten().cloned().collect() }
    }

    /// By going through all: the first change of a topic behind a position, up to a set.
    fn first_behind(&self, topic: Topic, at: EventPosition, until: i64) -> Option<&Arc<TopicChange>> {
        let all = self.sets[..until as usize].iter().flatten();
        all.into_iter().find(|change| change.topic == topic && change.position > at)
    }

    /// A position that the feed has given.
    fn some_position(&self, random: &mut StdRng) -> EventPosition {
        let set = random.random_range(self.forgotten..=self.last());
        let changes = (set < self.last()).then(|| &self.sets[set as usize]).filter(|changes| !changes.is_empty());
        match changes {
            Some(changes) if random.random_bool(0.5) => changes[random.random_range(0..changes.len())].position,
            _ => position::behind(set),
        }
    }
}

/// A reader, and up to where everything was told or said to be left out, by its own count.
struct Follower {
    topic: Topic,
    reader: Reader,
    told: EventPosition,
    gaps: usize,
}

impl Follower {
    /// Pulls some; what it is told is what going through all of the feed gives.
    fn pull(&mut self, feed: &Feed, memory: &mut Memory, most: usize) {
        let until = memory.until().expect("it has begun");
        for _ in 0..most {
            match self.reader.step(memory) {
                Step::Tell(change) => {
                    let wanted = feed.first_behind(self.topic, self.told, feed.last());
                    assert_eq!(Some(&change), wanted, "behind {}", self.told);
                    self.told = change.position;
                }
                Step::Gap(gap) => self.leave_out(gap, feed, memory),
                // What was forgotten can't be read, and the memory hears of it.
                Step::Read(after, _) if after < feed.forgotten => memory.forget(feed.forgotten),
                Step::Read(after, end) => {
                    assert!(after < end && end <= until && end - after <= memory.bounds.page, "{after} to {end}");
                    let at = self.reader.at;
                    assert!(after <= position::set(at) && position::set(at) < end, "{after} to {end} behind {at}");
                    self.reader.take(Arc::new(feed.read(after, end)));
                }
                Step::Wait => {
                    assert_eq!(feed.first_behind(self.topic, self.told, until), None, "behind {} up to {until}", self.told);
                    return;
                }
            }
        }
    }

    fn leave_out(&mut self, gap: Gap, feed: &Feed, memory: &Memory) {
        let until = memory.until().expect("it has begun");
        assert_eq!(gap.resumes_after, position::behind(until), "it goes on from the present");
        assert!(gap.after >= self.told && gap.after < gap.resumes_after, "{gap:?} behind {}", self.told);
        assert_eq!(feed.first_behind(self.topic, self.told, position::set(gap.after)), None, "what is before the gap was told");
        match gap.reason {
            GapReason::Forgotten => assert!(position::set(self.told) < feed.forgotten, "all is kept behind {}", self.told),
            GapReason::Unreadable => panic!("all can be read"),
            GapReason::TooFarBehind => assert!(until - position::set(gap.after) > memory.bounds.behind, "{gap:?}"),
        }
        self.told = gap.resumes_after;
        self.gaps += 1;
    }
}

#[test]
fn each_reader_is_told_all_changes_behind_its_position_in_order_or_of_one_gap() {
    let mut random = StdRng::seed_from_u64(11);
    let (mut told, mut gaps) = (0, 0);
    for _ in 0..300 {
        let bounds = Bounds { kept: random.random_range(1..8), page: random.random_range(1..6), behind: random.random_range(3..60) };
        let (mut feed, mut memory) = (Feed::default(), Memory::new(bounds));
        (0..random.random_range(0..40)).for_each(|_| feed.add(&mut random));
        memory.begin(random.random_range(0..=feed.last()));
        let mut followers: Vec<Follower> = Vec::new();
        for _ in 0..80 {
            let until = memory.until().expect("it has begun");
            match random.random_range(0..10) {
                0..4 => (0..random.random_range(1..6)).for_each(|_| feed.add(&mut random)),
                4..6 if until < feed.last() => {
                    let next = random.random_range(until + 1..=feed.last());
                    memory.extend(feed.read(until, next));
                }
                6 if random.random_bool(0.3) => memory.begin(feed.last()),
                7 if random.random_bool(0.5) && feed.forgotten < until => {
                    feed.forgotten = random.random_range(feed.forgotten..until);
                    if random.random_bool(0.5) {
                        memory.forget(feed.forgotten);
                    }
                }
                8 => {
                    let topic = TOPICS[random.random_range(0..2)];
                    let at = feed.some_position(&mut random).min(position::behind(until));
                    followers.push(Follower { topic, reader: Reader::new(topic, at), told: at, gaps: 0 });
                }
                _ => {
                    for follower in &mut followers {
                        let before = follower.told;
                        let most = random.random_range(0..6);
                        follower.pull(&feed, &mut memory, most);
                        assert!(follower.told >= before, "positions go up");
                        told += usize::from(follower.told > before);
                    }
                }
            }
        }
        for follower in &mut followers {
            follower.pull(&feed, &mut memory, 10_000);
            gaps += follower.gaps;
        }
    }
    assert!(told > 500 && gaps > 5, "told {told} times, {gaps} gaps");
}

#[test]
fn a_gap_is_told_once() {
    let mut memory = Memory::new(Bounds { kept: 10, page: 4, behind: 5 });
    memory.begin(20);
    let mut reader = Reader::new(Topic::CaseChanges, position::behind(3));
    let Step::Gap(gap) = reader.step(&memory) else { panic!("it is too far behind") };
    let (after, resumes_after) = (position::behind(3), position::behind(20));
    assert_eq!(gap, Gap { reason: GapReason::TooFarBehind, after, resumes_after });
    assert!(matches!(reader.step(&memory), Step::Wait));
}

#[test]
fn all_who_are_behind_read_the_same_sets() {
    let mut memory = Memory::new(Bounds { kept: 10, page: 4, behind: 50 });
    memory.begin(22);
    let read = |behind| match Reader::new(Topic::CaseChanges, position::behind(behind)).step(&memory) {
        Step::Read(after, until) => (after, until),
        other => panic!("{other:?}"),
    };
    assert_eq!([8, 9, 11].map(read), [(8, 12); 3]);
    assert_eq!([20, 21].map(read), [(20, 22); 2], "the memory has what comes behind");
    memory.forget(9);
    let mut reader = Reader::new(Topic::CaseChanges, position::behind(10));
    assert!(matches!(reader.step(&memory), Step::Read(9, 12)), "what is forgotten can't be read");
}

#[test]
fn nothing_is_told_before_the_first_look() {
    let memory = Memory::new(Bounds::SERVICE);
    assert!(matches!(Reader::new(Topic::CaseChanges, position::behind(3)).step(&memory), Step::Wait));
}

#[test]
fn what_can_not_be_read_is_left_out_and_nothing_more() {
    let mut memory = Memory::new(Bounds { kept: 10, page: 4, behind: 50 });
    memory.begin(22);
    let mut reader = Reader::new(Topic::CaseChanges, position::behind(9));
    let Step::Read(_, until) = reader.step(&memory) else { panic!("it is behind") };
    let (after, resumes_after) = (position::behind(9), position::behind(12));
    assert_eq!(reader.leave_out(until), Gap { reason: GapReason::Unreadable, after, resumes_after });
    assert!(matches!(reader.step(&memory), Step::Read(12, 16)), "it goes on behind");
}
