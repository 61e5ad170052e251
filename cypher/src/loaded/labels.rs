//! Labels of statements that come as data. Metrics, logs and errors know statements by texts that live as long as the program, so each name is kept once, and
//! there is an end to their number however often a folder is read.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use super::Fault;

/// How many names there may be in one run of the program: as many series has a metric of statements.
const MOST: usize = 1_000;
/// The longest name.
const LONGEST: usize = 64;

static LABELS: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());

/// `data/NAME`.
pub(super) fn label_of(name: &str) -> Result<&'static str, Fault> {
    check_name(name)?;
    let label = format!("data/{name}");
    let mut labels = LABELS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = labels.get(label.as_str()) {
        return Ok(known);
    }
    if labels.len() == MOST {
        return Err(Fault::new("its name", format!("{MOST} names of statements were read since the program began, and this is another")));
    }
    let label: &'static str = label.leak();
    labels.insert(label);
    Ok(label)
}

/// What a name may be: it stands in metrics, and in a comment of what is sent.
pub(super) fn check_name(name: &str) -> Result<(), Fault> {
    let is_right = |character: char| character.is_ascii_lowercase() || character.is_ascii_digit() || matches!(character, '_' | '-');
    if (1..=LONGEST).contains(&name.len()) && name.chars().all(is_right) {
        return Ok(());
    }
    Err(Fault::new("its name", format!("it has small letters, digits, `_` and `-`, {LONGEST} at most")))
}
