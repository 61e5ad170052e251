//! Phone numbers, by the numbering plans of all countries.
//!
//! A number is its digits and nothing else: a text with letters in it is no number, and its own identity. What a telephone dials behind the number (an
//! extension) is part of the identity; the number without it, the switchboard, is a second one. Numbers that are too short to be one subscriber's
//! (emergency and service numbers, numbers inside a house) identify nobody.

use std::str::FromStr;

use phonenumber::{Metadata, Mode, PhoneNumber, Type, country, metadata::DATABASE};

use super::{
    Identity, IdentityRules,
    placeholder::is_one_digit,
    text::{caseless, folded, one_line, plain},
};

/// Digits, without a country's code, that are no subscriber's unless a numbering plan says so.
const SHORT: usize = 6;
/// Most digits of a country's code.
const COUNTRY_CODE: usize = 3;
/// Most digits of an extension, as the numbering plan's library has it.
const EXTENSION: usize = 9;
/// Most digits before a `#` that are an extension without a word before it.
const EXTENSION_BEFORE_HASH: usize = 5;

/// What was dialled before numbers of a country, by its code, and is no longer in the library's plans.
const RETIRED_PREFIXES: [(&str, &[&str]); 1] = [("52", &["1", "01", "044", "045"])];

/// The fewest digits of a number behind which a sign is one before an extension.
const FEWEST_BEFORE_SIGN: usize = 5;

/// Words and signs before an extension, the longer ones first.
const EXTENSION_MARKS: [&str; 23] = [
    "durchwahl",
    "extensión",
    "extension",
    "interno",
    "toestel",
    "anexo",
    "ramal",
    "poste",
    "extn",
    "xtn",
    "доб",
    "ext",
    "int",
    "wew",
    "app",
    "dw",
    "kl",
    "nst",
    "x",
    "#",
    "~",
    ",",
    ";",
];

/// Signs between digits, besides dashes and blanks.
const PUNCTUATION: [char; 14] = ['-', '.', '/', '(', ')', '[', ']', '~', '·', '•', '\'', '’', '_', ':'];

/// A text that may be dialled.
#[derive(Debug, Default, PartialEq)]
struct Dialled {
    /// Whether it begins with `+`.
    is_international: bool,
    digits: String,
    extension: Option<String>,
}

impl IdentityRules {
    /// A phone number as E.164, read as one of `region` (an ISO 3166-1 alpha-2 code) when it has no country code of its own; behind it the
    /// switchboard, where it has an extension. None for a number that identifies nobody.
    pub fn phone(&self, number: &str, region: Option<&str>) -> Vec<Identity> {
        if self.placeholders.is_value(number) {
            return Vec::new();
        }
        let Some(dialled) = Dialled::read(number) else {
            return Identity::new(folded(number), number).into_iter().collect();
        };
        let region = region.and_then(|code| country::Id::from_str(code).ok());
        let Some(subscriber) = Identity::of_subscriber(&dialled, region, number) else { return Vec::new() };
        let extended = dialled
            .extension
            .as_ref()
            .and_then(|extension| Identity::new(format!("{};ext={extension}", subscriber.id), &format!("{} ext. {extension}", subscriber.name)));
        extended.into_iter().chain([subscriber]).collect()
    }
}

impl Identity {
    fn of_subscriber(dialled: &Dialled, region: Option<country::Id>, written: &str) -> Option<Self> {
        if let Some(known) = dialled.subscriber(region) {
            let national = known.national().to_string();
            let is_lines = matches!(known.number_type(&DATABASE), Type::FixedLine | Type::Mobile | Type::FixedLineOrMobile);
            let says_nothing = is_one_digit(&national) || (national.len() <= SHORT && !is_lines);
            return if says_nothing { None } else { Self::new(e164(&known), &known.format().mode(Mode::International).to_string()) };
        }
        let (plus, code) = if dialled.is_international { ("+", country_code(&dialled.digits).map_or(0, |(length, _)| length)) } else { ("", 0) };
        let national = &dialled.digits[code..];
        if national.len() <= SHORT || is_one_digit(national) {
            return None;
        }
        let written = if dialled.extension.is_none() { one_line(&plain(written)) } else { format!("{plus}{}", dialled.digits) };
        Self::new(format!("{plus}{}", dialled.digits), &written)
    }
}

impl Dialled {
    /// Nothing where the text has anything but digits, signs between them and an extension.
    fn read(number: &str) -> Option<Self> {
        let text = caseless(number);
        let text = text.trim();
        let text = ["tel:", "callto:"].iter().find_map(|scheme| text.strip_prefix(scheme)).unwrap_or(text).trim();
        let (text, context, extension) = without_parameters(text);
        let (body, extension) = if extension.is_some() { (text, extension) } else { split_extension(text) };
        let body = body.trim_start_matches(|c: char| c == '(' || c.is_whitespace());
        let (is_international, body) = match body.strip_prefix('+') {
            Some(rest) => (true, rest.trim_start_matches('+')),
            None => (false, body),
        };
        let mut digits = String::with_capacity(body.len());
        let mut is_code = false;
        for c in body.chars() {
            match c {
                '0'..='9' => digits.push(c),
                // What a telephone does at a code's end is no number.
                '*' | '#' => is_code = true,
                _ if c.is_whitespace() || is_dash(c) || PUNCTUATION.contains(&c) => {}
                _ => return None,
            }
        }
        if is_code && digits.len() > SHORT {
            return None;
        }
        let dialled = match context.filter(|_| !is_international) {
            // The context has the country's code, and a national number may come with the zero in front that is dialled at home.
            Some(context) => Self { is_international: true, digits: context + &digits, extension },
            None => Self { is_international, digits, extension },
        };
        if dialled.digits.is_empty() { None } else { Some(dialled.without_prefix_behind_plus()) }
    }

    /// `+00…` is what some write who dial `00`.
    fn without_prefix_behind_plus(mut self) -> Self {
        if let Some(digits) = self.digits.strip_prefix("00").filter(|digits| self.is_international && !digits.is_empty()) {
            self.digits = digits.to_owned();
        }
        self
    }

    /// The subscriber whom a numbering plan knows.
    fn subscriber(&self, region: Option<country::Id>) -> Option<PhoneNumber> {
        if self.is_international {
            return international(&self.digits);
        }
        let region = region.and_then(|region| DATABASE.by_id(region.as_ref()).map(|metadata| (region, metadata)));
        let abroad = region.and_then(|(_, metadata)| behind_prefix(metadata, &self.digits));
        abroad
            .or_else(|| region.and_then(|(region, metadata)| national(region, metadata, &self.digits)))
            // What most of the world dials before a country's code.
            .or_else(|| international(self.digits.strip_prefix("00")?))
    }
}

/// A number with its country's code.
fn international(digits: &str) -> Option<PhoneNumber> {
    valid(None, &format!("+{digits}")).or_else(|| {
        let (length, metadata) = country_code(digits)?;
        let (code, national) = digits.split_at(length);
        with_prefix_restored(metadata, code, national).or_else(|| without_retired_prefix(code, national))
    })
}

/// The library takes a national prefix from the start of every number, and once more, from one as well that begins with the same digit and was written
/// without it (+7 812 …, national prefix 8): it is put before it as often.
fn with_prefix_restored(metadata: &Metadata, code: &str, national: &str) -> Option<PhoneNumber> {
    let prefix = metadata.national_prefix().filter(|prefix| national.starts_with(*prefix))?;
    (1..=2).find_map(|times| valid(None, &format!("+{code}{}{national}", prefix.repeat(times))))
}

/// A number as it was dialled until its plan was simplified.
fn without_retired_prefix(code: &str, national: &str) -> Option<PhoneNumber> {
    let (_, prefixes) = RETIRED_PREFIXES.iter().find(|(known, _)| *known == code)?;
    prefixes.iter().find_map(|prefix| valid(None, &format!("+{code}{}", national.strip_prefix(prefix)?)))
}

/// A number as it is dialled inside its country.
fn national(region: country::Id, metadata: &Metadata, digits: &str) -> Option<PhoneNumber> {
    let code = metadata.country_code().to_string();
    let behind_prefix = || international(&format!("{code}{}", digits.strip_prefix(metadata.national_prefix()?)?));
    valid(Some(region), digits).or_else(behind_prefix).or_else(|| without_retired_prefix(&code, digits))
}

/// A number behind the prefix that the country dials before codes of countries.
fn behind_prefix(metadata: &Metadata, digits: &str) -> Option<PhoneNumber> {
    let found = metadata.international_prefix()?.find(digits)?;
    (found.start() == 0).then(|| &digits[found.end()..]).and_then(international)
}

fn valid(region: Option<country::Id>, text: &str) -> Option<PhoneNumber> {
    phonenumber::parse(region, text).ok().filter(phonenumber::is_valid)
}

fn e164(number: &PhoneNumber) -> String {
    number.format().mode(Mode::E164).to_string()
}

/// The country's code at the beginning: how long it is, and what is known of the country (the main one, where several share a code).
fn country_code(digits: &str) -> Option<(usize, &'static Metadata)> {
    (1..=COUNTRY_CODE).find_map(|length| {
        let code: u16 = digits.get(..length)?.parse().ok()?;
        let countries = DATABASE.by_code(&code)?;
        let main = countries.iter().find(|metadata| metadata.is_main_country_for_code()).or(countries.first())?;
        Some((length, *main))
    })
}

/// The parameters of RFC 3966: where the number is dialled (a country's code, perhaps with more digits), and the extension.
fn without_parameters(text: &str) -> (&str, Option<String>, Option<String>) {
    let Some((number, parameters)) = text.split_once(';').filter(|(_, parameters)| parameters.contains('=')) else { return (text, None, None) };
    let value = |name: &str| {
        let values = parameters.split(';').filter_map(|parameter| parameter.trim().split_once('='));
        values.filter(|(known, _)| known.trim() == name).map(|(_, value)| value.trim().trim_start_matches('+').to_owned()).next()
    };
    let digits = |value: &String| !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    (number.trim(), value("phone-context").filter(digits), value("ext").filter(digits))
}

/// A number and the extension behind it, each by itself.
fn split_extension(text: &str) -> (&str, Option<String>) {
    let open = text.strip_suffix(')').unwrap_or(text).trim_end();
    let (bare, is_hashed) = match open.strip_suffix('#') {
        Some(bare) => (bare.trim_end(), true),
        None => (open, false),
    };
    let before = bare.trim_end_matches(|c: char| c.is_ascii_digit());
    let extension = &bare[before.len()..];
    if extension.is_empty() || extension.len() > EXTENSION {
        return (text, None);
    }
    let label = before.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '.' | ':' | '=' | '-'));
    let marked = EXTENSION_MARKS.iter().find_map(|mark| {
        let number = label.strip_suffix(mark)?;
        let is_word = mark.chars().all(char::is_alphabetic);
        (!is_word || !number.ends_with(char::is_alphabetic)).then_some(number)
    });
    let number = match marked {
        Some(number) => number,
        None if is_hashed && extension.len() <= EXTENSION_BEFORE_HASH && before.ends_with([' ', '-']) => before,
        None => return (text, None),
    };
    let number = number.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '(' | ',' | ';' | '.' | '-' | '/'));
    let digits = number.chars().filter(char::is_ascii_digit).count();
    // A sign may stand between the digits of one number; a word may not.
    let is_said = label.ends_with(char::is_alphabetic) && digits > 0;
    if is_said || digits >= FEWEST_BEFORE_SIGN { (number, Some(extension.to_owned())) } else { (text, None) }
}

fn is_dash(c: char) -> bool {
    matches!(c, '\u{2010}'..='\u{2015}' | '\u{2043}' | '\u{2053}' | '\u{2212}' | '\u{223c}' | '\u{30fc}' | '\u{ad}')
}

#[cfg(test)]
mod tests;
