use detection::{Quantity, Status, Version};
use resolvers::RiskRules;
use resolvers::testing::risk::rules::{all_of, overwriting};
use risk::RiskRule;

#[test]
fn a_version_that_the_program_comes_with_says_what_it_says_there() {
    let built_in = all_of(&RiskRules::default()).next().expect("a rule").clone();
    let heavier = built_in.with_weight("domicile", Quantity::count(21));
    let raised = RiskRule { version: Version { major: 1, minor: 1, patch: 0 }, ..heavier.clone() };
    for (rule, expected) in [(&built_in, 0), (&RiskRule { status: Status::Off, ..built_in.clone() }, 0), (&heavier, 1), (&raised, 0)] {
        assert_eq!(overwriting(rule).into_iter().count(), expected, "{} {:?}", rule.key(), rule.status);
    }
}
