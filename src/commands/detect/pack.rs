//! `amlgraph detect rules | test | lint`: the rules of a pack, and whether their tests pass and are enough. No database is needed: statements of rules run on
//! a store of their own, which goes with the command.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use detection::{LintReport, Pack, PackedRule, Role, RuleLint, TestReport};
use serde::Serialize;

use crate::cli::PackOptions;
use crate::commands::print;

const NO_STORE: &str = "opening a store for the tests";

/// The rules of a folder, or those that the program comes with, their statements checked.
pub fn load(folder: Option<&Path>) -> anyhow::Result<Pack> {
    let pack = match folder {
        Some(folder) => Pack::load(folder).with_context(|| format!("{}: the rules can't be read", folder.display()))?,
        None => Pack::built_in().context("the built-in rules can't be read")?,
    };
    let faults: Vec<String> = marking::check(&pack).iter().map(ToString::to_string).collect();
    anyhow::ensure!(faults.is_empty(), "the rules' statements have faults\n{}", faults.join("\n"));
    Ok(pack)
}

/// That a pack has no rule of the id that `--rule` names.
pub fn no_rule(pack: &Pack, id: &str) -> anyhow::Error {
    let known: Vec<&str> = pack.rules().iter().map(|packed| packed.rule.id.as_str()).collect();
    anyhow::anyhow!("--rule {id}: must be the id of a rule: {}", known.join(", "))
}

/// Prints what rules there are, with their parameters: an inventory for whoever answers for them.
pub fn rules(options: &PackOptions) -> anyhow::Result<ExitCode> {
    let pack = load(options.folder.as_deref())?;
    if options.json {
        let rules: Vec<_> = pack.rules().iter().map(|packed| &packed.rule).collect();
        print_json(&rules)?;
    } else {
        pack.rules().iter().for_each(print_rule);
    }
    Ok(ExitCode::SUCCESS)
}

fn print_rule(packed: &PackedRule) {
    let rule = &packed.rule;
    print(&format!("{} {}  {:?}, {:?}: {} ({})", rule.id, rule.version, rule.status, rule.severity, rule.name, rule.typology));
    print(&format!("    {}", rule.rationale));
    for (name, parameter) in &rule.parameters {
        let compared = match &parameter.role {
            Role::Pass => String::new(),
            Role::Threshold(threshold) => format!("{} ", threshold.compare.words()),
        };
        let (unit, says) = (parameter.unit.word(), &parameter.says);
        print(&format!("    {name}: {compared}{} {unit} ({} to {}). {says}", parameter.default, parameter.min, parameter.max));
    }
    print(&format!("    {} tests", packed.scenarios.len()));
}

/// Runs all tests; the exit code says whether they pass.
pub fn test(options: &PackOptions) -> anyhow::Result<ExitCode> {
    let pack = load(options.folder.as_deref())?;
    let report = marking::with_marker(&pack, |marker| detection::test(&pack, marker)).context(NO_STORE)?;
    if options.json {
        print_json(&report)?
    } else {
        print_tests(&report)
    }
    Ok(code(report.passes()))
}

fn print_tests(report: &TestReport) {
    for rule in &report.rules {
        for test in &rule.tests {
            let outcome = if test.passes() { "OK".to_owned() } else { format!("FAILED: {}", test.differences.join("; ")) };
            print(&format!("{} {}  {}: {outcome}", rule.rule, rule.version, test.name));
        }
    }
    let tests = || report.rules.iter().flat_map(|rule| &rule.tests);
    print(&format!("{} rules, {} tests, {} failed", report.rules.len(), tests().count(), tests().filter(|test| !test.passes()).count()));
}

/// Looks whether rules have enough tests; the exit code says whether they do.
pub fn lint(options: &PackOptions) -> anyhow::Result<ExitCode> {
    let pack = load(options.folder.as_deref())?;
    let report = marking::with_marker(&pack, |marker| detection::lint(&pack, marker)).context(NO_STORE)?;
    if options.json {
        print_json(&report)?
    } else {
        print_lint(&report)
    }
    Ok(code(report.passes()))
}

fn print_lint(report: &LintReport) {
    for RuleLint { rule, version, positive, look_alikes, boundaries, moved, faults } in &report.rules {
        let covered = moved.iter().filter(|moved| moved.flips.is_some()).count();
        let outcome = if faults.is_empty() { "OK" } else { "FAULTS" };
        print(&format!(
            "{rule} {version}  {outcome}: {positive} positive, {look_alikes} look-alikes, {boundaries} boundaries; {covered} of {} steps of parameters \
             change what a test finds",
            moved.len()
        ));
        faults.iter().for_each(|fault| print(&format!("    {fault}")));
    }
}

pub fn print_json(value: &impl Serialize) -> anyhow::Result<()> {
    print(&serde_json::to_string_pretty(value)?);
    Ok(())
}

fn code(passes: bool) -> ExitCode {
    if passes { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
