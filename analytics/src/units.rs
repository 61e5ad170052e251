//! The units of a network: accounts, payments, currencies as integers; times and amounts exact.

use std::fmt;
use std::ops::{Add, AddAssign, Sub, SubAssign};

/// An account of a network, counted from zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AccountIndex(pub u32);

/// A payment of a network, counted from zero in the order of time.
///
/// Payments of one instant stand in the order in which they were loaded; no kernel's result depends on that order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PaymentIndex(pub u32);

/// A currency, counted from zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CurrencyIndex(pub u16);

/// Milliseconds since 1970-01-01T00:00:00Z, up to a hundred million days on either side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(pub(crate) i64);

/// The furthest time from 1970, as in ECMAScript. So the next millisecond of a time is always one, too.
const FURTHEST_MILLIS: i64 = 8_640_000_000_000_000;

/// Billionths of a unit of a currency. Sums are exact in any order and end at the type's limits (10^29 units).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Amount(pub i128);

/// Billionths in a unit.
const BILLIONTHS: u128 = 1_000_000_000;

impl AccountIndex {
    pub(crate) fn position(self) -> usize {
        self.0 as usize
    }
}

impl PaymentIndex {
    /// The place of the payment in lists of one entry a payment.
    pub fn position(self) -> usize {
        self.0 as usize
    }
}

impl Timestamp {
    /// The time of so many milliseconds; `None` where that is too far from 1970.
    pub fn from_millis(millis: i64) -> Option<Self> {
        (-FURTHEST_MILLIS..=FURTHEST_MILLIS).contains(&millis).then_some(Self(millis))
    }

    pub fn millis(self) -> i64 {
        self.0
    }
}

impl Amount {
    pub const ZERO: Self = Self(0);
}

impl Add for Amount {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Amount {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Amount {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl SubAssign for Amount {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl std::iter::Sum for Amount {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, Add::add)
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let total = self.0.unsigned_abs();
        let (units, billionths) = (total / BILLIONTHS, total % BILLIONTHS);
        let sign = if self.0 < 0 { "-" } else { "" };
        if billionths == 0 {
            return write!(f, "{sign}{units}");
        }
        let decimals = format!("{billionths:09}");
        write!(f, "{sign}{units}.{}", decimals.trim_end_matches('0'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_is_written_without_needless_zeros() {
        let table =
            [(0, "0"), (1_000_000_000, "1"), (1, "0.000000001"), (-1, "-0.000000001"), (12_340_000_000, "12.34"), (-12_340_000_000, "-12.34")];
        for (billionths, text) in table {
            assert_eq!(Amount(billionths).to_string(), text);
        }
    }

    #[test]
    fn a_time_ends_where_the_calendar_does() {
        assert_eq!(Timestamp::from_millis(FURTHEST_MILLIS).map(Timestamp::millis), Some(FURTHEST_MILLIS));
        assert_eq!(Timestamp::from_millis(FURTHEST_MILLIS + 1), None);
        assert_eq!(Timestamp::from_millis(-FURTHEST_MILLIS - 1), None);
    }

    #[test]
    fn sums_end_at_the_limits_of_the_type() {
        assert_eq!(Amount(i128::MAX) + Amount(1), Amount(i128::MAX));
        assert_eq!(Amount(i128::MIN) - Amount(1), Amount(i128::MIN));
    }
}
