//! Scores in the manner of OFAC's own search, for whoever has to show what such a search says.
//!
//! OFAC tells of its search (frequently asked question 249) that whole names are compared by Jaro-Winkler, that each part of the name that is entered is
//! compared with the parts of listed names by Jaro-Winkler and Soundex, that the scores of these parts make up one, and that the higher score is told. How
//! they do, and what a name that merely sounds alike is worth, it does not tell. Here each part has the part of the other name that is most like it: as much
//! as Jaro-Winkler says, and half of what is missing besides where both sound alike. The score of the parts is the mean of all parts of both names, and not
//! of one name's, so that it is the same both ways.

use strsim::jaro_winkler;

use crate::score::{Explained, Parts, Reason, What, as_score};
use crate::token::How;

/// From here on two names are said to match.
pub const THRESHOLD: f32 = 0.92;
/// Parts that are less alike are not alike at all.
const ALIKE: f64 = 0.6;

/// Two parts, one of each name, and how much they are alike.
struct Pair<'a> {
    first: &'a str,
    second: &'a str,
    alike: f64,
}

/// The score of two names.
pub fn score_parts(first: &Parts, second: &Parts) -> f32 {
    let (first, second) = (texts(first), texts(second));
    as_score((1.0 - whole(&first, &second).max(mean(&pairs(&first, &second), first.len()))) as f32)
}

/// The score with its reasons: of the whole names, or of each part, whichever is higher.
pub fn explain_parts(first: &Parts, second: &Parts) -> Explained {
    let (first, second) = (texts(first), texts(second));
    let (whole, pairs) = (whole(&first, &second), pairs(&first, &second));
    let by_parts = mean(&pairs, first.len());
    let reasons = if whole >= by_parts {
        vec![reason(&first.join(" "), &second.join(" "), whole, 1.0)]
    } else {
        pairs.iter().map(|pair| reason(pair.first, pair.second, pair.alike, pairs.len() as f64)).collect()
    };
    Explained { score: as_score((1.0 - whole.max(by_parts)) as f32), reasons }
}

fn reason(first: &str, second: &str, alike: f64, of: f64) -> Reason {
    let what = match alike {
        _ if first == second => What::Kept,
        alike if alike > 0.0 => What::Matched(How::Spelled),
        _ => What::Missing,
    };
    Reason { first: first.to_owned(), second: second.to_owned(), what, cost: ((1.0 - alike) / of) as f32 }
}

fn texts<'a>(parts: &Parts<'a>) -> Vec<&'a str> {
    parts.tokens.iter().map(|token| &*token.text).collect()
}

fn whole(first: &[&str], second: &[&str]) -> f64 {
    if first.is_empty() || second.is_empty() { 0.0 } else { both_ways(&first.join(" "), &second.join(" ")) }
}

/// Each part of both names with the part of the other that is most like it.
fn pairs<'a>(first: &[&'a str], second: &[&'a str]) -> Vec<Pair<'a>> {
    let of_first = first.iter().map(|&part| {
        let (other, alike) = nearest(part, second);
        Pair { first: part, second: other, alike }
    });
    let of_second = second.iter().map(|&part| {
        let (other, alike) = nearest(part, first);
        Pair { first: other, second: part, alike }
    });
    of_first.chain(of_second).collect()
}

/// The pairs of each name, of which the first one has so many, are summed by themselves: sums of fractions depend on their order.
fn mean(pairs: &[Pair], of_first: usize) -> f64 {
    let sum = |pairs: &[Pair]| pairs.iter().map(|pair| pair.alike).sum::<f64>();
    let (first, second) = pairs.split_at(of_first);
    if pairs.is_empty() { 0.0 } else { (sum(first) + sum(second)) / pairs.len() as f64 }
}

/// The part that is most like another; an empty one where none is alike.
fn nearest<'a>(part: &str, others: &[&'a str]) -> (&'a str, f64) {
    let mut best = ("", 0.0);
    for &other in others {
        let alike = alike(part, other);
        if alike > best.1 {
            best = (other, alike);
        }
    }
    best
}

fn alike(one: &str, other: &str) -> f64 {
    let written = both_ways(one, other);
    if written < ALIKE {
        return 0.0;
    }
    let sounds = soundex(one);
    if sounds.is_some() && sounds == soundex(other) { f64::midpoint(written, 1.0) } else { written }
}

/// Which letters the measure pairs may depend on which text is first.
fn both_ways(one: &str, other: &str) -> f64 {
    jaro_winkler(one, other).max(jaro_winkler(other, one))
}

/// The letter and three digits by which American Soundex knows a word; none of what has no Latin letter.
fn soundex(word: &str) -> Option<[u8; 4]> {
    let mut letters = word.bytes().filter(u8::is_ascii_alphabetic).map(|letter| letter.to_ascii_lowercase());
    let first = letters.next()?;
    let (mut code, mut length, mut last) = ([first, b'0', b'0', b'0'], 1, digit(first));
    for letter in letters {
        let digit = digit(letter);
        if let Some(digit) = digit.filter(|_| digit != last && length < code.len()) {
            code[length] = digit;
            length += 1;
        }
        // What stands on both sides of h and w is one sound; vowels part it.
        if !matches!(letter, b'h' | b'w') {
            last = digit;
        }
    }
    Some(code)
}

fn digit(letter: u8) -> Option<u8> {
    match letter {
        b'b' | b'f' | b'p' | b'v' => Some(b'1'),
        b'c' | b'g' | b'j' | b'k' | b'q' | b's' | b'x' | b'z' => Some(b'2'),
        b'd' | b't' => Some(b'3'),
        b'l' => Some(b'4'),
        b'm' | b'n' => Some(b'5'),
        b'r' => Some(b'6'),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::name::{Kind, Name};

    fn score(first: &str, second: &str) -> f32 {
        let [first, second] = [first, second].map(|name| Name::new(name, Kind::Person));
        score_parts(&Parts::of(&first), &Parts::of(&second))
    }

    #[test]
    fn words_have_the_codes_of_american_soundex() {
        for (word, code) in [
            ("robert", "r163"),
            ("rupert", "r163"),
            ("ashcraft", "a261"),
            ("tymczak", "t522"),
            ("pfister", "p236"),
            ("honeyman", "h555"),
            ("lee", "l000"),
        ] {
            assert_eq!(soundex(word).map(|code| String::from_utf8_lossy(&code).into_owned()).as_deref(), Some(code), "{word}");
        }
        assert_eq!(soundex("1917"), None);
    }

    #[test]
    fn the_higher_of_the_whole_names_and_their_parts_is_told_both_ways() {
        assert!((score("Sergey Lavrov", "Sergey Lavrov") - 1.0).abs() < 1e-6);
        // Parts in another order are the same parts.
        assert!(score("Sergey Lavrov", "Lavrov Sergey") > 0.99);
        for (first, second, is_match) in [
            ("Sergey Lavrov", "Sergei Lavrov", true),
            ("Kim Jong Un", "Barack Obama", false),
            ("Sergey Lavrov", "Petra Grey", false),
            ("Sergey Lavrov", "Сергей Лавров", true),
        ] {
            let (one, other) = (score(first, second), score(second, first));
            assert_eq!(one.to_bits(), other.to_bits(), "{first}, {second}: {one} and {other}");
            assert_eq!(one >= THRESHOLD, is_match, "{first}, {second}: {one}");
        }
        assert!(score("", "Sergey Lavrov") < 1e-6);
    }

    #[test]
    fn the_order_of_two_names_does_not_change_a_bit_of_what_is_rounded() {
        let names = ["Ann Lee Marr", "Lee Anne Mar", "Martha Lind Osk", "Dixon Dickson", "Crate Trace", "Al Bin Carron Dee", "Karen Del Binn", "Q"];
        for (first, second) in names.iter().flat_map(|first| names.iter().map(move |second| (*first, *second))) {
            let [first, second] = [first, second].map(|name| Name::new(name, Kind::Person));
            let (one, other) = (Parts::of(&first), Parts::of(&second));
            let (one, other) = (texts(&one), texts(&other));
            assert_eq!(mean(&pairs(&one, &other), one.len()).to_bits(), mean(&pairs(&other, &one), other.len()).to_bits(), "{one:?}, {other:?}");
            assert_eq!(whole(&one, &other).to_bits(), whole(&other, &one).to_bits(), "{one:?}, {other:?}");
        }
    }

    #[test]
    fn reasons_cost_what_the_score_is_below_one() {
        for (first, second) in [("Sergey Lavrov", "Lavrov Sergei Viktorovich"), ("Sergey Lavrov", "Sergei Lavrof"), ("Ada Quill", "Petra Grey")] {
            let names = [first, second].map(|name| Name::new(name, Kind::Person));
            let explained = explain_parts(&Parts::of(&names[0]), &Parts::of(&names[1]));
            let costs: f32 = explained.reasons.iter().map(|reason| reason.cost).sum();
            assert!((1.0 - costs - explained.score).abs() < 1e-3, "{first}, {second}: {explained:?}");
            assert!((explained.score - score(first, second)).abs() < 1e-6, "{first}, {second}");
        }
    }
}
