//! The read cache, from outside: nobody is told what is older than it may be, whoever writes.
//!
//! [`writes`] has a table of all kinds of writes with the question that shows each (`kinds.tsv`): a kind whose invalidation was forgotten is found by its
//! name. [`random`] reads and writes at random. [`asking`] is about the headers, the settings and rights. [`instances`] has several instances on one Neo4j,
//! which tell one another what they write.

mod asking;
mod at_work;
mod instances;
mod kinds;
mod measures;
mod questions;
mod random;
mod registers;
mod scene;
mod writes;

use crate::support::Test;

pub fn tests() -> Vec<Test> {
    [writes::tests(), random::tests(), asking::tests(), instances::tests()].into_iter().flatten().collect()
}
