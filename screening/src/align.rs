//! Which words of one name are which of the other.

use crate::token::{How, Role, Token, alike, alike_joined};

/// No name has more words than this that are compared.
pub const MOST_WORDS: usize = 24;
/// As many words at the most are written as one.
const MOST_JOINED: usize = 4;

/// Words of the one name that are words of the other: one for one, or several that are written as one.
#[derive(Clone, Copy, Debug)]
pub struct Pairing {
    pub first: (u8, u8),
    pub second: (u8, u8),
    pub alike: f32,
    pub how: How,
    weight: f32,
}

impl Pairing {
    pub fn firsts(&self) -> std::ops::Range<usize> {
        usize::from(self.first.0)..usize::from(self.first.1)
    }

    pub fn seconds(&self) -> std::ops::Range<usize> {
        usize::from(self.second.0)..usize::from(self.second.1)
    }

    fn bits(range: (u8, u8)) -> u32 {
        (range.0..range.1).fold(0, |bits, at| bits | 1 << at)
    }
}

/// The pairings that are kept, the best first, and which words of each name are in one.
pub struct Alignment {
    pub pairings: Vec<Pairing>,
    pub first: u32,
    pub second: u32,
}

/// Pairs the words of two names: what is most alike first, each word once.
pub fn align(first: &[&Token], second: &[&Token]) -> Alignment {
    let (first, second) = (&first[..first.len().min(MOST_WORDS)], &second[..second.len().min(MOST_WORDS)]);
    let mut kept = Alignment { pairings: Vec::with_capacity(6), first: 0, second: 0 };
    settle_equal(first, second, &mut kept);
    let (firsts_left, seconds_left) = (left(first.len(), kept.first), left(second.len(), kept.second));
    if firsts_left == 0 || seconds_left == 0 {
        return kept;
    }
    let mut possible = Vec::with_capacity(16);
    for (i, one) in first.iter().enumerate().filter(|(i, _)| firsts_left & (1 << i) != 0) {
        for (j, other) in second.iter().enumerate().filter(|(j, _)| seconds_left & (1 << j) != 0) {
            if let Some((alike, how)) = alike(one, other) {
                possible.push(pairing((i, i + 1), (j, j + 1), alike, how, one.weight + other.weight));
            }
        }
    }
    joined((first, firsts_left), (second, seconds_left), &mut possible, false);
    joined((second, seconds_left), (first, firsts_left), &mut possible, true);
    // Equal words first (of several the ones that say most), then what is joined before what is only near.
    possible.sort_unstable_by(|one, other| {
        let near = |pairing: &Pairing| (pairing.firsts().start.abs_diff(pairing.seconds().start), pairing.first, pairing.second);
        other.alike.total_cmp(&one.alike).then_with(|| other.weight.total_cmp(&one.weight)).then_with(|| near(one).cmp(&near(other)))
    });
    for pairing in possible {
        if kept.first & Pairing::bits(pairing.first) == 0 && kept.second & Pairing::bits(pairing.second) == 0 {
            kept.keep(pairing);
        }
    }
    initials(first, second, &mut kept, false);
    initials(second, first, &mut kept, true);
    kept
}

/// The words that are in no pairing yet.
fn left(words: usize, paired: u32) -> u32 {
    ((1u32 << words) - 1) & !paired
}

/// Words that are equal, and equal to no other word of either name, are paired before anything is measured.
fn settle_equal(first: &[&Token], second: &[&Token], kept: &mut Alignment) {
    let equal = |one: &Token, other: &Token| one.text == other.text && one.raw == other.raw && one.role == other.role;
    for (i, one) in first.iter().enumerate() {
        let mut partners = second.iter().enumerate().filter(|(_, other)| equal(one, other));
        if let (Some((j, other)), None) = (partners.next(), partners.next())
            && first.iter().filter(|another| equal(another, other)).count() == 1
        {
            kept.keep(pairing((i, i + 1), (j, j + 1), 1.0, How::Same, one.weight + other.weight));
        }
    }
}

impl Alignment {
    fn keep(&mut self, pairing: Pairing) {
        self.first |= Pairing::bits(pairing.first);
        self.second |= Pairing::bits(pairing.second);
        self.pairings.push(pairing);
    }
}

fn pairing(first: (usize, usize), second: (usize, usize), alike: f32, how: How, weight: f32) -> Pairing {
    let small = |at: usize| u8::try_from(at).unwrap_or(u8::MAX);
    Pairing { first: (small(first.0), small(first.1)), second: (small(second.0), small(second.1)), alike, how, weight }
}

/// Several words of `many` that are one word of `single`, of the words that are left of both.
fn joined((many, many_left): (&[&Token], u32), (single, single_left): (&[&Token], u32), possible: &mut Vec<Pairing>, swapped: bool) {
    let mut letters = [0u8; 64];
    for start in 0..many.len() {
        let mut length = 0;
        for end in start + 1..=many.len().min(start + MOST_JOINED) {
            let text = many[end - 1].text.as_bytes();
            if length + text.len() > letters.len() || many_left & (1 << (end - 1)) == 0 {
                break;
            }
            letters[length..length + text.len()].copy_from_slice(text);
            length += text.len();
            if end - start < 2 || length < 4 {
                continue;
            }
            for (at, one) in single.iter().enumerate().filter(|(at, _)| single_left & (1 << at) != 0) {
                let turned = (end - start == 2).then_some((many[end - 1], many[start]));
                if let Some(alike) = one_word(&letters[..length], turned, one) {
                    let weight = one.weight + many[start..end].iter().map(|token| token.weight).sum::<f32>();
                    let (first, second) = if swapped { ((at, at + 1), (start, end)) } else { ((start, end), (at, at + 1)) };
                    possible.push(pairing(first, second, alike, How::Joined, weight));
                }
            }
        }
    }
}

/// How alike the joined letters are to one word, or two words in the other order.
fn one_word(joined: &[u8], turned: Option<(&Token, &Token)>, one: &Token) -> Option<f32> {
    let near = one.text.len().abs_diff(joined.len()) <= 2;
    if one.role == Role::Title || (!near && one.others.is_empty()) {
        return None;
    }
    alike_joined(joined, one).or_else(|| {
        let (before, after) = turned?;
        (one.text.as_bytes().strip_prefix(before.text.as_bytes()) == Some(after.text.as_bytes())).then_some(0.95)
    })
}

/// A word of two to five letters that are the first letters of as many words in a row, none of which is paired.
fn initials(short: &[&Token], long: &[&Token], kept: &mut Alignment, swapped: bool) {
    for (at, token) in short.iter().enumerate() {
        let letters = token.text.as_bytes();
        let (used, free) = if swapped { (kept.second, kept.first) } else { (kept.first, kept.second) };
        if used & (1 << at) != 0 || !(2..=5).contains(&letters.len()) || !token.is_name() || long.len() < letters.len() {
            continue;
        }
        let start = (0..=long.len() - letters.len()).find(|start| {
            long[*start..].iter().zip(letters).enumerate().all(|(on, (word, letter))| {
                word.text.as_bytes()[0] == *letter && word.text.len() > 1 && word.role != Role::Title && free & (1 << (start + on)) == 0
            })
        });
        let Some(start) = start else { continue };
        let range = (start, start + letters.len());
        let alike = if letters.len() == 2 { 0.72 } else { 0.8 };
        let (first, second) = if swapped { (range, (at, at + 1)) } else { ((at, at + 1), range) };
        kept.keep(pairing(first, second, alike, How::Initial, 0.0));
    }
}
