use resolvers::RiskRules;
use resolvers::detection::TuneRule;
use resolvers::testing::risk::rule_set::RiskRuleSet;
use resolvers::testing::risk::tuning::checked;

#[test]
fn all_faults_of_a_tuning_are_told_at_once() {
    let rules = RiskRuleSet::new(&RiskRules::default(), Vec::new(), Vec::new()).expect("a set");
    let wanted = |rule: &str, version: Option<&str>, weights: &[(&str, &str)], reason: &str| TuneRule {
        rule: rule.to_owned(),
        version: version.map(str::to_owned),
        status: None,
        parameters: weights.iter().map(|(name, weight)| ((*name).to_owned(), Some((*weight).to_owned()))).collect(),
        reason: reason.to_owned(),
    };
    let table: [(TuneRule, &[&str]); 6] = [
        (wanted("no-rule", None, &[("x", "1")], " "), &["reason", "ruleId"]),
        (wanted("standard", Some("77.0.0"), &[("domicile", "21")], "x"), &["version"]),
        (wanted("standard", None, &[], "x"), &["status"]),
        (
            wanted("standard", None, &[("home", "8"), ("domicile", "many"), ("domicile", "0"), ("domicile", "20.000001")], ""),
            &["reason", "weights[0].factor", "weights[1].value", "weights[2].value", "weights[3].value"],
        ),
        (wanted("standard", None, &[("domicile", "21"), ("domicile", "22")], "x"), &["weights[1].factor"]),
        (wanted("standard", None, &[("domicile", "21")], "x"), &[]),
    ];
    for (wanted, expected) in table {
        let faults = checked(&rules, &wanted).err().unwrap_or_default();
        assert_eq!(faults.iter().map(|fault| fault.at.as_str()).collect::<Vec<_>>(), expected, "{wanted:?}: {faults:?}");
    }
}
