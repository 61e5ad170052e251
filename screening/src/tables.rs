//! What the matcher knows about words: read once from the files in `data/`, whose heads say what they are.

use std::sync::LazyLock;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::words::words;

/// A form of organisation: the kind that it is of, and the form itself, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Form {
    pub kind: u8,
    pub form: u8,
}

/// A name in a group of names that stand for each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InGroup {
    pub group: u16,
    /// A short or pet form, which stands for the group's names but not for its other pet forms.
    pub pet: bool,
}

pub struct Tables {
    /// Forms by their words, joined by spaces.
    pub forms: FxHashMap<String, Form>,
    /// Forms by their first word: how many words the longest has.
    pub longest_form: FxHashMap<String, usize>,
    /// Forms as Han and Hangul words end or begin with them.
    pub attached_forms: Vec<(String, Form)>,
    pub titles: FxHashSet<String>,
    /// Particles, by the number of their group.
    pub particles: FxHashMap<String, u8>,
    /// Words of organisations: how much one says (1 to 3), and its group.
    pub common: FxHashMap<String, (u8, u16)>,
    /// Names, by how rare they are: the negative logarithm of the share of people who have one where it is most frequent.
    pub frequent: FxHashMap<&'static str, u8>,
    pub groups: FxHashMap<String, Vec<InGroup>>,
    /// The names of each group.
    pub members: Vec<Vec<String>>,
    pub numbers: FxHashMap<String, u32>,
}

/// The tables that are shipped.
pub fn tables() -> &'static Tables {
    static TABLES: LazyLock<Tables> = LazyLock::new(read);
    &TABLES
}

fn lines(file: &'static str) -> impl Iterator<Item = &'static str> {
    file.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// A text as the tables have it: its words in Latin letters, joined by spaces.
fn folded(text: &str) -> String {
    words(text).into_iter().map(|word| word.text).collect::<Vec<_>>().join(" ")
}

fn read() -> Tables {
    let (forms, longest_form, attached_forms) = read_forms();
    let titles = lines(include_str!("../data/titles.txt")).flat_map(str::split_whitespace).map(folded).filter(|title| !title.is_empty()).collect();
    let mut particles = FxHashMap::default();
    for (group, line) in (0u8..).zip(lines(include_str!("../data/particles.txt"))) {
        particles.extend(line.split_whitespace().map(|word| (folded(word), group)));
    }
    let mut common = FxHashMap::default();
    for (group, line) in (0u16..).zip(lines(include_str!("../data/common_words.tsv"))) {
        let (says, words) = line.split_once('\t').unwrap_or(("3", line));
        let says = says.parse().unwrap_or(3);
        for word in words.split(';').map(folded).filter(|word| !word.is_empty()) {
            common.entry(word).or_insert((says, group));
        }
    }
    let frequent = lines(include_str!("../data/frequent_names.tsv"))
        .filter_map(|line| line.split_once('\t'))
        .filter_map(|(name, rarity)| Some((name, rarity.parse().ok()?)))
        .collect();
    let mut groups: FxHashMap<String, Vec<InGroup>> = FxHashMap::default();
    let mut members = Vec::new();
    for (group, line) in (0u16..).zip(lines(include_str!("../data/nicknames.txt"))) {
        members.push(line.split_whitespace().map(|word| folded(word.trim_start_matches('~'))).collect());
        for word in line.split_whitespace() {
            let (pet, word) = word.strip_prefix('~').map_or((false, word), |word| (true, word));
            groups.entry(folded(word)).or_default().push(InGroup { group, pet });
        }
    }
    let numbers = lines(include_str!("../data/numbers.tsv"))
        .filter_map(|line| line.split_once('\t'))
        .flat_map(|(number, words)| words.split_whitespace().map(move |word| (folded(word), number.parse().unwrap_or(0))))
        .collect();
    Tables { forms, longest_form, attached_forms, titles, particles, common, frequent, groups, members, numbers }
}

type Forms = (FxHashMap<String, Form>, FxHashMap<String, usize>, Vec<(String, Form)>);

fn read_forms() -> Forms {
    let mut kinds = Vec::new();
    let (mut forms, mut longest, mut attached) = (FxHashMap::default(), FxHashMap::<String, usize>::default(), Vec::new());
    for (number, line) in (0u8..).zip(lines(include_str!("../data/legal_forms.tsv"))) {
        let mut columns = line.split('\t');
        let kind = columns.next().unwrap_or_default();
        let kind_at = kinds.iter().position(|known| *known == kind).unwrap_or_else(|| {
            kinds.push(kind);
            kinds.len() - 1
        });
        let form = Form { kind: u8::try_from(kind_at).unwrap_or(u8::MAX), form: number };
        for spelling in columns.nth(1).unwrap_or_default().split(';').map(str::trim) {
            let folded = words(spelling);
            let Some(first) = folded.first() else { continue };
            if folded.len() == 1 && first.script.is_syllabic() && !first.raw.is_empty() {
                attached.push((first.raw.clone(), form));
            }
            let length = longest.entry(first.text.clone()).or_default();
            *length = folded.len().max(*length);
            let key = folded.into_iter().map(|word| word.text).collect::<Vec<_>>().join(" ");
            forms.entry(key).or_insert(form);
        }
    }
    attached.sort_by(|first, second| second.0.len().cmp(&first.0.len()).then_with(|| first.0.cmp(&second.0)));
    (forms, longest, attached)
}
