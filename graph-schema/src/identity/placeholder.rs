//! Texts that stand for "there is none". Many records have the same one, so that an identity by it would link strangers.

use std::{
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

use super::text::{alphanumerics, caseless, folded, one_line};

/// Known texts, one a line, under a heading for each kind; `#` and a blank begin a remark.
const KNOWN: &str = include_str!("../../data/placeholders.txt");

/// So often a digit other than zero has to stand there before it says nothing.
const REPEATED: usize = 3;
/// So often a letter other than x.
const REPEATED_LETTERS: usize = 4;
/// So often a digit behind a country's or a document's letters.
const REPEATED_BEHIND_LETTERS: usize = 6;
/// So often a digit or letter where the text is an id, which may be a short number of somebody's own.
const REPEATED_IN_ID: usize = 12;
/// So many letters make a placeholder that is known by them alone, wherever its words end: `un-known`, but not `Na` for `N/A`.
const LETTERS: usize = 6;
/// So many letters each by itself are one word that is spaced out.
const SPACED: usize = 4;
/// Words of the longest known text, and bytes of a text that may be made of such.
pub const WORDS: usize = 5;
const LONGEST: usize = 200;

/// What a known text is a placeholder for; each kind holds for what the former ones hold for, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Names and all else.
    Anything,
    /// The same but for names; nobody is called so in an email address either.
    Word,
    /// Ids, numbers, emails and addresses, because it may be somebody's name.
    Value,
    /// What a field is called, in the field itself.
    Field,
}

pub const HEADINGS: [(&str, Kind); 4] =
    [("[anything]", Kind::Anything), ("[words]", Kind::Word), ("[values]", Kind::Value), ("[fields]", Kind::Field)];

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

    /// Whether a value says that there is none: a placeholder, one sign repeated, or nothing with a letter or digit.
    pub(crate) fn is_value(&self, text: &str) -> bool {
        let letters = alphanumerics(text);
        letters.is_empty() || is_repeated(&letters) || is_repeated_behind_letters(&letters) || self.says_nothing(text, Kind::Field)
    }

    /// The same of a part of an address, where one digit repeated is a number as any other.
    pub(crate) fn is_text(&self, text: &str) -> bool {
        self.says_nothing(text, Kind::Value) || consists_of(&alphanumerics(text), &['0', 'X'])
    }

    /// The same of a line of an address, in which the name of the field says nothing.
    pub(super) fn is_line(&self, text: &str) -> bool {
        self.is_text(text) || self.says_nothing(text, Kind::Field)
    }

    /// The same of a name, which may be a number.
    pub fn is_name(&self, text: &str) -> bool {
        self.says_nothing(text, Kind::Anything)
    }

    /// The same of an id. A short number may be the id of a record, even a zero; zeros, an x, any sign many times are none.
    pub(crate) fn is_id(&self, text: &str) -> bool {
        let letters = alphanumerics(text);
        let is_mask = letters.len() > 1 && consists_of(&letters, &['0', 'X']);
        let is_long = letters.len() >= REPEATED_IN_ID && one_sign(&letters).is_some();
        is_mask || is_long || self.says_nothing(text, Kind::Value)
    }

    /// Whether nobody reads an email address: `none@…`, the same for both its parts, or a local part that is masked.
    pub(crate) fn is_email(&self, local: &str, domain: &str) -> bool {
        let host = domain.split('.').next().unwrap_or_default();
        let letters = alphanumerics(local);
        let is_sign = is_one_digit(&letters) || (letters.len() >= REPEATED && consists_of(&letters, &['X']));
        let is_word = self.says_nothing(local, Kind::Word);
        is_sign || has_stars(local) || is_word || (self.is_value(local) && self.is_value(host))
    }

    fn says_nothing(&self, text: &str, kind: Kind) -> bool {
        if text.len() > LONGEST {
            return false;
        }
        let spelling = spelling(text);
        let words: Vec<&str> = spelling.split(' ').filter(|word| !word.is_empty()).collect();
        if words.is_empty() {
            return false;
        }
        let letters = words.concat();
        let is_spaced = words.len() >= SPACED && words.iter().all(|word| word.chars().count() == 1);
        let is_by_letters = is_spaced || letters.chars().count() >= LETTERS;
        is_punctuation(text) || self.is_made_of(&words, kind) || (is_by_letters && self.is_known(&letters, kind))
    }

    /// Whether the words are known texts, one behind the other.
    fn is_made_of(&self, words: &[&str], kind: Kind) -> bool {
        let mut is_end = vec![false; words.len() + 1];
        is_end[0] = true;
        for end in 1..=words.len() {
            is_end[end] = (end.saturating_sub(WORDS)..end).any(|start| is_end[start] && self.is_known(&words[start..end].join(" "), kind));
        }
        is_end[words.len()]
    }

    fn is_known(&self, words: &str, kind: Kind) -> bool {
        self.added.contains(words) || known().get(words).is_some_and(|known| *known <= kind)
    }
}

fn known() -> &'static HashMap<String, Kind> {
    static KNOWN: LazyLock<HashMap<String, Kind>> = LazyLock::new(|| {
        let mut known = HashMap::new();
        for (line, kind) in lines() {
            let words = spelling(line);
            let letters: String = words.split(' ').collect();
            if letters.chars().count() >= LETTERS {
                known.entry(letters).or_insert(kind);
            }
            known.entry(words).or_insert(kind);
        }
        known
    });
    &KNOWN
}

pub fn lines() -> impl Iterator<Item = (&'static str, Kind)> {
    let mut kind = Kind::Field;
    KNOWN.lines().filter(|line| !line.is_empty() && !line.starts_with("# ")).filter_map(move |line| {
        match HEADINGS.iter().find(|(heading, _)| *heading == line) {
            Some((_, next)) => {
                kind = *next;
                None
            }
            None => Some((line, kind)),
        }
    })
}

/// The words of a text; where it has none, its signs.
pub fn spelling(text: &str) -> String {
    let words = folded(text);
    if words.is_empty() { one_line(&caseless(text)) } else { words }
}

/// Punctuation and blanks alone. Other signs may be somebody's id or name.
fn is_punctuation(text: &str) -> bool {
    caseless(text)
        .chars()
        .all(|c| c.is_ascii_punctuation() || c.is_whitespace() || matches!(c, '\u{2010}'..='\u{2027}' | '¿' | '¡' | '·' | '\u{2212}'))
}

/// Zeros, or one other digit over and over.
pub(super) fn is_one_digit(text: &str) -> bool {
    match text.as_bytes() {
        [b'0', rest @ ..] => rest.iter().all(|byte| *byte == b'0'),
        [first @ b'1'..=b'9', rest @ ..] => rest.len() + 1 >= REPEATED && rest.iter().all(|byte| byte == first),
        _ => false,
    }
}

/// Signs in the place of what is kept back: `****1234`. Whoever has the same rest has it by chance. A bullet by itself stands between what it separates.
pub(super) fn has_stars(text: &str) -> bool {
    let (is_star, is_bullet) = (|c: char| matches!(c, '*' | '＊' | '∗'), |c: char| matches!(c, '•' | '●'));
    // Two with blanks or other signs between them at the most.
    let signs = || text.chars().filter(|c| is_bullet(*c) || c.is_alphanumeric());
    let beside = signs().zip(signs().skip(1)).any(|(one, next)| is_bullet(one) && is_bullet(next));
    beside || text.chars().filter(|c| is_star(*c)).nth(1).is_some()
}

/// The same of a number, in which letters x do so as well.
pub fn is_masked(number: &str) -> bool {
    has_stars(number) || caseless(number).contains("xxx")
}

fn is_repeated(letters: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_uppercase();
    is_one_digit(letters)
        || consists_of(letters, &['X'])
        || one_sign(letters).is_some_and(|sign| is_letter(sign) && letters.len() >= REPEATED_LETTERS)
}

fn is_repeated_behind_letters(letters: &str) -> bool {
    let digits = letters.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    (1..=3).contains(&(letters.len() - digits.len())) && digits.len() >= REPEATED_BEHIND_LETTERS && is_one_digit(digits)
}

/// The one sign that the text repeats.
fn one_sign(text: &str) -> Option<char> {
    let first = text.chars().next()?;
    text.chars().all(|c| c == first).then_some(first)
}

/// Whether the text has signs, all of one of these.
fn consists_of(text: &str, signs: &[char]) -> bool {
    one_sign(text).is_some_and(|sign| signs.contains(&sign))
}
