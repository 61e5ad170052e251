//! Numbers of rules: limits and measured values, exact to a billionth.
//!
//! Amounts, counts, times and shares are all compared with limits that people write as decimals. With one exact type a payment of
//! `9999.99` is below a limit of `10000`, and `0.7` is `0.7`, on every machine.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use analytics::Amount;
use serde::{Deserialize, Serialize};

/// Billionths of whatever the number counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Quantity(i128);

/// Billionths in one.
const ONE: i128 = 1_000_000_000;

/// The largest number that a text may say, so that sums and products of such numbers stay within the type.
const LARGEST: i128 = 1_000_000_000_000_000_000 * ONE;

/// A text that is no decimal number.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no decimal number with at most nine decimals and eighteen digits before them")]
pub struct InvalidQuantity(pub String);

impl Quantity {
    pub const ZERO: Self = Self(0);
    pub const ONE: Self = Self(ONE);
    /// What shares of a percent are rounded to.
    pub const TEN_THOUSANDTH: Self = Self(ONE / 10_000);

    /// A count.
    pub fn count(count: usize) -> Self {
        Self(i128::try_from(count).unwrap_or(i128::MAX / ONE).saturating_mul(ONE))
    }

    /// The share that a part has of a whole, rounded down to a billionth; zero where the whole is not positive.
    pub fn share(part: Self, whole: Self) -> Self {
        if whole.0 <= 0 {
            return Self::ZERO;
        }
        Self(part.0.checked_mul(ONE).map_or(part.0 / whole.0 * ONE, |part| part / whole.0))
    }

    /// The days in so many milliseconds, rounded down to a billionth.
    pub fn days(millis: i64) -> Self {
        Self(i128::from(millis) * ONE / i128::from(DAY_MILLIS))
    }

    pub fn amount(amount: Amount) -> Self {
        Self(amount.0)
    }

    /// The number as an amount of a currency's units.
    pub fn as_amount(self) -> Amount {
        Amount(self.0)
    }

    /// The number as so many hours; zero where it is negative.
    pub fn as_hours(self) -> Duration {
        let millis = self.0.max(0).saturating_mul(3_600_000) / ONE;
        Duration::from_millis(u64::try_from(millis).unwrap_or(u64::MAX))
    }

    /// The number as so many days of 24 hours; zero where it is negative.
    pub fn as_days(self) -> Duration {
        Self(self.0.saturating_mul(24)).as_hours()
    }

    /// The whole part; zero where the number is negative.
    pub fn as_count(self) -> usize {
        usize::try_from(self.0.max(0) / ONE).unwrap_or(usize::MAX)
    }

    /// The nearest binary number, for scores and charts. Comparisons use the exact number.
    pub fn to_f64(self) -> f64 {
        self.0 as f64 / ONE as f64
    }

    /// Whether it is a whole multiple of a step; of a step of zero nothing is but zero.
    pub fn is_multiple_of(self, step: Self) -> bool {
        if step.0 == 0 { self.0 == 0 } else { self.0 % step.0 == 0 }
    }

    /// The largest multiple of a step that is not larger; of a step of zero the number itself.
    pub fn rounded_down(self, step: Self) -> Self {
        if step.0 == 0 { self } else { Self(self.0.saturating_sub(self.0.rem_euclid(step.0))) }
    }

    pub fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    pub fn minus(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// The product, rounded to a billionth towards the smaller.
    pub fn times(self, other: Self) -> Self {
        let whole = (self.0 / ONE).saturating_mul(other.0);
        Self(whole.saturating_add((self.0 % ONE).saturating_mul(other.0) / ONE))
    }
}

/// The milliseconds of a day of 24 hours.
pub(crate) const DAY_MILLIS: i64 = 86_400_000;

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Amount(self.0).fmt(f)
    }
}

impl FromStr for Quantity {
    type Err = InvalidQuantity;

    fn from_str(text: &str) -> Result<Self, InvalidQuantity> {
        let invalid = || InvalidQuantity(text.to_owned());
        let (negative, digits) = match text.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, text),
        };
        let (units, decimals) = digits.split_once('.').unwrap_or((digits, "0"));
        let all_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if !all_digits(units) || !all_digits(decimals) || decimals.len() > 9 {
            return Err(invalid());
        }
        let units: i128 = units.parse().map_err(|_| invalid())?;
        let billionths: i128 = format!("{decimals:0<9}").parse().map_err(|_| invalid())?;
        if units > LARGEST / ONE {
            return Err(invalid());
        }
        let magnitude = units * ONE + billionths;
        Ok(Self(if negative { -magnitude } else { magnitude }))
    }
}

impl From<Quantity> for String {
    fn from(quantity: Quantity) -> Self {
        quantity.to_string()
    }
}

impl TryFrom<String> for Quantity {
    type Error = InvalidQuantity;

    fn try_from(text: String) -> Result<Self, InvalidQuantity> {
        text.parse()
    }
}

impl std::iter::Sum for Quantity {
    fn sum<I: Iterator<Item = Self>>(quantities: I) -> Self {
        quantities.fold(Self::ZERO, Self::plus)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quantity(text: &str) -> Quantity {
        text.parse().expect("a decimal number")
    }

    #[test]
    fn a_number_is_written_as_it_was_read() {
        for text in ["0", "0.7", "-3.25", "9999.99", "0.000000001", "1000000000000000000"] {
            assert_eq!(quantity(text).to_string(), text);
        }
    }

    #[test]
    fn other_texts_are_no_numbers() {
        for text in ["", "-", ".5", "1.", "1e3", "+1", "1,5", "0.0000000001", "1000000000000000000000", " 1"] {
            assert!(text.parse::<Quantity>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_share_of_nothing_is_zero() {
        assert_eq!(Quantity::share(Quantity::ONE, Quantity::ZERO), Quantity::ZERO);
        assert_eq!(Quantity::share(quantity("1"), quantity("3")), quantity("0.333333333"));
        assert_eq!(Quantity::share(quantity("7"), quantity("10")), quantity("0.7"));
    }

    #[test]
    fn multiples_of_a_step_are_exact() {
        let cases = [
            ("0.3", "0.1", true),
            ("0.35", "0.1", false),
            ("-4", "2", true),
            ("5", "2", false),
            ("0", "2", true),
            ("0", "0", true),
            ("1", "0", false),
        ];
        for (value, step, expected) in cases {
            assert_eq!(quantity(value).is_multiple_of(quantity(step)), expected, "{value} {step}");
        }
    }

    #[test]
    fn a_number_is_rounded_down_to_a_step() {
        for (value, step, expected) in [("1.23456", "0.0001", "1.2345"), ("1.2345", "0.0001", "1.2345"), ("-0.15", "0.1", "-0.2"), ("7", "0", "7")] {
            assert_eq!(quantity(value).rounded_down(quantity(step)), quantity(expected), "{value} {step}");
        }
    }

    #[test]
    fn a_product_does_not_overflow() {
        assert_eq!(quantity("10000").times(quantity("0.85")), quantity("8500"));
        let largest = quantity("1000000000000000000");
        assert!(largest.times(largest) > largest);
    }

    #[test]
    fn times_have_units() {
        assert_eq!(quantity("1.5").as_hours(), Duration::from_secs(5_400));
        assert_eq!(quantity("2").as_days(), Duration::from_secs(172_800));
        assert_eq!(Quantity::days(DAY_MILLIS / 2), quantity("0.5"));
        assert_eq!(quantity("-1").as_days(), Duration::ZERO);
    }
}
