//! Names of a list that may be the one that is asked for, without looking at all of them.
//!
//! Each distinct word of the list has the names it is in. A query's words lead to the list's words that are like them ([`Dictionary`]), those
//! to names, and the names that share most are compared in full. Words of many names count as well, so that two frequent words find what
//! has both.

use std::cmp::Ordering;

use crate::dictionary::Dictionary;
use crate::evidence::{Adjustment, Facts};
use crate::list::{Entry, Query};
use crate::name::{Kind, Name};
use crate::placeholder::is_placeholder;
use crate::score::{Explained, Parts, as_score};
use crate::scoring::Scoring;
use crate::tables::Form;
use crate::token::{Role, Token};

/// As many names are compared in full, those that share most.
const COMPARED: usize = 160;
/// Names below this are not told.
const LEAST: f32 = 0.3;

/// One name of an entry.
struct Stored {
    entry: u32,
    given: Box<str>,
    kind: Kind,
    /// Where its words begin in `words`; they end where those of the next begin.
    words: u32,
    forms: Box<[Form]>,
    /// What its words say altogether.
    weight: f32,
}

/// Who an entry is, without its names.
struct Listed {
    id: Box<str>,
    facts: Facts,
}

/// A list, ready to be searched.
#[derive(Default)]
pub struct Index {
    entries: Vec<Listed>,
    names: Vec<Stored>,
    words: Vec<u32>,
    dictionary: Dictionary,
    /// The names of each word, one after the other, and where those of each begin.
    postings: Vec<u32>,
    begins: Vec<u32>,
    scoring: Scoring,
}

/// An entry that the query may be.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit<'a> {
    pub id: &'a str,
    /// The name of the entry that is nearest.
    pub name: &'a str,
    pub score: f32,
    pub is_match: bool,
    /// The score of the names alone.
    pub name_score: f32,
    pub adjustments: Vec<Adjustment>,
    number: u32,
}

impl Index {
    /// An index of entries, in their order. Names that are placeholders or empty are left out.
    pub fn new(entries: impl IntoIterator<Item = Entry>) -> Index {
        let mut index = Index::default();
        for entry in entries {
            index.add(entry);
        }
        index.finish();
        index
    }

    /// The same index, whose names are scored so.
    #[must_use]
    pub fn scored_by(self, scoring: Scoring) -> Index {
        Index { scoring, ..self }
    }

    fn add(&mut self, entry: Entry) {
        let number = u32::try_from(self.entries.len()).unwrap_or(u32::MAX);
        let kind = entry.kind();
        for given in entry.names.iter().filter(|given| !is_placeholder(given)) {
            let name = Name::new(given, kind);
            if name.is_empty() {
                continue;
            }
            let words = u32::try_from(self.words.len()).unwrap_or(u32::MAX);
            let weight = name.tokens.iter().map(|token| token.weight).sum();
            for token in name.tokens {
                self.words.push(self.dictionary.add(token, kind == Kind::Person));
            }
            self.names.push(Stored { entry: number, given: name.given, kind, words, forms: name.forms.into(), weight });
        }
        self.entries.push(Listed { id: entry.id.into(), facts: entry.facts });
    }

    fn finish(&mut self) {
        self.dictionary.finish();
        let mut begins = vec![0u32; self.dictionary.len() + 1];
        for word in &self.words {
            begins[*word as usize + 1] += 1;
        }
        for at in 1..begins.len() {
            begins[at] += begins[at - 1];
        }
        let mut next = begins.clone();
        let mut postings = vec![0u32; self.words.len()];
        for number in 0..self.names.len() {
            for word in &self.words[self.words_of(number)] {
                let place = &mut next[*word as usize];
                postings[*place as usize] = number as u32;
                *place += 1;
            }
        }
        (self.postings, self.begins) = (postings, begins);
        self.names.shrink_to_fit();
        self.words.shrink_to_fit();
    }

    /// How many names are in it.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// How many bytes the names, words and hashes take, without what the allocator adds.
    pub fn bytes(&self) -> usize {
        let names: usize = self.names.iter().map(|name| size_of::<Stored>() + name.given.len() + name.forms.len() * size_of::<Form>()).sum();
        let entries: usize = self
            .entries
            .iter()
            .map(|entry| size_of::<Listed>() + entry.id.len() + entry.facts.birth_dates.len() * 6 + entry.facts.countries.len() * 26)
            .sum();
        names + entries + (self.words.len() + self.postings.len() + self.begins.len()) * 4 + self.dictionary.bytes()
    }

    fn words_of(&self, name: usize) -> std::ops::Range<usize> {
        let end = self.names.get(name + 1).map_or(self.words.len(), |next| next.words as usize);
        self.names[name].words as usize..end
    }

    fn names_of(&self, word: u32) -> &[u32] {
        &self.postings[self.begins[word as usize] as usize..self.begins[word as usize + 1] as usize]
    }

    fn parts(&self, name: u32) -> Parts<'_> {
        let stored = &self.names[name as usize];
        let tokens = self.words[self.words_of(name as usize)].iter().map(|word| self.dictionary.token(*word)).collect();
        Parts { kind: stored.kind, given: &stored.given, tokens, forms: &stored.forms }
    }

    /// Something to search with; it can be used again, by one at a time.
    pub fn searcher(&self) -> Searcher<'_> {
        Searcher { index: self, shared: vec![0.0; self.names.len()], touched: Vec::new() }
    }

    /// The reasons for a hit of this index.
    pub fn explain(&self, query: &Query, hit: &Hit) -> Explained {
        self.scoring.explain_parts(&Parts::of(&Name::new(&query.name, query.kind)), &self.parts(hit.number))
    }
}

/// Searches an index, with memory of its own to count in.
pub struct Searcher<'a> {
    index: &'a Index,
    /// What each name shares with the query; 0 between searches.
    shared: Vec<f32>,
    touched: Vec<u32>,
}

impl<'a> Searcher<'a> {
    /// The entries that the query may be, the best first, each once.
    pub fn search(&mut self, query: &Query, top: usize) -> Vec<Hit<'a>> {
        let name = Name::new(&query.name, query.kind);
        if name.is_empty() || is_placeholder(&query.name) {
            return Vec::new();
        }
        self.count(&name);
        let candidates = self.candidates(&name);
        let parts = Parts::of(&name);
        let mut best: Vec<Hit> = Vec::new();
        for number in candidates {
            let stored = &self.index.names[number as usize];
            let name_score = self.index.scoring.score_parts(&parts, &self.index.parts(number));
            if name_score < LEAST {
                continue;
            }
            let entry = &self.index.entries[stored.entry as usize];
            let adjustments = query.facts.compare(&entry.facts);
            let score = as_score(1.0 - name_score - adjustments.iter().map(|adjustment| adjustment.amount).sum::<f32>());
            best.push(Hit {
                id: &entry.id,
                name: &stored.given,
                score,
                is_match: score >= self.index.scoring.threshold(),
                name_score,
                adjustments,
                number,
            });
        }
        best.sort_unstable_by(better);
        let mut told: Vec<u32> = Vec::with_capacity(top);
        best.retain(|hit| {
            let entry = self.index.names[hit.number as usize].entry;
            let new = told.len() < top && !told.contains(&entry);
            if new {
                told.push(entry);
            }
            new
        });
        best
    }

    /// Adds to each name that has a word like one of the query's what the two share.
    fn count(&mut self, name: &Name) {
        let mut like = Vec::new();
        for token in name.tokens.iter().filter(|token| finds(token)) {
            like.clear();
            self.index.dictionary.like(token, &mut like);
            for (word, alike) in &like {
                self.add(*word, token.weight * alike);
            }
            self.count_parts(token);
        }
        self.count_joined(name);
    }

    /// A word that is two of the list's: `carlosmanuel`.
    fn count_parts(&mut self, token: &Token) {
        let text = &token.text;
        if text.len() < 5 || !token.is_name() {
            return;
        }
        let mut numbers = Vec::new();
        for cut in 2..text.len() - 1 {
            let (start, end) = text.split_at(cut);
            for (part, rest) in [(start, end), (end, start)].into_iter().filter(|(part, _)| part.len() >= 3) {
                numbers.clear();
                self.index.dictionary.written(part, false, &mut numbers);
                for word in &numbers {
                    let share = part.len() as f32 / (part.len() + rest.len()) as f32;
                    self.add(*word, token.weight * share * 0.9);
                }
            }
        }
    }

    /// Words that are one of the list's: `car los`.
    fn count_joined(&mut self, name: &Name) {
        let mut numbers = Vec::new();
        for start in 0..name.tokens.len() {
            let mut joined = name.tokens[start].text.to_string();
            for end in start + 1..name.tokens.len().min(start + 3) {
                joined.push_str(&name.tokens[end].text);
                if joined.len() < 4 {
                    continue;
                }
                numbers.clear();
                self.index.dictionary.written(&joined, true, &mut numbers);
                let weight: f32 = name.tokens[start..=end].iter().map(|token| token.weight).sum();
                for word in &numbers {
                    self.add(*word, weight * 0.9);
                }
            }
        }
    }

    fn add(&mut self, word: u32, weight: f32) {
        for name in self.index.names_of(word) {
            let shared = &mut self.shared[*name as usize];
            if *shared == 0.0 {
                self.touched.push(*name);
            }
            *shared += weight;
        }
    }

    /// The names that share most, measured by what both names say; what was counted is cleared.
    fn candidates(&mut self, name: &Name) -> Vec<u32> {
        let says: f32 = name.tokens.iter().map(|token| token.weight).sum();
        let mut ranked: Vec<(f32, u32)> = Vec::with_capacity(self.touched.len());
        for number in self.touched.drain(..) {
            let shared = std::mem::take(&mut self.shared[number as usize]);
            let stored = &self.index.names[number as usize];
            if stored.kind.can_be(name.kind) {
                ranked.push((shared / (says + stored.weight + 0.5), number));
            }
        }
        let by_share = |one: &(f32, u32), other: &(f32, u32)| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1));
        if ranked.len() > COMPARED {
            ranked.select_nth_unstable_by(COMPARED, by_share);
            ranked.truncate(COMPARED);
        }
        ranked.into_iter().map(|(_, number)| number).collect()
    }
}

/// Words by which names are found; the others are in too many.
fn finds(token: &Token) -> bool {
    !matches!(token.role, Role::Initial | Role::Title | Role::Particle(_) | Role::Common(1, _))
}

fn better(one: &Hit, other: &Hit) -> Ordering {
    other.score.total_cmp(&one.score).then_with(|| other.name_score.total_cmp(&one.name_score)).then_with(|| one.number.cmp(&other.number))
}
