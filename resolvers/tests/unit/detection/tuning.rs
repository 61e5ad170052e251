use cypher::statements::rows::AddedRule;
use detection::{Pack, Status};
use graph_schema::date::Timestamp;
use resolvers::Error;
use resolvers::detection::{OwnRules, RulePart, TuneRule, Tuning};
use resolvers::testing::detection::rule_set::RuleSet;
use resolvers::testing::detection::tuning::checked;

const FAN_IN: &str = include_str!("../../../../detection/rules/fan-in/rule.toml");

/// A version of the rule that somebody has added.
fn added(version: &str, status: &str) -> AddedRule {
    let line = |name: &str| FAN_IN.lines().find(|line| line.starts_with(name)).expect("a line").to_owned();
    let rule = FAN_IN.replace(&line("version = "), &format!("version = {version:?}")).replace(&line("status = "), &format!("status = {status:?}"));
    AddedRule {
        id: format!("fan-in@{version}"),
        rule_id: "fan-in".to_owned(),
        rule,
        added_at: 1,
        added_by: "key".to_owned(),
        added_by_name: "Key".to_owned(),
    }
}

fn tuning(at: i64, version: &str, status: Option<Status>, values: &[(&str, Option<&str>)]) -> Tuning {
    let value = |(name, value): &(&str, Option<&str>)| ((*name).to_owned(), value.map(|value| value.parse().expect("a number")));
    Tuning {
        id: format!("t{at}"),
        rule: "fan-in".to_owned(),
        version: version.to_owned(),
        versions: if status.is_some() { vec![version.to_owned()] } else { Vec::new() },
        status,
        parameters: values.iter().map(value).collect(),
        reason: "tried".to_owned(),
        at: Timestamp(at),
        by: "key".to_owned(),
        by_name: "Key".to_owned(),
    }
}

fn built_in_version() -> String {
    Pack::built_in().expect("a pack").rule("fan-in").expect("fan-in").rule.version.to_string()
}

fn set(added: Vec<AddedRule>, tunings: Vec<Tuning>) -> RuleSet {
    RuleSet::new(&OwnRules::default(), added, tunings).expect("a set")
}

/// Versions with what they do, the highest first.
fn parts(rules: &RuleSet) -> Vec<(String, RulePart)> {
    rules.versions("fan-in").map(|known| (known.rule.version.to_string(), known.part)).collect()
}

/// Added versions with their statuses, how rules were tuned, and what each version does then.
type Row = (&'static [(&'static str, &'static str)], Vec<Tuning>, &'static [RulePart]);

#[test]
fn the_highest_live_version_counts_and_those_in_shadow_above_it_are_its_challengers() {
    use RulePart::{Challenger, Live, Resting, Shadow};
    let built_in = built_in_version();
    let off = |at| tuning(at, &built_in, Some(Status::Off), &[]);
    let table: [Row; 7] = [
        (&[], Vec::new(), &[Live]),
        (&[("90.0.0", "live")], Vec::new(), &[Live, Resting]),
        (&[("90.0.0", "shadow")], Vec::new(), &[Challenger, Live]),
        (&[("91.0.0", "shadow"), ("90.0.0", "shadow")], Vec::new(), &[Challenger, Challenger, Live]),
        (&[("90.0.0", "off")], Vec::new(), &[Resting, Live]),
        (&[("91.0.0", "shadow"), ("90.0.0", "shadow")], vec![off(1)], &[Shadow, Resting, Resting]),
        // Released, and taken back: the one before counts again.
        (
            &[("90.0.0", "shadow")],
            vec![tuning(2, "90.0.0", Some(Status::Shadow), &[]), tuning(1, "90.0.0", Some(Status::Live), &[])],
            &[Challenger, Live],
        ),
    ];
    for (versions, tunings, expected) in table {
        let rules = set(versions.iter().map(|(version, status)| added(version, status)).collect(), tunings);
        let found: Vec<RulePart> = parts(&rules).into_iter().map(|(_, part)| part).collect();
        assert_eq!(found, expected, "{versions:?}");
    }
}

#[test]
fn the_latest_word_on_a_parameter_counts_and_others_stay() {
    let version = built_in_version();
    let tunings = vec![
        tuning(3, &version, None, &[("amount", None)]),
        tuning(1, &version, None, &[("accounts", Some("8")), ("amount", Some("9000"))]),
        tuning(2, &version, Some(Status::Shadow), &[("accounts", Some("9"))]),
        tuning(4, "90.0.0", Some(Status::Live), &[("accounts", Some("12"))]),
    ];
    let rules = set(Vec::new(), tunings);
    let known = rules.find("fan-in", None).expect("fan-in");
    let default = known.rule.parameters["amount"].default;
    assert_eq!((known.status, known.settings.value("amount")), (Status::Shadow, default));
    assert_eq!(known.settings.value("accounts").to_string(), "9");
    assert_eq!(known.tunings.iter().map(|tuning| tuning.id.as_str()).collect::<Vec<_>>(), ["t3", "t2", "t1"]);
}

#[test]
fn a_version_without_a_name_is_the_one_that_counts() {
    let rules = set(vec![added("91.0.0", "off"), added("90.0.0", "shadow")], Vec::new());
    let version = |wanted| rules.find("fan-in", wanted).map(|known| known.rule.version.to_string());
    assert_eq!(version(None), Some(built_in_version()));
    assert_eq!(version(Some("91.0.0")).as_deref(), Some("91.0.0"));
    assert_eq!((version(Some("92.0.0")), rules.find("fan-inn", None).is_none()), (None, true));
}

#[test]
fn all_faults_of_a_tuning_are_told_at_once() {
    let rules = set(Vec::new(), Vec::new());
    let known = rules.find("fan-in", None).expect("fan-in");
    let accounts = &known.rule.parameters["accounts"];
    let beyond = accounts.max.plus(accounts.step).to_string();
    let between = accounts.default.plus("0.000000001".parse().expect("a number")).to_string();
    let wanted = |rule: &str, version: Option<&str>, values: &[(&str, &str)], reason: &str| TuneRule {
        rule: rule.to_owned(),
        version: version.map(str::to_owned),
        status: None,
        parameters: values.iter().map(|(name, value)| ((*name).to_owned(), Some((*value).to_owned()))).collect(),
        reason: reason.to_owned(),
    };
    let table: [(TuneRule, &[&str]); 6] = [
        (wanted("no-rule", None, &[("x", "1")], " "), &["reason", "ruleId"]),
        (wanted("fan-in", Some("77.0.0"), &[("accounts", "8")], "x"), &["version"]),
        (wanted("fan-in", None, &[], "x"), &["status"]),
        (
            wanted("fan-in", None, &[("acounts", "8"), ("accounts", "many"), ("accounts", &beyond), ("accounts", &between)], ""),
            &["reason", "parameters[0].name", "parameters[1].value", "parameters[2].value", "parameters[3].value"],
        ),
        (wanted("fan-in", None, &[("accounts", "8"), ("accounts", "9")], "x"), &["parameters[1].name"]),
        (wanted("fan-in", None, &[("accounts", "8")], "x"), &[]),
    ];
    for (wanted, expected) in table {
        let faults = checked(&rules, &wanted).err().unwrap_or_default();
        assert_eq!(faults.iter().map(|fault| fault.at.as_str()).collect::<Vec<_>>(), expected, "{wanted:?}: {faults:?}");
    }
}

#[test]
fn what_was_added_twice_or_no_longer_fits_is_told() {
    let version = built_in_version();
    // The same under the version that the program comes with is the same; what an institution has released otherwise stays what it was.
    let other = AddedRule { rule: FAN_IN.replace("owner = ", "owner = \"us\"\n# "), ..added(&version, "live") };
    let rules = set(vec![other], Vec::new());
    assert_eq!((parts(&rules).len(), rules.find("fan-in", None).map(|known| known.rule.owner.clone())), (1, Some("us".to_owned())));
    let unfit = RuleSet::new(&OwnRules::default(), Vec::new(), vec![tuning(1, &version, None, &[("accounts", Some("1000000"))])]);
    assert!(matches!(unfit, Err(Error::Misconfigured(told)) if told.contains("fan-in") && told.contains("raise it")));
    let broken = RuleSet::new(&OwnRules::default(), vec![AddedRule { rule: "id =".to_owned(), ..added("90.0.0", "live") }], Vec::new());
    assert!(matches!(broken, Err(Error::Internal(_))));
}
