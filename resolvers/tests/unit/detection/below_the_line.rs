use detection::{Compare, Pack, Role, Settings};
use resolvers::testing::detection::below_the_line::moved;

#[test]
fn thresholds_are_moved_to_the_innocent_side_and_no_further_than_they_may_be() {
    let pack = Pack::built_in().expect("the built-in rules");
    for rule in pack.rules().iter().map(|packed| &packed.rule) {
        let shipped = Settings::of(rule);
        let (one, many) = (moved(rule, &shipped, 1), moved(rule, &shipped, 1_000_000));
        for (name, parameter) in &rule.parameters {
            let (before, after, end) = (shipped.value(name), one.value(name), many.value(name));
            let Role::Threshold(threshold) = &parameter.role else {
                assert_eq!((before, before), (after, end), "{} {name}: what goes into the search stays", rule.id);
                continue;
            };
            let expected = match threshold.compare {
                Compare::AtLeast | Compare::MoreThan => (before.minus(parameter.step).max(parameter.min), parameter.min),
                Compare::AtMost | Compare::LessThan => (before.plus(parameter.step).min(parameter.max), parameter.max),
            };
            assert_eq!((after, end), expected, "{} {name}", rule.id);
        }
    }
}
