//! A note: what a process has written, as others are told it.
//!
//! It names areas that may have been touched anywhere, areas that were touched at named nodes alone, and the stripes of these. As text it is six parts
//! between bars: number of the format, number of the note, `a` where it may have been anything, the two lists of areas, and the stripes, five hexadecimal
//! digits each.

use std::collections::{BTreeSet, HashSet};
use std::fmt::Write;
use std::sync::Arc;

use super::stripe::Stripe;

/// Of the text, of the hash of stripes, and of what areas and stripes mean. Who does not know it takes a note for anything.
const FORMAT: &str = "2";
/// Above this the areas count as touched anywhere.
const MOST_STRIPES: usize = 4_096;
/// Hexadecimal digits of a stripe.
const DIGITS: usize = 5;
const ANYTHING: &str = "a";

/// What a statement touches at most.
#[derive(Debug, Default)]
pub(super) struct Names {
    pub(super) is_anything: bool,
    pub(super) areas: Vec<String>,
}

/// What a write touches: of its areas nodes with these stripes alone, where it has any.
#[derive(Debug)]
pub(super) struct Change {
    pub(super) names: Arc<Names>,
    pub(super) stripes: Option<Vec<Stripe>>,
}

/// What was written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Note {
    pub(super) is_anything: bool,
    /// Areas that may have been touched anywhere.
    pub(super) whole: BTreeSet<String>,
    /// Areas that were touched at nodes with these stripes.
    pub(super) in_part: BTreeSet<String>,
    pub(super) stripes: BTreeSet<Stripe>,
}

impl Note {
    /// That anything may have been written.
    pub fn anything() -> Self {
        Self { is_anything: true, ..Self::default() }
    }

    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// What was left of an earlier note, and changes.
    pub(super) fn of<'a>(left: Self, changes: impl Iterator<Item = &'a Arc<Change>>) -> Self {
        let mut note = left;
        // Nearly all are of a few statements.
        let mut seen = HashSet::new();
        for change in changes {
            note.stripes.extend(change.stripes.iter().flatten());
            if seen.insert((Arc::as_ptr(&change.names), change.stripes.is_some())) {
                note.is_anything |= change.names.is_anything;
                let areas = if change.stripes.is_some() { &mut note.in_part } else { &mut note.whole };
                areas.extend(change.names.areas.iter().cloned());
            }
        }
        note.bounded()
    }

    /// What both say.
    pub(super) fn and(mut self, other: Self) -> Self {
        self.is_anything |= other.is_anything;
        self.whole.extend(other.whole);
        self.in_part.extend(other.in_part);
        self.stripes.extend(other.stripes);
        self.bounded()
    }

    fn bounded(mut self) -> Self {
        if self.stripes.len() > MOST_STRIPES {
            self.whole.append(&mut self.in_part);
            self.stripes.clear();
        }
        self
    }

    /// The text of the note of a number.
    pub fn to_text(&self, number: u64) -> String {
        let list = |areas: &BTreeSet<String>| areas.iter().map(String::as_str).collect::<Vec<_>>().join(",");
        let anything = if self.is_anything { ANYTHING } else { "" };
        let mut text = format!("{FORMAT}|{number}|{anything}|{}|{}|", list(&self.whole), list(&self.in_part));
        for stripe in &self.stripes {
            // Writing to a text does not fail.
            let _ = write!(text, "{:0width$x}", stripe.number(), width = DIGITS);
        }
        text
    }

    /// The note of a number; nothing where the text is another's, or of another format.
    pub fn of_text(text: &str, number: u64) -> Option<Self> {
        let mut parts = text.split('|');
        let mut part = || parts.next();
        if part()? != FORMAT || part()?.parse() != Ok(number) {
            return None;
        }
        let is_anything = part()? == ANYTHING;
        let (whole, in_part) = (areas_of(part()?), areas_of(part()?));
        let stripes = stripes_of(part()?)?;
        part().is_none().then_some(Self { is_anything, whole, in_part, stripes })
    }
}

fn areas_of(list: &str) -> BTreeSet<String> {
    list.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

fn stripes_of(digits: &str) -> Option<BTreeSet<Stripe>> {
    if !digits.is_ascii() || !digits.len().is_multiple_of(DIGITS) {
        return None;
    }
    let stripe = |at: usize| u32::from_str_radix(&digits[at..at + DIGITS], 16).ok().and_then(Stripe::numbered);
    (0..digits.len()).step_by(DIGITS).map(stripe).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(areas: &[&str]) -> Arc<Names> {
        Arc::new(Names { is_anything: false, areas: areas.iter().map(|name| (*name).to_owned()).collect() })
    }

    fn stripes(numbers: std::ops::Range<u32>) -> Vec<Stripe> {
        numbers.map(|number| Stripe::numbered(number).expect("a stripe")).collect()
    }

    #[test]
    fn a_note_is_read_as_it_was_written() {
        let payments = names(&["Account", "SENT", "DETACH DELETE"]);
        let changes = [
            Arc::new(Change { names: Arc::clone(&payments), stripes: Some(stripes(0..3)) }),
            Arc::new(Change { names: Arc::clone(&payments), stripes: Some(stripes(262_143..262_144)) }),
            Arc::new(Change { names: names(&["Case"]), stripes: None }),
        ];
        let note = Note::of(Note::default(), changes.iter());
        let text = note.to_text(7);
        assert_eq!(text, "2|7||Case|Account,DETACH DELETE,SENT|0000000001000023ffff");
        assert_eq!(Note::of_text(&text, 7), Some(note));
        for note in [Note::default(), Note::anything()] {
            assert_eq!(Note::of_text(&note.to_text(1), 1), Some(note));
        }
    }

    #[test]
    fn what_is_no_note_of_that_number_is_none() {
        for text in [
            "",
            "2|8||Case||",
            "1|7||Case||",
            "2|7||Case|",
            "2|7||Case|||",
            "2|7||Case||0000",
            "2|7||Case||zzzzz",
            "2|7||Case||fffff",
            "2|7||Case||0000é",
        ] {
            assert_eq!(Note::of_text(text, 7), None, "{text}");
        }
        assert!(Note::of_text("2|7||Case||00000", 7).is_some());
    }

    #[test]
    fn a_note_with_too_many_stripes_is_about_whole_areas() {
        let payments = names(&["SENT"]);
        let few = Note::of(Note::default(), [Arc::new(Change { names: Arc::clone(&payments), stripes: Some(stripes(0..4_000)) })].iter());
        assert_eq!((few.whole.len(), few.in_part.len(), few.stripes.len()), (0, 1, 4_000));
        let many = Note::of(few.clone(), [Arc::new(Change { names: payments, stripes: Some(stripes(4_000..5_000)) })].iter());
        assert_eq!((many.whole.len(), many.in_part.len(), many.stripes.len()), (1, 0, 0));
        assert_eq!(few.clone().and(many.clone()).whole, many.whole);
        assert!(Note::anything().and(few).is_anything);
    }
}
