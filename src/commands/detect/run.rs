//! `amlgraph detect run PAYMENTS.csv`: what the rules find in payments from a file, day by day, as lines of JSON. No database is needed.

use std::io::Write;

use anyhow::{Context, bail};
use chrono::NaiveDate;
use detection::{Finding, Pack, Rule, Search, Settings, Status};
use serde::Serialize;

use super::pack;
use super::source::Source;
use crate::cli::RunRulesOptions;
use crate::commands::output::Output;

/// A finding, and of which day it is.
#[derive(Serialize)]
struct Line<'a> {
    day: NaiveDate,
    #[serde(flatten)]
    finding: &'a Finding,
}

/// Reads all payments, then runs the rules of each day and writes a line for each finding.
pub fn run(options: &RunRulesOptions) -> anyhow::Result<()> {
    let pack = pack::load(options.rules.as_deref())?;
    let rules = live(&pack, options.rule.as_deref())?;
    let Some(source) = Source::read(&options.source)? else { return Ok(()) };
    let mut out = Output::buffered();
    for (date, day) in source.days {
        for rule in &rules {
            for finding in rule.detect(&source.dataset, day, &Settings::of(rule)) {
                let line = serde_json::to_string(&Line { day: date, finding: &finding })?;
                writeln!(out, "{line}").context("writing findings")?;
            }
        }
    }
    out.flush().context("writing findings")
}

/// The rules of a pack that are live, or the one of an id, whatever its status. A rule that is a statement reads what no file of payments has.
pub fn live<'p>(pack: &'p Pack, id: Option<&str>) -> anyhow::Result<Vec<&'p Rule>> {
    let rules = pack.rules().iter().map(|packed| &packed.rule);
    let rules: Vec<&Rule> = rules.filter(|rule| id.map_or(rule.status == Status::Live, |id| rule.id == id)).collect();
    match (id, rules.first()) {
        (Some(id), None) => Err(pack::no_rule(pack, id)),
        (Some(id), Some(rule)) if is_statement(rule) => bail!("rule {id} is a statement, which needs a store: see backtestRule in GraphQL"),
        _ => Ok(rules.into_iter().filter(|rule| !is_statement(rule)).collect()),
    }
}

fn is_statement(rule: &Rule) -> bool {
    matches!(rule.search, Search::Statement(_))
}
