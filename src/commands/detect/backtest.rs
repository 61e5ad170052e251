//! `amlgraph detect backtest PAYMENTS.csv --rule ID`: how much a rule finds on each day in payments from a file. No database is needed.

use std::collections::BTreeSet;

use chrono::NaiveDate;
use detection::{Finding, Rule, Settings};
use serde::Serialize;

use super::pack::{self, print_json};
use super::progress::DayProgress;
use super::run::live;
use super::source::Source;
use crate::cli::BacktestOptions;
use crate::commands::print;

/// What was found on one day, or on all.
#[derive(Debug, Default, Serialize)]
struct Tally {
    findings: usize,
    /// Different actors with findings.
    actors: usize,
    /// Different payments that findings cite.
    payments: usize,
}

#[derive(Serialize)]
struct DayTally {
    day: NaiveDate,
    #[serde(flatten)]
    tally: Tally,
}

#[derive(Serialize)]
struct Backtest<'a> {
    rule: &'a str,
    version: String,
    parameters: &'a Settings,
    days: Vec<DayTally>,
    all: Tally,
}

/// Actors and payments that findings name.
#[derive(Default)]
struct Named {
    findings: usize,
    actors: BTreeSet<String>,
    payments: BTreeSet<String>,
}

impl Named {
    fn add(&mut self, finding: &Finding) {
        self.findings += 1;
        self.actors.insert(finding.actor.clone());
        self.payments.extend(finding.payments.iter().map(|payment| payment.leading().to_owned()));
    }

    fn tally(&self) -> Tally {
        Tally { findings: self.findings, actors: self.actors.len(), payments: self.payments.len() }
    }
}

/// Runs the rule over all days, and prints a row for each.
pub fn run(options: &BacktestOptions) -> anyhow::Result<()> {
    let pack = pack::load(options.rules.as_deref())?;
    let rules = live(&pack, Some(&options.rule))?;
    let Some(source) = Source::read(&options.source)? else { return Ok(()) };
    for rule in rules {
        let settings = Settings::of(rule);
        let backtest = backtest(rule, &settings, &source);
        if options.json { print_json(&backtest)? } else { print_table(&backtest) }
    }
    Ok(())
}

fn backtest<'a>(rule: &'a Rule, settings: &'a Settings, source: &Source) -> Backtest<'a> {
    let progress = DayProgress::begin(source.days.len());
    let (mut days, mut all) = (Vec::with_capacity(source.days.len()), Named::default());
    for &(date, day) in &source.days {
        progress.tell(date);
        let mut of_day = Named::default();
        for finding in rule.detect(&source.dataset, day, settings) {
            of_day.add(&finding);
            all.add(&finding);
        }
        days.push(DayTally { day: date, tally: of_day.tally() });
        progress.advance();
    }
    Backtest { rule: &rule.id, version: rule.version.to_string(), parameters: settings, days, all: all.tally() }
}

fn print_table(Backtest { rule, version, days, all, .. }: &Backtest<'_>) {
    print(&format!("{rule} {version}"));
    print(&format!("{:<12}{:>10}{:>10}{:>10}", "day", "findings", "actors", "payments"));
    let row = |name: &str, tally: &Tally| print(&format!("{name:<12}{:>10}{:>10}{:>10}", tally.findings, tally.actors, tally.payments));
    days.iter().for_each(|DayTally { day, tally }| row(&day.to_string(), tally));
    row("all", all);
}
