//! What happens to names on their way: the treatments by which a list is validated.
//!
//! A treatment changes a name as people, forms and keyboards do. The same seed gives the same names.

use crate::list::Entry;
use crate::name::Kind;

/// A small generator of numbers (SplitMix64): the same from the same seed everywhere, and good enough to choose letters by.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, which is not 0.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }
}

/// One way in which a name is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Treatment {
    Unchanged,
    SwappedLetters,
    DroppedLetter,
    DoubledLetter,
    ReplacedLetter,
    Initial,
    DroppedMiddleName,
    MergedWords,
    SplitWord,
    Order,
    Title,
    Diacritics,
    Spelling,
    Cyrillic,
    Greek,
}

impl Treatment {
    pub const ALL: [Treatment; 15] = [
        Treatment::Unchanged,
        Treatment::SwappedLetters,
        Treatment::DroppedLetter,
        Treatment::DoubledLetter,
        Treatment::ReplacedLetter,
        Treatment::Initial,
        Treatment::DroppedMiddleName,
        Treatment::MergedWords,
        Treatment::SplitWord,
        Treatment::Order,
        Treatment::Title,
        Treatment::Diacritics,
        Treatment::Spelling,
        Treatment::Cyrillic,
        Treatment::Greek,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Treatment::Unchanged => "unchanged",
            Treatment::SwappedLetters => "swapped letters",
            Treatment::DroppedLetter => "dropped letter",
            Treatment::DoubledLetter => "doubled letter",
            Treatment::ReplacedLetter => "replaced letter",
            Treatment::Initial => "initial",
            Treatment::DroppedMiddleName => "dropped middle name",
            Treatment::MergedWords => "merged words",
            Treatment::SplitWord => "split word",
            Treatment::Order => "order",
            Treatment::Title => "title",
            Treatment::Diacritics => "diacritics",
            Treatment::Spelling => "spelling of sounds",
            Treatment::Cyrillic => "in Cyrillic",
            Treatment::Greek => "in Greek",
        }
    }

    /// Whether names of this kind are changed so: only people have first and middle names.
    pub fn applies_to(self, kind: Kind) -> bool {
        kind == Kind::Person || !matches!(self, Treatment::Initial | Treatment::DroppedMiddleName)
    }

    /// The name, changed; none where it cannot be changed in this way.
    pub fn apply(self, name: &str, dice: &mut Dice) -> Option<String> {
        let mut words = natural_order(name);
        let changed = match self {
            Treatment::Unchanged => true,
            Treatment::SwappedLetters => change_letter(&mut words, 4, dice, |letters, at, _| {
                let same = letters[at] == letters[at + 1];
                letters.swap(at, at + 1);
                !same
            }),
            Treatment::DroppedLetter => change_letter(&mut words, 4, dice, |letters, at, _| {
                letters.remove(at);
                true
            }),
            Treatment::DoubledLetter => change_letter(&mut words, 3, dice, |letters, at, _| {
                letters.insert(at, letters[at]);
                true
            }),
            Treatment::ReplacedLetter => change_letter(&mut words, 4, dice, |letters, at, dice| {
                let other = char::from(b'a' + dice.below(26) as u8);
                let same = letters[at].eq_ignore_ascii_case(&other);
                letters[at] = other;
                !same
            }),
            Treatment::Initial => initial(&mut words, dice),
            Treatment::DroppedMiddleName => {
                words.len() >= 3 && {
                    let at = 1 + dice.below(words.len() - 2);
                    words.remove(at);
                    true
                }
            }
            Treatment::MergedWords => {
                words.len() >= 2 && {
                    let at = dice.below(words.len() - 1);
                    let next = words.remove(at + 1);
                    words[at].push_str(&next);
                    true
                }
            }
            Treatment::SplitWord => split(&mut words, dice),
            Treatment::Order => {
                words.len() >= 2 && {
                    let before = words.clone();
                    for at in (1..words.len()).rev() {
                        words.swap(at, dice.below(at + 1));
                    }
                    words != before
                }
            }
            Treatment::Title => {
                words.insert(0, ["Mr", "Dr.", "Sheikh", "Mrs", "Prof.", "General", "Haji"][dice.below(7)].to_owned());
                true
            }
            Treatment::Diacritics => diacritics(&mut words, dice),
            Treatment::Spelling => spelling(&mut words, dice),
            Treatment::Cyrillic => in_script(&mut words, CYRILLIC),
            Treatment::Greek => in_script(&mut words, GREEK),
        };
        changed.then(|| words.join(" "))
    }
}

/// Names of a list, each changed in one way and left in Latin letters, for as long as somebody takes them: a list as long as wanted, or whom to search for
/// in it.
pub struct ChangedNames<'a> {
    listed: Vec<(&'a str, &'a [String])>,
    dice: Dice,
}

impl<'a> ChangedNames<'a> {
    /// None of a list without a name.
    pub fn of(listed: &'a [Entry], seed: u64) -> Option<Self> {
        let listed: Vec<(&str, &[String])> =
            listed.iter().map(|entry| (entry.schema.as_str(), entry.names.as_slice())).filter(|(_, names)| !names.is_empty()).collect();
        (!listed.is_empty()).then(|| Self { listed, dice: Dice::new(seed) })
    }
}

impl<'a> Iterator for ChangedNames<'a> {
    /// The entry's schema, and the name.
    type Item = (&'a str, String);

    fn next(&mut self) -> Option<Self::Item> {
        // All but the first, which changes nothing, and the last two, which leave the Latin script. Every name can have a title, so that one fits at last.
        let treatments = &Treatment::ALL[1..Treatment::ALL.len() - 2];
        loop {
            let (schema, names) = self.listed[self.dice.below(self.listed.len())];
            let name = &names[self.dice.below(names.len())];
            let treatment = treatments[self.dice.below(treatments.len())];
            if let Some(name) = treatment.apply(name, &mut self.dice) {
                return Some((schema, name));
            }
        }
    }
}

/// `SURNAME, Given` is `Given SURNAME`.
fn natural_order(name: &str) -> Vec<String> {
    let turned = match name.split_once(", ") {
        Some((surname, given)) if !given.contains(',') => format!("{given} {surname}"),
        _ => name.replace(',', " "),
    };
    turned.split_whitespace().map(str::to_owned).collect()
}

/// Changes the letters of one word that has at least so many, at a place that has a next one.
fn change_letter(words: &mut [String], least: usize, dice: &mut Dice, change: impl Fn(&mut Vec<char>, usize, &mut Dice) -> bool) -> bool {
    let long: Vec<usize> = (0..words.len()).filter(|at| words[*at].chars().filter(|letter| letter.is_alphabetic()).count() >= least).collect();
    if long.is_empty() {
        return false;
    }
    let word = long[dice.below(long.len())];
    let mut letters: Vec<char> = words[word].chars().collect();
    let places: Vec<usize> = (0..letters.len() - 1).filter(|at| letters[*at].is_alphabetic() && letters[at + 1].is_alphabetic()).collect();
    if places.is_empty() {
        return false;
    }
    let place = places[dice.below(places.len())];
    let changed = change(&mut letters, place, dice);
    words[word] = letters.into_iter().collect();
    changed
}

fn initial(words: &mut [String], dice: &mut Dice) -> bool {
    if words.len() < 2 {
        return false;
    }
    // Not the last word, which is the surname's.
    let at = dice.below(words.len() - 1);
    let Some(letter) = words[at].chars().next().filter(|letter| letter.is_alphabetic()) else { return false };
    if words[at].chars().count() < 3 {
        return false;
    }
    words[at] = format!("{letter}.");
    true
}

fn split(words: &mut Vec<String>, dice: &mut Dice) -> bool {
    let long: Vec<usize> = (0..words.len()).filter(|at| words[*at].is_ascii() && words[*at].len() >= 6).collect();
    if long.is_empty() {
        return false;
    }
    let word = long[dice.below(long.len())];
    let at = 2 + dice.below(words[word].len() - 3);
    let end = words[word].split_off(at);
    words.insert(word + 1, end);
    true
}

fn diacritics(words: &mut [String], dice: &mut Dice) -> bool {
    const MARKED: [(char, char); 12] = [
        ('a', 'á'),
        ('e', 'é'),
        ('i', 'í'),
        ('o', 'ö'),
        ('u', 'ü'),
        ('n', 'ñ'),
        ('c', 'ç'),
        ('s', 'š'),
        ('z', 'ž'),
        ('g', 'ğ'),
        ('y', 'ý'),
        ('r', 'ř'),
    ];
    let mut changed = false;
    for word in words.iter_mut() {
        let marked: String = word
            .to_lowercase()
            .chars()
            .map(|letter| match MARKED.iter().find(|(plain, _)| *plain == letter) {
                Some((_, with)) if dice.below(3) == 0 => {
                    changed = true;
                    *with
                }
                _ => letter,
            })
            .collect();
        *word = marked;
    }
    changed
}

/// One sound is written otherwise, as another language or office does.
fn spelling(words: &mut [String], dice: &mut Dice) -> bool {
    const WAYS: [(&str, &str); 34] = [
        ("kh", "h"),
        ("ou", "u"),
        ("oo", "u"),
        ("ee", "i"),
        ("ph", "f"),
        ("y", "i"),
        ("i", "y"),
        ("ch", "tch"),
        ("sh", "ch"),
        ("sh", "sch"),
        ("j", "dj"),
        ("dj", "j"),
        ("q", "k"),
        ("k", "q"),
        ("c", "k"),
        ("v", "w"),
        ("w", "v"),
        ("x", "ks"),
        ("z", "s"),
        ("mohammed", "muhammad"),
        ("muhammad", "mohamed"),
        ("ahmad", "ahmed"),
        ("abdul", "abdel"),
        ("abdel", "abd al"),
        ("hussein", "husayn"),
        ("husayn", "hossein"),
        ("al-", "el-"),
        ("ov", "off"),
        ("u", "ou"),
        ("iy", "i"),
        ("ev", "eff"),
        ("f", "ph"),
        ("th", "t"),
        ("zh", "j"),
    ];
    let mut possible = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let small = word.to_lowercase();
        possible.extend(WAYS.iter().filter(|(from, _)| small.contains(from)).map(|way| (at, *way)));
    }
    if possible.is_empty() {
        return false;
    }
    let (at, (from, to)) = possible[dice.below(possible.len())];
    words[at] = words[at].to_lowercase().replacen(from, to, 1);
    true
}

type Letters = &'static [(&'static str, &'static str)];

const CYRILLIC: Letters = &[
    ("shch", "щ"),
    ("kh", "х"),
    ("zh", "ж"),
    ("ts", "ц"),
    ("ch", "ч"),
    ("sh", "ш"),
    ("ya", "я"),
    ("yu", "ю"),
    ("iy", "ий"),
    ("a", "а"),
    ("b", "б"),
    ("c", "к"),
    ("d", "д"),
    ("e", "е"),
    ("f", "ф"),
    ("g", "г"),
    ("h", "х"),
    ("i", "и"),
    ("j", "дж"),
    ("k", "к"),
    ("l", "л"),
    ("m", "м"),
    ("n", "н"),
    ("o", "о"),
    ("p", "п"),
    ("q", "к"),
    ("r", "р"),
    ("s", "с"),
    ("t", "т"),
    ("u", "у"),
    ("v", "в"),
    ("w", "в"),
    ("x", "кс"),
    ("y", "й"),
    ("z", "з"),
    ("'", ""),
    ("-", "-"),
];

const GREEK: Letters = &[
    ("th", "θ"),
    ("ph", "φ"),
    ("ch", "χ"),
    ("kh", "χ"),
    ("ps", "ψ"),
    ("ou", "ου"),
    ("a", "α"),
    ("b", "μπ"),
    ("c", "κ"),
    ("d", "ντ"),
    ("e", "ε"),
    ("f", "φ"),
    ("g", "γκ"),
    ("h", "χ"),
    ("i", "ι"),
    ("j", "τζ"),
    ("k", "κ"),
    ("l", "λ"),
    ("m", "μ"),
    ("n", "ν"),
    ("o", "ο"),
    ("p", "π"),
    ("q", "κ"),
    ("r", "ρ"),
    ("s", "σ"),
    ("t", "τ"),
    ("u", "ου"),
    ("v", "β"),
    ("w", "β"),
    ("x", "ξ"),
    ("y", "υ"),
    ("z", "ζ"),
    ("'", ""),
    ("-", "-"),
];

fn in_script(words: &mut [String], letters: Letters) -> bool {
    for word in words.iter_mut() {
        let small = word.to_lowercase();
        let (mut rest, mut out) = (small.as_str(), String::new());
        while !rest.is_empty() {
            match letters.iter().find(|(from, _)| rest.starts_with(from)) {
                Some((from, to)) => {
                    out.push_str(to);
                    rest = &rest[from.len()..];
                }
                None if rest.starts_with(|letter: char| letter.is_ascii_alphabetic() || !letter.is_ascii()) => return false,
                None => {
                    let length = rest.chars().next().map_or(1, char::len_utf8);
                    out.push_str(&rest[..length]);
                    rest = &rest[length..];
                }
            }
        }
        *word = out;
    }
    words.iter().any(|word| !word.is_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::Facts;

    #[test]
    fn changed_names_of_a_list_are_the_same_from_the_same_seed() {
        let entry = |name: &str, schema: &str| Entry {
            id: name.to_owned(),
            schema: schema.to_owned(),
            names: vec![name.to_owned()],
            facts: Facts::default(),
        };
        let unnamed = Entry { names: Vec::new(), ..entry("", "Person") };
        let listed = [entry("QUILL, Ada Maria", "Person"), unnamed.clone(), entry("Vantrek Shipping", "Company")];
        let some = |seed: u64| ChangedNames::of(&listed, seed).expect("names").take(200).collect::<Vec<_>>();
        assert_eq!(some(7), some(7));
        assert_ne!(some(7), some(8));
        for (schema, name) in some(1) {
            assert!(schema == "Person" || schema == "Company", "{schema}");
            assert!(!["Ada Maria QUILL", "Vantrek Shipping"].contains(&name.as_str()), "{name} is as it was");
        }
        assert!(ChangedNames::of(&[], 1).is_none() && ChangedNames::of(&[unnamed], 1).is_none());
    }
}
