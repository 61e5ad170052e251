//! The evidence of what the rules find in a generated network replays. `examples/replay` does the same with larger ones.

#[path = "../examples/bank/mod.rs"]
mod bank;
#[path = "../examples/replay/check.rs"]
mod check;

use std::collections::BTreeMap;

use analytics::Timestamp;
use detection::{Elements, Pack};
use sample::typologies::{FEWEST_ACCOUNTS, Settings, generate};

/// Each rule on the days on which a case of its typology ends.
#[test]
fn what_is_found_in_a_generated_network_replays_with_its_necessary_payments() {
    let settings = Settings { accounts: FEWEST_ACCOUNTS, payments: 40_000, cases: 4, ..Settings::with_seed(7) };
    let network = generate(&settings).unwrap_or_else(|fault| panic!("{fault}"));
    let dataset = bank::dataset(&network).expect("rows that fit together");
    let days = bank::days(&network).expect("days of the calendar");
    let elements = Elements::of(&dataset);
    let pack = Pack::built_in().unwrap_or_else(|faults| panic!("{faults}"));
    let mut found: BTreeMap<&str, usize> = BTreeMap::new();
    for planted in network.planted.iter().filter(|planted| planted.typology.is_of_payments()) {
        let rule = &pack.rule(planted.typology.name()).expect("a rule of each typology").rule;
        let last = planted.payments.last().map(|id| network.payments[id.0 as usize].at).expect("a case has payments");
        let last = Timestamp::from_millis(last).expect("a time of the calendar");
        let day = days.iter().find(|day| day.holds(last)).expect("a day of the network");
        let checked = check::check(&elements, rule, *day).unwrap_or_else(|error| panic!("{} {}: {error}", rule.id, rule.version));
        *found.entry(&rule.id).or_default() += checked.findings;
    }
    assert!(found.values().all(|&findings| findings > 0), "{found:?}");
}
