//! `amlgraph detect report`: what feedback says of the rules of a running server.

use anyhow::Context;
use serde::Deserialize;
use serde_json::json;

use super::pack::print_json;
use crate::cli::ReportOptions;
use crate::commands::graphql::graphql;
use crate::commands::print;

const REPORT: &str = "query($from: Date!, $to: Date!, $by: DetectionPeriod, $rule: ID, $line: String) {
    detectionPrecision(from: $from, to: $to, by: $by, ruleId: $rule, lineOfBusiness: $line) { timeZone falling rules { ruleId
        all { ...counts } periods { from to counts { ...counts } } falling { ...fall }
        parts { version lineOfBusiness all { ...counts } periods { from to counts { ...counts } } falling { ...fall } } } } }
    fragment fall on DetectionPrecisionFall { since latest { ...counts } before { ...counts } }
    fragment counts on DetectionFeedbackCounts { findings truePositive falsePositive other withoutFeedback precision low high }";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    time_zone: String,
    rules: Vec<Rule>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    rule_id: String,
    all: Counts,
    periods: Vec<Period>,
    falling: Option<Fall>,
    parts: Vec<Part>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Part {
    version: Option<String>,
    line_of_business: Option<String>,
    all: Counts,
    periods: Vec<Period>,
    falling: Option<Fall>,
}

#[derive(Deserialize)]
struct Period {
    from: String,
    to: String,
    counts: Counts,
}

#[derive(Deserialize)]
struct Fall {
    since: String,
    latest: Counts,
    before: Counts,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Counts {
    findings: u64,
    true_positive: u64,
    false_positive: u64,
    other: u64,
    without_feedback: u64,
    precision: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
}

/// Asks the server, and prints its answer: as JSON, or as a table of rules and their parts by period, with those named below whose precision falls.
pub async fn run(options: &ReportOptions) -> anyhow::Result<()> {
    let by = options.by.name();
    let variables = json!({"from": options.from.to_string(), "to": options.to.to_string(), "by": by, "rule": options.rule, "line": options.line});
    let mut data = graphql(&options.server, REPORT, variables).await?;
    let report = data["detectionPrecision"].take();
    if options.json {
        return print_json(&report);
    }
    let report: Report = serde_json::from_value(report).context("reading the server's answer")?;
    print_table(&report);
    Ok(())
}

fn print_table(Report { time_zone, rules }: &Report) {
    print(&format!("business days in {time_zone}"));
    if rules.is_empty() {
        print("no findings");
        return;
    }
    let heads = ["findings", "true", "false", "other", "without"].map(|head| format!("{head:>10}")).concat();
    print(&format!("{:<24}{:>10}  {:<24}{:<24}{heads}{:>11}{:>16}", "rule", "version", "line", "period", "precision", "95 %"));
    for rule in rules {
        print_rows([&rule.rule_id, "all", "all"], &rule.all, &rule.periods);
        for part in &rule.parts {
            let of_part = [rule.rule_id.as_str(), said(part.version.as_deref()), said(part.line_of_business.as_deref())];
            print_rows(of_part, &part.all, &part.periods);
        }
    }
    for rule in rules {
        rule.falling.iter().for_each(|fall| print_fall(&rule.rule_id, fall));
        for part in &rule.parts {
            let name = format!("{} {} ({})", rule.rule_id, said(part.version.as_deref()), said(part.line_of_business.as_deref()));
            part.falling.iter().for_each(|fall| print_fall(&name, fall));
        }
    }
}

/// A text, or a dash where there is none.
fn said(text: Option<&str>) -> &str {
    text.unwrap_or("-")
}

fn print_rows(of: [&str; 3], all: &Counts, periods: &[Period]) {
    print_row(of, "all", all);
    for Period { from, to, counts } in periods {
        let period = if from == to { from.clone() } else { format!("{from}..{to}") };
        print_row(of, &period, counts);
    }
}

fn print_row([rule, version, line]: [&str; 3], period: &str, counts: &Counts) {
    let numbers = [counts.findings, counts.true_positive, counts.false_positive, counts.other, counts.without_feedback];
    let numbers = numbers.map(|number| format!("{number:>10}")).concat();
    let precision = counts.precision.map_or_else(|| "-".to_owned(), |precision| format!("{precision:.3}"));
    print(&format!("{rule:<24}{version:>10}  {line:<24}{period:<24}{numbers}{precision:>11}{:>16}", interval(counts)));
}

fn interval(counts: &Counts) -> String {
    match (counts.low, counts.high) {
        (Some(low), Some(high)) => format!("{low:.3}..{high:.3}"),
        _ => "-".to_owned(),
    }
}

fn print_fall(name: &str, Fall { since, latest, before }: &Fall) {
    print(&format!("{name}: the precision falls, since {since} {}, before {}", interval(latest), interval(before)));
}
