//! The read cache: what was read of the graph a moment ago, as long as no write has made it another.
//!
//! An entry answers one question for one node: what is shown of it, one page of one of its links, how many it has of one. So walks that overlap share
//! what they have in common, whatever else they ask. A page of a whole list is an entry, too. The cache holds facts, not rights: what a caller may see
//! is decided before it is asked.
//!
//! An entry is good as long as nothing it depends on was written since it began to be read (`cypher::Stamps`); what goes around this process is
//! noticed when the entry has become too old. Entries are bounded by what they take in memory. Where other processes write, too, and tell what, the cache
//! answers while it knows that but for the last half second ([`Sharing`]).

// Modules, the lowest first: reach question others cache walk list.

mod cache;
mod list;
mod others;
mod question;
mod reach;
mod walk;

pub use cache::{ReadCache, Sharing, TIME_TO_LIVE};
pub use list::ListQuestion;
pub use reach::with_numbers;
pub use walk::{Assembly, Piece};
