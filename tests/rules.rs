//! Every rule of the API document, with the tests that show it.
//!
//! `rules.tsv` was made by reading the document from its first line to its last: each line has the section, the rule in short, and the tests, with
//! `;` between. Who changes what a rule says finds there what to look at; who asks whether a rule is kept finds where that is seen. A test of this suite is
//! named as it is when it runs (`cases::one_actor_is_updated`), any other by its file (`graph-schema/tests/unit/date.rs::dates_are_strict_and_exist`).
//! What the product does not do yet says what it comes with (`not yet: detection`), and `untested` says that somebody has to write a test.
//!
//! No test can see whether a named test shows its rule: who adds a line reads the test. That nothing is left out, renamed away or said twice is seen here.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::support::{Engine, tests};

tests![embedded: every_line_says_something_and_no_rule_twice, every_test_that_is_named_is_there, what_has_no_test_is_known];

const TABLE: &str = include_str!("rules.tsv");

/// What rules without a test wait for, and how many wait for it. Who makes one work names its test and counts down; neither may grow by the way.
const NOT_YET: [(&str, usize); 0] = [];

struct Rule {
    /// Of the file, the first being 1.
    line: usize,
    section: &'static str,
    rule: &'static str,
    tests: &'static str,
}

impl Rule {
    fn all() -> Vec<Self> {
        let mut lines = TABLE.lines();
        assert_eq!(lines.next(), Some("section\trule\ttests"), "rules.tsv, line 1");
        let read = |(line, text): (usize, &'static str)| match text.split('\t').collect::<Vec<_>>()[..] {
            [section, rule, tests] => Self { line, section, rule, tests },
            _ => panic!("rules.tsv, line {line}: must have three columns with tabs between, section, rule and tests: {text}"),
        };
        (2..).zip(lines).map(read).collect()
    }

    /// What it waits for, when it does not work yet.
    fn waits_for(&self) -> Option<&'static str> {
        self.tests.strip_prefix("not yet: ")
    }

    fn is_untested(&self) -> bool {
        self.tests == "untested"
    }

    fn says(&self, what: &str) -> String {
        format!("rules.tsv, line {} ({}: {}): {what}", self.line, self.section, self.rule)
    }
}

/// The names of the tests in a source: those that the suite lists, those with an attribute, and those that a harness of its own lists by name.
fn tests_in(source: &str) -> BTreeSet<&str> {
    let listed = source.split_once("tests![").and_then(|(_, rest)| rest.split_once(']')).map_or("", |(list, _)| list);
    let of_suite = listed.split(';').filter_map(|part| part.split_once(':')).flat_map(|(_, names)| names.split(',')).map(str::trim);
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    let with_attribute = lines.windows(2).filter(|pair| matches!(pair[0], "#[test]" | "#[tokio::test]")).filter_map(|pair| {
        let function = pair[1].strip_prefix("async ").unwrap_or(pair[1]);
        function.strip_prefix("fn ")?.split('(').next()
    });
    let by_name = lines.iter().filter_map(|line| Some(line.strip_prefix("(\"")?.split_once("\", |engine| ")?.0));
    of_suite.chain(with_attribute).chain(by_name).filter(|name| !name.is_empty()).collect()
}

fn assert_none(wrong: &[String]) {
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

async fn every_line_says_something_and_no_rule_twice(_: Engine) {
    let (mut wrong, mut seen) = (Vec::new(), BTreeMap::new());
    for rule in Rule::all() {
        let mut cells = [rule.section, rule.rule].into_iter().chain(rule.tests.split(';').map(str::trim));
        if cells.any(str::is_empty) || rule.waits_for() == Some("") {
            wrong.push(rule.says("no cell, and no test between two semicolons, may be empty"));
        }
        if let Some(first) = seen.insert((rule.section, rule.rule), rule.line) {
            wrong.push(rule.says(&format!("stands in line {first} already; name all its tests there")));
        }
    }
    assert_none(&wrong);
}

async fn every_test_that_is_named_is_there(_: Engine) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut wrong, mut sources) = (Vec::new(), BTreeMap::new());
    for rule in Rule::all() {
        if rule.waits_for().is_some() || rule.is_untested() {
            continue;
        }
        for test in rule.tests.split(';').map(str::trim) {
            let Some((place, name)) = test.rsplit_once("::") else {
                wrong.push(
                    rule.says(&format!("{test:?} must be module::test, path/of/file.rs::test, `not yet: ` with what it comes with, or untested")),
                );
                continue;
            };
            let file = if place.contains('/') { place.to_owned() } else { format!("tests/{place}.rs") };
            let source = sources.entry(file.clone()).or_insert_with(|| std::fs::read_to_string(root.join(&file)).ok());
            match source {
                None => wrong.push(rule.says(&format!("there is no {file}; name the file that {name} is in"))),
                Some(source) if !tests_in(source).contains(name) => {
                    wrong.push(rule.says(&format!("{file} has no test {name}; name the one that shows this rule")));
                }
                Some(_) => {}
            }
        }
    }
    assert_none(&wrong);
}

async fn what_has_no_test_is_known(_: Engine) {
    let rules = Rule::all();
    let mut wrong: Vec<String> =
        rules.iter().filter(|rule| rule.is_untested()).map(|rule| rule.says("write a test that shows it, and name that here")).collect();
    let mut waiting: BTreeMap<&str, usize> = BTreeMap::new();
    for (rule, reason) in rules.iter().filter_map(|rule| Some((rule, rule.waits_for()?))) {
        *waiting.entry(reason).or_default() += 1;
        if !NOT_YET.iter().any(|(known, _)| *known == reason) {
            wrong.push(rule.says(&format!("{reason:?} is not in NOT_YET, which has {:?}", NOT_YET.map(|(known, _)| known))));
        }
    }
    for (reason, count) in NOT_YET {
        let found = waiting.get(reason).copied().unwrap_or_default();
        if found != count {
            wrong.push(format!(
                "{found} lines of rules.tsv wait for {reason}, and NOT_YET says {count}: count down where one works now, and let none be added"
            ));
        }
    }
    assert_none(&wrong);
}
