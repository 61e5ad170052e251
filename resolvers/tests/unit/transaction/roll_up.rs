use graph_schema::money::Money;
use graph_schema::transaction::Direction;
use resolvers::testing::transaction::roll_up::{Delta, RollUps, SUMS, Sign, TransferDelta};

fn tally(at: i64) -> TransferDelta {
    let amount = Money::from_sums(1, 0);
    TransferDelta { currency: "EUR".to_owned(), direction: Direction::Outbound, amount, standardized: amount, at }
}

#[test]
fn a_span_is_read_again_only_where_a_time_is_gone() {
    let mut roll_ups = RollUps::default();
    roll_ups.change("a", "b", &tally(5), Sign::Minus);
    roll_ups.change("a", "b", &tally(5), Sign::Plus);
    assert!(roll_ups.spans().is_empty());
    roll_ups.change("a", "b", &tally(7), Sign::Minus);
    roll_ups.change("a", "b", &tally(9), Sign::Minus);
    roll_ups.change("a", "c", &tally(7), Sign::Plus);
    let spans = roll_ups.spans();
    assert_eq!(spans.len(), 1, "where it came from, not where it went");
    assert_eq!(Delta { taken: [5, 7, 9].into(), added: [5].into(), sums: [0; SUMS] }.gone(), Some((7, 9)));
    assert_eq!(Delta { taken: [5].into(), ..Delta::default() }.gone(), Some((5, 5)));
}
