use std::collections::BTreeMap;

use graph_schema::date::Date;
use resolvers::testing::risk::backtest::{faults, shown_of};
use resolvers::testing::risk::rule_set::RiskRuleSet;
use resolvers::{RiskBacktest, RiskRules};

#[test]
fn all_faults_of_a_backtest_are_told_at_once() {
    let rules = RiskRuleSet::new(&RiskRules::default(), Vec::new(), Vec::new()).expect("a set");
    let date = |text: &str| Date::parse(text).expect("a date");
    let set = |factor: &str, weight: &str| BTreeMap::from([(factor.to_owned(), weight.to_owned())]);
    let wanted = RiskBacktest {
        rule: "standard".to_owned(),
        version: None,
        line_of_business: " ".to_owned(),
        from: date("2026-03-31"),
        to: date("2026-03-01"),
        sets: vec![set("domicile", "25"), set("home", "1"), set("domicile", "many"), set("domicile", "0"), set("domicile", "20.5")],
    };
    let told = |wanted: &RiskBacktest| -> Vec<String> { faults(wanted, &rules).into_iter().map(|fault| fault.at).collect() };
    assert_eq!(told(&wanted), ["to", "lineOfBusiness", "sets[1].home", "sets[2].domicile", "sets[3].domicile", "sets[4].domicile"]);
    let unknown = RiskBacktest { rule: "nobody".to_owned(), line_of_business: "x".to_owned(), to: date("2027-12-31"), sets: Vec::new(), ..wanted };
    assert_eq!(told(&unknown), ["to", "ruleId"]);
    // Of a rule that is not there no version is wrong.
    let of_version = RiskBacktest { version: Some("9.0.0".to_owned()), to: unknown.from, ..unknown };
    assert_eq!(told(&of_version), ["ruleId"]);
    let versions = faults(&RiskBacktest { rule: "standard".to_owned(), ..of_version.clone() }, &rules);
    let rule = faults(&of_version, &rules);
    let expected = ["version: must be a version of the rule: 1.0.0", "ruleId: must be the id of a rule: standard"];
    assert_eq!([versions[0].to_string(), rule[0].to_string()], expected);
}

#[test]
fn fewer_actors_are_shown_where_there_are_many_days_and_sets() {
    let date = |text: &str| Date::parse(text).expect("a date");
    let shown = |to: &str, sets: usize| {
        let line_of_business = "x".to_owned();
        let (from, to, sets) = (date("2026-01-01"), date(to), vec![BTreeMap::new(); sets]);
        shown_of(&RiskBacktest { rule: "standard".to_owned(), version: None, line_of_business, from, to, sets })
    };
    assert_eq!([shown("2026-01-01", 0), shown("2026-01-31", 2), shown("2026-01-31", 50), shown("2026-12-31", 50)], [100, 100, 6, 1]);
}
