//! A name, taken apart: its words with their roles, and the form of an organisation.

use crate::script::Script;
use crate::tables::{Form, tables};
use crate::token::{Role, Token};
use crate::words::{Word, words};
use crate::{han, hangul};

/// What a name is the name of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    Person,
    Organization,
    /// Ships, aircraft and other things with a name.
    Thing,
    /// A person or an organisation; nobody said.
    Unknown,
}

impl Kind {
    /// By the name of a schema of FollowTheMoney, in any case.
    pub fn of_schema(schema: &str) -> Kind {
        match schema.trim().to_ascii_lowercase().as_str() {
            "person" | "individual" => Kind::Person,
            "organization" | "organisation" | "company" | "publicbody" | "entity" => Kind::Organization,
            "vessel" | "airplane" | "aircraft" | "vehicle" | "asset" | "security" => Kind::Thing,
            _ => Kind::Unknown,
        }
    }

    /// Whether a name of the one kind can be that of the other.
    pub fn can_be(self, other: Kind) -> bool {
        self == other || self == Kind::Unknown || other == Kind::Unknown
    }
}

/// A name that is ready to be compared.
#[derive(Clone, Debug)]
pub struct Name {
    pub kind: Kind,
    /// As it was given, without spaces around it.
    pub given: Box<str>,
    pub tokens: Vec<Token>,
    pub forms: Vec<Form>,
}

impl Name {
    pub fn new(text: &str, kind: Kind) -> Name {
        let person = kind == Kind::Person;
        let mut words = match text.split_once(',') {
            // `SURNAME, Given` is `Given SURNAME`, so that words that are written as one stand beside each other.
            Some((surname, given)) if person && !given.contains(',') && !given.trim().is_empty() => [words(given), words(surname)].concat(),
            _ => words(text),
        };
        let mut forms = Vec::new();
        if !person {
            detach_forms(&mut words);
            forms = take_forms(&mut words, kind == Kind::Unknown);
        }
        let mut tokens = Vec::with_capacity(words.len() + 2);
        let count = words.len();
        let heard = count > 1 && words.iter().any(|word| word.script.is_syllabic() && word.raw.chars().count() > 2);
        for (at, word) in words.into_iter().enumerate() {
            push_tokens(word, at, count, kind, &mut tokens);
        }
        for token in tokens.iter_mut().filter(|token| token.script.is_syllabic()) {
            token.heard |= heard;
        }
        if !person {
            join_numbers(&mut tokens);
        }
        if !tokens.iter().any(|token| matches!(token.role, Role::Name | Role::Number(_) | Role::Common(2.., _))) {
            // A name is never emptied: what would say nothing elsewhere is all there is.
            for token in tokens.iter_mut().filter(|token| token.role != Role::Initial) {
                token.role = Role::Name;
                token.weight = 0.6;
            }
        }
        Name { kind, given: text.trim().into(), tokens, forms }
    }

    /// Nothing that could be compared.
    pub fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }
}

/// `SiemensAG` and `SIEMENSGMBH` are two words each, 北京公司 as well.
fn detach_forms(words: &mut Vec<Word>) {
    const CLEAR: [&str; 8] = ["gmbh", "limited", "aktiengesellschaft", "incorporated", "corporation", "llc", "company", "ltda"];
    let mut at = 0;
    while at < words.len() {
        let word = &mut words[at];
        let length = word.text.len();
        if word.raw.is_empty() {
            let camel = word.camel;
            let cut = (camel >= 2 && tables().forms.contains_key(&word.text[camel..]))
                .then_some(camel)
                .or_else(|| CLEAR.iter().find(|form| length > form.len() + 2 && word.text.ends_with(**form)).map(|form| length - form.len()));
            if let Some(cut) = cut {
                let form = word.text.split_off(cut);
                word.camel = 0;
                let form =
                    Word { text: form, raw: String::new(), script: Script::Latin, dotted: false, capitals: word.capitals, camel: 0, form: false };
                words.insert(at + 1, form);
                at += 1;
            }
        } else if word.script.is_syllabic() {
            detach_written_form(words, at);
        }
        at += 1;
    }
}

fn detach_written_form(words: &mut Vec<Word>, at: usize) {
    let raw = words[at].raw.clone();
    for (form, _) in &tables().attached_forms {
        let (rest, before) = match (raw.strip_suffix(form.as_str()), raw.strip_prefix(form.as_str())) {
            (Some(rest), _) => (rest, false),
            (_, Some(rest)) => (rest, true),
            _ => continue,
        };
        if rest.is_empty() {
            return;
        }
        let [form, rest] = [form.as_str(), rest].map(|part| crate::words::words(part).into_iter().next());
        if let (Some(form), Some(rest)) = (form, rest) {
            words[at] = rest;
            words.insert(if before { at } else { at + 1 }, form);
        }
        return;
    }
}

/// Takes the longest form from each end until there is none, but never the whole name.
fn take_forms(words: &mut Vec<Word>, careful: bool) -> Vec<Form> {
    let tables = tables();
    let mut found = Vec::new();
    let (mut kept_start, mut kept_end) = (Vec::new(), Vec::new());
    let form_of = |words: &[Word]| -> Option<Form> {
        if careful && words.len() == 1 && words[0].text.len() < 3 && !words[0].dotted {
            return None;
        }
        let key = words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
        tables.forms.get(&key).copied()
    };
    loop {
        let longest = words.len().saturating_sub(1).min(6);
        let at_end = (1..=longest).rev().find_map(|length| {
            let part = &words[words.len() - length..];
            (tables.longest_form.get(&part[0].text).is_some_and(|longest| *longest >= length))
                .then(|| form_of(part))
                .flatten()
                .map(|form| (length, form))
        });
        if let Some((length, form)) = at_end {
            take(words, words.len() - length, length, &mut kept_end);
            found.push(form);
            continue;
        }
        let at_start = (1..=longest).rev().find_map(|length| {
            let part = &words[..length];
            (tables.longest_form.get(&part[0].text).is_some_and(|longest| *longest >= length))
                .then(|| form_of(part))
                .flatten()
                .map(|form| (length, form))
        });
        match at_start {
            Some((length, form)) => {
                take(words, 0, length, &mut kept_start);
                found.push(form);
            }
            None => break,
        }
    }
    found.sort_unstable();
    found.dedup();
    words.splice(0..0, kept_start);
    words.extend(kept_end.into_iter().rev());
    found
}

/// Takes a form out of the words. Of one short word it is kept as well: it may be a part of a word that was split (`par tov`).
fn take(words: &mut Vec<Word>, at: usize, length: usize, kept: &mut Vec<Word>) {
    let mut taken: Vec<Word> = words.drain(at..at + length).collect();
    if let [word] = taken.as_mut_slice()
        && word.text.len() <= 3
        && word.raw.is_empty()
    {
        word.form = true;
        kept.append(&mut taken);
    }
}

fn push_tokens(mut word: Word, at: usize, count: usize, kind: Kind, tokens: &mut Vec<Token>) {
    let person = kind == Kind::Person;
    if person && word.dotted && word.text.len() <= 3 && word.raw.is_empty() {
        tokens.extend(word.text.chars().map(|letter| Token::new(letter.to_string(), String::new(), Script::Latin, Role::Initial, true)));
        return;
    }
    if person {
        word.text = without_digits(word.text);
    }
    match word.script {
        Script::Han | Script::Hangul if kind != Kind::Organization && kind != Kind::Thing => return push_eastern(word, count, person, tokens),
        Script::Arabic if word.raw.chars().count() >= 5 && word.raw.starts_with("ال") => {
            tokens.push(Token::new("al".into(), "ال".into(), Script::Arabic, Role::Particle(0), person));
            word.raw.drain(.."ال".len());
            word.text = crate::latin::in_latin(&word.raw).0;
        }
        _ => {}
    }
    if word.text.is_empty() {
        return;
    }
    let role = if word.form { Role::Common(1, u16::MAX) } else { role(&word, at, count, kind) };
    let also = crate::latin::also(&word.raw, word.script).filter(|also| *also != word.text);
    let mut token = Token::new(word.text, word.raw, word.script, role, person);
    token.others.extend(also.map(String::into_boxed_str));
    tokens.push(token);
}

/// Digits for letters that they look like: `Ig0r`, `Sech1n`.
fn without_digits(text: String) -> String {
    if !text.bytes().any(|byte| byte.is_ascii_digit()) || !text.bytes().any(|byte| byte.is_ascii_lowercase()) {
        return text;
    }
    text.chars()
        .map(|letter| match letter {
            '0' => 'o',
            '1' => 'i',
            '3' => 'e',
            '4' => 'a',
            '5' => 's',
            '7' => 't',
            '8' => 'b',
            other => other,
        })
        .collect()
}

fn role(word: &Word, at: usize, count: usize, kind: Kind) -> Role {
    let (tables, text) = (tables(), word.text.as_str());
    if kind == Kind::Person {
        if let Some(group) = tables.particles.get(text).filter(|_| text.len() > 1) {
            return Role::Particle(*group);
        }
        if text.len() == 1 && word.raw.is_empty() {
            return Role::Initial;
        }
        return if tables.titles.contains(text) { Role::Title } else { Role::Name };
    }
    if let Some(number) = number(word, at, count) {
        return Role::Number(number);
    }
    if let Some((says, group)) = tables.common.get(text) {
        return Role::Common(*says, *group);
    }
    if kind == Kind::Unknown {
        if let Some(group) = tables.particles.get(text).filter(|_| text.len() > 1) {
            return Role::Particle(*group);
        }
        if tables.titles.contains(text) && text.len() > 1 {
            return Role::Title;
        }
        if text.len() == 1 && word.raw.is_empty() {
            return Role::Initial;
        }
    }
    if tables.forms.contains_key(text) && at > 0 {
        return Role::Common(1, u16::MAX);
    }
    Role::Name
}

fn number(word: &Word, at: usize, count: usize) -> Option<u32> {
    let text = word.text.as_str();
    if text.len() <= 8
        && let Ok(number) = text.parse()
    {
        return Some(number);
    }
    if let Some(number) = tables().numbers.get(text) {
        return Some(*number);
    }
    (at > 0 && word.capitals && (text.len() > 1 || at + 1 == count)).then(|| roman(text)).flatten()
}

/// Roman numerals up to 39, as series of funds and ships have them.
fn roman(text: &str) -> Option<u32> {
    let value = |letter| match letter {
        b'i' => Some(1),
        b'v' => Some(5),
        b'x' => Some(10),
        _ => None,
    };
    let values = text.bytes().map(value).collect::<Option<Vec<u32>>>()?;
    let number = values.iter().enumerate().fold(0i64, |sum, (at, now)| {
        let less = values.get(at + 1).is_some_and(|next| next > now);
        sum + if less { -i64::from(*now) } else { i64::from(*now) }
    });
    let number = u32::try_from(number).ok().filter(|number| (1..40).contains(number))?;
    (to_roman(number) == text).then_some(number)
}

fn to_roman(number: u32) -> String {
    let tens = "x".repeat((number / 10) as usize);
    tens + ["", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"][(number % 10) as usize]
}

/// `forty four` is 44, `forty 4` as well.
fn join_numbers(tokens: &mut Vec<Token>) {
    let mut at = 1;
    while at < tokens.len() {
        if let (Role::Number(tens), Role::Number(ones)) = (tokens[at - 1].role, tokens[at].role) {
            let in_words = tokens[at - 1].text.bytes().all(|byte| byte.is_ascii_lowercase());
            if in_words && (20..=90).contains(&tens) && tens % 10 == 0 && (1..10).contains(&ones) {
                tokens[at - 1].role = Role::Number(tens + ones);
                tokens.remove(at);
                continue;
            }
        }
        at += 1;
    }
}

/// Whether two characters are one surname.
type IsLongSurname = fn(&str) -> bool;
/// How a surname is read otherwise.
type OtherReadings = fn(&str) -> &'static [&'static str];

/// A Chinese or Korean name without spaces: the surname is the first character, or the first two where they are one surname.
fn push_eastern(word: Word, count: usize, person: bool, tokens: &mut Vec<Token>) {
    let letters: Vec<char> = word.raw.chars().collect();
    let (long, others): (IsLongSurname, OtherReadings) =
        if word.script == Script::Han { (han::is_long_surname, han::surnames) } else { (hangul::is_long_surname, hangul::surnames) };
    let first_two: String = letters.iter().take(2).collect();
    let cut = match letters.len() {
        1 => 1,
        2..=4 if count > 1 => letters.len(),
        3..=4 if long(&first_two) => 2,
        2..=4 => 1,
        _ => letters.len(),
    };
    let surname: String = letters[..cut].iter().collect();
    let given: String = letters[cut..].iter().collect();
    for (part, may_be_surname) in [(surname, cut <= 2), (given, false)] {
        if part.is_empty() {
            continue;
        }
        let text = crate::latin::in_latin(&part).0;
        if text.is_empty() {
            continue;
        }
        let ways = if may_be_surname { others(&part) } else { &[] };
        let given = if word.script == Script::Hangul && ways.is_empty() { hangul::also(&part) } else { Vec::new() };
        let mut token = Token::new(text, part, word.script, Role::Name, person);
        let ways = ways.iter().map(|way| Box::from(*way)).chain(given.into_iter().map(String::into_boxed_str));
        token.others = ways.filter(|way| *way != token.text).collect();
        tokens.push(token);
    }
}
