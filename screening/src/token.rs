//! One word of a name, ready to be compared: its letters, its sound, how much it says.

use crate::edit;
use crate::script::Script;
use crate::sound::{consonants, ends_with_vowel, sound, syllables};
use crate::tables::{InGroup, tables};

/// What a word is in its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// A word that says who.
    Name,
    /// One letter that stands for a name.
    Initial,
    /// `Dr`, `Sheikh`: it says what, not who.
    Title,
    /// `bin`, `al`, `von`, by the number of its group.
    Particle(u8),
    /// A number, however it is written.
    Number(u32),
    /// A word that many organisations have: how much it says, and its group of translations.
    Common(u8, u16),
}

/// One word of a name.
#[derive(Clone, Debug)]
pub struct Token {
    pub text: Box<str>,
    pub sound: Box<str>,
    /// As written where that is no Latin script.
    pub raw: Box<str>,
    pub script: Script,
    pub role: Role,
    /// How much it says, from 0 (nothing) to 1 (a rare name).
    pub weight: f32,
    /// It is a frequent name.
    pub known: bool,
    /// Its letters, as bits: what has too many others is not compared.
    letters: u32,
    pub groups: &'static [InGroup],
    /// Other ways in which it is written in Latin letters.
    pub others: Vec<Box<str>>,
    /// It is a foreign name in a script of syllables, which writes what it hears.
    pub heard: bool,
}

impl Token {
    pub fn new(text: String, raw: String, script: Script, role: Role, person: bool) -> Token {
        let sound = sound(&text);
        let rarity = tables().frequent.get(text.as_str()).copied();
        let weight = weight(&text, role, rarity, person);
        let groups = tables().groups.get(&text).map_or(&[][..], Vec::as_slice);
        Token {
            letters: letters(&text),
            sound: sound.into(),
            raw: raw.into(),
            text: text.into(),
            script,
            role,
            weight,
            known: rarity.is_some_and(|rarity| rarity <= FREQUENT),
            groups,
            others: Vec::new(),
            heard: script == Script::Kana,
        }
    }

    pub fn is_name(&self) -> bool {
        matches!(self.role, Role::Name | Role::Common(..))
    }

    /// One letter, which may stand for a word.
    fn is_letter(&self) -> bool {
        self.role == Role::Initial || (self.text.len() == 1 && self.raw.is_empty() && self.text.as_bytes()[0].is_ascii_lowercase())
    }

    /// The keys of its consonants or syllables, by which words of scripts that leave letters out are found; none where they say too little.
    pub fn rough(&self, like: Script) -> Vec<String> {
        let mut keys = Vec::new();
        if like.is_abjad() {
            keys.push(consonants(&self.text, true));
            if self.text.contains('w') {
                keys.push(consonants(&self.text, false));
            }
        } else if !self.script.is_syllabic() || self.heard {
            keys.push(syllables(&self.text));
        }
        keys.retain(|key| key.len() >= 2);
        keys
    }
}

/// Says as much as it is rare. The bounds were found on the public pairs (docs/screening.md).
fn weight(text: &str, role: Role, rarity: Option<u8>, person: bool) -> f32 {
    let letters = text.len();
    match role {
        Role::Initial => 0.25,
        Role::Title => 0.05,
        Role::Particle(_) => 0.12,
        Role::Number(_) => 0.3,
        Role::Common(1, _) => 0.06,
        Role::Common(2, _) => 0.35,
        Role::Common(..) => 0.5,
        Role::Name => {
            let by_length: f32 = match letters {
                0..=1 => 0.2,
                2 => 0.5,
                3 => 0.75,
                _ => 1.0,
            };
            // Names of people in names of organisations say more than in names of people.
            let least = if person { 0.4 } else { 0.7 };
            rarity.map_or(by_length, |rarity| by_length.min(least + (1.0 - least) * (f32::from(rarity) - 6.0).clamp(0.0, 8.0) / 8.0))
        }
    }
}

fn letters(text: &str) -> u32 {
    text.bytes().fold(0, |bits, byte| bits | if byte.is_ascii_lowercase() { 1 << (byte - b'a') } else { 1 << (26 + byte % 6) })
}

/// How one word is the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum How {
    /// The same letters.
    Same,
    /// A few letters differ.
    Spelled,
    /// One is written in a script that leaves letters out, or hears others.
    Transliterated,
    /// Another form of the name, a pet form, or a translation.
    Variant,
    /// A letter for the word.
    Initial,
    /// Several words that are written as one.
    Joined,
}

/// How alike two words are, from 0 (not at all) to 1; none when they are not one name.
pub fn alike(first: &Token, second: &Token) -> Option<(f32, How)> {
    match (first.role, second.role) {
        (Role::Particle(one), Role::Particle(other)) => {
            return (one == other).then_some(if first.text == second.text { (1.0, How::Same) } else { (0.95, How::Variant) });
        }
        (Role::Number(one), Role::Number(other)) => return (one == other).then_some((1.0, How::Same)),
        (Role::Number(_), _) | (_, Role::Number(_)) => return (first.text == second.text).then_some((1.0, How::Same)),
        _ => {}
    }
    if first.script == second.script && !first.raw.is_empty() && (first.script.is_syllabic() || first.script.is_abjad()) {
        return alike_as_written(first, second);
    }
    if first.text == second.text {
        return Some((1.0, How::Same));
    }
    if first.is_letter() || second.is_letter() {
        return (first.text.as_bytes().first() == second.text.as_bytes().first()).then_some((0.8, How::Initial));
    }
    if let (Role::Common(_, one), Role::Common(_, other)) = (first.role, second.role)
        && one == other
    {
        return Some((0.95, How::Variant));
    }
    let spelled = spelled(first, second).map(|alike| (alike, How::Spelled));
    let variant = variant(first, second).map(|alike| (alike, How::Variant));
    let heard = transliterated(first, second).map(|alike| (alike, How::Transliterated));
    [spelled, variant, heard].into_iter().flatten().max_by(|one, other| one.0.total_cmp(&other.0))
}

/// Two words of one script that leaves much out are compared as they are written, because each letter says more.
fn alike_as_written(first: &Token, second: &Token) -> Option<(f32, How)> {
    if first.raw == second.raw {
        return Some((1.0, How::Same));
    }
    if first.text == second.text {
        return Some((0.97, How::Spelled));
    }
    if first.script.is_abjad() || first.script == Script::Kana {
        let (letters, cost) = (first.text.len().min(second.text.len()), edit::distance(first.text.as_bytes(), second.text.as_bytes(), 150));
        let limit = match letters {
            0..=3 => 40,
            4..=5 => 100,
            _ => 150,
        };
        return (cost <= limit).then(|| (1.0 - f32::from(cost) / 100.0 * 1.4 / letters as f32, How::Spelled));
    }
    None
}

/// How many hundredths of a letter may differ, by the letters of the longer word.
fn limit(letters: usize) -> u16 {
    match letters {
        0..=1 => 0,
        2 => 35,
        3 => 70,
        4 => 100,
        5 => 120,
        6 => 135,
        7..=8 => 170,
        9..=10 => 200,
        _ => 260,
    }
}

/// Words that have more letters than this that the other has not are not compared.
const MOST_OTHER_LETTERS: u32 = 7;
/// How much more a difference says where one name is in a script of syllables.
const SYLLABLES: f32 = 1.8;
/// Names up to this rarity are frequent.
const FREQUENT: u8 = 9;
/// What two different names lose that are both frequent.
const BOTH_KNOWN: f32 = 0.2;

/// How alike by letters and by sound, whichever is nearer.
fn spelled(first: &Token, second: &Token) -> Option<f32> {
    let mut best = spelled_as(&first.text, &first.sound, first.letters, second);
    for other in &first.others {
        best = nearer(best, spelled_as(other, &sound(other), letters(other), second));
    }
    for other in &second.others {
        best = nearer(best, spelled_as(other, &sound(other), letters(other), first));
    }
    let mut alike = best?;
    // A slip of the pen seldom makes one known name of another: Daniel is not Danilo, Antonia not Antonio.
    if first.known && second.known && variant(first, second).is_none() {
        alike -= BOTH_KNOWN;
    }
    // A syllable is one of few hundred: a letter that differs is another syllable.
    if first.script != second.script && (first.script.is_syllabic() || second.script.is_syllabic()) {
        alike = 1.0 - (1.0 - alike) * SYLLABLES;
    }
    (alike > 0.5).then_some(alike)
}

fn nearer(first: Option<f32>, second: Option<f32>) -> Option<f32> {
    match (first, second) {
        (Some(first), Some(second)) => Some(first.max(second)),
        (one, other) => one.or(other),
    }
}

fn spelled_as(text: &str, sound: &str, bits: u32, other: &Token) -> Option<f32> {
    let (shorter, longer) = (text.len().min(other.text.len()), text.len().max(other.text.len()));
    if longer - shorter > 4 || shorter == 0 {
        return None;
    }
    if text == &*other.text {
        return Some(1.0);
    }
    if (bits ^ other.letters).count_ones() > MOST_OTHER_LETTERS {
        return None;
    }
    let limit = limit(longer);
    let by_letters = edit::distance(text.as_bytes(), other.text.as_bytes(), limit);
    let by_sound = if by_letters > 30 { edit::distance(sound.as_bytes(), other.sound.as_bytes(), limit).saturating_add(25) } else { u16::MAX };
    let cost = by_letters.min(by_sound);
    (cost <= limit).then(|| 1.0 - f32::from(cost) / 100.0 * 1.3 / (longer as f32 + 0.5))
}

/// Forms of a name that letters alone do not show.
fn variant(first: &Token, second: &Token) -> Option<f32> {
    let mut best: Option<f32> = None;
    for one in first.groups {
        for other in second.groups.iter().filter(|other| other.group == one.group) {
            let alike = if one.pet && other.pet { 0.7 } else { 0.82 };
            best = nearer(best, Some(alike));
        }
    }
    best
}

/// A word in a script that leaves letters out against one that has them.
fn transliterated(first: &Token, second: &Token) -> Option<f32> {
    if first.script == second.script {
        return None;
    }
    let rough = |script: Script| script.is_abjad() || script.is_syllabic();
    let like = if rough(first.script) {
        first.script
    } else if rough(second.script) {
        second.script
    } else {
        return None;
    };
    let ends = if ends_with_vowel(&first.text) == ends_with_vowel(&second.text) { 0.0 } else { 0.08 };
    let (firsts, seconds) = (first.rough(like), second.rough(like));
    let pairs = firsts.iter().flat_map(|one| seconds.iter().map(move |other| (one, other)));
    pairs.filter_map(|(one, other)| rough_alike(one, other)).max_by(f32::total_cmp).map(|alike| alike - ends)
}

fn rough_alike(one: &str, other: &str) -> Option<f32> {
    let (shorter, longer) = (one.len().min(other.len()), one.len().max(other.len()));
    if one == other {
        return Some(match shorter {
            0..=2 => 0.8,
            3 => 0.88,
            _ => 0.92,
        });
    }
    let most = if longer >= 5 { 150 } else { 100 };
    let cost = edit::distance(one.as_bytes(), other.as_bytes(), most);
    (shorter >= 3 && cost <= most).then(|| 0.9 - f32::from(cost) / 100.0 / (longer as f32 + 0.5))
}

/// How alike the letters of words that are joined are to the other word: as `Spelled`, without the tables.
pub fn alike_joined(joined: &[u8], other: &Token) -> Option<f32> {
    let ways = std::iter::once(&other.text).chain(&other.others);
    ways.filter_map(|way| joined_as(joined, way.as_bytes(), other.script.is_syllabic())).max_by(f32::total_cmp)
}

fn joined_as(joined: &[u8], way: &[u8], syllables: bool) -> Option<f32> {
    if joined == way {
        return Some(0.97);
    }
    let longer = joined.len().max(way.len());
    if longer < 5 || joined.len().abs_diff(way.len()) > 2 {
        return None;
    }
    let (most, factor) = if syllables { (70, SYLLABLES) } else { (limit(longer).min(200), 1.0) };
    let cost = edit::distance(joined, way, most);
    (cost <= most).then(|| 0.97 - f32::from(cost) / 100.0 * 1.3 * factor / (longer as f32 + 0.5))
}
