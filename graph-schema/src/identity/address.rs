//! Postal addresses, whoever wrote them.

mod street;

use std::{collections::HashMap, sync::LazyLock};

use self::street::is_street;
use super::{
    Identity, IdentityRules, is_too_long, of,
    text::{caseless, folded, is_of_a_word, joined, one_line},
};
use crate::actor::AddressRecord;

/// Usual abbreviations of countries: `COUNTRIES: SHORT=LONG …`; a `-` before the short form says that it may end a longer word, a `.` behind it that it
/// is one only with its dot, before a number.
pub const ABBREVIATIONS: &str = include_str!("../../data/address_abbreviations.txt");
/// Countries whose addresses have no abbreviations of their own, and addresses without a country.
const ANYWHERE: &str = "*";

/// A box at a post office in its spellings, and the word that stands for all of them.
const POST_BOXES: [&[&str]; 7] =
    [&["post", "office", "box"], &["p", "o", "box"], &["po", "box"], &["post", "box"], &["postbox"], &["p", "o", "b"], &["pob"]];
const POST_BOX: &str = "pobox";

/// A word, and whether a dot stands behind it.
#[derive(Debug)]
struct Word {
    text: String,
    is_dotted: bool,
}

/// A short form that ends a word.
#[derive(Debug, Clone)]
pub struct Ending {
    short: String,
    needs_dot: bool,
    pub long: String,
}

/// The abbreviations of one country.
#[derive(Debug, Default, Clone)]
pub struct Abbreviations {
    /// Words, folded, some with their dot; to nothing for a word that is as often left out.
    pub words: HashMap<String, String>,
    pub endings: Vec<Ending>,
}

impl IdentityRules {
    /// An address by all its parts, without regard to case, script forms, blanks, punctuation and the usual abbreviations of its country. None without
    /// a street, a box or a house: a town is where very many live.
    pub fn address(&self, address: &AddressRecord) -> Option<Identity> {
        let parts = [&address.line1, &address.line2, &address.postcode, &address.city, &address.state, &address.country].map(of);
        if parts.into_iter().any(is_too_long) {
            return None;
        }
        let [line1, line2, postcode, city, state, country] = parts;
        let abbreviations = Abbreviations::of(country);
        let line = |line: &str| if self.placeholders.is_line(line) { String::new() } else { abbreviations.written_out(line) };
        let part = |part: &str| if self.placeholders.is_text(part) { String::new() } else { folded(part) };
        let (lines, town) = ([line(line1), line(line2)], [part(postcode), part(city), part(state), folded(country)]);
        if !is_street(&joined(&lines, " "), &town) {
            return None;
        }
        let [key1, key2] = lines;
        let [key_postcode, key_city, key_state, key_country] = town;
        // Both lines and the town are joined: whether a house number or a postcode went into the next field is chance.
        let id = [joined(&[key1, key2, key_postcode, key_city], " "), key_state, key_country].join("|");
        let town = joined(&[one_line(postcode), one_line(city)], " ");
        Identity::new(id, &joined(&[one_line(line1), one_line(line2), town, one_line(state), one_line(country)], ", "))
    }
}

impl Abbreviations {
    fn of(country: &str) -> &'static Self {
        static ALL: LazyLock<HashMap<String, Abbreviations>> = LazyLock::new(|| Abbreviations::read(ABBREVIATIONS));
        static NONE: LazyLock<Abbreviations> = LazyLock::new(Abbreviations::default);
        ALL.get(country.trim().to_uppercase().as_str()).or_else(|| ALL.get(ANYWHERE)).unwrap_or(&NONE)
    }

    pub fn read(text: &str) -> HashMap<String, Self> {
        let mut all: HashMap<String, Self> = HashMap::new();
        for (countries, pairs) in text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(':')) {
            for country in countries.split_whitespace() {
                let known = all.entry(country.to_owned()).or_default();
                for (short, long) in pairs.split_whitespace().filter_map(|pair| pair.split_once('=')) {
                    known.learn(short, folded(long));
                }
            }
        }
        all
    }

    fn learn(&mut self, short: &str, long: String) {
        let needs_dot = short.ends_with('.');
        match short.strip_prefix('-') {
            Some(ending) => self.endings.push(Ending { short: folded(ending), needs_dot, long }),
            None => drop(self.words.insert(if needs_dot { dotted(&folded(short)) } else { folded(short) }, long)),
        }
    }

    /// A line in folded words, the short ones written out.
    pub fn written_out(&self, line: &str) -> String {
        let words = with_post_boxes(self.words_of(&caseless(line)));
        let starts_with_digit = |word: Option<&Word>| word.is_some_and(|word| word.text.starts_with(|c: char| c.is_ascii_digit()));
        let long = words.iter().enumerate().map(|(at, word)| self.long(word, starts_with_digit(words.get(at + 1))));
        with_initials_joined(long.filter(|word| !word.is_empty()))
    }

    /// The words of a caseless line. Dots inside a known short form do not part it (`C.so`, `n.º`).
    fn words_of(&self, line: &str) -> Vec<Word> {
        let mut words = Vec::new();
        for token in line.split(|c: char| !is_of_a_word(c) && c != '.') {
            let parts: Vec<&str> = token.split('.').filter(|part| !part.is_empty()).collect();
            let whole = parts.concat();
            if parts.len() > 1 && (self.words.contains_key(&whole) || self.without_house_word(&whole).is_some()) {
                words.push(Word { text: whole, is_dotted: true });
                continue;
            }
            let last = parts.len().saturating_sub(1);
            words.extend(parts.iter().enumerate().map(|(at, part)| Word { text: (*part).to_owned(), is_dotted: at < last || token.ends_with('.') }));
        }
        words
    }

    fn long(&self, word: &Word, is_before_number: bool) -> String {
        let counts = word.is_dotted && is_before_number;
        let by_dot = || self.words.get(&dotted(&word.text)).filter(|_| counts);
        if let Some(long) = self.words.get(&word.text).or_else(by_dot) {
            return long.clone();
        }
        if let Some(number) = self.without_house_word(&word.text) {
            return number.to_owned();
        }
        let endings = self.endings.iter().filter(|ending| counts || !ending.needs_dot);
        let before = |ending: &Ending| {
            word.text.strip_suffix(ending.short.as_str()).filter(|rest| !rest.is_empty()).map(|rest| format!("{rest}{}", ending.long))
        };
        endings.filter_map(before).next().unwrap_or_else(|| word.text.clone())
    }

    /// The number of a house to which a word is glued that is as often left out: `nº5`.
    fn without_house_word<'a>(&self, word: &'a str) -> Option<&'a str> {
        let (short, number) = word.split_at(word.find(|c: char| c.is_ascii_digit())?);
        self.words.get(short).is_some_and(String::is_empty).then_some(number)
    }
}

fn dotted(word: &str) -> String {
    format!("{word}.")
}

fn with_post_boxes(words: Vec<Word>) -> Vec<Word> {
    let mut kept = Vec::with_capacity(words.len());
    let mut rest = words.into_iter();
    while let Some(box_words) = POST_BOXES.iter().find(|spelt| begins_with(rest.as_slice(), spelt)).map(|spelt| spelt.len()).or(Some(0)) {
        let Some(first) = rest.next() else { break };
        kept.push(if box_words == 0 { first } else { Word { text: POST_BOX.to_owned(), is_dotted: false } });
        rest.by_ref().take(box_words.saturating_sub(1)).for_each(drop);
    }
    kept
}

fn begins_with(words: &[Word], spelt: &[&str]) -> bool {
    words.len() >= spelt.len() && words.iter().zip(spelt).all(|(word, spelt)| word.text == *spelt)
}

/// Initials as one word: whether blanks stand between them is chance.
fn with_initials_joined(words: impl Iterator<Item = String>) -> String {
    let mut line = String::new();
    let mut was_initial = false;
    for word in words {
        let mut chars = word.chars();
        let is_initial = chars.next().is_some_and(char::is_alphabetic) && chars.next().is_none();
        if !(line.is_empty() || is_initial && was_initial) {
            line.push(' ');
        }
        line.push_str(&word);
        was_initial = is_initial;
    }
    line
}
