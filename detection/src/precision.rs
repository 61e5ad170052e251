//! The precision of rules: which share of their findings feedback calls right, by version, line of business and period.
//!
//! The precision of a set of findings is `true / (true + false)`, of those whose feedback says that they are true or false positives. Its interval is
//! [Wilson's](wilson()). What feedback says else, and findings without feedback, are counted beside and are no part of it.
//!
//! The precision of a rule *falls* when the intervals of the latest period with such feedback and of all periods before it together do not overlap, the latest
//! below. Two intervals of 95 % overlap more often than a test at 5 % accepts equality (Schenker and Gentleman 2001): a rule is named later, and seldom by chance.

mod wilson;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::ops::AddAssign;

use chrono::{Datelike, Days, Months, NaiveDate};

pub use wilson::{Interval, wilson};

/// How many findings feedback has called what.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FeedbackCounts {
    pub true_positive: u64,
    pub false_positive: u64,
    /// Feedback that says neither.
    pub other: u64,
    pub without_feedback: u64,
}

impl FeedbackCounts {
    /// All findings, with and without feedback.
    pub fn findings(self) -> u64 {
        self.judged() + self.other + self.without_feedback
    }

    /// Findings that feedback calls true or false positives.
    pub fn judged(self) -> u64 {
        self.true_positive + self.false_positive
    }

    /// From 0 to 1; `None` where nothing is judged.
    pub fn precision(self) -> Option<f64> {
        (self.judged() > 0).then(|| self.true_positive as f64 / self.judged() as f64)
    }

    /// The interval of the precision, of 95 %; `None` where nothing is judged.
    pub fn interval(self) -> Option<Interval> {
        wilson(self.true_positive, self.judged())
    }
}

impl AddAssign for FeedbackCounts {
    fn add_assign(&mut self, more: Self) {
        self.true_positive += more.true_positive;
        self.false_positive += more.false_positive;
        self.other += more.other;
        self.without_feedback += more.without_feedback;
    }
}

/// How long a period is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Period {
    Day,
    /// From Monday to Sunday.
    Week,
    /// Of the calendar.
    Month,
}

impl Period {
    /// The first day of the period that a day is in.
    pub fn first_day(self, day: NaiveDate) -> NaiveDate {
        let days_into = match self {
            Self::Day => 0,
            Self::Week => day.weekday().num_days_from_monday(),
            Self::Month => day.day0(),
        };
        day.checked_sub_days(Days::new(u64::from(days_into))).unwrap_or(NaiveDate::MIN)
    }

    /// The last day of the period that begins with a day.
    pub fn last_day(self, first: NaiveDate) -> NaiveDate {
        let last = match self {
            Self::Day => Some(first),
            Self::Week => first.checked_add_days(Days::new(6)),
            Self::Month => first.checked_add_months(Months::new(1)).and_then(|next| next.pred_opt()),
        };
        last.unwrap_or(NaiveDate::MAX)
    }
}

/// Findings of one version of a rule for one line of business, on one business day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DayCounts {
    pub rule: String,
    /// `None` where the findings do not say it.
    pub version: Option<String>,
    /// `None` where the findings do not say it.
    pub line: Option<String>,
    pub day: NaiveDate,
    pub counts: FeedbackCounts,
}

/// The findings of one period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PeriodCounts {
    /// Its first day within the report.
    pub from: NaiveDate,
    /// Its last day within the report.
    pub to: NaiveDate,
    pub counts: FeedbackCounts,
}

/// That the precision falls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PrecisionFall {
    /// The first day of the latest period with feedback that counts.
    pub since: NaiveDate,
    pub latest: FeedbackCounts,
    /// All periods of the report before that one.
    pub before: FeedbackCounts,
}

/// The precision of a set of findings over time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Precision {
    pub all: FeedbackCounts,
    /// Periods with findings, in order.
    pub periods: Vec<PeriodCounts>,
    /// `None` where the precision does not fall.
    pub falling: Option<PrecisionFall>,
}

/// The precision of a version of a rule for a line of business.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartPrecision {
    pub version: Option<String>,
    pub line: Option<String>,
    pub precision: Precision,
}

/// The precision of a rule, and of its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulePrecision {
    pub rule: String,
    /// Of all versions and lines of business together.
    pub precision: Precision,
    /// By version, then by line of business, as texts.
    pub parts: Vec<PartPrecision>,
}

impl RulePrecision {
    /// Whether the precision falls, of the rule or of a part of it.
    pub fn falls(&self) -> bool {
        self.precision.falling.is_some() || self.parts.iter().any(|part| part.precision.falling.is_some())
    }
}

/// A part of a rule's findings.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    version: Option<String>,
    line: Option<String>,
}

/// Counts by the first day of their period.
type CountsByPeriod = BTreeMap<NaiveDate, FeedbackCounts>;

/// Adds counts of days up, so that a report holds its own rows only, however many findings there are.
#[derive(Debug, Clone)]
pub struct PrecisionTable {
    from: NaiveDate,
    to: NaiveDate,
    period: Period,
    rules: BTreeMap<String, BTreeMap<Part, CountsByPeriod>>,
    cells: usize,
}

impl PrecisionTable {
    /// An empty one, of the days from the first to the last.
    pub fn new((from, to): (NaiveDate, NaiveDate), period: Period) -> Self {
        Self { from, to, period, rules: BTreeMap::new(), cells: 0 }
    }

    /// Adds what was counted on a day; of a day before or after the report nothing.
    pub fn add(&mut self, DayCounts { rule, version, line, day, counts }: DayCounts) {
        if !(self.from..=self.to).contains(&day) {
            return;
        }
        let periods = self.rules.entry(rule).or_default().entry(Part { version, line }).or_default();
        let before = periods.len();
        *periods.entry(self.period.first_day(day)).or_default() += counts;
        self.cells += periods.len() - before;
    }

    /// How many periods of parts of rules it holds.
    pub fn cells(&self) -> usize {
        self.cells
    }

    /// The report, by rule.
    pub fn finish(self) -> Vec<RulePrecision> {
        let Self { from, to, period, rules, .. } = self;
        let precision = |periods: CountsByPeriod| {
            let of_period =
                |(first, counts): (NaiveDate, FeedbackCounts)| PeriodCounts { from: first.max(from), to: period.last_day(first).min(to), counts };
            Precision::of(periods.into_iter().map(of_period).collect())
        };
        let of_rule = |(rule, parts): (String, BTreeMap<Part, CountsByPeriod>)| {
            let mut together = CountsByPeriod::new();
            for (first, counts) in parts.values().flatten() {
                *together.entry(*first).or_default() += *counts;
            }
            let of_part = |(Part { version, line }, periods)| PartPrecision { version, line, precision: precision(periods) };
            RulePrecision { rule, precision: precision(together), parts: parts.into_iter().map(of_part).collect() }
        };
        rules.into_iter().map(of_rule).collect()
    }
}

impl Precision {
    fn of(periods: Vec<PeriodCounts>) -> Self {
        Self { all: sum(&periods), falling: fall(&periods), periods }
    }
}

fn sum(periods: &[PeriodCounts]) -> FeedbackCounts {
    let mut all = FeedbackCounts::default();
    periods.iter().for_each(|period| all += period.counts);
    all
}

/// Whether the precision falls in periods that are in order.
fn fall(periods: &[PeriodCounts]) -> Option<PrecisionFall> {
    let place = periods.iter().rposition(|period| period.counts.judged() > 0)?;
    let PeriodCounts { from: since, counts: latest, .. } = periods[place];
    let before = sum(&periods[..place]);
    (latest.interval()?.high < before.interval()?.low).then_some(PrecisionFall { since, latest, before })
}
