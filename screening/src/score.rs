//! How far two names are one: a number from 0 to 1, and what each part of them did to it.
//!
//! The number is 1 less the costs of the parts. It depends on the two names alone, and the same both ways: the names are put in one order
//! before they are compared.

use crate::align::{Alignment, Pairing, align};
use crate::name::{Kind, Name};
use crate::tables::Form;
use crate::token::{How, Role, Token};

/// From here on two names are said to match.
pub const THRESHOLD: f32 = 0.78;

/// What the parts of a name cost. Found by search on the tuning part of the public pairs and on mutated lists (docs/screening.md).
#[derive(Clone, Debug)]
pub struct Weights {
    /// What is not alike in words that are paired.
    pub unlike: f32,
    /// Words on both sides that are not the other's.
    pub contradicted: f32,
    /// Two names that each have such words differ at least by a word of this weight.
    pub least_contradicted: f32,
    /// Words that only one of the names has.
    pub missing: f32,
    /// A name that only one has weighs at least so much.
    pub least_missing: f32,
    /// The weight of paired words below which missing words count more.
    pub enough: f32,
    /// What they count more, at the most.
    pub thin: f32,
    /// What it costs that only one word is paired, where one name has more.
    pub single: f32,
    /// A number that the other name has not.
    pub number: f32,
}

impl Weights {
    pub const PERSON: Weights = Weights {
        unlike: 0.95,
        contradicted: 1.6,
        least_contradicted: 0.45,
        missing: 0.25,
        least_missing: 0.6,
        enough: 1.4,
        thin: 0.5,
        single: 0.03,
        number: 0.08,
    };
    pub const OTHER: Weights = Weights {
        unlike: 0.85,
        contradicted: 1.3,
        least_contradicted: 0.5,
        missing: 0.25,
        least_missing: 0.0,
        enough: 1.0,
        thin: 0.5,
        single: 0.0,
        number: 0.08,
    };

    fn of(first: &Parts, second: &Parts) -> &'static Weights {
        let person = first.kind == Kind::Person || second.kind == Kind::Person || (first.may_be_person() && second.may_be_person());
        if person { &Weights::PERSON } else { &Weights::OTHER }
    }
}

/// What happened to a part of one name or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// It is in both, letter for letter.
    Kept,
    /// It is in both, in one of these ways.
    Matched(How),
    /// Each name has something else here.
    Contradicted,
    /// Only one name has it.
    Missing,
    /// It says nothing: a title, a form of organisation that agrees.
    Ignored,
    /// Forms of organisation that differ.
    Form,
    /// A number that only one has, or that differs.
    Number,
    /// The words are in another order, or otherwise written.
    Written,
}

/// A part of the names and what it cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Reason {
    pub first: String,
    pub second: String,
    pub what: What,
    pub cost: f32,
}

/// The score of two names and the reasons for it: 1 less their costs, or 0 where they cost more than 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Explained {
    pub score: f32,
    pub reasons: Vec<Reason>,
}

/// The score of two names.
pub fn score(first: &Name, second: &Name) -> f32 {
    score_parts(&Parts::of(first), &Parts::of(second))
}

/// The score of two names with a reason for each part.
pub fn explain(first: &Name, second: &Name) -> Explained {
    explain_parts(&Parts::of(first), &Parts::of(second))
}

/// A name's parts, wherever they are kept.
pub struct Parts<'a> {
    pub kind: Kind,
    pub given: &'a str,
    pub tokens: Vec<&'a Token>,
    pub forms: &'a [Form],
}

impl<'a> Parts<'a> {
    pub fn of(name: &'a Name) -> Parts<'a> {
        Parts { kind: name.kind, given: &name.given, tokens: name.tokens.iter().collect(), forms: &name.forms }
    }

    /// Nobody said what it is, and nothing in it is of an organisation.
    fn may_be_person(&self) -> bool {
        let of_organisation = |token: &&Token| matches!(token.role, Role::Common(..) | Role::Number(_));
        self.kind == Kind::Unknown && self.forms.is_empty() && !self.tokens.iter().any(of_organisation)
    }
}

pub fn score_parts(first: &Parts, second: &Parts) -> f32 {
    let mut sum = 0.0;
    compare(first, second, Weights::of(first, second), |_, _, _, cost| sum += cost);
    as_score(sum)
}

pub fn explain_parts(first: &Parts, second: &Parts) -> Explained {
    let mut reasons = Vec::new();
    let mut sum = 0.0;
    let swapped = compare(first, second, Weights::of(first, second), |first, second, what, cost| {
        sum += cost;
        let texts = |tokens: &[&Token]| {
            let shown = tokens.iter().map(|token| if token.raw.is_empty() { &*token.text } else { &*token.raw });
            shown.collect::<Vec<_>>().join(" ")
        };
        reasons.push(Reason { first: texts(first), second: texts(second), what, cost });
    });
    if swapped {
        reasons.iter_mut().for_each(|reason| std::mem::swap(&mut reason.first, &mut reason.second));
    }
    Explained { score: as_score(sum), reasons }
}

/// Four digits are told, so four are compared with the threshold.
pub fn as_score(costs: f32) -> f32 {
    ((1.0 - costs).clamp(0.0, 1.0) * 10_000.0).round() / 10_000.0
}

/// For tuning: the score with other weights than those that are shipped.
#[doc(hidden)]
pub fn score_with(first: &Name, second: &Name, weights: &Weights) -> f32 {
    let mut sum = 0.0;
    compare(&Parts::of(first), &Parts::of(second), weights, |_, _, _, cost| sum += cost);
    as_score(sum)
}

/// Says what each part costs, in an order of the names that does not depend on which is first; true when that is the other order.
fn compare(first: &Parts, second: &Parts, weights: &Weights, mut say: impl FnMut(&[&Token], &[&Token], What, f32)) -> bool {
    let swapped = (first.given, first.kind) > (second.given, second.kind);
    let (first, second) = if swapped { (second, first) } else { (first, second) };
    if first.tokens.is_empty() || second.tokens.is_empty() {
        say(&first.tokens, &second.tokens, What::Contradicted, 1.0);
        return swapped;
    }
    if first.given == second.given && first.kind == second.kind {
        say(&first.tokens, &second.tokens, What::Kept, 0.0);
        return swapped;
    }
    let aligned = align(&first.tokens, &second.tokens);
    let mut left = Left::of(first, second, &aligned);
    let kept: f32 = aligned.pairings.iter().map(|pairing| weight_of(first, second, pairing)).sum();
    let both_left = left.first_says > 0.0 && left.second_says > 0.0 && left.first_names > 0 && left.second_names > 0;
    let contradicted = if both_left { left.first_says.min(left.second_says).max(weights.least_contradicted) } else { 0.0 };
    let least = if left.first_names.max(left.second_names) > 0 { weights.least_missing } else { 0.0 };
    let mut missing = (left.first_says.max(left.second_says) - contradicted).max(0.0);
    if contradicted == 0.0 && missing > 0.0 {
        missing = missing.max(least);
    }
    let total = kept + contradicted;
    if total <= 0.0 {
        say(&first.tokens, &second.tokens, What::Contradicted, 1.0);
        return swapped;
    }
    for pairing in &aligned.pairings {
        let cost = weight_of(first, second, pairing) * (1.0 - pairing.alike) * weights.unlike / total;
        let what = if pairing.how == How::Same { What::Kept } else { What::Matched(pairing.how) };
        say(&first.tokens[pairing.firsts()], &second.tokens[pairing.seconds()], what, cost);
    }
    if contradicted > 0.0 {
        say(&left.first, &left.second, What::Contradicted, contradicted * weights.contradicted / total);
    }
    if missing > 0.0 {
        let thin = weights.thin * (1.0 - kept / weights.enough).max(0.0);
        let single = if names_paired(first, &aligned) < 2 { weights.single } else { 0.0 };
        let cost = (weights.missing + thin) * missing / (kept + missing) + single;
        let (one, other): (&[&Token], &[&Token]) = if left.first_says > left.second_says { (&left.first, &[]) } else { (&[], &left.second) };
        say(one, other, What::Missing, cost);
    }
    for token in left.first_ignored.drain(..) {
        say(&[token], &[], What::Ignored, 0.0);
    }
    for token in left.second_ignored.drain(..) {
        say(&[], &[token], What::Ignored, 0.0);
    }
    numbers(&left, weights, &mut say);
    forms(first, second, &mut say);
    written(first, second, &aligned, &mut say);
    swapped
}

fn weight_of(first: &Parts, second: &Parts, pairing: &Pairing) -> f32 {
    let sum = |tokens: &[&Token]| tokens.iter().map(|token| token.weight).sum::<f32>();
    (sum(&first.tokens[pairing.firsts()]) + sum(&second.tokens[pairing.seconds()])) / 2.0
}

/// How many words that say who are paired, of the name that has fewer words in its pairings.
fn names_paired(first: &Parts, aligned: &Alignment) -> usize {
    let names = |pairing: &&Pairing| first.tokens[pairing.firsts()].iter().any(|token| token.is_name() || token.role == Role::Initial);
    aligned.pairings.iter().filter(names).map(|pairing| pairing.firsts().len().max(pairing.seconds().len())).sum()
}

/// The group of `Abdul`: a particle that is a name where nothing follows it.
const ABD: u8 = 2;

/// What is in no pairing.
#[derive(Default)]
struct Left<'a> {
    first: Vec<&'a Token>,
    second: Vec<&'a Token>,
    first_says: f32,
    second_says: f32,
    first_names: usize,
    second_names: usize,
    first_ignored: Vec<&'a Token>,
    second_ignored: Vec<&'a Token>,
    first_numbers: Vec<&'a Token>,
    second_numbers: Vec<&'a Token>,
}

impl<'a> Left<'a> {
    fn of(first: &Parts<'a>, second: &Parts<'a>, aligned: &Alignment) -> Left<'a> {
        let mut left = Left::default();
        let sort = |tokens: &[&'a Token], paired: u32, names: &mut Vec<&'a Token>, ignored: &mut Vec<&'a Token>, numbers: &mut Vec<&'a Token>| {
            for (at, token) in tokens.iter().enumerate().filter(|(at, _)| *at >= 32 || paired & (1 << at) == 0) {
                match token.role {
                    Role::Title | Role::Common(1, _) => ignored.push(*token),
                    Role::Number(_) => numbers.push(*token),
                    _ if at < crate::align::MOST_WORDS => names.push(*token),
                    _ => {}
                }
            }
        };
        sort(&first.tokens, aligned.first, &mut left.first, &mut left.first_ignored, &mut left.first_numbers);
        sort(&second.tokens, aligned.second, &mut left.second, &mut left.second_ignored, &mut left.second_numbers);
        let says = |tokens: &[&Token]| tokens.iter().map(|token| token.weight).sum();
        let names =
            |tokens: &[&Token]| tokens.iter().filter(|token| token.is_name() || matches!(token.role, Role::Initial | Role::Particle(ABD))).count();
        (left.first_says, left.second_says) = (says(&left.first), says(&left.second));
        (left.first_names, left.second_names) = (names(&left.first), names(&left.second));
        left
    }
}

fn numbers(left: &Left, weights: &Weights, say: &mut impl FnMut(&[&Token], &[&Token], What, f32)) {
    for at in 0..left.first_numbers.len().max(left.second_numbers.len()) {
        let part = |tokens: &[&Token]| tokens.len().min(at)..tokens.len().min(at + 1);
        let (first, second) = (&left.first_numbers[part(&left.first_numbers)], &left.second_numbers[part(&left.second_numbers)]);
        let both = if first.is_empty() || second.is_empty() { 1.0 } else { 1.5 };
        say(first, second, What::Number, weights.number * both);
    }
}

/// The same form costs nothing, one of the same kind next to nothing, a missing one little, another kind more.
fn forms(first: &Parts, second: &Parts, say: &mut impl FnMut(&[&Token], &[&Token], What, f32)) {
    let cost = match (first.forms, second.forms) {
        (one, other) if one == other => return,
        ([], _) | (_, []) => 0.02,
        (one, other) if one.iter().any(|form| other.contains(form)) => 0.01,
        (one, other) if one.iter().any(|form| other.iter().any(|another| another.kind == form.kind)) => 0.02,
        _ => 0.06,
    };
    say(&[], &[], What::Form, cost);
}

/// Only the same text is exactly 1: another order or another way of writing costs next to nothing, but something.
fn written(first: &Parts, second: &Parts, aligned: &Alignment, say: &mut impl FnMut(&[&Token], &[&Token], What, f32)) {
    if first.given == second.given {
        return;
    }
    let mut order: Vec<_> = aligned.pairings.iter().map(|pairing| (pairing.first.0, pairing.second.0)).collect();
    order.sort_unstable();
    let moved = order.windows(2).any(|pair| pair[0].1 > pair[1].1);
    say(&[], &[], What::Written, if moved { 0.01 } else { 0.003 });
}
