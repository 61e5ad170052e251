//! Numbers as they were written.
//!
//! `1.10`, `1.1` and `11e-1` are one value and three texts; what is echoed must be the text, what is summed
//! must be the value. A [`Number`] keeps the JSON text and gives the value exactly.

use std::{fmt, sync::Arc};

use async_graphql::{InputValueError, InputValueResult, Scalar, ScalarType, Value};
use rust_decimal::Decimal;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, Type};

use crate::money::{Money, TooLarge, Total};

/// Longest plain form that an exponent is written out to; `1e300` stays as it is.
const PLAIN_DIGITS: i64 = 64;

/// An exact decimal number with its JSON text. Equality is of texts.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Number(Arc<str>);

/// The digits of a number: `0.DIGITS × 10^point`, no zero in front; no digits at all for zero.
pub(crate) struct Digits {
    pub negative: bool,
    pub digits: String,
    pub point: i64,
}

impl Number {
    /// Takes JSON number text, `None` when it is something else.
    pub fn parse(text: &str) -> Option<Self> {
        is_json_number(text).then(|| Self(Arc::from(text)))
    }

    /// The text as it came.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The nearest double.
    pub fn to_f64(&self) -> f64 {
        self.0.parse().unwrap_or(f64::NAN)
    }

    /// The value as a decimal of 28 digits; `None` when it has more before the point.
    pub fn to_decimal(&self) -> Option<Decimal> {
        let plain = self.plain();
        Decimal::from_str_exact(&plain).or_else(|_| plain.parse()).or_else(|_| Decimal::from_scientific(&plain)).ok()
    }

    /// The value as money: rounded half-even past nine decimals.
    pub fn to_money(&self) -> Result<Money, TooLarge> {
        Money::from_digits(&self.digits())
    }

    /// The value without an exponent, where that has a sensible length.
    pub fn plain(&self) -> String {
        if !self.0.contains(['e', 'E']) {
            return self.0.to_string();
        }
        let Digits { negative, digits, point } = self.digits();
        let length = i64::try_from(digits.len()).unwrap_or(i64::MAX);
        if digits.is_empty() {
            return "0".to_owned();
        }
        if point.abs() > PLAIN_DIGITS || length > PLAIN_DIGITS {
            return self.0.to_string();
        }
        let sign = if negative { "-" } else { "" };
        // All three are at most PLAIN_DIGITS here, so that the casts lose nothing.
        if point <= 0 {
            format!("{sign}0.{}{digits}", "0".repeat(-point as usize))
        } else if length <= point {
            format!("{sign}{digits}{}", "0".repeat((point - length) as usize))
        } else {
            let (whole, part) = digits.split_at(point as usize);
            format!("{sign}{whole}.{part}")
        }
    }

    /// The value when it is a whole number of at most 18 digits, however it is written.
    pub fn to_whole(&self) -> Option<i64> {
        let Digits { negative, digits, point } = self.digits();
        let places = usize::try_from(point).ok().filter(|places| (digits.len()..=18).contains(places));
        let value: i64 = match places {
            _ if digits.is_empty() => 0,
            Some(places) => format!("{digits:0<places$}").parse().ok()?,
            None => return None,
        };
        Some(if negative { -value } else { value })
    }

    pub(crate) fn digits(&self) -> Digits {
        let text = &*self.0;
        let (negative, text) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent_value(exponent)),
            None => (text, 0),
        };
        let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = format!("{whole}{part}");
        let significant = all.trim_start_matches('0');
        let leading = i64::try_from(all.len() - significant.len()).unwrap_or(i64::MAX);
        let whole = i64::try_from(whole.len()).unwrap_or(i64::MAX);
        Digits { negative, digits: significant.trim_end_matches('0').to_owned(), point: whole.saturating_sub(leading).saturating_add(exponent) }
    }
}

/// Reads an optional whole number: `30`, `30.0` and `3e1` are one and the same, as JSON Schema has it for `integer`.
pub(crate) fn whole<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    let Some(number) = Option::<Number>::deserialize(deserializer)? else { return Ok(None) };
    let wrong = || serde::de::Error::custom("must be a whole number of at most 18 digits");
    number.to_whole().map(Some).ok_or_else(wrong)
}

/// The same of what GraphQL shows as an `Int`.
pub(crate) fn whole_of_32_bits<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i32>, D::Error> {
    let Some(number) = Option::<Number>::deserialize(deserializer)? else { return Ok(None) };
    let wrong = || serde::de::Error::custom(format!("must be a whole number from {} to {}", i32::MIN, i32::MAX));
    number.to_whole().and_then(|whole| i32::try_from(whole).ok()).map(Some).ok_or_else(wrong)
}

/// An exponent of any length; past what an `i64` holds it only matters that it is huge.
fn exponent_value(text: &str) -> i64 {
    let huge = if text.starts_with('-') { i64::MIN / 2 } else { i64::MAX / 2 };
    text.parse::<i64>().map_or(huge, |value| value.clamp(i64::MIN / 2, i64::MAX / 2))
}

/// The grammar of RFC 8259: no plus, no leading zeros, digits on both sides of the point.
fn is_json_number(text: &str) -> bool {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let (whole, part) = match mantissa.split_once('.') {
        Some((whole, part)) => (whole, Some(part)),
        None => (mantissa, None),
    };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && part.is_none_or(digits)
        && exponent.is_none_or(|text| digits(text.strip_prefix(['+', '-']).unwrap_or(text)))
}

impl From<i64> for Number {
    fn from(value: i64) -> Self {
        Self(Arc::from(value.to_string()))
    }
}

impl From<Total> for Number {
    fn from(value: Total) -> Self {
        Self(Arc::from(value.to_string()))
    }
}

impl From<Decimal> for Number {
    fn from(value: Decimal) -> Self {
        Self(Arc::from(value.to_string()))
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let raw: &RawValue = serde_json::from_str(&self.0).map_err(serde::ser::Error::custom)?;
        raw.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        Self::parse(raw.get()).ok_or_else(|| serde::de::Error::custom("must be a number"))
    }
}

/// An exact decimal number, as text so that no digit is lost.
#[Scalar(name = "Decimal", specified_by_url = "https://www.w3.org/TR/xmlschema11-2/#decimal")]
impl ScalarType for Number {
    fn parse(value: Value) -> InputValueResult<Self> {
        let text = match &value {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            _ => return Err(InputValueError::expected_type(value)),
        };
        Self::parse(&text).ok_or_else(|| InputValueError::custom("must be a decimal number"))
    }

    fn to_value(&self) -> Value {
        Value::String(self.plain())
    }
}

impl utoipa::PartialSchema for Number {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::Number).into()
    }
}

impl utoipa::ToSchema for Number {}

/// A field whose type the reference does not show: text or a number (a truth value where the schema allows it),
/// kept as JSON text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Plain(Arc<str>);

impl Plain {
    /// The value as a reader sees it: text without its quotes.
    pub fn text(&self) -> String {
        serde_json::from_str::<String>(&self.0).unwrap_or_else(|_| self.0.to_string())
    }
}

impl Serialize for Plain {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let raw: &RawValue = serde_json::from_str(&self.0).map_err(serde::ser::Error::custom)?;
        raw.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Plain {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        match raw.get().as_bytes().first() {
            Some(b'{' | b'[' | b'n') | None => Err(serde::de::Error::custom("must be a string or a number")),
            Some(_) => Ok(Self(Arc::from(raw.get()))),
        }
    }
}

#[Scalar(name = "String")]
impl ScalarType for Plain {
    fn parse(value: Value) -> InputValueResult<Self> {
        match value {
            Value::String(_) | Value::Number(_) | Value::Boolean(_) => Ok(Self(Arc::from(value.into_json()?.to_string()))),
            other => Err(InputValueError::expected_type(other)),
        }
    }

    fn to_value(&self) -> Value {
        Value::String(self.text())
    }
}

impl utoipa::PartialSchema for Plain {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(utoipa::openapi::schema::SchemaType::from_iter([Type::String, Type::Number])).into()
    }
}

impl utoipa::ToSchema for Plain {}

/// The schema of a [`Plain`] field that may be a truth value too.
pub(crate) fn plain_or_boolean() -> RefOr<Schema> {
    ObjectBuilder::new().schema_type(utoipa::openapi::schema::SchemaType::from_iter([Type::String, Type::Number, Type::Boolean, Type::Null])).into()
}
