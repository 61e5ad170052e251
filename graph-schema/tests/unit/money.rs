use graph_schema::money::{Money, TooLarge, Total};
use graph_schema::number::Number;
use proptest::prelude::*;
use rust_decimal::{Decimal, RoundingStrategy};

#[test]
fn a_total_is_as_large_as_it_is() {
    for (units, nanos, carry, wanted) in [
        (0, 0, 0, "0"),
        (250, 750_000_000, 0, "250.75"),
        (-1, -1, 0, "-1.000000001"),
        (0, 12_500_000_000, 0, "12.5"),
        (223_999_999_999_999_000, 1, 9, "9223999999999999000.000000001"),
        (-1, 0, 1, "999999999999999999"),
        (1, 0, -12, "-11999999999999999999"),
        (i64::MAX, i64::MAX, 1_000, "1009223372046078147843.854775807"),
    ] {
        assert_eq!(Total::from_sums(units, nanos, carry).to_string(), wanted);
    }
}

proptest! {
    #[test]
    fn a_total_that_fits_is_written_as_an_amount(units in -1_000_000_000_000_000_000_i64..1_000_000_000_000_000_000, nanos in any::<i32>()) {
        let (money, total) = (Money::from_sums(units, nanos.into()), Total::from_sums(units, nanos.into(), 0));
        prop_assert_eq!(money.to_string(), total.to_string());
    }
}

fn money(text: &str) -> Result<Money, TooLarge> {
    Number::parse(text).unwrap().to_money()
}

#[test]
fn numbers_become_units_and_billionths() {
    let table = [
        ("0", 0, 0),
        ("-0.0", 0, 0),
        ("1.5", 1, 500_000_000),
        ("-1.5", -1, -500_000_000),
        ("1e3", 1000, 0),
        ("12.5E-1", 1, 250_000_000),
        ("0.0000000005", 0, 0),
        ("0.0000000015", 0, 2),
        ("0.0000000025", 0, 2),
        ("0.00000000250000000000000000000000001", 0, 3),
        ("0.9999999999", 1, 0),
        ("0.00000000006", 0, 0),
        ("0.0000000006", 0, 1),
        ("1e-999999999999999999999", 0, 0),
        ("999999999999999.999999999", 999_999_999_999_999, 999_999_999),
        ("0.000000000000000000001e30", 1_000_000_000, 0),
    ];
    for (text, units, nanos) in table {
        assert_eq!(money(text), Ok(Money { units, nanos }), "{text}");
    }
    for text in ["1e15", "-1000000000000000", "1e999999999999999999999"] {
        assert_eq!(money(text), Err(TooLarge), "{text}");
    }
}

#[test]
fn sums_are_carried_over() {
    let table = [((1, 2_500_000_000), (3, 500_000_000)), ((1, -1), (0, 999_999_999)), ((-1, 1), (0, -999_999_999)), ((0, -2_000_000_001), (-2, -1))];
    for ((units, nanos), (want_units, want_nanos)) in table {
        let want = Money { units: want_units, nanos: want_nanos };
        assert_eq!(Money::from_sums(units, nanos), want);
    }
    assert_eq!(money("-0.25").unwrap().to_string(), "-0.25");
    assert_eq!(money("100").unwrap().to_string(), "100");
}

proptest! {
    #[test]
    fn a_sum_in_any_order_is_the_rounded_decimal_sum(
        amounts in prop::collection::vec((-1_000_000_000_000_i64..1_000_000_000_000, 0_u32..13), 1..40),
        turn in 0_usize..40,
    ) {
        let decimals: Vec<Decimal> = amounts.iter().map(|&(value, scale)| Decimal::new(value, scale)).collect();
        let mut parts: Vec<Money> = decimals.iter().map(|d| Number::from(*d).to_money().unwrap()).collect();
        let exact: Decimal = decimals
            .iter()
            .map(|d| d.round_dp_with_strategy(9, RoundingStrategy::MidpointNearestEven))
            .sum();
        let forward: Money = parts.iter().copied().sum();
        let turned = turn % parts.len();
        parts.rotate_left(turned);
        parts.reverse();
        let backward: Money = parts.iter().copied().sum();
        let apart = Money::from_sums(
            parts.iter().map(|m| m.units).sum(),
            parts.iter().map(|m| i64::from(m.nanos)).sum(),
        );
        prop_assert_eq!(forward.to_decimal(), exact.normalize());
        prop_assert_eq!(backward, forward);
        prop_assert_eq!(apart, forward);
    }

    #[test]
    fn what_is_added_can_be_taken_away(a in any::<(i32, i32)>(), b in any::<(i32, i32)>()) {
        let a = Money::from_sums(a.0.into(), a.1.into());
        let b = Money::from_sums(b.0.into(), b.1.into());
        prop_assert_eq!(a + b - b, a);
        prop_assert!(a.units.signum() * i64::from(a.nanos.signum()) >= 0);
    }
}
