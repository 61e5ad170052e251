//! Codes of international standards: countries (ISO 3166-1 alpha-2, former ones of ISO 3166-3) and currencies (ISO 4217, by its form).

use std::fmt;

use async_graphql::{InputValueError, InputValueResult, Scalar, ScalarType, Value};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, SchemaFormat, Type};

/// Name of the JSON Schema format that checks countries.
pub(crate) const COUNTRY_FORMAT: &str = "iso-3166-1-alpha-2";
/// Name of the JSON Schema format that checks countries, former ones among them.
pub(crate) const NATIONALITY_FORMAT: &str = "iso-3166-1-or-3-alpha-2";
/// The pattern the reference gives for currencies.
pub(crate) const CURRENCY_PATTERN: &str = "^[A-Z]{3}$";
/// Currencies of payments: those of ISO 4217, and tokens such as USDT.
pub(crate) const TRANSACTION_CURRENCY_PATTERN: &str = "^[A-Z0-9]{3,12}$";
/// The pattern of names that people give: they can be seen, and told from others by that. Neither blank nor what nobody sees (Unicode's default
/// ignorable characters of the basic plane, written as they are: dialects escape them in different ways) at an end, nor a control character anywhere.
pub(crate) const NAME_PATTERN: &str = concat!(
    "^([^\\s\\x00-\\x1f\\x7f-\\x9f\u{ad}\u{34f}\u{61c}\u{115f}\u{1160}\u{17b4}\u{17b5}\u{180b}-\u{180f}\u{200b}-\u{200f}\u{2028}-\u{202e}\u{2060}-\u{206f}\u{2800}\u{3164}\u{fe00}-\u{fe0f}\u{feff}\u{ffa0}](",
    "[^\\x00-\\x1f\\x7f-\\x9f]*",
    "[^\\s\\x00-\\x1f\\x7f-\\x9f\u{ad}\u{34f}\u{61c}\u{115f}\u{1160}\u{17b4}\u{17b5}\u{180b}-\u{180f}\u{200b}-\u{200f}\u{2028}-\u{202e}\u{2060}-\u{206f}\u{2800}\u{3164}\u{fe00}-\u{fe0f}\u{feff}\u{ffa0}])?)?$"
);
const NAME_RULE: &str = "must neither begin nor end with a blank or a character that nobody sees, nor contain control characters";
const COUNTRY_RULE: &str = "must be an assigned ISO 3166-1 alpha-2 country code (or XK), such as DE";
const NATIONALITY_RULE: &str = "must be an ISO 3166-1 alpha-2 country code (or XK), such as DE, or that of a former country (ISO 3166-3), such as YU";
const CURRENCY_RULE: &str = "must be an ISO 4217 currency code, three capital letters, such as EUR";
const TRANSACTION_CURRENCY_RULE: &str = "must be a currency code, three to twelve capital letters or digits, such as EUR or USDT";
const UUID_RULE: &str = "must be a UUID, such as 0190a8f4-5c1e-7b3a-9d42-6f0e8c1b2a37";

const URI_RULE: &str = "must be an absolute address, such as https://desk.example.com/hooks";

/// The assigned codes of ISO 3166-1, in order, two letters each.
pub(crate) const COUNTRIES: &str = "ADAEAFAGAIALAMAOAQARASATAUAWAXAZBABBBDBEBFBGBHBIBJBLBMBNBOBQBRBSBTBVBWBYBZ\
CACCCDCFCGCHCICKCLCMCNCOCRCUCVCWCXCYCZDEDJDKDMDODZECEEEGEHERESETFIFJFKFMFOFRGAGBGDGEGFGGGHGIGLGMGNGPGQGRGSGTGUGWGY\
HKHMHNHRHTHUIDIEILIMINIOIQIRISITJEJMJOJPKEKGKHKIKMKNKPKRKWKYKZLALBLCLILKLRLSLTLULVLYMAMCMDMEMFMGMHMKMLMMMNMOMPMQMRMSMTMUMVMWMXMYMZ\
NANCNENFNGNINLNONPNRNUNZOMPAPEPFPGPHPKPLPMPNPRPSPTPWPYQARERORSRURWSASBSCSDSESGSHSISJSKSLSMSNSOSRSSSTSVSXSYSZ\
TCTDTFTGTHTJTKTLTMTNTOTRTTTVTWTZUAUGUMUSUYUZVAVCVEVGVIVNVUWFWSYEYTZAZMZW";

/// Kosovo: not assigned, and used by everybody.
const KOSOVO: &str = "XK";

/// The codes of ISO 3166-3, countries that are no more, but for those that another country has now; in order, two letters each.
pub(crate) const FORMER_COUNTRIES: &str = "ANBUCSCTDDDYFQFXHVJTMINHNQNTPCPUPZRHSUTPVDWKYDYUZR";

/// Whether `text` is the code of a country (capital letters).
pub fn is_country(text: &str) -> bool {
    text == KOSOVO || is_among(text, COUNTRIES)
}

/// Whether `text` is the code of a country that is or was.
pub fn is_nationality(text: &str) -> bool {
    is_country(text) || is_among(text, FORMER_COUNTRIES)
}

fn is_among(text: &str, codes: &str) -> bool {
    let wanted = text.as_bytes();
    wanted.len() == 2 && codes.as_bytes().chunks(2).any(|code| code == wanted)
}

/// Whether `text` has the form of a currency code.
pub fn is_currency(text: &str) -> bool {
    text.len() == 3 && text.bytes().all(|b| b.is_ascii_uppercase())
}

/// Whether `text` has the form of the code of what payments are made in.
pub fn is_transaction_currency(text: &str) -> bool {
    (3..=12).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
}

/// A text that is a code.
macro_rules! code {
    ($(#[$doc:meta])* $name:ident, $is:path, $rule:expr, $schema:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        pub struct $name(String);

        impl $name {
            /// Checks a text; the error says what would be right.
            pub fn parse(text: &str) -> Result<Self, &'static str> {
                if $is(text) { Ok(Self(text.to_owned())) } else { Err($rule) }
            }

            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                Self::parse(&text).map_err(serde::de::Error::custom)
            }
        }

        #[Scalar(name = "String")]
        impl ScalarType for $name {
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

        impl utoipa::PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                $schema(ObjectBuilder::new().schema_type(Type::String)).into()
            }
        }

        impl utoipa::ToSchema for $name {}
    };
}

code!(
    /// An assigned ISO 3166-1 alpha-2 country code, or `XK`.
    Country,
    is_country,
    COUNTRY_RULE,
    |schema: ObjectBuilder| schema.format(Some(SchemaFormat::Custom(COUNTRY_FORMAT.to_owned())))
);

code!(
    /// The code of a country of which somebody is, or was when it was there: as [`Country`], or one of ISO 3166-3.
    Nationality,
    is_nationality,
    NATIONALITY_RULE,
    |schema: ObjectBuilder| schema.format(Some(SchemaFormat::Custom(NATIONALITY_FORMAT.to_owned())))
);

code!(
    /// Three capital letters, as ISO 4217 writes currencies.
    Currency,
    is_currency,
    CURRENCY_RULE,
    |schema: ObjectBuilder| schema.pattern(Some(CURRENCY_PATTERN))
);

code!(
    /// What a payment is made in: three to twelve capital letters or digits.
    TransactionCurrency,
    is_transaction_currency,
    TRANSACTION_CURRENCY_RULE,
    |schema: ObjectBuilder| schema.pattern(Some(TRANSACTION_CURRENCY_PATTERN))
);

/// What a format or pattern of this module asks for, in words.
pub(crate) fn rule(format_or_pattern: &str) -> Option<&'static str> {
    match format_or_pattern {
        COUNTRY_FORMAT => Some(COUNTRY_RULE),
        NATIONALITY_FORMAT => Some(NATIONALITY_RULE),
        CURRENCY_PATTERN => Some(CURRENCY_RULE),
        TRANSACTION_CURRENCY_PATTERN => Some(TRANSACTION_CURRENCY_RULE),
        NAME_PATTERN => Some(NAME_RULE),
        "uuid" => Some(UUID_RULE),
        "uri" => Some(URI_RULE),
        _ => None,
    }
}
