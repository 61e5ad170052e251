//! The built-in rules that are kernels: their tests pass, they are enough, and they take seconds. Those that are statements are tried where a database is.

use std::time::Instant;

use detection::{NoMarker, Pack, Search, lint, test};

#[test]
fn the_built_in_rules_pass_their_tests_and_the_tests_are_enough() {
    let pack = Pack::built_in().unwrap_or_else(|faults| panic!("{faults}"));
    let pack = pack.only(|rule| matches!(rule.search, Search::Kernel(_)));
    let began = Instant::now();
    let report = test(&pack, &NoMarker);
    let failing: Vec<String> = report
        .rules
        .iter()
        .flat_map(|rule| &rule.tests)
        .filter(|result| !result.passes())
        .map(|result| format!("{}: {}", result.file, result.differences.join("; ")))
        .collect();
    assert!(failing.is_empty(), "{}", failing.join("\n"));
    let report = lint(&pack, &NoMarker);
    let faults: Vec<String> = report.rules.iter().flat_map(|rule| &rule.faults).map(ToString::to_string).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    // On a busy machine, too.
    assert!(began.elapsed().as_secs() < 120, "{:?}", began.elapsed());
}
