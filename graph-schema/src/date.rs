//! Dates and times: what came in is read strictly, what goes out is written in one way.

use std::{fmt, sync::Arc};

use async_graphql::{InputValueError, InputValueResult, Scalar, ScalarType, Value};
use chrono::{DateTime, NaiveDate, SecondsFormat, Utc};
use rust_decimal::Decimal;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::openapi::{KnownFormat, ObjectBuilder, RefOr, Schema, SchemaFormat, Type};

use crate::number::Number;

pub(crate) const DATE_RULE: &str = "must be a date that exists, as YYYY-MM-DD";
pub(crate) const DATE_TIME_RULE: &str = "must be a date-time as RFC 3339 writes it, such as 2020-06-21T06:30:59.06Z";
pub(crate) const EPOCH_RULE: &str = "must be seconds since 1970-01-01 within the years 0 to 9999 (not milliseconds)";
/// Seconds of 0000-01-01 and of 10000-01-01.
const EPOCH_RANGE: std::ops::Range<i64> = -62_167_219_200..253_402_300_800;

/// Whether a schema's limit is one of [`EpochSeconds`]'s.
pub(crate) fn is_epoch_end(limit: &serde_json::Value) -> bool {
    let limit = limit.as_f64();
    limit == Some(EPOCH_RANGE.start as f64) || limit == Some(EPOCH_RANGE.end as f64)
}

/// A calendar date that exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date(NaiveDate);

/// An instant: milliseconds since 1970-01-01T00:00:00Z. JSON and GraphQL see RFC 3339 text in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(pub i64);

/// RFC 3339 text kept as it came, with whatever decimals and offset it has.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct DateTimeText(Arc<str>);

/// Seconds since 1970 as a number, decimals allowed, its text kept.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct EpochSeconds(Number);

impl Date {
    /// Reads `YYYY-MM-DD` and nothing else.
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let formed = bytes.len() == 10
            && bytes.iter().enumerate().all(|(i, b)| match i {
                4 | 7 => *b == b'-',
                _ => b.is_ascii_digit(),
            });
        if !formed {
            return None;
        }
        let date = NaiveDate::from_ymd_opt(text[..4].parse().ok()?, text[5..7].parse().ok()?, text[8..].parse().ok()?)?;
        Some(Self(date))
    }

    /// The same as a calendar's date.
    pub fn naive(self) -> NaiveDate {
        self.0
    }
}

impl From<NaiveDate> for Date {
    fn from(date: NaiveDate) -> Self {
        Self(date)
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.format("%Y-%m-%d"))
    }
}

impl Timestamp {
    /// Reads RFC 3339; what is finer than a millisecond is cut off.
    pub fn parse(text: &str) -> Option<Self> {
        Some(Self(instant(text)?.timestamp_millis()))
    }

    /// Milliseconds since 1970.
    pub fn millis(self) -> i64 {
        self.0
    }

    /// The day in UTC; `None` outside of what the calendar holds.
    pub fn date(self) -> Option<Date> {
        DateTime::from_timestamp_millis(self.0).map(|instant| Date(instant.date_naive()))
    }
}

impl From<DateTime<Utc>> for Timestamp {
    fn from(instant: DateTime<Utc>) -> Self {
        Self(instant.timestamp_millis())
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match DateTime::from_timestamp_millis(self.0) {
            Some(instant) => f.write_str(&instant.to_rfc3339_opts(SecondsFormat::AutoSi, true)),
            None => write!(f, "{}", self.0),
        }
    }
}

impl DateTimeText {
    /// Reads RFC 3339.
    pub fn parse(text: &str) -> Option<Self> {
        instant(text).map(|_| Self(Arc::from(text)))
    }

    /// The text as it came.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The instant, to the millisecond.
    pub fn timestamp(&self) -> Timestamp {
        // Only `parse` makes one, so that it reads again.
        Timestamp::parse(&self.0).unwrap_or(Timestamp(0))
    }

    /// The instant as seconds since 1970, decimals kept to the nanosecond (`…:59.06Z` is `….06`).
    pub fn epoch_seconds(&self) -> EpochSeconds {
        let (seconds, nanos) = instant(&self.0).map_or((0, 0), |instant| (instant.timestamp(), instant.timestamp_subsec_nanos()));
        let total = i128::from(seconds) * 1_000_000_000 + i128::from(nanos);
        EpochSeconds(Decimal::from_i128_with_scale(total, 9).normalize().into())
    }
}

impl EpochSeconds {
    /// Takes a number of seconds; `None` outside the years 0 to 9999.
    pub fn new(number: Number) -> Option<Self> {
        let seconds = number.to_money().ok()?.units;
        EPOCH_RANGE.contains(&seconds).then_some(Self(number))
    }

    /// The number as it came.
    pub fn number(&self) -> &Number {
        &self.0
    }

    /// Milliseconds since 1970, rounded down.
    pub fn millis(&self) -> i64 {
        // `new` took only what is in range, so that this is never the default.
        let money = self.0.to_money().unwrap_or_default();
        money.units * 1000 + i64::from(money.nanos).div_euclid(1_000_000)
    }

    pub fn timestamp(&self) -> Timestamp {
        Timestamp(self.millis())
    }
}

/// RFC 3339 and nothing laxer: chrono alone would take a blank for the `T`.
fn instant(text: &str) -> Option<DateTime<chrono::FixedOffset>> {
    let separator = text.as_bytes().get(10)?;
    if !matches!(separator, b'T' | b't') {
        return None;
    }
    DateTime::parse_from_rfc3339(text).ok()
}

impl Serialize for Date {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Serialize for DateTimeText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl Serialize for EpochSeconds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Date {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| serde::de::Error::custom(DATE_RULE))
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| serde::de::Error::custom(DATE_TIME_RULE))
    }
}

impl<'de> Deserialize<'de> for DateTimeText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| serde::de::Error::custom(DATE_TIME_RULE))
    }
}

impl<'de> Deserialize<'de> for EpochSeconds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = Number::deserialize(deserializer)?;
        Self::new(number).ok_or_else(|| serde::de::Error::custom(EPOCH_RULE))
    }
}

/// A calendar date, `YYYY-MM-DD`.
#[Scalar(name = "Date", specified_by_url = "https://www.rfc-editor.org/rfc/rfc3339#section-5.6")]
impl ScalarType for Date {
    fn parse(value: Value) -> InputValueResult<Self> {
        match &value {
            Value::String(text) => Self::parse(text).ok_or_else(|| InputValueError::custom(DATE_RULE)),
            _ => Err(InputValueError::expected_type(value)),
        }
    }

    fn to_value(&self) -> Value {
        Value::String(self.to_string())
    }
}

/// An instant, as RFC 3339 writes it.
#[Scalar(name = "DateTime", specified_by_url = "https://www.rfc-editor.org/rfc/rfc3339#section-5.6")]
impl ScalarType for Timestamp {
    fn parse(value: Value) -> InputValueResult<Self> {
        match &value {
            Value::String(text) => Self::parse(text).ok_or_else(|| InputValueError::custom(DATE_TIME_RULE)),
            _ => Err(InputValueError::expected_type(value)),
        }
    }

    fn to_value(&self) -> Value {
        Value::String(self.to_string())
    }
}

/// An instant, as RFC 3339 writes it.
#[Scalar(name = "DateTime", specified_by_url = "https://www.rfc-editor.org/rfc/rfc3339#section-5.6")]
impl ScalarType for EpochSeconds {
    fn parse(value: Value) -> InputValueResult<Self> {
        match &value {
            Value::String(text) => DateTimeText::parse(text).map(|text| text.epoch_seconds()).ok_or_else(|| InputValueError::custom(DATE_TIME_RULE)),
            _ => Err(InputValueError::expected_type(value)),
        }
    }

    fn to_value(&self) -> Value {
        Value::String(self.timestamp().to_string())
    }
}

fn text_schema(format: KnownFormat) -> RefOr<Schema> {
    ObjectBuilder::new().schema_type(Type::String).format(Some(SchemaFormat::KnownFormat(format))).into()
}

impl utoipa::PartialSchema for Date {
    fn schema() -> RefOr<Schema> {
        text_schema(KnownFormat::Date)
    }
}

impl utoipa::ToSchema for Date {}

impl utoipa::PartialSchema for Timestamp {
    fn schema() -> RefOr<Schema> {
        text_schema(KnownFormat::DateTime)
    }
}

impl utoipa::ToSchema for Timestamp {}

impl utoipa::PartialSchema for DateTimeText {
    fn schema() -> RefOr<Schema> {
        text_schema(KnownFormat::DateTime)
    }
}

impl utoipa::ToSchema for DateTimeText {}

impl utoipa::PartialSchema for EpochSeconds {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::Number).minimum(Some(EPOCH_RANGE.start)).exclusive_maximum(Some(EPOCH_RANGE.end)).into()
    }
}

impl utoipa::ToSchema for EpochSeconds {}
