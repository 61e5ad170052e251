//! The text of a finding says what each number is.

use std::collections::BTreeSet;

use detection::{Finding, Pack, Rule, Scenario, Search, Settings};

/// What the rules that are kernels find in their own tests.
fn findings() -> Vec<Finding> {
    let pack = Pack::built_in().unwrap_or_else(|faults| panic!("{faults}"));
    let kernels = pack.rules().iter().filter(|packed| matches!(packed.rule.search, Search::Kernel(_)));
    let of_rule = |rule: &Rule, scenarios: &[Scenario]| -> Vec<Finding> {
        let settings = |scenario: &Scenario| Settings::with(rule, &scenario.parameters).expect("values of the rule");
        let firing = scenarios.iter().filter(|scenario| scenario.kind.fires());
        firing.flat_map(|scenario| rule.detect(&scenario.dataset, scenario.day, &settings(scenario))).collect()
    };
    kernels.flat_map(|packed| of_rule(&packed.rule, &packed.scenarios)).collect()
}

/// The names of the numbers in a line of the text, from behind its beginning on.
fn names(line: &str) -> Vec<String> {
    let of_number = |part: &str| {
        let words = part.split(' ').take_while(|word| !word.starts_with(|first: char| first.is_ascii_digit()));
        words.collect::<Vec<_>>().join(" ")
    };
    line.trim_end_matches('.').split("; ").map(of_number).collect()
}

#[test]
fn no_two_numbers_of_a_text_have_one_name() {
    let findings = findings();
    assert!(findings.len() > 100, "{}", findings.len());
    for Finding { rule, text, history, .. } in &findings {
        let of_line = |begin: &str| text.lines().filter_map(|line| line.strip_prefix(begin)).map(str::to_owned).collect::<Vec<_>>();
        let mut all = of_line("Measured: ").iter().flat_map(|line| names(line)).collect::<Vec<_>>();
        let first = history.first().map(|baseline| format!("Baseline of {}: ", baseline.anchor));
        all.extend(first.iter().flat_map(|begin| of_line(begin)).take(1).flat_map(|line| names(&line)));
        let different: BTreeSet<&String> = all.iter().collect();
        assert_eq!(different.len(), all.len(), "{rule}: {text}");
    }
}

#[test]
fn a_business_that_counts_as_observed_sooner_is_told_with_both_times() {
    let texts: Vec<String> = findings().into_iter().filter(|finding| finding.rule == "fan-in").map(|finding| finding.text).collect();
    let told = "observation that counts 90 days (limit: at least 30)";
    let of_both = texts.iter().find(|text| text.contains(told) && text.contains("days that count as observed by the owner's kind 14"));
    assert!(of_both.is_some(), "{}", texts.join("\n\n"));
    assert!(texts.iter().all(|text| text.contains("; multiple of the highest in the history ") && !text.contains("times highest")));
}
