//! Money that sums exactly, in any order and on any engine.
//!
//! As in google.type.Money an amount is two integers: whole units and billionths of a unit. The graph adds
//! each of them apart, and [`Money::from_sums`] carries over. More than nine decimals are rounded half-even.

use std::{
    fmt,
    ops::{Add, Neg, Sub},
};

use async_graphql::{InputValueError, InputValueResult, Scalar, ScalarType, Value};
use rust_decimal::Decimal;
use serde::{Serialize, Serializer};

use crate::number::{Digits, Number};

/// Billionths in a unit.
const NANOS: i128 = 1_000_000_000;
/// Decimals that are kept.
const DECIMALS: i64 = 9;
/// Digits before the point that fit: amounts are below 10^15.
const WHOLE_DIGITS: i64 = 15;

/// An amount: `units + nanos / 10^9`. The two never have opposite signs, and `nanos` is below 10^9.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Money {
    /// Whole units.
    pub units: i64,
    /// Billionths of a unit.
    pub nanos: i32,
}

/// What any number of amounts sum to, exactly: more than an amount may be, and more than 64 bits hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Total {
    nanos: i128,
}

/// So many units are one of a sum's carry.
pub const UNITS_OF_CARRY: i64 = 1_000_000_000_000_000_000;

impl Total {
    /// What three separately kept sums are together: whole units, billionths, and how many times [`UNITS_OF_CARRY`] there are besides.
    pub fn from_sums(units: i64, nanos: i64, carry: i64) -> Self {
        let units = i128::from(carry) * i128::from(UNITS_OF_CARRY) + i128::from(units);
        Self { nanos: units * NANOS + i128::from(nanos) }
    }

    /// The same of units that were added up in millions and what is left of them, so that neither sum is large.
    pub fn of_millions(millions: i64, units: i64, nanos: i64) -> Self {
        let units = i128::from(millions) * 1_000_000 + i128::from(units);
        Self { nanos: units * NANOS + i128::from(nanos) }
    }
}

/// As a decimal number, without zeros at its end.
impl fmt::Display for Total {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.nanos < 0 { "-" } else { "" };
        let (units, nanos) = (self.nanos.unsigned_abs() / NANOS.unsigned_abs(), self.nanos.unsigned_abs() % NANOS.unsigned_abs());
        match format!("{nanos:09}").trim_end_matches('0') {
            "" => write!(f, "{sign}{units}"),
            decimals => write!(f, "{sign}{units}.{decimals}"),
        }
    }
}

/// An amount of 10^15 or more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be less than 10^15 and more than -10^15")]
pub struct TooLarge;

impl Money {
    pub const ZERO: Self = Self { units: 0, nanos: 0 };

    /// What two separately kept sums are together, carried over. Past the range of `units` it stays at its end.
    pub fn from_sums(units: i64, nanos: i64) -> Self {
        Self::from_nanos(i128::from(units) * NANOS + i128::from(nanos))
    }

    /// The exact value.
    pub fn to_decimal(self) -> Decimal {
        // |total| < 2^63 * 10^9 + 10^9 < 2^94, which a decimal's 96 bits hold.
        Decimal::from_i128_with_scale(self.total(), DECIMALS as u32).normalize()
    }

    /// The nearest double, to look at and sort by.
    pub fn to_f64(self) -> f64 {
        // A decimal's text is the shortest exact one, and parsing rounds it once.
        self.to_string().parse().unwrap_or(f64::NAN)
    }

    pub(crate) fn from_digits(number: &Digits) -> Result<Self, TooLarge> {
        if number.digits.is_empty() {
            return Ok(Self::ZERO);
        }
        if number.point > WHOLE_DIGITS {
            return Err(TooLarge);
        }
        let kept = number.point + DECIMALS;
        if kept < 0 {
            // Less than a tenth of a billionth.
            return Ok(Self::ZERO);
        }
        // `kept` is between 0 and 24.
        let total = rounded(&number.digits, kept as usize);
        Ok(Self::from_nanos(if number.negative { -total } else { total }))
    }

    fn total(self) -> i128 {
        i128::from(self.units) * NANOS + i128::from(self.nanos)
    }

    fn from_nanos(total: i128) -> Self {
        let end = i128::from(i64::MAX) * NANOS + (NANOS - 1);
        let total = total.clamp(-end, end);
        // Both casts fit: the total was clamped to what they hold.
        Self { units: (total / NANOS) as i64, nanos: (total % NANOS) as i32 }
    }
}

/// The first `kept` digits as an integer, zeros filled in, the rest rounded half-even.
fn rounded(digits: &str, kept: usize) -> i128 {
    let value = digits.bytes().chain(std::iter::repeat(b'0')).take(kept).fold(0_i128, |value, digit| value * 10 + i128::from(digit - b'0'));
    let rest = digits.as_bytes().get(kept..).unwrap_or_default();
    let up = match rest.first() {
        None | Some(b'0'..=b'4') => false,
        // Digits carry no trailing zeros, so that a lone 5 is exactly a half.
        Some(b'5') if rest.len() == 1 => value % 2 == 1,
        Some(_) => true,
    };
    value + i128::from(up)
}

impl Add for Money {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::from_nanos(self.total() + other.total())
    }
}

impl Sub for Money {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self::from_nanos(self.total() - other.total())
    }
}

impl Neg for Money {
    type Output = Self;

    fn neg(self) -> Self {
        Self::from_nanos(-self.total())
    }
}

impl PartialOrd for Money {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Money {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.total().cmp(&other.total())
    }
}

impl std::iter::Sum for Money {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self::ZERO, Add::add)
    }
}

impl TryFrom<&Number> for Money {
    type Error = TooLarge;

    fn try_from(number: &Number) -> Result<Self, TooLarge> {
        number.to_money()
    }
}

impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.to_decimal(), f)
    }
}

impl Serialize for Money {
    /// A JSON number, exact.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Number::from(self.to_decimal()).serialize(serializer)
    }
}

/// An exact decimal number, as text so that no digit is lost.
#[Scalar(name = "Decimal", specified_by_url = "https://www.w3.org/TR/xmlschema11-2/#decimal")]
impl ScalarType for Money {
    fn parse(value: Value) -> InputValueResult<Self> {
        let number = <Number as ScalarType>::parse(value).map_err(InputValueError::propagate)?;
        number.to_money().map_err(InputValueError::custom)
    }

    fn to_value(&self) -> Value {
        Value::String(self.to_string())
    }
}
