//! A word of any script in Latin letters.
//!
//! The tables are those of `any_ascii`, with corrections where a language is read otherwise than letter by letter: Greek pairs of letters,
//! Persian and Arabic forms of one letter, the Arabic letter ain, and Cyrillic letters that only stand in for Latin ones they look like.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

use crate::script::Script;

/// The word in small Latin letters and digits, and the script that it was written in.
pub fn in_latin(word: &str) -> (String, Script) {
    let script = main_script(word);
    let mut out = String::with_capacity(word.len() + 4);
    match script {
        Script::Greek => greek(word, false, &mut out),
        Script::Arabic => arabic(word, &mut out),
        Script::Hebrew => hebrew(word, &mut out),
        Script::Hangul => word
            .chars()
            .for_each(|letter| push(&mut out, crate::hangul::in_latin(letter).as_deref().unwrap_or_else(|| any_ascii::any_ascii_char(letter)))),
        Script::Latin => word.chars().for_each(|letter| push(&mut out, looks_like(letter).unwrap_or_else(|| latin(letter)))),
        Script::Cyrillic => word.chars().for_each(|letter| push(&mut out, cyrillic(letter).unwrap_or_else(|| any_ascii::any_ascii_char(letter)))),
        _ => word.chars().for_each(|letter| push(&mut out, any_ascii::any_ascii_char(letter))),
    }
    (out, script)
}

/// Another reading of a word in small letters, where there is one: Greek writes the b, d, g and h of foreign names as μπ, ντ, γκ and χ.
pub fn also(word: &str, script: Script) -> Option<String> {
    let mut out = String::with_capacity(word.len());
    match script {
        Script::Greek => greek(word, true, &mut out),
        // As Russian writes Chinese.
        Script::Cyrillic if word.contains("цз") || word.contains("чж") => {
            let word = word.replace("цз", "ж").replace("чж", "ж");
            word.chars().for_each(|letter| {
                push(&mut out, if letter == 'ж' { "j" } else { cyrillic(letter).unwrap_or_else(|| any_ascii::any_ascii_char(letter)) })
            });
        }
        _ => return None,
    }
    Some(out)
}

/// Only letters and digits are kept, in small letters.
fn push(out: &mut String, ascii: &str) {
    out.extend(ascii.bytes().filter(u8::is_ascii_alphanumeric).map(|byte| char::from(byte.to_ascii_lowercase())));
}

fn main_script(word: &str) -> Script {
    let mut latin = 0usize;
    let mut first_other = None;
    let mut others = 0usize;
    for letter in word.chars().filter(|letter| letter.is_alphabetic()) {
        match Script::of(letter) {
            Script::Latin => latin += 1,
            script => {
                others += 1;
                first_other.get_or_insert(script);
            }
        }
    }
    match first_other {
        Some(script) if others >= latin || script == Script::Han => script,
        _ => Script::Latin,
    }
}

/// Letters of Latin languages that are written out otherwise than `any_ascii` has them.
fn latin(letter: char) -> &'static str {
    match letter {
        'ə' | 'Ə' => "a",
        'ʻ' | 'ʼ' => "",
        _ => any_ascii::any_ascii_char(letter),
    }
}

/// In a Latin word, a Cyrillic or Greek letter stands for the Latin one it looks like.
fn looks_like(letter: char) -> Option<&'static str> {
    Some(match letter {
        'а' | 'А' | 'α' | 'Α' => "a",
        'В' | 'β' | 'Β' => "b",
        'с' | 'С' => "c",
        'е' | 'Е' | 'ё' | 'Ё' | 'Ε' => "e",
        'Н' | 'Η' => "h",
        'і' | 'І' | 'ї' | 'Ї' | 'ι' | 'Ι' => "i",
        'ј' | 'Ј' => "j",
        'к' | 'К' | 'κ' | 'Κ' => "k",
        'М' | 'Μ' => "m",
        'Ν' => "n",
        'о' | 'О' | 'ο' | 'Ο' => "o",
        'р' | 'Р' | 'ρ' | 'Ρ' => "p",
        'ѕ' | 'Ѕ' => "s",
        'Т' | 'τ' | 'Τ' => "t",
        'у' | 'У' | 'υ' | 'Υ' => "y",
        'х' | 'Х' | 'χ' | 'Χ' => "x",
        'Ζ' => "z",
        _ => return None,
    })
}

fn cyrillic(letter: char) -> Option<&'static str> {
    Some(match letter {
        'ь' | 'Ь' | 'ъ' | 'Ъ' | '\u{27}' => "",
        'ё' | 'Ё' => "e",
        'є' | 'Є' => "ye",
        'э' | 'Э' => "e",
        'х' | 'Х' => "kh",
        'ј' | 'Ј' => "j",
        'ц' | 'Ц' => "ts",
        _ => return None,
    })
}

/// Two letters that are one sound; at the beginning of a word μπ, ντ and γκ are b, d and g.
fn greek(word: &str, foreign: bool, out: &mut String) {
    let mut letters: Vec<char> = Vec::with_capacity(word.len());
    for letter in word.nfd().flat_map(char::to_lowercase) {
        match (letter, letters.last_mut()) {
            // With a diaeresis a letter is no part of a pair.
            ('\u{308}', Some(last @ 'υ')) => *last = 'ϋ',
            ('\u{308}', Some(last @ 'ι')) => *last = 'ϊ',
            _ if is_combining_mark(letter) => {}
            _ => letters.push(letter),
        }
    }
    let mut at = 0;
    while at < letters.len() {
        let (first, second) = (letters[at], letters.get(at + 1).copied().unwrap_or(' '));
        let voiced = letters.get(at + 2).is_none_or(|next| "αεηιουωβγδζλμνρ".contains(*next));
        let pair = match (first, second) {
            ('ο', 'υ') => "ou",
            ('γ', 'γ') => "ng",
            ('γ', 'χ') => "nch",
            ('γ', 'κ') => {
                if at == 0 || foreign {
                    "g"
                } else {
                    "gk"
                }
            }
            ('μ', 'π') => {
                if at == 0 || foreign {
                    "b"
                } else {
                    "mp"
                }
            }
            ('ν', 'τ') => {
                if at == 0 || foreign {
                    "d"
                } else {
                    "nt"
                }
            }
            ('τ', 'ζ') if foreign => "j",
            ('σ', 'χ') if foreign => "sh",
            ('α', 'υ') => {
                if voiced {
                    "av"
                } else {
                    "af"
                }
            }
            ('ε', 'υ') => {
                if voiced {
                    "ev"
                } else {
                    "ef"
                }
            }
            ('τ', 'ζ') => "tz",
            _ => "",
        };
        if pair.is_empty() {
            push(
                out,
                match first {
                    'β' => "v",
                    'η' | 'ι' | 'ϊ' => "i",
                    'υ' | 'ϋ' => "y",
                    'θ' => "th",
                    'φ' => "f",
                    'χ' => {
                        if foreign {
                            "h"
                        } else {
                            "ch"
                        }
                    }
                    'ψ' => "ps",
                    'ξ' => "x",
                    'ω' => "o",
                    'ς' => "s",
                    other => any_ascii::any_ascii_char(other),
                },
            );
            at += 1;
        } else {
            out.push_str(pair);
            at += 2;
        }
    }
}

/// Marks of vowels are left out, as they mostly are; forms of one letter on Arabic and Persian keyboards are one.
fn arabic(word: &str, out: &mut String) {
    for letter in word.chars() {
        let ascii = match letter {
            '\u{64b}'..='\u{65f}' | '\u{670}' | '\u{640}' | 'ء' => "",
            'ا' | 'أ' | 'إ' | 'آ' | 'ٱ' | 'ى' => "a",
            'ع' => "a",
            'ة' | 'ۀ' => "a",
            'ه' | 'ہ' | 'ھ' | 'ە' => "h",
            'ك' | 'ک' | 'ڪ' => "k",
            'ي' | 'ی' | 'ئ' | 'ې' | 'ے' => "y",
            'و' | 'ؤ' => "w",
            'خ' => "kh",
            'ح' => "h",
            'ش' => "sh",
            'ث' => "th",
            'ذ' => "dh",
            'غ' => "gh",
            'ج' => "j",
            'چ' => "ch",
            'ژ' => "zh",
            'ط' => "t",
            'ظ' => "z",
            'ص' => "s",
            'ض' => "d",
            'ق' => "q",
            'گ' => "g",
            other => any_ascii::any_ascii_char(other),
        };
        push(out, ascii);
    }
}

fn hebrew(word: &str, out: &mut String) {
    let letters: Vec<char> = word.nfd().filter(|letter| !is_combining_mark(*letter)).collect();
    for (at, letter) in letters.iter().enumerate() {
        let ascii = match letter {
            'א' | 'ע' => "a",
            'ב' => "b",
            'ו' => "w",
            'ח' => "h",
            'ט' | 'ת' => "t",
            'כ' | 'ך' | 'ק' => "k",
            'פ' | 'ף' => {
                if at + 1 == letters.len() {
                    "f"
                } else {
                    "p"
                }
            }
            'צ' | 'ץ' => "ts",
            'ש' => "sh",
            'י' => "y",
            other => any_ascii::any_ascii_char(*other),
        };
        push(out, ascii);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_read_in_latin_letters() {
        for (word, expected) in [
            ("Мухаммад", "mukhammad"),
            ("Лавров", "lavrov"),
            ("Παπανδρέου", "papandreou"),
            ("Ευάγγελος", "evangelos"),
            ("Μπάμπης", "bampis"),
            ("Ταΰγετος", "taygetos"),
            ("محمد", "mhmd"),
            ("کریمی", "krymy"),
            ("كريمي", "krymy"),
            ("Բարակ", "barak"),
            ("ბარაკ", "barak"),
            ("习近平", "xijinping"),
            ("Pаvel", "pavel"),
            ("Łukasz", "lukasz"),
            ("Gülşən", "gulsan"),
            ("김정은", "gimjeongeun"),
        ] {
            assert_eq!(in_latin(word).0, expected, "{word}");
        }
    }
}
