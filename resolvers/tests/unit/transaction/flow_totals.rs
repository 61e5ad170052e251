use cypher::statements::rows::FlowTally;
use graph_schema::transaction::Direction;
use resolvers::testing::transaction::flow_totals::{MOST, MOST_CURRENCIES, of};

/// Payments that came in, one unit each in both currencies.
fn received(currency: &str, count: i64) -> FlowTally {
    FlowTally {
        direction: Direction::Inbound,
        currency: currency.to_owned(),
        count,
        millions: 0,
        units: count,
        nanos: 0,
        standard_millions: 0,
        standard_units: count,
        standard_nanos: 0,
    }
}

#[test]
fn millions_units_and_billionths_are_one_sum() {
    let in_yen =
        FlowTally { millions: 3_000_000_000, units: 5, nanos: 3_500_000_000, standard_millions: 20, standard_nanos: 1, ..received("JPY", 2) };
    let sent = FlowTally { direction: Direction::Outbound, ..received("EUR", 7) };
    let totals = of(&[received("EUR", 3), sent, in_yen]).expect("they are few");
    let (inbound, outbound) = (totals.inbound, totals.outbound);
    assert_eq!((inbound.count, inbound.standardized.to_string()), (5, "20000005.000000001".to_owned()));
    let by_currency: Vec<_> = inbound.by_currency.iter().map(|own| (own.currency.as_str(), own.count, own.total.to_string())).collect();
    assert_eq!(by_currency, [("JPY", 2, "3000000000000008.5".to_owned()), ("EUR", 3, "3".to_owned())], "the largest first");
    assert_eq!((outbound.count, outbound.standardized.to_string(), outbound.by_currency.len()), (7, "7".to_owned(), 1));
}

#[test]
fn the_largest_currencies_are_told_apart_by_what_they_are_in_the_default_one() {
    // The more there is of one in its own currency, the less it is in the default one; the last two are alike.
    let most = i64::try_from(MOST_CURRENCIES).expect("it is small");
    let tally = |at: i64| FlowTally { units: at, standard_units: (most - at).max(1), ..received(&format!("T{at:03}"), 1) };
    let tallies: Vec<FlowTally> = (0..=most).rev().map(tally).collect();
    let inbound = of(&tallies).expect("they are few").inbound;
    let told: Vec<&str> = inbound.by_currency.iter().map(|own| own.currency.as_str()).collect();
    let wanted: Vec<String> = (0..most).map(|at| format!("T{at:03}")).collect();
    assert_eq!(told, wanted);
    assert_eq!(inbound.count, most + 1, "the others count all the same");
    assert_eq!(inbound.standardized.to_string(), (most * (most + 1) / 2 + 1).to_string());
}

#[test]
fn more_payments_than_are_added_up_have_no_sum() {
    let sent = |count: i64| FlowTally { direction: Direction::Outbound, ..received("EUR", count) };
    assert_eq!(of(&[received("EUR", MOST - 1), sent(1)]).expect("as many as may be").inbound.count, MOST - 1);
    assert_eq!(of(&[received("EUR", MOST), sent(1)]), None);
    let nothing = of(&[]).expect("nothing is few");
    assert_eq!((nothing.inbound.count, nothing.inbound.standardized.to_string()), (0, "0".to_owned()));
}
