//! The read cache, from outside: nobody is told what is older than it may be, whoever writes, and whoever is killed.
//!
//! [`writes`] has a table of all kinds of writes with the question that shows each (`kinds.tsv`): a kind whose invalidation was forgotten is found by its
//! name. [`instances`] reads and writes at random, on one instance and on two. [`asking`] is about the headers, the settings and rights.

mod asking;
mod instances;
mod kinds;
mod measures;
mod questions;
mod registers;
mod scene;
mod writes;

use crate::support::Test;

pub fn tests() -> Vec<Test> {
    [writes::tests(), instances::tests(), asking::tests()].into_iter().flatten().collect()
}
