//! `amlgraph detect explain PAYMENTS.csv --rule ID --actor ID --day DATE`: why a rule fires for an actor on a day. No database is needed.

use std::process::ExitCode;

use detection::{Dataset, Day, Elements, Evidence, Finding, Replay, Rule, Settings};
use serde::Serialize;

use super::pack::{self, print_json};
use super::run::live;
use super::source::Source;
use crate::cli::ExplainOptions;
use crate::commands::print;

/// A finding, and whether the rule fires again with parts of its evidence.
#[derive(Serialize)]
struct Explained {
    #[serde(flatten)]
    finding: Finding,
    replay: Replay,
}

/// Prints what the rule finds about the actor; the exit code says whether there is something.
pub fn run(options: &ExplainOptions) -> anyhow::Result<ExitCode> {
    let pack = pack::load(options.rules.as_deref())?;
    let rules = live(&pack, Some(&options.rule))?;
    let mut explained = Vec::new();
    if let Some(source) = Source::of_day(&options.file, options.day)? {
        for rule in &rules {
            for &(_, day) in &source.days {
                explained.extend(explain(rule, &source.dataset, day, &options.actor)?);
            }
        }
    }
    if options.json {
        print_json(&explained)?;
    } else if explained.is_empty() {
        print(&format!("{} finds nothing about {} on {}", options.rule, options.actor, options.day));
    } else {
        explained.iter().for_each(print_explained);
    }
    Ok(if explained.is_empty() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn explain(rule: &Rule, dataset: &Dataset, day: Day, actor: &str) -> anyhow::Result<Vec<Explained>> {
    let settings = Settings::of(rule);
    let mut findings = rule.detect(dataset, day, &settings);
    findings.retain(|finding| finding.actor == actor);
    if findings.is_empty() {
        return Ok(Vec::new());
    }
    let elements = Elements::of(dataset);
    let explained = |finding: Finding| Ok(Explained { replay: elements.replay(rule, day, &settings, &finding)?, finding });
    findings.into_iter().map(explained).collect()
}

fn print_explained(Explained { finding, replay }: &Explained) {
    print(&format!("{} {} about {}\n\n{}\n", finding.rule, finding.version, finding.actor, finding.text));
    print("Measures");
    for measured in &finding.measures {
        let (value, unit, compare, threshold) = (measured.value, measured.unit.word(), measured.compare.words(), measured.threshold);
        print(&format!("  {:<24}{value} {unit}, {compare} {threshold}", measured.measure));
    }
    print(&format!("\nScore {}", finding.score_reason));
    for (evidence, name) in [(Evidence::Necessary, "Necessary payments"), (Evidence::Supplementary, "Supplementary payments")] {
        let ids: Vec<&str> = finding.evidence(evidence).map(|payment| payment.leading()).collect();
        print(&format!("\n{name}: {}", ids.len()));
        ids.iter().for_each(|id| print(&format!("  {id}")));
    }
    print(&format!("\nReplay: {}", words(replay)));
}

/// What a replay says, in a sentence.
fn words(Replay { fires, not_needed }: &Replay) -> String {
    let alone = if *fires { "the rule fires with the necessary payments alone" } else { "the rule does not fire with the necessary payments alone" };
    match not_needed.as_slice() {
        [] => format!("{alone}, and without any one of them it does not."),
        not_needed => format!("{alone}. It fires as well without one of {}.", not_needed.join(", ")),
    }
}
