//! What feedback says of rules: which share of their findings is right. Nothing follows from it by itself.
//!
//! Findings count by their business day, whenever feedback on them was given. The database counts them, some days at a time, so that a report holds its own rows
//! only.

use cypher::statements::rows::{FeedbackOutcome, OutcomeRow};
use cypher::{Params, statements};
use detection::{DayCounts, FeedbackCounts, Period, PrecisionTable, RulePrecision};
use graph_schema::date::Date;

use crate::policy::{Action, Subject};
use crate::{Caller, Error, Resolvers, Result, boxed};

/// The most days of a report: five years.
pub const MOST_DAYS: usize = 1_830;
/// Days that one statement counts.
const DAYS_AT_ONCE: usize = 7;
/// Rows that a report has at most: a period of a version of a rule for a line of business each.
const MOST_ROWS: usize = 20_000;
/// Rows that one statement may answer with; it answers with one more where there are more.
const MOST_COUNTS: usize = 100_000;
const TRUE_POSITIVE: &str = "TRUE_POSITIVE";
const FALSE_POSITIVE: &str = "FALSE_POSITIVE";

/// Which feedback calls a finding right, and which wrong. All other feedback says neither.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedbackMeanings {
    pub(crate) true_positive: Vec<String>,
    pub(crate) false_positive: Vec<String>,
}

impl Default for FeedbackMeanings {
    fn default() -> Self {
        Self { true_positive: vec![TRUE_POSITIVE.to_owned()], false_positive: vec![FALSE_POSITIVE.to_owned()] }
    }
}

impl FeedbackMeanings {
    /// Reads `FEEDBACK=TRUE_POSITIVE` or `FEEDBACK=FALSE_POSITIVE`, comma-separated: what counts beside these two themselves.
    pub fn parse(text: &str) -> std::result::Result<Self, String> {
        let mut meanings = Self::default();
        for item in text.split(',').map(str::trim).filter(|item| !item.is_empty()) {
            let wrong = || format!("\"{item}\" must be FEEDBACK={TRUE_POSITIVE} or FEEDBACK={FALSE_POSITIVE}, e.g. CONFIRMED={TRUE_POSITIVE}");
            let (feedback, meaning) = item.rsplit_once('=').ok_or_else(wrong)?;
            let feedback = feedback.trim();
            if feedback.is_empty() {
                return Err(wrong());
            }
            if meanings.knows(feedback) {
                return Err(format!("\"{feedback}\" must be named once, and has a meaning already"));
            }
            match meaning.trim() {
                TRUE_POSITIVE => meanings.true_positive.push(feedback.to_owned()),
                FALSE_POSITIVE => meanings.false_positive.push(feedback.to_owned()),
                _ => return Err(wrong()),
            }
        }
        Ok(meanings)
    }

    fn knows(&self, feedback: &str) -> bool {
        self.true_positive.iter().chain(&self.false_positive).any(|known| known == feedback)
    }
}

/// Which findings a report is about.
#[derive(Debug, Clone)]
pub struct PrecisionQuery {
    /// The first business day and the last.
    pub from: Date,
    pub to: Date,
    pub period: Period,
    /// A rule's id; nothing for all.
    pub rule: Option<String>,
    /// A line of business; nothing for all.
    pub line: Option<String>,
}

/// What feedback says of rules.
#[derive(Debug, Clone)]
pub struct PrecisionReport {
    /// Whose days business days are: a name of the IANA time zone database.
    pub time_zone: &'static str,
    /// Rules with findings on these days, by id.
    pub rules: Vec<RulePrecision>,
}

impl Resolvers {
    /// What feedback says of rules, by version, line of business and period.
    #[boxed]
    pub async fn rule_precision(&self, caller: &Caller, query: PrecisionQuery) -> Result<PrecisionReport> {
        let inner = &self.inner;
        let permit = inner.enter(caller, Action::ReadRules, Subject::List("ObservationFeedback"))?;
        let days = days(&query)?;
        let FeedbackMeanings { true_positive, false_positive } = &inner.settings.feedback;
        let params = Params::none()
            .with("ruleId", query.rule.as_deref())
            .with("line", query.line.as_deref())
            .with("truePositive", texts(true_positive))
            .with("falsePositive", texts(false_positive));
        let mut table = PrecisionTable::new((query.from.naive(), query.to.naive()), query.period);
        for some in days.chunks(DAYS_AT_ONCE) {
            let params = params.clone().with("days", texts(some));
            let rows = inner.read(&permit, statements::detection::OUTCOMES, params).await?;
            let is_cut_off = rows.len() > MOST_COUNTS;
            for row in rows {
                table.add(counted(row)?);
            }
            if is_cut_off || table.cells() > MOST_ROWS {
                let problem = format!("must be longer periods, or to an earlier day, or ruleId one rule: a report has {MOST_ROWS} rows at most");
                return Err(Error::invalid("by", problem));
            }
        }
        Ok(PrecisionReport { time_zone: inner.settings.detection.time_zone.name(), rules: table.finish() })
    }
}

/// The days of a report as texts, in order.
pub fn days(query: &PrecisionQuery) -> Result<Vec<String>> {
    let (from, to) = (query.from.naive(), query.to.naive());
    let days = from.iter_days().take_while(|day| *day <= to).take(MOST_DAYS + 1).map(|day| Date::from(day).to_string());
    let days: Vec<String> = days.collect();
    let problem = match days.len() {
        0 => "must not be before from".to_owned(),
        count if count > MOST_DAYS => format!("must be at most {MOST_DAYS} days from the first day on"),
        _ => return Ok(days),
    };
    Err(Error::invalid("to", problem))
}

fn texts(texts: &[String]) -> Vec<&str> {
    texts.iter().map(String::as_str).collect()
}

fn counted(OutcomeRow { day, rule, version, line, outcome, total }: OutcomeRow) -> Result<DayCounts> {
    let said = |text: String| (!text.is_empty()).then_some(text);
    let total = u64::try_from(total).unwrap_or_default();
    let day = Date::parse(&day).ok_or_else(|| Error::Internal("the day of a count is none".to_owned()))?.naive();
    let mut counts = FeedbackCounts::default();
    match outcome {
        FeedbackOutcome::TruePositive => counts.true_positive = total,
        FeedbackOutcome::FalsePositive => counts.false_positive = total,
        FeedbackOutcome::Other => counts.other = total,
        FeedbackOutcome::Without => counts.without_feedback = total,
    }
    Ok(DayCounts { rule, version: said(version), line: said(line), day, counts })
}
