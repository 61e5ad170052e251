//! Phone numbers, by the numbering plans of all countries.
//!
//! A number is its digits and nothing else: a text with letters in it is no number, and its own identity; one without a digit is none. What a
//! telephone dials behind the number (an extension) is part of the identity; the number without it, the switchboard, is a second one. Numbers that are
//! too short to be one subscriber's (emergency and service numbers, numbers inside a house) identify nobody. Digits that no plan knows are a number of
//! their country only, or of the context that RFC 3966 gives them: elsewhere the same digits are somebody else's.

mod extension;
mod parameters;

use std::str::FromStr;

use phonenumber::{Metadata, Mode, PhoneNumber, Type, country, metadata::DATABASE};

use self::{
    extension::{group_behind, last_group, split_extension},
    parameters::{Context, Parameters},
};
use super::{
    Identity, IdentityRules, is_too_long,
    placeholder::{is_masked, is_one_digit},
    text::{caseless, folded, one_line, plain, separates},
};

/// Digits, without a country's code, that are no subscriber's unless a numbering plan says so.
const SHORT: usize = 6;
/// Most digits of a country's code.
const COUNTRY_CODE: usize = 3;
/// Fewest digits of a subscriber behind whom a group of digits may be an extension.
const SUBSCRIBER: usize = 6;
/// Fewest digits that are a number whatever country it is in: without a region, fewer may be local ones.
const WHOLE: usize = 10;
/// Most digits of an emergency number, which has the same in many networks.
const EMERGENCY: usize = 3;

/// What most of the world dials before a country's code.
const ABROAD: &str = "00";

/// What was dialled before numbers of a country, by its code, and is no longer in the library's plans.
const RETIRED_PREFIXES: [(&str, &[&str]); 1] = [("52", &["1", "01", "044", "045"])];

/// Signs that say something between digits: what has one is no number.
const MEANINGFUL: [char; 10] = ['+', '=', '<', '>', '%', '&', '@', '?', '!', '§'];
/// So many zeros at the end of a number are nobody's.
const ZEROS: &str = "0000000";

/// Where a number is dialled.
#[derive(Debug, Clone, Copy, Default)]
struct Home<'a> {
    /// The code of a country, as it was given.
    code: Option<&'a str>,
    region: Option<country::Id>,
}

/// A text that may be dialled.
#[derive(Debug, Default, PartialEq)]
struct Dialled {
    /// Whether it begins with `+`.
    is_international: bool,
    digits: String,
    context: Option<Context>,
    extension: Option<String>,
}

impl IdentityRules {
    /// A phone number as E.164, read as one of `region` (an ISO 3166-1 alpha-2 code) when it has no country code of its own; behind it the
    /// switchboard, where it has an extension. None for a number that identifies nobody.
    pub fn phone(&self, number: &str, region: Option<&str>) -> Vec<Identity> {
        if is_too_long(number) || is_masked(number) || self.placeholders.is_value(number) {
            return Vec::new();
        }
        let home = Home { code: region, region: region.and_then(|code| country::Id::from_str(code).ok()) };
        let Some(dialled) = Dialled::read(number, home) else {
            let text = folded(number);
            // Words alone (`ex-directory`) may stand in many records.
            let has_digit = text.contains(|c: char| c.is_ascii_digit());
            return has_digit.then(|| Identity::new(text, number)).flatten().into_iter().collect();
        };
        let Some(subscriber) = Identity::of_subscriber(&dialled, home, number) else { return Vec::new() };
        let extended = dialled
            .extension
            .as_ref()
            .and_then(|extension| Identity::new(format!("{};ext={extension}", subscriber.id), &format!("{} ext. {extension}", subscriber.name)));
        extended.into_iter().chain([subscriber]).collect()
    }
}

impl Identity {
    fn of_subscriber(dialled: &Dialled, home: Home<'_>, written: &str) -> Option<Self> {
        if let Some(known) = dialled.subscriber(home.region) {
            let national = known.national().to_string();
            let is_lines = matches!(known.number_type(&DATABASE), Type::FixedLine | Type::Mobile | Type::FixedLineOrMobile);
            let says_nothing = is_nobodys(&national) || (national.len() <= SHORT && !is_lines);
            return if says_nothing { None } else { Self::new(e164(&known), &known.format().mode(Mode::International).to_string()) };
        }
        let id = dialled.unknown_to_plans(home)?;
        let plus = if dialled.is_international { "+" } else { "" };
        let written = if dialled.extension.is_none() { one_line(&plain(written)) } else { format!("{plus}{}", dialled.digits) };
        Self::new(id, &written)
    }
}

impl Dialled {
    fn read(number: &str, home: Home<'_>) -> Option<Self> {
        let text = caseless(number);
        let text = text.trim();
        let text = ["tel:", "callto:"].iter().find_map(|scheme| text.strip_prefix(scheme)).unwrap_or(text).trim();
        let extended = |(number, extension): (&str, String)| {
            let dialled = Self { extension: Some(extension), ..Self::parse(number)? };
            // Without it there has to be a subscriber, or the group belongs to the number.
            let known = dialled.subscriber(home.region)?;
            (known.national().to_string().len() >= SUBSCRIBER).then_some(dialled)
        };
        group_behind(text).and_then(extended).or_else(|| {
            let whole = Self::parse(text)?;
            // What is a subscriber's number without its last group only is one with an extension. Without a country's code it may be another country's.
            let may_be = whole.is_international && whole.extension.is_none() && whole.subscriber(home.region).is_none();
            if may_be { last_group(text).and_then(extended).or(Some(whole)) } else { Some(whole) }
        })
    }

    /// Nothing where the text has anything but digits, signs between them and an extension.
    fn parse(text: &str) -> Option<Self> {
        let (text, parameters) = Parameters::split(text);
        let (body, extension) = if parameters.extension.is_some() { (text, parameters.extension) } else { split_extension(text) };
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
                _ if c.is_whitespace() || is_dash(c) || (separates(c) && !MEANINGFUL.contains(&c)) => {}
                _ => return None,
            }
        }
        if digits.is_empty() || (is_code && digits.len() > SHORT) {
            return None;
        }
        let context = parameters.context.filter(|_| !is_international);
        Some(Self { is_international, digits, context, extension }.without_prefix_behind_plus())
    }

    /// The key of digits that no numbering plan knows. None where they may be anybody's.
    fn unknown_to_plans(&self, home: Home<'_>) -> Option<String> {
        let digits = &self.digits;
        let length_of_code = |digits: &str| country_code(digits).map_or(0, |(length, _)| length);
        let code = match digits.strip_prefix(ABROAD) {
            _ if self.is_international => length_of_code(digits),
            Some(rest) => ABROAD.len() + length_of_code(rest),
            None => 0,
        };
        let national = &digits[code..];
        let shortest = if matches!(self.context, Some(Context::Domain(_))) { EMERGENCY } else { SHORT };
        if national.len() <= shortest || is_nobodys(national) {
            return None;
        }
        match (&self.context, home.code) {
            _ if self.is_international => Some(format!("+{digits}")),
            (Some(context), _) => Some(format!("{digits};phone-context={context}")),
            (None, Some(code)) => Some(format!("{digits};phone-context={}", code.trim().to_uppercase())),
            (None, None) => (digits.len() >= WHOLE).then(|| digits.clone()),
        }
    }

    /// `+00…` is what some write who dial `00`.
    fn without_prefix_behind_plus(mut self) -> Self {
        if let Some(digits) = self.digits.strip_prefix(ABROAD).filter(|digits| self.is_international && !digits.is_empty()) {
            self.digits = digits.to_owned();
        }
        self
    }

    /// The subscriber whom a numbering plan knows.
    fn subscriber(&self, region: Option<country::Id>) -> Option<PhoneNumber> {
        if self.is_international {
            return international(&self.digits);
        }
        match &self.context {
            // A country's code, perhaps with more digits. A national number may come with the zero in front that is dialled at home.
            Some(Context::Prefix(prefix)) => return international(&format!("{prefix}{}", self.digits)),
            Some(Context::Domain(_)) => return None,
            None => {}
        }
        let region = region.and_then(|region| DATABASE.by_id(region.as_ref()).map(|metadata| (region, metadata)));
        let abroad = region.and_then(|(_, metadata)| behind_prefix(metadata, &self.digits));
        abroad
            .or_else(|| region.and_then(|(region, metadata)| national(region, metadata, &self.digits)))
            .or_else(|| international(self.digits.strip_prefix(ABROAD)?))
    }
}

/// One digit over and over, or zeros at the end.
fn is_nobodys(national: &str) -> bool {
    is_one_digit(national) || national.ends_with(ZEROS)
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

/// A number as it is dialled inside its country. The last resorts are for those that begin like the prefix but are written without it, and for those
/// with a bare country's code.
fn national(region: country::Id, metadata: &Metadata, digits: &str) -> Option<PhoneNumber> {
    let code = metadata.country_code().to_string();
    let behind_prefix = || international(&format!("{code}{}", digits.strip_prefix(metadata.national_prefix()?)?));
    valid(Some(region), digits)
        .or_else(behind_prefix)
        .or_else(|| without_retired_prefix(&code, digits))
        .or_else(|| international(&format!("{code}{digits}")))
        .or_else(|| digits.starts_with(&code).then(|| international(digits)).flatten())
}

/// A number behind the prefix that the country dials before codes of countries.
fn behind_prefix(metadata: &Metadata, digits: &str) -> Option<PhoneNumber> {
    let found = metadata.international_prefix()?.find(digits)?;
    (found.start() == 0).then(|| &digits[found.end()..]).and_then(international)
}

pub fn valid(region: Option<country::Id>, text: &str) -> Option<PhoneNumber> {
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

fn is_dash(c: char) -> bool {
    matches!(c, '\u{2010}'..='\u{2015}' | '\u{2043}' | '\u{2053}' | '\u{2212}' | '\u{223c}' | '\u{30fc}' | '\u{ad}')
}
