//! Detection runs: the batch that looks for suspicious patterns in what is stored.
//!
//! - [`added`]: rules that people add.
//! - [`backtest`]: what a rule would have found, day by day.
//! - [`batch`]: asking for a run (Initialize batch), which queues a job.
//! - [`challengers`]: what rules in shadow have found, beside what the live ones have.
//! - [`job`]: the job, in steps that survive a crash.
//! - [`business_day`]: which instants belong to a day.
//! - [`scope`]: who is monitored, and for which line of business.
//! - [`load`]: what is read of the store, as it was known at a moment.
//! - [`marks`]: what the statements of rules mark of it.
//! - [`dataset`]: what is handed to the rules, two records of one payment joined.
//! - [`search`]: the rules, over it.
//! - [`precision`]: what feedback says of rules.
//! - [`record`]: findings become observations, or signals that were suppressed.
//! - [`rule_set`]: which versions of rules there are, and what each does in runs.
//! - [`below_the_line`]: a sample of what rules miss by little.
//! - [`cases`]: findings are gathered into cases.
//! - [`runs`]: runs as they are shown. Those of `ACTOR` are done by [`crate::risk`].
//! - [`snooze`]: keeping a rule from alerting about an actor for a while; [`snoozes`]: the list of that, and its end.
//! - [`tuning`]: rules switched, and their parameters set.
//!
//! Rules and kernels are the crate `detection`, which reads and writes nothing.

mod added;
mod backtest;
mod batch;
pub(crate) mod below_the_line;
pub(crate) mod business_day;
pub(crate) mod cases;
mod challengers;
mod dataset;
mod job;
mod load;
mod marks;
pub(crate) mod precision;
mod record;
pub(crate) mod rule_set;
mod runs;
pub(crate) mod scope;
mod search;
mod snooze;
mod snoozes;
pub(crate) mod tuning;

use std::time::Duration;

use chrono_tz::Tz;

/// A time zone of the IANA database.
pub type Zone = Tz;

pub use added::RuleFile;
pub use backtest::Backtest;
pub(crate) use backtest::{days, read_set, span_faults};
pub use below_the_line::BelowTheLine;
pub use business_day::{date_at, day_of};
pub use cases::CasesBy;
pub(crate) use cases::GatheredFindings;
pub use challengers::{FirstFindings, ShadowFinding, ShadowOutcome};
pub use detection::{
    FeedbackCounts, Parameter, PartPrecision, Period, PeriodCounts, Precision, PrecisionFall, Role as RuleRole, Rule, RulePrecision, Status,
};
pub(crate) use job::{Detect, the_day};
pub use precision::{FeedbackMeanings, PrecisionQuery, PrecisionReport};
pub(crate) use rule_set::overwritten;
pub use rule_set::{KnownRule, OwnRules, RulePart, RuleSource};
pub(crate) use runs::begun_row;
pub use runs::{RunPage, RunPlace, RunQuery, ShownRun};
pub use search::priority;
pub use snooze::Snoozing;
pub use snoozes::{EndedSnooze, ShownSnooze, SnoozePage, SnoozeQuery};
pub use tuning::{TuneRule, Tuning};

/// The label of runs' nodes.
const DETECTION_RUN: &str = "DetectionRun";
/// Where findings come from, as records say it.
pub(crate) const DATA_SOURCE: &str = "Service - Detection";

/// How detection is done.
#[derive(Debug, Clone, Copy)]
pub struct DetectionSettings {
    /// Whose days are business days.
    pub time_zone: Tz,
    /// How far apart two records of one payment may be.
    pub same_within: Duration,
    /// What becomes of findings.
    pub cases: CasesBy,
    /// The least score of findings that are gathered into cases.
    pub case_score: f64,
    pub below_the_line: BelowTheLine,
}

impl DetectionSettings {
    /// Reads the name of a time zone.
    pub fn time_zone(name: &str) -> Result<Tz, String> {
        name.parse().map_err(|_| "must be a name of the IANA time zone database, such as Europe/Berlin".to_owned())
    }

    /// Reads a score.
    pub fn score(text: &str) -> Result<f64, String> {
        let score: Option<f64> = text.parse().ok().filter(|score| (0.0..=1.0).contains(score));
        score.ok_or_else(|| "must be a number from 0 to 1".to_owned())
    }
}

impl Default for DetectionSettings {
    fn default() -> Self {
        Self {
            time_zone: Tz::UTC,
            same_within: Duration::from_secs(24 * 60 * 60),
            cases: CasesBy::default(),
            case_score: 0.0,
            below_the_line: BelowTheLine::default(),
        }
    }
}
