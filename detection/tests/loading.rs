//! Packs with faults: all of them are told at once, each with its file and place.

use std::collections::BTreeMap;

use detection::{Fault, NoMarker, Pack, Quantity, Settings, lint};

const RULE: &str = r#"
id = "many-payers"
version = "1.2.0"
status = "live"
owner = "Financial crime detection"
name = "Many payers"
typology = "fan-in"
severity = "low"
kernel = "round-amounts"
rationale = "Amounts that people agree on are round."

[[red_flags]]
says = "Round amounts."
source = "FFIEC"

[score]
base = 0.5

[score.full]
payments = 10

[parameters.window]
kind = "pass"
unit = "hours"
min = 24
max = 720
step = 24
default = 168
says = "The time that ends with the business day."

[parameters.history]
kind = "pass"
unit = "days"
min = 10
max = 365
step = 10
default = 90
says = "The time before."

[parameters.multiple]
kind = "pass"
unit = "amount"
min = 50
max = 10000
step = 50
default = 500
says = "What round amounts are multiples of."

[parameters.payments]
kind = "threshold"
measure = "payments"
compare = "at-least"
unit = "payments"
min = 0
max = 50
step = 1
default = 3
says = "The fewest."
"#;

fn faults(files: &[(&str, &str)]) -> Vec<Fault> {
    let files = files.iter().map(|&(path, text)| (path.to_owned(), text.to_owned()));
    Pack::from_files(files).err().map(|faults| faults.0).unwrap_or_default()
}

fn places(faults: &[Fault]) -> Vec<&str> {
    faults.iter().map(|fault| fault.place.as_str()).collect()
}

#[test]
fn a_rule_without_faults_is_read() {
    assert_eq!(faults(&[("many-payers/rule.toml", RULE)]), []);
}

#[test]
fn all_faults_of_a_rule_are_told_at_once_with_their_places() {
    let text = RULE
        .replace("version = \"1.2.0\"", "version = \"1.2\"")
        .replace("status = \"live\"", "status = \"on\"")
        .replace("rationale =", "reason =")
        .replace("default = 3", "default = 70")
        .replace("unit = \"hours\"", "unit = \"days\"");
    let found = faults(&[("many-payers/rule.toml", &text)]);
    assert_eq!(
        places(&found),
        ["parameters.payments.default", "parameters.window", "rationale", "reason", "score.full.payments", "status", "version"],
        "{found:#?}"
    );
    assert!(found.iter().all(|fault| fault.file == "many-payers/rule.toml"));
    assert!(found[5].says.contains("live, shadow, off"), "{}", found[5]);
}

#[test]
fn a_rule_has_a_kernel_or_a_statement() {
    let bare = RULE.replace("kernel = \"round-amounts\"", "");
    let statement = ("many-payers/rule.cypher", "MATCH (a) RETURN a");
    assert_eq!(places(&faults(&[("many-payers/rule.toml", &bare)])), ["kernel"]);
    assert_eq!(places(&faults(&[("many-payers/rule.toml", RULE), statement])), ["kernel"]);
    assert_eq!(faults(&[("many-payers/rule.toml", &bare), statement]), []);
    let other = RULE.replace("round-amounts", "round");
    assert!(faults(&[("many-payers/rule.toml", &other)])[0].says.contains("round-amounts"));
}

#[test]
fn faults_of_several_files_are_told_together() {
    let test = r#"
says = "Nothing"
kind = "positive"
day = 2026-03-10
finds_nothing = true
payments = """
id,from,to,at,amount,currency
p1,a,b,yesterday,1.00,EUR
p2,a,b,2026-03-10,1,5,EUR
"""
"#;
    let found = faults(&[("many-payers/rule.toml", RULE), ("many-payers/tests/one.toml", test), ("stray.toml", ""), ("other/notes.txt", "")]);
    let told: Vec<(&str, &str)> = found.iter().map(|fault| (fault.file.as_str(), fault.place.as_str())).collect();
    assert_eq!(
        told,
        [
            ("many-payers/tests/one.toml", "finds_nothing"),
            ("many-payers/tests/one.toml", "payments, line 2"),
            ("many-payers/tests/one.toml", "payments, line 3"),
            ("other/notes.txt", ""),
            ("other/rule.toml", ""),
            ("stray.toml", ""),
        ]
    );
}

#[test]
fn a_text_that_is_no_toml_is_told_with_its_line() {
    let found = faults(&[("many-payers/rule.toml", "id = \"many-payers\"\nversion = = 1\n")]);
    assert_eq!(places(&found), ["line 2"]);
}

#[test]
fn a_rule_without_tests_is_read_and_refused_by_lint() {
    let pack = Pack::from_files([("many-payers/rule.toml".to_owned(), RULE.to_owned())]).expect("a pack without faults");
    let report = lint(&pack, &NoMarker);
    assert!(!report.passes());
    // Positive tests, look-alikes, two sides of four parameters, and a step in each direction of each.
    let parameters = report.rules[0].faults.iter().filter(|fault| fault.place.starts_with("parameters."));
    assert_eq!(parameters.count(), 16);
    assert_eq!(report.rules[0].faults.len(), 18);
    let json = serde_json::to_value(&report).expect("a report is data");
    assert_eq!(json["rules"][0]["version"], "1.2.0");
    assert_eq!(json["rules"][0]["moved"][0], serde_json::json!({ "parameter": "history", "value": "80", "flips": null }));
}

#[test]
fn a_limit_of_zero_is_a_limit() {
    let pack = Pack::from_files([("many-payers/rule.toml".to_owned(), RULE.to_owned())]).expect("a pack without faults");
    let rule = &pack.rules()[0].rule;
    let zero = BTreeMap::from([("payments".to_owned(), Quantity::ZERO)]);
    assert_eq!(Settings::with(rule, &zero).expect("within the bounds").value("payments"), Quantity::ZERO);
    let wrong = BTreeMap::from([("payments".to_owned(), "51".parse().expect("a number")), ("other".to_owned(), Quantity::ONE)]);
    assert_eq!(Settings::with(rule, &wrong).expect_err("two faults").len(), 2);
}
