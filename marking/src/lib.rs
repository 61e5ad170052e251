//! Statements of rules: what is asked of them, how they are run, and the marks that come of their rows.
//!
//! A rule whose search is a statement (`rule.cypher`) reads of the graph what payments alone do not say. The crate `detection` searches the
//! marks and knows no database; this crate stands between it and the two engines.
//!
//! | | |
//! |---|---|
//! | [`MarkStatement`] | the statement of a rule, checked: its parameters, its columns, its marks |
//! | [`check`] | all faults of the statements of a pack |
//! | [`ScenarioMarker`], [`with_marker`] | the statements of rules over the networks of their tests, on either engine |

// Modules, the lowest first: graph statement scenario.

mod graph;
mod scenario;
mod statement;

pub use scenario::{OpenError, ScenarioMarker, with_marker};
pub use statement::{Asking, InvalidMark, MarkStatement, check};
