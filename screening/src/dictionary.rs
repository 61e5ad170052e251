//! The distinct words of a list, found by how they are written or sound, with a slip of the pen.
//!
//! Words are kept under hashes: of their letters, of their letters without any one of them, and of their sound. A word that differs by one
//! letter (changed, missing, doubled or in another place) shares one of these with the word that is asked for, so it is found without
//! looking at the others. What is found by a hash is compared before it is used.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};

use crate::script::Script;
use crate::tables::tables;
use crate::token::{Role, Token, alike};

/// What a hash is of, so that letters are not taken for a sound.
#[derive(Clone, Copy)]
enum Of {
    Letters = 1,
    Sound,
    Number,
    /// The consonants of a word with vowels, and of one without.
    Consonants,
    WrittenConsonants,
    /// The syllables of a word of letters, and of one of syllables.
    Syllables,
    WrittenSyllables,
}

/// Distinct words by number.
#[derive(Default)]
pub struct Dictionary {
    tokens: Vec<Token>,
    exact: FxHashMap<u64, u32>,
    /// A hash in the upper half, the word's number in the lower, in order.
    near: Vec<u64>,
    /// Where in `near` the hashes with the same upper 16 bits begin.
    begins: Vec<u32>,
}

fn hash(of: Of, bytes: impl IntoIterator<Item = u8>) -> u32 {
    let start = 0xcbf2_9ce4_8422_2325_u64 ^ (of as u64);
    let hash = bytes.into_iter().fold(start, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    ((hash ^ (hash >> 29)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32
}

/// The letters, and the letters without each one of them.
fn with_one_less(text: &str) -> impl Iterator<Item = u32> + '_ {
    let bytes = text.as_bytes();
    let whole = std::iter::once(hash(Of::Letters, bytes.iter().copied()));
    let shorter = (0..bytes.len())
        .filter(move |gone| bytes.len() > 2 && (*gone == 0 || bytes[*gone] != bytes[gone - 1]))
        .map(move |gone| hash(Of::Letters, bytes.iter().enumerate().filter(move |(at, _)| *at != gone).map(|(_, byte)| *byte)));
    whole.chain(shorter)
}

/// Under which rough keys a word of a script is kept.
fn written_as(script: Script) -> Vec<(Of, Script)> {
    if script.is_abjad() {
        vec![(Of::WrittenConsonants, script)]
    } else if script.is_syllabic() {
        vec![(Of::WrittenSyllables, script)]
    } else {
        vec![(Of::Consonants, Script::Arabic), (Of::Syllables, Script::Han)]
    }
}

/// Under which rough keys a word of a script finds those of other scripts.
fn heard_as(script: Script) -> Vec<(Of, Script)> {
    if script.is_abjad() {
        vec![(Of::Consonants, script)]
    } else if script.is_syllabic() {
        vec![(Of::Syllables, script)]
    } else {
        vec![(Of::WrittenConsonants, Script::Arabic), (Of::WrittenSyllables, Script::Han)]
    }
}

fn exact_key(person: bool, role: Role, script: Script, text: &str, raw: &str) -> u64 {
    let mut hasher = FxHasher::default();
    (person, role, script, text, raw).hash(&mut hasher);
    hasher.finish()
}

impl Dictionary {
    /// The number of a word, which is new where it was not there.
    pub fn add(&mut self, token: Token, person: bool) -> u32 {
        let mut key = exact_key(person, token.role, token.script, &token.text, &token.raw);
        loop {
            match self.exact.get(&key) {
                None => break,
                Some(known) => {
                    let same = &self.tokens[*known as usize];
                    if same.text == token.text && same.raw == token.raw && same.role == token.role && same.weight == token.weight {
                        return *known;
                    }
                    key = key.wrapping_add(1);
                }
            }
        }
        let number = u32::try_from(self.tokens.len()).unwrap_or(u32::MAX);
        self.exact.insert(key, number);
        self.tokens.push(token);
        number
    }

    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    pub fn token(&self, number: u32) -> &Token {
        &self.tokens[number as usize]
    }

    /// Makes what was added ready to be found.
    pub fn finish(&mut self) {
        // Only needed while words are added.
        self.exact = FxHashMap::default();
        self.tokens.shrink_to_fit();
        let mut near = Vec::with_capacity(self.tokens.len() * 10);
        for (number, token) in (0u64..).zip(&self.tokens) {
            if matches!(token.role, Role::Initial | Role::Title | Role::Particle(_)) {
                continue;
            }
            let mut keep = |hash: u32| near.push(u64::from(hash) << 32 | number);
            for text in std::iter::once(&token.text).chain(&token.others) {
                with_one_less(text).for_each(&mut keep);
            }
            keep(hash(Of::Sound, token.sound.bytes()));
            if let Role::Number(number) = token.role {
                keep(hash(Of::Number, number.to_le_bytes()));
            }
            for (of, like) in written_as(token.script) {
                token.rough(like).iter().for_each(|key| keep(hash(of, key.bytes())));
            }
        }
        near.sort_unstable();
        near.dedup();
        near.shrink_to_fit();
        let mut begins = vec![0u32; (1 << 16) + 1];
        for entry in &near {
            begins[(entry >> 48) as usize + 1] += 1;
        }
        for at in 1..begins.len() {
            begins[at] += begins[at - 1];
        }
        (self.near, self.begins) = (near, begins);
    }

    fn under(&self, hash: u32, found: &mut Vec<u32>) {
        let bucket = (hash >> 16) as usize;
        let within = &self.near[self.begins[bucket] as usize..self.begins[bucket + 1] as usize];
        let from = within.partition_point(|entry| (entry >> 32) as u32 <= hash.wrapping_sub(1) && hash > 0);
        found.extend(within[from..].iter().take_while(|entry| (**entry >> 32) as u32 == hash).map(|entry| *entry as u32));
    }

    /// The words that the token may be, and how alike each is.
    pub fn like(&self, token: &Token, found: &mut Vec<(u32, f32)>) {
        let mut numbers = Vec::new();
        for text in std::iter::once(&token.text).chain(&token.others) {
            with_one_less(text).for_each(|hash| self.under(hash, &mut numbers));
        }
        self.under(hash(Of::Sound, token.sound.bytes()), &mut numbers);
        if let Role::Number(number) = token.role {
            self.under(hash(Of::Number, number.to_le_bytes()), &mut numbers);
        }
        self.rough(token, &mut numbers);
        for group in token.groups {
            for member in &tables().members[usize::from(group.group)] {
                self.under(hash(Of::Letters, member.bytes()), &mut numbers);
            }
        }
        numbers.sort_unstable();
        numbers.dedup();
        found.extend(numbers.into_iter().filter_map(|number| alike(token, self.token(number)).map(|(alike, _)| (number, alike))));
    }

    fn rough(&self, token: &Token, numbers: &mut Vec<u32>) {
        for (of, like) in heard_as(token.script) {
            token.rough(like).iter().for_each(|key| self.under(hash(of, key.bytes()), numbers));
        }
    }

    /// The words that are written so, or with a slip of the pen, without comparing them.
    pub fn written(&self, text: &str, slips: bool, numbers: &mut Vec<u32>) {
        let before = numbers.len();
        if slips {
            with_one_less(text).for_each(|hash| self.under(hash, numbers));
        } else {
            self.under(hash(Of::Letters, text.bytes()), numbers);
        }
        let mut found = numbers.split_off(before);
        found.sort_unstable();
        found.dedup();
        numbers.extend(found.into_iter().filter(|number| slips || &*self.token(*number).text == text));
    }

    /// How many bytes the words and their hashes take.
    pub fn bytes(&self) -> usize {
        let text = |token: &Token| token.text.len() + token.sound.len() + token.raw.len();
        self.tokens.len() * size_of::<Token>() + self.tokens.iter().map(text).sum::<usize>() + self.near.len() * 8 + self.begins.len() * 4
    }
}
