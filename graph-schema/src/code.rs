//! Codes of international standards: countries (ISO 3166-1 alpha-2) and currencies (ISO 4217, by its form).

use std::fmt;

use async_graphql::{InputValueError, InputValueResult, Scalar, ScalarType, Value};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, SchemaFormat, Type};

/// Name of the JSON Schema format that checks countries.
pub(crate) const COUNTRY_FORMAT: &str = "iso-3166-1-alpha-2";
/// The pattern the reference gives for currencies.
pub(crate) const CURRENCY_PATTERN: &str = "^[A-Z]{3}$";
/// The pattern of names that people give: they can be seen, and told from others by that. Neither blank at an end nor a control character anywhere.
pub(crate) const NAME_PATTERN: &str = r"^([^\s\x00-\x1f\x7f-\x9f]([^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f])?)?$";
const NAME_RULE: &str = "must neither begin nor end with a blank, nor contain control characters";
const COUNTRY_RULE: &str = "must be an assigned ISO 3166-1 alpha-2 country code, such as DE";
const CURRENCY_RULE: &str = "must be an ISO 4217 currency code, three capital letters, such as EUR";
const UUID_RULE: &str = "must be a UUID, such as 0190a8f4-5c1e-7b3a-9d42-6f0e8c1b2a37";

const URI_RULE: &str = "must be an absolute address, such as https://desk.example.com/hooks";

/// The assigned codes of ISO 3166-1, in order, two letters each.
const COUNTRIES: &str = "ADAEAFAGAIALAMAOAQARASATAUAWAXAZBABBBDBEBFBGBHBIBJBLBMBNBOBQBRBSBTBVBWBYBZ\
CACCCDCFCGCHCICKCLCMCNCOCRCUCVCWCXCYCZDEDJDKDMDODZECEEEGEHERESETFIFJFKFMFOFRGAGBGDGEGFGGGHGIGLGMGNGPGQGRGSGTGUGWGY\
HKHMHNHRHTHUIDIEILIMINIOIQIRISITJEJMJOJPKEKGKHKIKMKNKPKRKWKYKZLALBLCLILKLRLSLTLULVLYMAMCMDMEMFMGMHMKMLMMMNMOMPMQMRMSMTMUMVMWMXMYMZ\
NANCNENFNGNINLNONPNRNUNZOMPAPEPFPGPHPKPLPMPNPRPSPTPWPYQARERORSRURWSASBSCSDSESGSHSISJSKSLSMSNSOSRSSSTSVSXSYSZ\
TCTDTFTGTHTJTKTLTMTNTOTRTTTVTWTZUAUGUMUSUYUZVAVCVEVGVIVNVUWFWSYEYTZAZMZW";

/// Whether `text` is an assigned country code (capital letters).
pub fn is_country(text: &str) -> bool {
    let wanted = text.as_bytes();
    wanted.len() == 2 && COUNTRIES.as_bytes().chunks(2).any(|code| code == wanted)
}

/// Whether `text` has the form of a currency code.
pub fn is_currency(text: &str) -> bool {
    text.len() == 3 && text.bytes().all(|b| b.is_ascii_uppercase())
}

/// An assigned ISO 3166-1 alpha-2 country code.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Country(String);

/// Three capital letters, as ISO 4217 writes currencies.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Currency(String);

impl Country {
    /// Checks a text; the error says what would be right.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        if is_country(text) { Ok(Self(text.to_owned())) } else { Err(COUNTRY_RULE) }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Currency {
    /// Checks a text; the error says what would be right.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        if is_currency(text) { Ok(Self(text.to_owned())) } else { Err(CURRENCY_RULE) }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What a format or pattern of this module asks for, in words.
pub(crate) fn rule(format_or_pattern: &str) -> Option<&'static str> {
    match format_or_pattern {
        COUNTRY_FORMAT => Some(COUNTRY_RULE),
        CURRENCY_PATTERN => Some(CURRENCY_RULE),
        NAME_PATTERN => Some(NAME_RULE),
        "uuid" => Some(UUID_RULE),
        "uri" => Some(URI_RULE),
        _ => None,
    }
}

impl fmt::Display for Country {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Country {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).map_err(serde::de::Error::custom)
    }
}

impl<'de> Deserialize<'de> for Currency {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).map_err(serde::de::Error::custom)
    }
}

#[Scalar(name = "String")]
impl ScalarType for Country {
    fn parse(value: Value) -> InputValueResult<Self> {
        match value {
            Value::String(text) => Self::parse(&text).map_err(InputValueError::custom),
            other => Err(InputValueError::expected_type(other)),
        }
    }

    fn to_value(&self) -> Value {
        Value::String(self.0.clone())
    }
}

#[Scalar(name = "String")]
impl ScalarType for Currency {
    fn parse(value: Value) -> InputValueResult<Self> {
        match value {
            Value::String(text) => Self::parse(&text).map_err(InputValueError::custom),
            other => Err(InputValueError::expected_type(other)),
        }
    }

    fn to_value(&self) -> Value {
        Value::String(self.0.clone())
    }
}

impl utoipa::PartialSchema for Country {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::String).format(Some(SchemaFormat::Custom(COUNTRY_FORMAT.to_owned()))).into()
    }
}

impl utoipa::ToSchema for Country {}

impl utoipa::PartialSchema for Currency {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::String).pattern(Some(CURRENCY_PATTERN)).into()
    }
}

impl utoipa::ToSchema for Currency {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_assigned_codes_and_no_others() {
        assert_eq!(COUNTRIES.len(), 249 * 2);
        for code in ["DE", "US", "GB", "ZW", "AD", "SS", "XK"] {
            assert_eq!(is_country(code), code != "XK", "{code}");
        }
        for wrong in ["", "D", "de", "DEU", "UK", "EU", "ÄD"] {
            assert!(!is_country(wrong), "{wrong}");
        }
    }

    #[test]
    fn currencies_are_three_capital_letters() {
        assert!(is_currency("EUR"));
        for wrong in ["eur", "EU", "EURO", "E1R", ""] {
            assert!(!is_currency(wrong), "{wrong}");
        }
    }
}
