//! Reports against plain code over random histories, and what falls.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

fn date(text: &str) -> NaiveDate {
    text.parse().expect("a date")
}

fn counts(true_positive: u64, false_positive: u64) -> FeedbackCounts {
    FeedbackCounts { true_positive, false_positive, ..FeedbackCounts::default() }
}

#[test]
fn periods_begin_and_end_with_the_calendar() {
    let table = [
        (Period::Day, "2026-03-01", "2026-03-01", "2026-03-01"),
        (Period::Week, "2026-03-01", "2026-02-23", "2026-03-01"),
        (Period::Week, "2026-03-02", "2026-03-02", "2026-03-08"),
        // The week of a turn of the year is one.
        (Period::Week, "2027-01-01", "2026-12-28", "2027-01-03"),
        (Period::Month, "2024-02-29", "2024-02-01", "2024-02-29"),
        (Period::Month, "2026-12-31", "2026-12-01", "2026-12-31"),
        (Period::Month, "2026-01-01", "2026-01-01", "2026-01-31"),
    ];
    for (period, day, first, last) in table {
        let found = period.first_day(date(day));
        assert_eq!((found, period.last_day(found)), (date(first), date(last)), "{period:?} of {day}");
    }
}

#[test]
fn a_precision_falls_when_the_intervals_do_not_overlap() {
    // Periods, and where the latest that counts begins, when it falls: the place in the list.
    let table: [(&[FeedbackCounts], Option<usize>); 9] = [
        (&[], None),
        (&[counts(5, 0)], None),
        (&[counts(5, 0), counts(0, 5)], Some(1)),
        // 4 of 4 reach down to 0.51, none of 4 up to 0.49; 3 of 3 and none of 3 overlap.
        (&[counts(4, 0), counts(0, 4)], Some(1)),
        (&[counts(3, 0), counts(0, 3)], None),
        (&[counts(0, 5), counts(5, 0)], None),
        (&[counts(500, 500), counts(480, 520)], None),
        // All earlier ones count together.
        (&[counts(3, 0), counts(2, 0), counts(0, 5)], Some(2)),
        (&[counts(5, 0), counts(0, 5), counts(0, 0)], Some(1)),
    ];
    for (periods, wanted) in table {
        let of = |(place, counts): (usize, &FeedbackCounts)| {
            let day = date("2026-01-01") + Days::new(place as u64);
            PeriodCounts { from: day, to: day, counts: *counts }
        };
        let periods: Vec<PeriodCounts> = periods.iter().enumerate().map(of).collect();
        let found = fall(&periods).map(|fall| fall.since);
        assert_eq!(found, wanted.map(|place| periods[place].from), "{periods:?}");
    }
}

/// One finding of a history: rule, version, line of business, day, and the last feedback.
#[derive(Debug, Clone, Copy)]
struct Told {
    rule: u8,
    version: u8,
    line: u8,
    day: u16,
    feedback: u8,
}

fn history() -> impl Strategy<Value = Vec<Told>> {
    let told = (0_u8..3, 0_u8..3, 0_u8..3, 0_u16..100, 0_u8..4);
    prop::collection::vec(told.prop_map(|(rule, version, line, day, feedback)| Told { rule, version, line, day, feedback }), 0..120)
}

fn named(kind: &str, number: u8) -> Option<String> {
    (number > 0).then(|| format!("{kind}-{number}"))
}

impl Told {
    fn day(self) -> NaiveDate {
        date("2026-01-01") + Days::new(u64::from(self.day))
    }

    fn counts(self) -> FeedbackCounts {
        let mut counts = FeedbackCounts::default();
        match self.feedback {
            0 => counts.without_feedback = 1,
            1 => counts.true_positive = 1,
            2 => counts.false_positive = 1,
            _ => counts.other = 1,
        }
        counts
    }
}

/// What is counted of those findings that a condition takes, one after the other.
fn plain(history: &[Told], takes: impl Fn(&Told) -> bool) -> [u64; 4] {
    let mut found = [0; 4];
    for told in history.iter().filter(|told| takes(told)) {
        found[usize::from(told.feedback)] += 1;
    }
    found
}

fn as_array(counts: FeedbackCounts) -> [u64; 4] {
    [counts.without_feedback, counts.true_positive, counts.false_positive, counts.other]
}

/// Days by the calendar's text, so that nothing of the code under test is in it.
fn same_period(period: Period, one: NaiveDate, other: NaiveDate) -> bool {
    match period {
        Period::Day => one == other,
        Period::Week => one.iso_week() == other.iso_week(),
        Period::Month => one.format("%Y-%m").to_string() == other.format("%Y-%m").to_string(),
    }
}

/// The textbook form of the interval, other than the one under test.
fn plain_interval(successes: u64, trials: u64) -> Option<(f64, f64)> {
    let (n, z) = (trials as f64, 1.959_963_984_540_054_f64);
    let p = successes as f64 / n;
    let centre = (p + z * z / (2.0 * n)) / (1.0 + z * z / n);
    let half = z / (1.0 + z * z / n) * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
    (trials > 0).then_some((centre - half, centre + half))
}

/// Compares the periods of a part of a rule with what plain code counts.
fn check(precision: &Precision, history: &[Told], period: Period, takes: &dyn Fn(&Told) -> bool) -> Result<(), TestCaseError> {
    prop_assert_eq!(as_array(precision.all), plain(history, takes));
    let mut covered = 0;
    for of_period in &precision.periods {
        let wanted = plain(history, |told| takes(told) && same_period(period, told.day(), of_period.from));
        prop_assert_eq!(as_array(of_period.counts), wanted);
        prop_assert!(of_period.from <= of_period.to && same_period(period, of_period.from, of_period.to));
        covered += wanted.iter().sum::<u64>();
    }
    prop_assert_eq!(covered, precision.all.findings());
    prop_assert!(precision.periods.is_sorted_by_key(|of_period| of_period.from));
    let judged = |[_, right, wrong, _]: [u64; 4]| (right, right + wrong);
    let latest = precision.periods.iter().rev().find(|of_period| of_period.counts.judged() > 0);
    let falls = latest.and_then(|latest| {
        let (right, all) = judged(plain(history, |told| takes(told) && same_period(period, told.day(), latest.from)));
        let (right_before, all_before) =
            judged(plain(history, |told| takes(told) && told.day() < latest.from && !same_period(period, told.day(), latest.from)));
        Some(plain_interval(right, all)?.1 < plain_interval(right_before, all_before)?.0)
    });
    prop_assert_eq!(precision.falling.is_some(), falls.unwrap_or(false));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, ..ProptestConfig::default() })]

    #[test]
    fn reports_are_what_plain_code_counts(told in history(), by in 0_usize..3, from in 0_u64..30, length in 0_u64..90) {
        let period = [Period::Day, Period::Week, Period::Month][by];
        let first = date("2026-01-01") + Days::new(from);
        let last = first + Days::new(length);
        let mut table = PrecisionTable::new((first, last), period);
        for told in &told {
            let (version, line) = (named("version", told.version), named("line", told.line));
            table.add(DayCounts { rule: format!("rule-{}", told.rule), version, line, day: told.day(), counts: told.counts() });
        }
        let cells = table.cells();
        let report = table.finish();
        let history: Vec<Told> = told.into_iter().filter(|told| (first..=last).contains(&told.day())).collect();
        let rules: BTreeSet<u8> = history.iter().map(|told| told.rule).collect();
        let named_rules: Vec<String> = rules.iter().map(|rule| format!("rule-{rule}")).collect();
        prop_assert_eq!(report.iter().map(|of_rule| of_rule.rule.clone()).collect::<Vec<_>>(), named_rules);
        let mut found_cells = 0;
        for (of_rule, &rule) in report.iter().zip(&rules) {
            check(&of_rule.precision, &history, period, &|told| told.rule == rule)?;
            for part in &of_rule.parts {
                let is_of_part = |told: &Told| {
                    told.rule == rule && named("version", told.version) == part.version && named("line", told.line) == part.line
                };
                check(&part.precision, &history, period, &is_of_part)?;
                found_cells += part.precision.periods.len();
            }
            let of_parts: u64 = of_rule.parts.iter().map(|part| part.precision.all.findings()).sum();
            prop_assert_eq!(of_parts, of_rule.precision.all.findings());
        }
        prop_assert_eq!(cells, found_cells);
    }

    #[test]
    fn both_forms_of_the_interval_are_one(successes in 0_u64..2_000, more in 0_u64..2_000) {
        let trials = successes + more;
        let (found, wanted) = (wilson(successes, trials), plain_interval(successes, trials));
        prop_assert_eq!(found.is_some(), wanted.is_some());
        if let (Some(found), Some((low, high))) = (found, wanted) {
            prop_assert!((found.low - low).abs() < 1e-9 && (found.high - high).abs() < 1e-9, "{:?} {} {}", found, low, high);
        }
    }
}
