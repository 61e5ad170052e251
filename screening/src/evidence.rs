//! What is known about two parties besides their names, and by how much it raises or lowers the score.
//!
//! Each fact changes the score by a stated amount. What is contradicted always costs more than what is missing.

use std::fmt;

use crate::placeholder::is_placeholder;

/// A date, or as much of it as is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartialDate {
    pub year: u16,
    pub month: Option<u8>,
    pub day: Option<u8>,
}

impl PartialDate {
    /// `1952`, `1952-12`, `1952-12-03`, `03 Dec 1952`, `Dec 1952`, `31/01/1952`, `circa 1952`; none for anything else.
    pub fn parse(text: &str) -> Option<PartialDate> {
        PartialDate::read(text).map(|(date, _)| date)
    }

    /// The same, and whether it could have been two days: of `12/03/1952` the year alone is known.
    pub(crate) fn read(text: &str) -> Option<(PartialDate, bool)> {
        let text = text.trim().to_ascii_lowercase();
        let text = ["circa ", "c. ", "ca. ", "approximately ", "~"].iter().find_map(|about| text.strip_prefix(about)).unwrap_or(&text).trim();
        let date = text.split(['t', ' ']).next().filter(|date| date.len() > 4 && date.contains('-')).unwrap_or(text);
        let mut parts = date.split(['-', '/', '.', ' ']).filter(|part| !part.is_empty());
        let (first, second, third) = (parts.next()?, parts.next(), parts.next());
        if parts.next().is_some() {
            return None;
        }
        let surely = |date: Option<PartialDate>| date.map(|date| (date, false));
        if let Some(year) = year(first) {
            return surely(PartialDate::new(year, second.map(number), third.map(number)));
        }
        match (second, third) {
            (Some(second), Some(third)) => {
                let year = year(third)?;
                match number(first).zip(number(second)).filter(|_| date.contains(['/', '-'])) {
                    Some((one @ 1..=12, other @ 1..=12)) if one != other => Some((PartialDate { year, month: None, day: None }, true)),
                    Some((one @ 1..=12, other @ 13..)) => surely(PartialDate::new(year, Some(Some(one)), Some(Some(other)))),
                    _ => surely(PartialDate::new(year, Some(month(second)), Some(number(first)))),
                }
            }
            (Some(second), None) => surely(PartialDate::new(year(second)?, Some(month(first)), None)),
            _ => None,
        }
    }

    fn new(year: u16, month: Option<Option<u8>>, day: Option<Option<u8>>) -> Option<PartialDate> {
        // A month or day of 0 is how some lists write that it is unknown.
        let known = |part: Option<Option<u8>>, most: u8| match part {
            None | Some(Some(0)) => Some(None),
            Some(Some(part)) if part <= most => Some(Some(part)),
            _ => None,
        };
        let month = known(month, 12)?;
        let day = known(day, month.map_or(31, |month| days(year, month)))?;
        Some(PartialDate { year, month, day: day.filter(|_| month.is_some()) })
    }
}

impl fmt::Display for PartialDate {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "{:04}", self.year)?;
        if let Some(month) = self.month {
            write!(out, "-{month:02}")?;
        }
        self.day.map_or(Ok(()), |day| write!(out, "-{day:02}"))
    }
}

/// How many days a month has.
fn days(year: u16, month: u8) -> u8 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

fn year(text: &str) -> Option<u16> {
    (text.len() == 4).then(|| text.parse().ok()).flatten().filter(|year| (1000..=2999).contains(year))
}

fn number(text: &str) -> Option<u8> {
    (text.len() <= 2 && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok()).flatten()
}

fn month(text: &str) -> Option<u8> {
    const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    number(text).or_else(|| MONTHS.iter().position(|month| text.starts_with(month)).and_then(|at| u8::try_from(at + 1).ok()))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sex {
    Female,
    Male,
}

impl Sex {
    pub fn parse(text: &str) -> Option<Sex> {
        match text.trim().to_ascii_lowercase().as_str() {
            "female" | "f" | "woman" => Some(Sex::Female),
            "male" | "m" | "man" => Some(Sex::Male),
            _ => None,
        }
    }
}

/// A number that an authority gave: what kind of number (empty when that is not known), and the number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Identifier {
    pub kind: String,
    pub number: String,
}

impl Identifier {
    /// Only letters and digits count, in capitals. A ship's number is the same with and without the letters `IMO`.
    pub fn new(kind: &str, number: &str) -> Identifier {
        let plain = |text: &str| text.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_uppercase).collect::<String>();
        let number = plain(number);
        match number.strip_prefix("IMO").filter(|digits| digits.len() == 7 && digits.bytes().all(|digit| digit.is_ascii_digit())) {
            Some(digits) => Identifier { kind: "IMO".into(), number: digits.into() },
            None => Identifier { kind: plain(kind), number },
        }
    }

    /// The same of what may stand where a number is missing: none of `--`, `0`, `N/A`, `unknown` and their like, which many have who are not one.
    pub fn known(kind: &str, number: &str) -> Option<Identifier> {
        let identifier = Identifier::new(kind, number);
        (identifier.says_something() && !is_placeholder(&identifier.number)).then_some(identifier)
    }

    /// Whether there is anything but zeros.
    fn says_something(&self) -> bool {
        self.number.chars().any(|letter| letter != '0')
    }
}

/// What is known about a party besides its names. Several values mean that each may be right.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    pub birth_dates: Vec<PartialDate>,
    /// Codes of ISO 3166-1 of two letters, in small letters.
    pub countries: Vec<String>,
    pub sex: Option<Sex>,
    pub identifiers: Vec<Identifier>,
}

/// A fact, and what it says about the two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adjustment {
    pub fact: &'static str,
    pub finding: Finding,
    /// Added to the score.
    pub amount: f32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    Agrees,
    /// As far as it is known on both sides.
    AgreesInPart,
    /// Day and month are in the other order, or one digit differs.
    NearlyAgrees,
    /// The one who is asked about has it, the listed one has not.
    Missing,
    Contradicted,
}

/// The amounts by which facts change a score.
pub mod amounts {
    pub const BIRTH_DATE_AGREES: f32 = 0.08;
    pub const BIRTH_YEAR_AGREES: f32 = 0.03;
    pub const BIRTH_DATE_NEARLY: f32 = -0.02;
    pub const BIRTH_DATE_MISSING: f32 = -0.04;
    pub const BIRTH_DATE_CONTRADICTED: f32 = -0.30;
    pub const COUNTRY_AGREES: f32 = 0.02;
    pub const COUNTRY_MISSING: f32 = -0.005;
    pub const COUNTRY_CONTRADICTED: f32 = -0.04;
    pub const SEX_MISSING: f32 = 0.0;
    pub const SEX_CONTRADICTED: f32 = -0.12;
    pub const IDENTIFIER_AGREES: f32 = 0.30;
    pub const IDENTIFIER_MISSING: f32 = 0.0;
    pub const IDENTIFIER_CONTRADICTED: f32 = -0.08;
}

impl Facts {
    /// What the facts of the one who is asked about say about being a listed one. Facts that the first has not change nothing.
    pub fn compare(&self, listed: &Facts) -> Vec<Adjustment> {
        [
            birth_date(&self.birth_dates, &listed.birth_dates),
            country(&self.countries, &listed.countries),
            sex(self.sex, listed.sex),
            identifier(&self.identifiers, &listed.identifiers),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

fn adjustment(fact: &'static str, finding: Finding, amount: f32) -> Option<Adjustment> {
    Some(Adjustment { fact, finding, amount })
}

/// What is to be said where one or both have no value; none where both have.
fn either_empty(fact: &'static str, asked: bool, listed: bool, missing: f32) -> Option<Option<Adjustment>> {
    match (asked, listed) {
        (true, _) => Some(None),
        (false, true) => Some(adjustment(fact, Finding::Missing, missing)),
        (false, false) => None,
    }
}

fn birth_date(first: &[PartialDate], second: &[PartialDate]) -> Option<Adjustment> {
    const FACT: &str = "birth date";
    if let Some(settled) = either_empty(FACT, first.is_empty(), second.is_empty(), amounts::BIRTH_DATE_MISSING) {
        return settled;
    }
    let nearest = first.iter().flat_map(|one| second.iter().map(move |other| nearness(one, other))).max()?;
    match nearest {
        3 => adjustment(FACT, Finding::Agrees, amounts::BIRTH_DATE_AGREES),
        2 => adjustment(FACT, Finding::AgreesInPart, amounts::BIRTH_YEAR_AGREES),
        1 => adjustment(FACT, Finding::NearlyAgrees, amounts::BIRTH_DATE_NEARLY),
        _ => adjustment(FACT, Finding::Contradicted, amounts::BIRTH_DATE_CONTRADICTED),
    }
}

/// 3: the same day; 2: the same as far as both are known; 1: a slip, or a year beside where no more is known; 0: contradicted.
fn nearness(first: &PartialDate, second: &PartialDate) -> u8 {
    match (first.month.zip(first.day), second.month.zip(second.day)) {
        (Some(one), Some(other)) if first.year == second.year && one == other => 3,
        (Some(one), Some(other)) => u8::from((first.year == second.year && one == (other.1, other.0)) || one_digit_differs(first, second)),
        _ if first.year == second.year => match first.month.zip(second.month) {
            Some((one, other)) if one != other => 0,
            _ => 2,
        },
        _ => u8::from(first.year.abs_diff(second.year) == 1),
    }
}

fn one_digit_differs(first: &PartialDate, second: &PartialDate) -> bool {
    let (first, second) = (first.to_string(), second.to_string());
    first.bytes().zip(second.bytes()).filter(|(one, other)| one != other).count() == 1
}

fn country(first: &[String], second: &[String]) -> Option<Adjustment> {
    const FACT: &str = "country";
    if let Some(settled) = either_empty(FACT, first.is_empty(), second.is_empty(), amounts::COUNTRY_MISSING) {
        return settled;
    }
    if first.iter().any(|one| second.contains(one)) {
        adjustment(FACT, Finding::Agrees, amounts::COUNTRY_AGREES)
    } else {
        adjustment(FACT, Finding::Contradicted, amounts::COUNTRY_CONTRADICTED)
    }
}

fn sex(first: Option<Sex>, second: Option<Sex>) -> Option<Adjustment> {
    match (first, second) {
        (None, _) => None,
        (Some(_), None) => adjustment("sex", Finding::Missing, amounts::SEX_MISSING),
        (Some(one), Some(other)) if one == other => adjustment("sex", Finding::Agrees, 0.0),
        (Some(_), Some(_)) => adjustment("sex", Finding::Contradicted, amounts::SEX_CONTRADICTED),
    }
}

fn identifier(first: &[Identifier], second: &[Identifier]) -> Option<Adjustment> {
    const FACT: &str = "identifier";
    let known = |identifiers: &[Identifier]| identifiers.iter().any(Identifier::says_something);
    if let Some(settled) = either_empty(FACT, !known(first), !known(second), amounts::IDENTIFIER_MISSING) {
        return settled;
    }
    let comparable = |one: &Identifier, other: &Identifier| one.kind == other.kind || one.kind.is_empty() || other.kind.is_empty();
    if first.iter().any(|one| one.says_something() && second.iter().any(|other| comparable(one, other) && one.number == other.number)) {
        return adjustment(FACT, Finding::Agrees, amounts::IDENTIFIER_AGREES);
    }
    let contradicts = |one: &Identifier, other: &Identifier| !one.kind.is_empty() && one.kind == other.kind && other.says_something();
    if first.iter().any(|one| one.says_something() && second.iter().any(|other| contradicts(one, other))) {
        return adjustment(FACT, Finding::Contradicted, amounts::IDENTIFIER_CONTRADICTED);
    }
    adjustment(FACT, Finding::Missing, amounts::IDENTIFIER_MISSING)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(text: &str) -> PartialDate {
        PartialDate::parse(text).unwrap_or_else(|| panic!("{text}"))
    }

    #[test]
    fn dates_are_read_as_far_as_they_are_known() {
        for (text, expected) in [
            ("1952", "1952"),
            ("1952-12", "1952-12"),
            ("1952-12-03", "1952-12-03"),
            ("1952-12-03T00:00:00", "1952-12-03"),
            ("12 Dec 1952", "1952-12-12"),
            ("Dec 1952", "1952-12"),
            ("circa 1948", "1948"),
            ("1952-00-00", "1952"),
            ("31/01/1960", "1960-01-31"),
            ("01/31/1960", "1960-01-31"),
            ("12/03/1952", "1952"),
            ("12-03-1952", "1952"),
            ("03/03/1952", "1952-03-03"),
            ("12.03.1952", "1952-03-12"),
            ("1980-02-29", "1980-02-29"),
        ] {
            assert_eq!(date(text).to_string(), expected, "{text}");
        }
        for text in ["", "unknown", "52", "1952-13-01", "1952-12-32", "1952-12-03-04", "1980-02-30", "1981-02-29", "1952-04-31"] {
            assert_eq!(PartialDate::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_ship_has_one_number_with_and_without_its_letters() {
        assert_eq!(Identifier::new("Vessel Registration Identification", "IMO 9074729"), Identifier::new("IMO", "9074729"));
        assert_eq!(Identifier::new("Passport", "IMO 90747"), Identifier { kind: "PASSPORT".into(), number: "IMO90747".into() });
    }

    #[test]
    fn what_stands_where_a_number_is_missing_is_nobodys() {
        for number in ["", "--", "..", "0", "000000", "-0-", "N/A", "n/a", "unknown", "XXXX", "Not provided"] {
            assert_eq!(Identifier::known("Passport", number), None, "{number}");
        }
        assert_eq!(Identifier::known("Passport", "ZX 100200"), Some(Identifier::new("Passport", "ZX100200")));
        for number in ["--", "0"] {
            let [one, other] = [Identifier::new("", number), Identifier::new("Passport", number)];
            assert_eq!(identifier(&[one], &[other]), None, "{number}");
        }
    }

    #[test]
    fn birth_dates_agree_slip_or_contradict() {
        for (first, second, expected) in [
            ("1952-12-03", "1952-12-03", Finding::Agrees),
            ("1952", "1952-12-03", Finding::AgreesInPart),
            ("1952-12-03", "1952-03-12", Finding::NearlyAgrees),
            ("1952-12-03", "1962-12-03", Finding::NearlyAgrees),
            ("1952", "1953", Finding::NearlyAgrees),
            ("1952-12-03", "1971-01-30", Finding::Contradicted),
            ("1952", "1971", Finding::Contradicted),
            ("1952-12-03", "1952-07-20", Finding::Contradicted),
        ] {
            for (one, other) in [(first, second), (second, first)] {
                let found = birth_date(&[date(one)], &[date(other)]).expect("both are known");
                assert_eq!(found.finding, expected, "{one} {other}");
            }
        }
    }

    #[test]
    fn contradicted_costs_more_than_missing_and_missing_more_than_agreeing() {
        use amounts::*;
        for (agrees, missing, contradicted) in [
            (BIRTH_DATE_AGREES, BIRTH_DATE_MISSING, BIRTH_DATE_CONTRADICTED),
            (COUNTRY_AGREES, COUNTRY_MISSING, COUNTRY_CONTRADICTED),
            (0.0, SEX_MISSING, SEX_CONTRADICTED),
            (IDENTIFIER_AGREES, IDENTIFIER_MISSING, IDENTIFIER_CONTRADICTED),
        ] {
            assert!(contradicted < missing && missing <= agrees, "{contradicted} {missing} {agrees}");
        }
    }
}
