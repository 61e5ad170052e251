mod events;
mod position;
mod sequencer;
mod watch;

use cypher::statements::rows::ChangeSetRow;
use resolvers::testing::change_feed::some_of;

#[test]
fn a_part_ends_before_it_has_too_many_changes_and_has_one_set_at_least() {
    let row = |changes: usize| ChangeSetRow { position: 1, created_at: 0, entries: vec!["entry".to_owned(); changes], events: Vec::new() };
    let taken = |sizes: &[usize]| some_of(sizes.iter().copied().map(row).collect()).len();
    assert_eq!([taken(&[]), taken(&[5_000, 1]), taken(&[500, 500, 1]), taken(&[1, 1, 1])], [0, 1, 2, 3]);
}
