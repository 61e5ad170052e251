//! Rules of detection: what they are, what they find in a network of payments, and why.
//!
//! The crate is pure. It reads a folder of rules where it is asked to, and nothing else; it writes nothing and asks no clock. The same
//! payments give the same findings in whatever order they were loaded.
//!
//! | | |
//! |---|---|
//! | [`Pack`] | rules with their tests, built in or from a folder |
//! | [`Dataset`] | actors, accounts and payments, with an index |
//! | [`Rule::detect`] | the [`Finding`]s of one rule on one [`Day`] |
//! | [`Kernel`] | the searches that are part of the program |
//! | [`Mark`] | what the statement of a rule says of payments; whoever has a database brings it |
//! | [`evidence`] | which payments a finding needs |
//! | [`what_if()`] | what other thresholds would find, in one pass |
//! | [`beside()`] | which findings two versions of a rule have in common |
//! | [`PrecisionTable`] | which share of a rule's findings feedback calls right |
//! | [`lint()`], [`test()`] | whether a pack's tests pass, and whether they are enough |
//!
//! A search shows [`Match`]es with everything that it measured; thresholds are compared behind it; matches of one actor that share a payment
//! are one finding; each finding tells which payments are necessary, and replays with them alone.

// Modules, the lowest first: beside countries dataset day evidence fault precision quantity rule matches kernels detect finding pack lint replay
// scenario what_if.

mod beside;
mod countries;
mod dataset;
mod day;
mod detect;
pub mod evidence;
mod fault;
mod finding;
mod kernels;
mod lint;
mod matches;
mod pack;
mod precision;
mod quantity;
mod replay;
mod rule;
mod scenario;
mod what_if;

pub use beside::{Beside, Sighting, beside};
pub use countries::{LISTED_ON, high_risk_countries};
pub use dataset::{Account, Act, Actor, ActorIndex, ActorKind, Dataset, InvalidDataset, Mark, MarkIndex, Marked, Payment, Records};
pub use day::{Day, Window};
pub use detect::{Group, join};
pub use fault::{Fault, Faults};
pub use finding::{CitedPayment, Evidence, Finding, Measured, replays};
pub use kernels::{Kernel, Named, Scope};
pub use lint::{FEWEST, LintReport, MarkError, Marker, Moved, NoMarker, RuleLint, RuleTests, TestReport, TestResult, lint, test};
pub use matches::{Anchor, Baseline, History, Match, Values};
pub use pack::fields::{Fields, table as toml_table};
pub use pack::{LoadError, Pack, PackedRule, files_below, read_folders};
pub use precision::{
    DayCounts, FeedbackCounts, Interval, PartPrecision, Period, PeriodCounts, Precision, PrecisionFall, PrecisionTable, RulePrecision, wilson,
};
pub use quantity::{InvalidQuantity, Quantity};
pub use replay::{Elements, NotThere, Replay};
pub use rule::{
    Compare, InvalidSetting, InvalidVersion, Parameter, RedFlag, Role, Rule, Score, Search, Settings, Severity, Status, Threshold, Unit, Version,
};
pub use scenario::{BoundarySide, Found, Link, LinkKind, Scenario, ScenarioError, ScenarioKind};
pub use what_if::{Grid, InvalidGrid, Outcome, Point, what_if};
