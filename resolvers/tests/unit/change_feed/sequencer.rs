use cypher::statements::rows::UnsequencedRow;
use resolvers::testing::change_feed::sequencer::in_order;

fn rows(stamps: &[i64]) -> Vec<UnsequencedRow> {
    stamps.iter().map(|stamp| UnsequencedRow { stamp: *stamp, id: format!("set-{stamp}") }).collect()
}

#[test]
fn what_a_second_look_finds_before_others_keeps_these_back() {
    assert_eq!(in_order(&rows(&[1, 2, 3]), rows(&[1, 2, 3])), rows(&[1, 2, 3]));
    assert_eq!(in_order(&rows(&[1, 3]), rows(&[1, 2, 3])), rows(&[1]), "2 was passed over, and may be what 3 came after");
    assert_eq!(in_order(&rows(&[1, 2]), rows(&[1, 2, 3])), rows(&[1, 2]), "3 came since");
    assert_eq!(in_order(&rows(&[1, 2]), rows(&[])), rows(&[]), "somebody else has done it");
}
