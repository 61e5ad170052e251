//! Texts that stand for "there is none". Many records have the same one, so that an identity by it would link strangers.

use std::{collections::HashSet, sync::LazyLock};

use super::text::{alphanumerics, caseless, one_line};

/// Known texts, one a line, under two headings; `#` and a blank begin a remark.
const KNOWN: &str = include_str!("../../data/placeholders.txt");
/// The heading of those that may be somebody's name.
const VALUES: &str = "\n[values]\n";

/// So often a digit other than zero has to stand there before it says nothing.
const REPEATED: usize = 3;

/// The texts that identify nobody: the known ones, and those that a setting adds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Placeholders {
    added: HashSet<String>,
}

impl Placeholders {
    /// The known ones and these.
    pub fn with(added: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        Self { added: added.into_iter().map(|text| spelling(text.as_ref())).filter(|text| !text.is_empty()).collect() }
    }

    /// Whether a value says that there is none: a placeholder, zeros, one digit repeated, or nothing that can be seen.
    pub(super) fn is_value(&self, text: &str) -> bool {
        let spelling = spelling(text);
        spelling.is_empty() || self.has(&spelling) || is_one_digit(&alphanumerics(&spelling))
    }

    /// The same of a part of an address, where one digit repeated is a number as any other.
    pub(super) fn is_text(&self, text: &str) -> bool {
        self.has(&spelling(text))
    }

    /// The same of a name or an id, which may be a number.
    pub(super) fn is_name(&self, text: &str) -> bool {
        self.is_said(&spelling(text))
    }

    /// Whether nobody reads an email address: `none@…`, or the same for both its parts.
    pub(super) fn is_email(&self, local: &str, domain: &str) -> bool {
        let host = domain.split('.').next().unwrap_or_default();
        self.is_name(local) || (self.is_value(local) && self.is_value(host)) || is_one_digit(&alphanumerics(local))
    }

    fn has(&self, spelling: &str) -> bool {
        self.is_said(spelling) || known_values().contains(spelling)
    }

    fn is_said(&self, spelling: &str) -> bool {
        known_anywhere().contains(spelling) || self.added.contains(spelling)
    }
}

fn known_anywhere() -> &'static HashSet<String> {
    static KNOWN: LazyLock<HashSet<String>> = LazyLock::new(|| lines().0.map(spelling).collect());
    &KNOWN
}

fn known_values() -> &'static HashSet<String> {
    static KNOWN: LazyLock<HashSet<String>> = LazyLock::new(|| lines().1.map(spelling).collect());
    &KNOWN
}

/// The lines under both headings.
fn lines() -> (impl Iterator<Item = &'static str>, impl Iterator<Item = &'static str>) {
    let (anything, values) = KNOWN.split_once(VALUES).unwrap_or((KNOWN, ""));
    let texts = |part: &'static str| part.lines().filter(|line| !line.is_empty() && !line.starts_with("# ") && !line.starts_with('['));
    (texts(anything), texts(values))
}

fn spelling(text: &str) -> String {
    one_line(&caseless(text))
}

/// Zeros, or one other digit over and over.
pub(super) fn is_one_digit(text: &str) -> bool {
    match text.as_bytes() {
        [b'0', rest @ ..] => rest.iter().all(|byte| *byte == b'0'),
        [first @ b'1'..=b'9', rest @ ..] => rest.len() + 1 >= REPEATED && rest.iter().all(|byte| byte == first),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_says_nothing() {
        let placeholders = Placeholders::with(["Kein Eintrag", " "]);
        let nothing = [
            "N/A",
            " n/a ",
            "Unknown",
            "UNKNOWN",
            "none",
            "NOTPROVIDED",
            "Not  Provided",
            "-",
            "--",
            "XXXX",
            "0",
            "0000000000",
            "000-000 0000",
            "1111111",
            "9 9 9",
            "keine Angabe",
            "",
            " ",
            "\u{200b}",
            "kein eintrag",
            "Ｎ／Ａ",
            "٠٠٠٠",
        ];
        for text in nothing {
            assert!(placeholders.is_value(text), "{text}");
        }
        for text in ["Anna", "11", "7", "0001", "1112", "Nonea", "AB1234", "Unknown Pleasures Ltd", "Na Yoon"] {
            assert!(!placeholders.is_value(text), "{text}");
        }
        for text in ["Na", "x", "0000", "1111", "Nil", "Blank", "kein", ""] {
            assert!(!placeholders.is_name(text), "{text} may be somebody's");
        }
        for text in ["N/A", "unknown", "NOTPROVIDED", "-", "kein eintrag"] {
            assert!(placeholders.is_name(text), "{text}");
        }
        assert!(!Placeholders::default().is_value("Kein Eintrag"));
    }

    #[test]
    fn every_line_is_one_text() {
        let (anything, values) = lines();
        let all: Vec<String> = anything.chain(values).map(spelling).collect();
        let distinct: HashSet<&String> = all.iter().collect();
        assert_eq!(all.len(), distinct.len(), "a line is there twice");
        assert!(all.len() > 100 && all.iter().all(|text| !text.is_empty()));
    }
}
