//! Risk scores of actors by rules that are data: what is known of an actor, with which weight it counts, and what that adds up to.
//!
//! The crate is pure. It reads a folder of rules where it is asked to, and nothing else; it writes nothing and asks no clock. All numbers are decimals: what
//! factors contribute adds up to the score exactly.
//!
//! | | |
//! |---|---|
//! | [`Pack`] | risk rules with their tests, built in or from a folder |
//! | [`RiskRule`] | a rule: its [`Factor`]s, and how the network counts |
//! | [`Facts`] | what is known of an actor, by [`Input`] |
//! | [`RiskRule::evaluate`] | the [`Breakdown`] of a score |
//! | [`score`], [`score_again`] | the scores of all actors, with what they are exposed to |
//! | [`RiskRule::policy`] | a rule as lines of a policy |
//! | [`lint()`], [`test()`] | whether a pack's tests pass, and whether they are enough |
//! | [`compare`], [`RiskRule::with_weights`] | how many scores would be in which band by other rules, or with other weights |

// Modules, the lowest first: facts rule breakdown policy population scenario pack lint what_if.

mod breakdown;
mod facts;
mod lint;
mod pack;
mod policy;
mod population;
mod rule;
mod scenario;
mod what_if;

pub use breakdown::{Breakdown, Contribution, Known, Summary};
pub use facts::{Facts, Input, Kind};
pub use lint::{LintReport, Moved, NoKind, RuleLint, RuleTests, TestReport, TestResult, Unreached, lint, test};
pub use pack::{Pack, PackedRule};
pub use population::{Member, Scores, Tie, TieKind, score, score_again};
pub use rule::{ActorType, Band, Factor, NetworkShares, RatedTexts, Ratings, RiskRule};
pub use scenario::Scenario;
pub use what_if::{BandMove, Comparison, InvalidWeight, compare};
