mod model;

use super::*;

const IN_DOUBT_FOR: Duration = Duration::from_secs(330);

/// A follower, and the moment from which its looks are counted.
struct Follower {
    writers: Writers,
    start: Instant,
}

impl Follower {
    fn new() -> Self {
        Self { writers: Writers::new(IN_DOUBT_FOR), start: Instant::now() }
    }

    fn at(&self, millis: u64) -> Instant {
        self.start + Duration::from_millis(millis)
    }

    /// Looks; answers with the plan, what is known, and from which moment on.
    fn look(&mut self, millis: u64, found: &[(&str, Standing)]) -> (Plan, Known, Option<u128>) {
        let found = found.iter().map(|(id, standing)| FoundWriter { id: (*id).to_owned(), renewal: standing.renewal, standing: Some(*standing) });
        let found: Vec<FoundWriter> = found.collect();
        let begun = self.at(millis);
        let plan = self.writers.plan(begun, &found);
        let known = self.writers.know(begun, found);
        let certain = known.certain.map(|certain| certain.duration_since(self.start).as_millis());
        (plan, known, certain)
    }
}

fn writing(renewal: u64, answered: u64) -> Standing {
    Standing { renewal, answered, waited: 0, is_quiet: false, notes: 0, up_to: 0 }
}

fn quiet(renewal: u64) -> Standing {
    Standing { is_quiet: true, ..writing(renewal, renewal - 1) }
}

#[test]
fn nothing_was_written_before_a_first_look_that_is_kept() {
    let mut follower = Follower::new();
    let (plan, _, certain) = follower.look(0, &[("w", Standing { notes: 5_000, ..quiet(3) })]);
    assert_eq!((plan, certain), (Plan { is_anything: true, notes: Vec::new() }, Some(0)));
    assert_eq!(follower.look(1, &[("w", Standing { notes: 5_000, ..quiet(3) })]).0, Plan::default());
}

/// What a renewal tells was taken after the one before it was answered.
#[test]
fn what_is_certain_is_older_than_the_renewal_that_was_answered() {
    let mut follower = Follower::new();
    assert_eq!(follower.look(0, &[("w", writing(7, 6))]).2, None, "it may have been taken long before");
    assert_eq!(follower.look(100, &[("w", writing(7, 6))]).2, None);
    assert_eq!(follower.look(200, &[("w", writing(8, 7))]).2, None, "7 was committed before the first look");
    assert_eq!(follower.look(300, &[("w", writing(9, 8))]).2, Some(100), "8 was committed after the look that saw 7 for the last time");
    assert_eq!(follower.look(400, &[("w", writing(9, 8))]).2, Some(100), "it does not go on");
    assert_eq!(follower.look(500, &[("w", writing(12, 11))]).2, Some(400), "10 and 11 were committed after that look");
    assert_eq!(follower.look(600, &[("w", writing(14, 11))]).2, Some(400), "12 and 13 were not answered");
}

/// How long the writer has waited is a time of its own clock, which is compared with no other.
#[test]
fn what_is_certain_is_as_old_as_what_was_taken() {
    let mut follower = Follower::new();
    let waited = |renewal, waited| Standing { waited, ..writing(renewal, renewal - 1) };
    follower.look(0, &[("w", waited(7, 80_000))]);
    follower.look(100, &[("w", waited(8, 80_000))]);
    assert_eq!(follower.look(200, &[("w", waited(9, 80_000))]).2, Some(80), "8 came after the first look, and 9 was taken 80 ms later");
    assert_eq!(follower.look(300, &[("w", waited(11, 500_000))]).2, Some(300), "nothing is certain of what comes after the look");
}

#[test]
fn a_writer_that_is_quiet_has_written_nothing_until_the_look() {
    let mut follower = Follower::new();
    assert_eq!(follower.look(0, &[("w", quiet(7)), ("v", quiet(1))]).2, Some(0));
    assert_eq!(follower.look(5_000, &[("w", quiet(7)), ("v", quiet(1))]).2, Some(5_000));
    assert_eq!(follower.look(5_100, &[("w", writing(8, 8)), ("v", quiet(1))]).2, Some(5_000), "it has begun to write after the look before");
    assert_eq!(follower.look(5_200, &[("w", writing(9, 8)), ("v", quiet(1))]).2, Some(5_000), "what 9 tells was taken after 8");
    assert_eq!(follower.look(5_300, &[("w", writing(10, 9)), ("v", writing(2, 2))]).2, Some(5_100), "the earlier of the two counts");
}

#[test]
fn a_new_writer_has_written_nothing_before_the_last_look() {
    let mut follower = Follower::new();
    follower.look(0, &[]);
    let (plan, _, certain) = follower.look(100, &[("w", Standing { notes: 2, ..writing(2, 1) })]);
    assert_eq!((plan.notes, certain), (vec![("w".to_owned(), 1), ("w".to_owned(), 2)], Some(0)));
    // One that has lost its node, with writes under way, names no renewal.
    assert_eq!(follower.look(150, &[("w", quiet(3)), ("w~2", Standing::LOST)]).2, None);
    assert_eq!(follower.look(200, &[("w", quiet(3)), ("w~2", writing(1, 0))]).2, None);
    assert_eq!(follower.look(300, &[("w", quiet(3)), ("w~2", writing(2, 1))]).2, Some(150));
}

#[test]
fn each_note_is_read_once_unless_there_are_too_many() {
    let mut follower = Follower::new();
    let with = |notes| [("w", Standing { notes, ..writing(notes, notes - 1) })];
    follower.look(0, &with(10));
    assert_eq!(follower.look(100, &with(12)).0.notes, [("w".to_owned(), 11), ("w".to_owned(), 12)]);
    assert_eq!(follower.look(200, &with(12)).0, Plan::default());
    assert_eq!(follower.look(300, &with(12 + READABLE)).0.notes.len(), READABLE as usize);
    assert_eq!(follower.look(400, &with(12 + 2 * READABLE + 1)).0, Plan { is_anything: true, notes: Vec::new() });
    assert_eq!(follower.look(500, &with(12 + 2 * READABLE + 1)).0, Plan::default());
}

/// One that was killed leaves its node as it is. Its last write may be in no note.
#[test]
fn a_writer_that_vanishes_may_have_written_anything() {
    let mut follower = Follower::new();
    follower.look(0, &[("w", writing(7, 6)), ("v", quiet(2))]);
    follower.look(100, &[("w", writing(9, 8)), ("v", quiet(2))]);
    let (_, known, _) = follower.look(3_100, &[("w", writing(9, 8)), ("v", quiet(2))]);
    assert_eq!((known.silent, known.gone), (vec!["w".to_owned()], Vec::new()));
    let (_, known, certain) = follower.look(330_000, &[("w", writing(9, 8)), ("v", quiet(2))]);
    assert_eq!((known.silent, known.gone, certain), (Vec::new(), Vec::new(), Some(0)), "that was told, and is not over yet");
    let (_, known, _) = follower.look(330_100, &[("w", writing(9, 8)), ("v", quiet(2))]);
    assert_eq!(known.gone, [("w".to_owned(), 9)]);
    let (plan, known, certain) = follower.look(330_200, &[("v", quiet(2))]);
    assert_eq!((plan.is_anything, known.gone.is_empty(), certain), (true, true, Some(330_200)));
    assert_eq!(known.over, ["w"], "nobody waits for it any more");
    assert_eq!(follower.look(330_300, &[]).0, Plan::default(), "a quiet one has written nothing");
}

/// So is one that says at last that it is quiet.
#[test]
fn a_silent_writer_that_is_heard_again_is_named_once() {
    for heard in [writing(10, 9), quiet(10)] {
        let mut follower = Follower::new();
        follower.look(0, &[("w", writing(9, 8))]);
        assert_eq!(follower.look(3_000, &[("w", writing(9, 8))]).1.silent, ["w"]);
        assert!(follower.look(3_100, &[("w", writing(9, 8))]).1.over.is_empty(), "it is silent still");
        assert_eq!(follower.look(3_200, &[("w", heard)]).1.over, ["w"]);
        assert!(follower.look(3_300, &[("w", heard)]).1.over.is_empty(), "that was told");
    }
}

#[test]
fn after_a_long_pause_anybody_may_have_written_and_vanished() {
    let mut follower = Follower::new();
    follower.look(0, &[("w", quiet(2)), ("v", quiet(2))]);
    assert!(!follower.look(59_000, &[("v", quiet(2))]).0.is_anything);
    assert!(follower.look(120_000, &[]).0.is_anything);
    assert!(follower.look(200_000, &[]).0.is_anything, "one may have come and gone that was never seen");
    assert_eq!(follower.look(200_050, &[]).0, Plan::default());
    let (_, known, _) = follower.look(200_100, &[("u", quiet(2))]);
    assert!(known.gone.is_empty());
    assert_eq!(follower.look(200_100 + 3_600_000, &[("u", quiet(2))]).1.gone, [("u".to_owned(), 2)]);
}

/// Of a later version of the program, after which an earlier one runs again.
#[test]
fn a_writer_that_is_not_understood_is_removed_when_it_says_nothing_for_an_hour() {
    let mut follower = Follower::new();
    let mut gone = |millis, renewal| {
        let begun = follower.at(millis);
        follower.writers.know(begun, vec![FoundWriter { id: "w".to_owned(), renewal, standing: None }]).gone
    };
    let hour = 3_600_000;
    assert_eq!((gone(0, 3), gone(1_000, 4), gone(hour, 4)), (Vec::new(), Vec::new(), Vec::new()));
    assert_eq!(gone(hour + 1_000, 4), [("w".to_owned(), 4)]);
}

/// A later version of the program may stand otherwise.
#[test]
fn of_a_writer_that_is_not_understood_nothing_is_certain() {
    let mut follower = Follower::new();
    follower.look(0, &[]);
    let strange = |renewal| vec![FoundWriter { id: "w".to_owned(), renewal, standing: None }];
    let begun = follower.at(100);
    assert_eq!(follower.writers.plan(begun, &strange(3)), Plan::default());
    assert_eq!(follower.writers.know(begun, strange(3)), Known::default());
    assert!(follower.look(200, &[]).0.is_anything, "and it may have written anything");
}
