//! Values that must come out as they went in: exact numbers and moments.

use anyhow::{Context, Result, bail, ensure};
use chrono::{NaiveDate, NaiveDateTime};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// A number kept as its text: `544595.7886430753` has more digits than a sum of floats would keep.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(try_from = "String", into = "Box<RawValue>")]
pub(crate) struct Exact(Box<RawValue>);

impl TryFrom<String> for Exact {
    type Error = anyhow::Error;

    fn try_from(text: String) -> Result<Self> {
        ensure!(text.starts_with(|first: char| first.is_ascii_digit()), "{text:?} is not a number of zero or more");
        Ok(Self(RawValue::from_string(text)?))
    }
}

impl From<Exact> for Box<RawValue> {
    fn from(number: Exact) -> Self {
        number.0
    }
}

/// A moment in UTC to the millisecond.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq)]
#[serde(try_from = "String")]
pub(crate) struct Moment(NaiveDateTime);

impl Moment {
    /// The day, in UTC.
    pub(crate) fn date(self) -> NaiveDate {
        self.0.date()
    }

    /// ISO 8601 with milliseconds, such as `2020-06-21T06:30:59.060Z`.
    pub(crate) fn date_time(self) -> String {
        self.0.format("%Y-%m-%dT%H:%M:%S%.3fZ").to_string()
    }
}

impl TryFrom<String> for Moment {
    type Error = anyhow::Error;

    /// Reads `2020-06-21 06:30:59.06`. The generator drops zeros at the end, so that `.06` is 60 milliseconds.
    fn try_from(text: String) -> Result<Self> {
        let moment = NaiveDateTime::parse_from_str(&text, "%Y-%m-%d %H:%M:%S%.f");
        let moment = moment.with_context(|| format!("{text:?} is not a moment"))?;
        if moment.and_utc().timestamp_subsec_nanos() % 1_000_000 != 0 {
            bail!("{text:?} is finer than milliseconds");
        }
        Ok(Self(moment))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_keeps_its_text() {
        for text in ["544595.7886430753", "1.396555514267633e-05", "0.10", "12345678901234567890.12345678901234567890"] {
            let number = Exact::try_from(text.to_owned()).unwrap();
            assert_eq!(serde_json::to_string(&number).unwrap(), text);
        }
        for text in ["", "abc", "\"1\"", "1,5", "-1", "{}"] {
            assert!(Exact::try_from(text.to_owned()).is_err(), "{text}");
        }
    }

    #[test]
    fn a_moment_without_its_last_zeros_is_the_same_moment() {
        let written = |text: &str| Moment::try_from(text.to_owned()).unwrap().date_time();
        assert_eq!(written("2020-06-21 06:30:59.06"), "2020-06-21T06:30:59.060Z");
        assert_eq!(written("2020-06-21 06:30:59"), "2020-06-21T06:30:59.000Z");
        assert!(Moment::try_from("2020-06-21 06:30:59.0601".to_owned()).is_err());
    }
}
