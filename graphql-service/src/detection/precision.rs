//! What feedback says of rules.

use async_graphql::{Context, Enum, ID, Result, SimpleObject};
use graph_schema::date::Date;
use graphql_http::asking::{asking, boxed};
use graphql_http::refused::refused;
use resolvers::detection::{FeedbackCounts, PartPrecision, Period, PeriodCounts, Precision, PrecisionFall, PrecisionQuery, RulePrecision};

/// How long the periods of a report are.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "Period")]
pub enum DetectionPeriod {
    /// A business day.
    Day,
    /// From Monday to Sunday.
    Week,
    /// Of the calendar.
    Month,
}

/// What feedback says of the findings of a span of business days.
#[derive(SimpleObject)]
pub struct DetectionPrecision {
    /// Whose days business days are, such as `Europe/Berlin`.
    time_zone: String,
    /// Rules whose precision falls, as a whole or in one of their parts.
    falling: Vec<ID>,
    /// Rules with findings, by id.
    rules: Vec<DetectionRulePrecision>,
}

/// What feedback says of a rule.
#[derive(SimpleObject)]
pub struct DetectionRulePrecision {
    /// The `behaviorId` of its observations, without the group that some of them name.
    rule_id: ID,
    /// Of all versions and lines of business together.
    all: DetectionFeedbackCounts,
    /// Periods with findings, in order.
    periods: Vec<DetectionPeriodPrecision>,
    /// Null where the precision of all together does not fall.
    falling: Option<DetectionPrecisionFall>,
    /// By version and line of business.
    parts: Vec<DetectionPrecisionPart>,
}

/// What feedback says of a version of a rule, for a line of business.
#[derive(SimpleObject)]
pub struct DetectionPrecisionPart {
    /// Null where the findings do not say it.
    version: Option<String>,
    /// Of the runs that found them; null where the findings do not say it.
    line_of_business: Option<String>,
    /// The findings of the version and line of business in the whole report, counted by their feedback.
    all: DetectionFeedbackCounts,
    /// Periods with findings, in order.
    periods: Vec<DetectionPeriodPrecision>,
    /// Null where the precision does not fall.
    falling: Option<DetectionPrecisionFall>,
}

/// What feedback says of the findings of a period.
#[derive(SimpleObject)]
pub struct DetectionPeriodPrecision {
    /// Its first day within the report.
    from: Date,
    /// Its last day within the report.
    to: Date,
    /// The findings of the period, counted by their feedback.
    counts: DetectionFeedbackCounts,
}

/// That a precision falls: the interval of the latest period lies below that of all periods before it.
#[derive(SimpleObject)]
pub struct DetectionPrecisionFall {
    /// The first day of the latest period with feedback that calls findings true or false positives.
    since: Date,
    /// The findings of that latest period, counted by their feedback.
    latest: DetectionFeedbackCounts,
    /// All periods of the report before that one.
    before: DetectionFeedbackCounts,
}

/// How many findings feedback has called what.
#[derive(SimpleObject)]
pub struct DetectionFeedbackCounts {
    /// All of them, with and without feedback.
    findings: u64,
    /// Findings whose latest feedback calls them right.
    true_positive: u64,
    /// Findings whose latest feedback calls them wrong.
    false_positive: u64,
    /// Feedback that says neither.
    other: u64,
    /// Findings on which nobody has given feedback.
    without_feedback: u64,
    /// The share that the true positives have of the true and false ones, 0 to 1; null where there are none.
    precision: Option<f64>,
    /// Where Wilson's interval of the precision begins, of 95 %; null where there is no precision.
    low: Option<f64>,
    /// Where the interval ends.
    high: Option<f64>,
}

impl From<FeedbackCounts> for DetectionFeedbackCounts {
    fn from(counts: FeedbackCounts) -> Self {
        let interval = counts.interval();
        let FeedbackCounts { true_positive, false_positive, other, without_feedback } = counts;
        Self {
            findings: counts.findings(),
            true_positive,
            false_positive,
            other,
            without_feedback,
            precision: counts.precision(),
            low: interval.map(|interval| interval.low),
            high: interval.map(|interval| interval.high),
        }
    }
}

impl From<PeriodCounts> for DetectionPeriodPrecision {
    fn from(PeriodCounts { from, to, counts }: PeriodCounts) -> Self {
        Self { from: from.into(), to: to.into(), counts: counts.into() }
    }
}

impl From<PrecisionFall> for DetectionPrecisionFall {
    fn from(PrecisionFall { since, latest, before }: PrecisionFall) -> Self {
        Self { since: since.into(), latest: latest.into(), before: before.into() }
    }
}

impl From<PartPrecision> for DetectionPrecisionPart {
    fn from(PartPrecision { version, line, precision }: PartPrecision) -> Self {
        let Precision { all, periods, falling } = precision;
        let periods = periods.into_iter().map(Into::into).collect();
        Self { version, line_of_business: line, all: all.into(), periods, falling: falling.map(DetectionPrecisionFall::from) }
    }
}

impl From<RulePrecision> for DetectionRulePrecision {
    fn from(RulePrecision { rule, precision, parts }: RulePrecision) -> Self {
        let Precision { all, periods, falling } = precision;
        Self {
            rule_id: ID(rule),
            all: all.into(),
            periods: periods.into_iter().map(Into::into).collect(),
            falling: falling.map(DetectionPrecisionFall::from),
            parts: parts.into_iter().map(DetectionPrecisionPart::from).collect(),
        }
    }
}

/// Reads a report, by months unless something else is said.
#[boxed]
pub async fn detection_precision(
    context: &Context<'_>,
    (from, to): (Date, Date),
    by: Option<DetectionPeriod>,
    rule: Option<ID>,
    line: Option<String>,
) -> Result<DetectionPrecision> {
    let (resolvers, caller) = asking(context)?;
    let period = by.map_or(Period::Month, Period::from);
    let query = PrecisionQuery { from, to, period, rule: rule.map(|id| id.0), line };
    let report = resolvers.rule_precision(caller, query).await.map_err(refused)?;
    let falling = report.rules.iter().filter(|rule| rule.falls()).map(|rule| ID(rule.rule.clone())).collect();
    let rules = report.rules.into_iter().map(DetectionRulePrecision::from).collect();
    Ok(DetectionPrecision { time_zone: report.time_zone.to_owned(), falling, rules })
}
