//! Rules that are statements, day by day.

use std::error::Error;

use detection::{Dataset, Day, Elements, Mark, Marker, Rule, Settings};
use marking::{MarkStatement, ScenarioMarker};

use crate::bank::Bank;
use crate::check::{Checked, check};
use crate::judge::{Story, continue_stories};

/// The window by which payments are marked one day after the other, and that by which it is checked that this comes to the same.
const A_DAY: &str = "24";
const A_WEEK: &str = "168";
/// Each so many days it is checked.
const CHECKED: usize = 45;

/// Searches all days; answers with what was replayed.
pub fn run(rule: &Rule, bank: &mut Bank, marker: &ScenarioMarker, stories: &mut Vec<Story>) -> Result<Checked, Box<dyn Error>> {
    let statement = MarkStatement::of(rule).map_err(|faults| faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))?;
    let by_payment = statement.is_some_and(|statement| statement.begins_at_payments());
    let marked = if by_payment { Some(marked_by_day(rule, bank, marker)?) } else { None };
    let settings = Settings::of(rule);
    let mut replayed = Checked::default();
    for day in bank.days.clone() {
        let of_day = match &marked {
            Some(_) => None,
            None => {
                let marks = marks(rule, bank, marker, day, &settings)?;
                Some(with_marks(bank, &marks))
            }
        };
        let Some(dataset) = marked.as_ref().or(of_day.as_ref()) else { continue };
        let findings = rule.detect(dataset, day, &settings);
        if !findings.is_empty() {
            let checked = check(&Elements::of(dataset), rule, day).map_err(|error| format!("{} {}: {error}", rule.id, rule.version))?;
            replayed.findings += checked.findings;
            replayed.replays += checked.replays;
        }
        continue_stories(stories, bank, day, findings);
    }
    Ok(replayed)
}

/// The dataset with the marks of each day's payments.
///
/// What a statement says of a payment it says whatever the window, as nothing that is known begins or ends in a generated network. So each payment is marked once and not
/// with each of the thirty windows that it is in; now and then a whole week is asked about, and must find the same.
fn marked_by_day(rule: &Rule, bank: &mut Bank, marker: &ScenarioMarker) -> Result<Dataset, Box<dyn Error>> {
    let of_a_day = with_window(rule, A_DAY)?;
    let mut all = Vec::new();
    for day in bank.days.clone() {
        all.extend(marks(rule, bank, marker, day, &of_a_day)?);
    }
    let marked = with_marks(bank, &all);
    let of_a_week = with_window(rule, A_WEEK)?;
    for day in bank.days.clone().into_iter().skip(CHECKED - 1).step_by(CHECKED) {
        let marks = marks(rule, bank, marker, day, &of_a_week)?;
        let at_once = with_marks(bank, &marks);
        if rule.detect(&at_once, day, &of_a_week) != rule.detect(&marked, day, &of_a_week) {
            return Err(format!("{}: a week's payments are marked otherwise than those of its days", rule.id).into());
        }
    }
    Ok(marked)
}

fn with_window(rule: &Rule, hours: &str) -> Result<Settings, Box<dyn Error>> {
    let mut settings = Settings::of(rule);
    settings.set(rule, "window", hours.parse()?)?;
    Ok(settings)
}

fn marks(rule: &Rule, bank: &mut Bank, marker: &ScenarioMarker, day: Day, settings: &Settings) -> Result<Vec<Mark>, Box<dyn Error>> {
    bank.scenario.day = day;
    Ok(marker.marks(rule, &bank.scenario, settings)?)
}

fn with_marks(bank: &Bank, marks: &[Mark]) -> Dataset {
    bank.dataset().clone().with_marks(marks)
}
