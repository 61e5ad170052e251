use cypher::statements::rows::TransferTally;
use graph_schema::transaction::Direction;
use resolvers::testing::verification::sums::{Compared, Sums, compared};

fn tally(direction: Direction, count: i64, units: i64) -> TransferTally {
    let (to, currency) = ("b".to_owned(), "EUR".to_owned());
    let (millions, units) = (units / 1_000_000, units % 1_000_000);
    TransferTally {
        to,
        currency,
        direction,
        count,
        millions,
        units,
        nanos: 1,
        standard_millions: millions,
        standard_units: units,
        standard_nanos: 1,
        first: 5,
        last: 9,
    }
}

#[test]
fn the_larger_side_is_the_total() {
    let total_of = |tallies: &[TransferTally]| compared(tallies, &[])[&("b".to_owned(), "EUR".to_owned())].counted;
    let (sent, received) = (tally(Direction::Outbound, 2, 3_000_007), tally(Direction::Inbound, 3, -4));
    let both = total_of(&[received.clone(), sent]);
    assert_eq!((both.count, both.total.to_string()), (3, "3000007.000000001".to_owned()));
    let alone = total_of(&[received]);
    assert_eq!((alone.count, alone.total.to_string()), (3, "-3.999999999".to_owned()));
    assert_eq!((alone.first, alone.last), (Some(5), Some(9)));
}

#[test]
fn a_roll_up_that_counts_nothing_is_as_good_as_none() {
    assert!(!Compared::default().differs());
    assert!(!Compared { said: vec![Sums::default()], ..Compared::default() }.differs());
    assert!(Compared { said: vec![Sums::default(); 2], ..Compared::default() }.differs());
    assert!(Compared { counted: Sums { count: 1, ..Sums::default() }, said: Vec::new() }.differs());
}
