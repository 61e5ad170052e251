//! Screening: whether two names are one, and which entries of a list a name may be.
//!
//! A text becomes a [`Name`]: words in Latin letters, each with a role and a weight. [`score`] and [`explain`] compare two of them; both are
//! functions of the two names alone, the same both ways; [`Scoring`] chooses another. [`Index`] finds the names of a list that may be a query's; [`evidence`] says what birth
//! dates, countries, sex and identifiers change. [`list`] and [`files`] read and write what they are given; nothing here opens a file.

// Modules, the lowest first: countries edit han hangul script latin sound words placeholder evidence tables token align dictionary name list
// mutate score ofac scoring index files validate.

mod align;
mod countries;
mod dictionary;
mod edit;
pub mod evidence;
pub mod files;
mod han;
mod hangul;
mod index;
mod latin;
pub mod list;
pub mod mutate;
mod name;
mod ofac;
mod placeholder;
mod score;
mod scoring;
mod script;
mod sound;
mod tables;
mod token;
pub mod validate;
mod words;

pub use index::{Hit, Index, Searcher};
pub use name::{Kind, Name};
pub use placeholder::is_placeholder;
pub use score::{Explained, Reason, THRESHOLD, Weights, What, explain, score, score_with};
pub use scoring::Scoring;
pub use token::How;
#[doc(hidden)]
pub fn folded(text: &str) -> String {
    words::words(text).into_iter().map(|word| word.text).collect::<Vec<_>>().join(" ")
}
