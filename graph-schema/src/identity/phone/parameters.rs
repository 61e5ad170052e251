//! The parameters of RFC 3966 behind a number: the context in which it is dialled, and the extension.

use std::fmt;

use super::extension::EXTENSION;

/// Where the digits are a number; elsewhere they may be another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Context {
    /// The first digits of all numbers there: a country's code, perhaps with more.
    Prefix(String),
    /// A network that a domain names.
    Domain(String),
}

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Parameters {
    pub context: Option<Context>,
    pub extension: Option<String>,
}

impl Parameters {
    /// The number, and what is said of it.
    pub fn split(text: &str) -> (&str, Self) {
        let Some((number, parameters)) = text.split_once(';').filter(|(_, parameters)| parameters.contains('=')) else {
            return (text, Self::default());
        };
        let value = |name: &str| {
            let mut values = parameters.split(';').filter_map(|parameter| parameter.split_once('='));
            values.find(|(known, _)| known.trim() == name).map(|(_, value)| value.trim())
        };
        let extension = value("ext").and_then(digits).filter(|digits| digits.len() <= EXTENSION);
        (number.trim(), Self { context: value("phone-context").and_then(Context::read), extension })
    }
}

impl Context {
    fn read(value: &str) -> Option<Self> {
        if let Some(prefix) = digits(value.trim_start_matches('+')) {
            return Some(Self::Prefix(prefix));
        }
        let domain = value.trim_matches('.');
        (!domain.is_empty()).then(|| Self::Domain(domain.to_owned()))
    }
}

impl fmt::Display for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Prefix(digits) => write!(f, "+{digits}"),
            Self::Domain(domain) => f.write_str(domain),
        }
    }
}

/// Digits with the visual separators that the RFC allows between them, and blanks.
fn digits(value: &str) -> Option<String> {
    let digits: String = value.chars().filter(|c| !matches!(c, '-' | '.' | '(' | ')' | ' ')).collect();
    (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some(digits)
}
