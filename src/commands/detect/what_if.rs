//! `amlgraph detect what-if` and `amlgraph detect diff`: what other thresholds, or another version of rules, would find in payments from a file.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, bail};
use chrono::NaiveDate;
use detection::{Day, Grid, Outcome, Pack, Quantity, Settings};

use super::pack::{self, print_json};
use super::run::live;
use super::source::Source;
use crate::cli::{DiffOptions, WhatIfOptions};
use crate::commands::print;

/// The most points of a grid.
const MOST_POINTS: usize = 10_000;

/// Evaluates all combinations of the thresholds that are given, in one pass, and prints a row for each.
pub fn what_if(options: &WhatIfOptions) -> anyhow::Result<()> {
    let pack = pack::load(options.rules.as_deref())?;
    let rules = live(&pack, Some(&options.rule))?;
    let rule = *rules.first().with_context(|| format!("--rule {}: must be the id of a rule", options.rule))?;
    let values = values(&options.values)?;
    let count = values.values().map(Vec::len).product::<usize>();
    if count > MOST_POINTS {
        bail!("that are {count} combinations; there may be {MOST_POINTS}");
    }
    let settings = Settings::of(rule);
    let grid = Grid::tried(rule, &settings, &Grid::combinations(&values)).map_err(|faults| {
        // A value is in many combinations, and is told once.
        let faults: BTreeSet<String> = faults.iter().map(|fault| format!("--try {fault}")).collect();
        anyhow::anyhow!(faults.into_iter().take(20).collect::<Vec<_>>().join("\n"))
    })?;
    let Some(source) = Source::read(&options.source)? else { return Ok(()) };
    let days: Vec<Day> = source.days.iter().map(|(_, day)| *day).collect();
    let outcomes = detection::what_if(rule, &source.dataset, &days, &settings, &grid);
    if options.json {
        print_json(&outcomes)
    } else {
        print_table(&values, &outcomes);
        Ok(())
    }
}

/// Reads `NAME=VALUE,VALUE,…`.
pub fn values(texts: &[String]) -> anyhow::Result<BTreeMap<String, Vec<Quantity>>> {
    let mut values = BTreeMap::new();
    for text in texts {
        let (name, list) = text.split_once('=').with_context(|| format!("\"{text}\" must be NAME=VALUE,VALUE,…"))?;
        let list: Result<Vec<Quantity>, _> = list.split(',').map(|value| value.trim().parse()).collect();
        values.insert(name.trim().to_owned(), list.with_context(|| text.clone())?);
    }
    Ok(values)
}

fn print_table(values: &BTreeMap<String, Vec<Quantity>>, outcomes: &[Outcome]) {
    let names: Vec<&String> = values.keys().collect();
    let heads = names.iter().map(|name| format!("{name:>16}")).collect::<String>();
    print(&format!("{heads}{:>12}{:>10}{:>12}", "findings", "actors", "payments"));
    for Outcome { settings, findings, actors, payments, .. } in outcomes {
        let cells = names.iter().map(|name| format!("{:>16}", settings.value(name).to_string())).collect::<String>();
        print(&format!("{cells}{findings:>12}{actors:>10}{payments:>12}"));
    }
}

/// What one rule finds about one actor on one day.
type Told = (NaiveDate, String, String);

/// Prints what only one of two packs finds: `-` before what is found no more, `+` before what is new.
pub fn diff(options: &DiffOptions) -> anyhow::Result<()> {
    let before = pack::load(options.before.as_deref())?;
    let after = pack::load(Some(&options.after))?;
    let Some(source) = Source::read(&options.source)? else { return Ok(()) };
    let [before, after] = [told(&before, &source, options)?, told(&after, &source, options)?];
    let line = |sign: char, (day, rule, actor): &Told| print(&format!("{sign} {day} {rule} {actor}"));
    before.difference(&after).for_each(|told| line('-', told));
    after.difference(&before).for_each(|told| line('+', told));
    let both = before.intersection(&after).count();
    print(&format!("{both} in both, {} no more, {} new", before.len() - both, after.len() - both));
    Ok(())
}

fn told(pack: &Pack, source: &Source, options: &DiffOptions) -> anyhow::Result<BTreeSet<Told>> {
    let mut told = BTreeSet::new();
    for rule in live(pack, options.rule.as_deref())? {
        for (date, day) in &source.days {
            let findings = rule.detect(&source.dataset, *day, &Settings::of(rule));
            told.extend(findings.into_iter().map(|finding| (*date, finding.rule, finding.actor)));
        }
    }
    Ok(told)
}
