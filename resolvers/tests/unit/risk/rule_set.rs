use cypher::statements::rows::AddedRule;
use detection::Status;
use graph_schema::date::Timestamp;
use resolvers::detection::{RulePart, Tuning};
use resolvers::testing::risk::rule_set::RiskRuleSet;
use resolvers::testing::risk::rules::rules_of;
use resolvers::testing::rule_adding::KnownVersion;
use resolvers::{Error, RiskRules};
use risk::{ActorType, Pack};

const STANDARD: &str = include_str!("../../../../risk/rules/standard/rule.toml");

/// The rule that the program comes with, and another one in shadow that scores companies.
fn rules() -> RiskRules {
    let line = |name: &str| STANDARD.lines().find(|line| line.starts_with(name)).expect("a line").to_owned();
    let other = STANDARD
        .replace(&line("id = "), "id = \"strict\"")
        .replace(&line("status = "), "status = \"shadow\"")
        .replace(&line("scores = "), "scores = [\"LEGAL_ENTITY\"]");
    let files = [("standard/rule.toml", STANDARD), ("strict/rule.toml", &other)];
    let pack = Pack::from_files(files.map(|(path, text)| (path.to_owned(), text.to_owned()))).expect("a pack");
    rules_of(pack)
}

fn tuning(at: i64, rule: &str, status: Option<Status>, weights: &[(&str, Option<&str>)]) -> Tuning {
    let weight = |(name, weight): &(&str, Option<&str>)| ((*name).to_owned(), weight.map(|weight| weight.parse().expect("a number")));
    Tuning {
        id: format!("t{at}"),
        rule: rule.to_owned(),
        version: "1.0.0".to_owned(),
        versions: if status.is_some() { vec!["1.0.0".to_owned()] } else { Vec::new() },
        status,
        parameters: weights.iter().map(weight).collect(),
        reason: "tried".to_owned(),
        at: Timestamp(at),
        by: "key".to_owned(),
        by_name: "Key".to_owned(),
    }
}

fn set(tunings: Vec<Tuning>) -> RiskRuleSet {
    RiskRuleSet::new(&rules(), Vec::new(), tunings).expect("a set")
}

/// Switches in their order, which rule scores each type then, and what the two rules do.
type Row<'a> = (&'a [(&'a str, Status)], [Option<&'a str>; 2], [RulePart; 2]);

#[test]
fn the_rule_that_was_switched_live_last_counts_and_the_one_before_counts_again() {
    use RulePart::{Live, Resting, Shadow};
    let (standard, strict) = (Some("standard"), Some("strict"));
    let table: [Row<'_>; 6] = [
        (&[], [standard, standard], [Live, Shadow]),
        (&[("strict", Status::Live)], [standard, strict], [Live, Live]),
        (&[("strict", Status::Live), ("strict", Status::Shadow)], [standard, standard], [Live, Shadow]),
        (&[("strict", Status::Live), ("standard", Status::Off)], [None, strict], [Resting, Live]),
        (&[("strict", Status::Live), ("standard", Status::Off), ("standard", Status::Live)], [standard, standard], [Live, Resting]),
        // Said again it is no later than it was.
        (
            &[("standard", Status::Off), ("standard", Status::Live), ("strict", Status::Live), ("standard", Status::Live)],
            [standard, strict],
            [Live, Live],
        ),
    ];
    for (switches, live, parts) in table {
        let said = switches.iter().zip(1..).map(|(&(rule, status), at)| tuning(at, rule, Some(status), &[]));
        let set = set(said.collect());
        assert_eq!(ActorType::ALL.map(|kind| set.live_of(kind).map(|rule| rule.id.as_str())), live, "{switches:?}");
        assert_eq!([0, 1].map(|at: usize| set.0[at].part), parts, "{switches:?}");
    }
}

#[test]
fn the_latest_word_on_a_weight_counts_and_others_stay() {
    let tunings = vec![
        tuning(2, "standard", None, &[("domicile", None), ("industry", Some("16"))]),
        tuning(1, "standard", None, &[("domicile", Some("25")), ("assessments", Some("90"))]),
    ];
    let set = set(tunings);
    let known = set.find("standard", Some("1.0.0")).expect("a rule");
    let weight = |name: &str| known.rule.factors[name].weight.to_string();
    assert_eq!(["domicile", "industry", "assessments"].map(weight), ["20", "16", "90"]);
    assert_eq!(known.written.factors["assessments"].weight.to_string(), "100");
    assert_eq!(known.tunings.iter().map(|tuning| tuning.id.as_str()).collect::<Vec<_>>(), ["t2", "t1"]);
    assert!(set.find("standard", Some("2.0.0")).is_none() && set.find("other", None).is_none());
}

#[test]
fn the_digest_stands_for_weights_and_for_what_runs() {
    let digest = |tunings| set(tunings).digest();
    let untuned = digest(Vec::new());
    assert_eq!(untuned, digest(vec![tuning(1, "standard", None, &[("domicile", Some("20"))])]));
    for tuning in [
        tuning(1, "standard", None, &[("domicile", Some("21"))]),
        tuning(1, "strict", None, &[("domicile", Some("21"))]),
        tuning(1, "strict", Some(Status::Off), &[]),
        tuning(1, "strict", Some(Status::Live), &[]),
    ] {
        assert_ne!(untuned, digest(vec![tuning.clone()]), "{tuning:?}");
    }
}

/// Two that were switched at the same moment may not fit together: whoever sees it can switch one back.
#[test]
fn rules_that_damp_otherwise_are_not_live_together_and_one_is_switched_back() {
    let mut set = set(vec![tuning(1, "strict", Some(Status::Live), &[])]);
    assert_eq!(set.fault(), None);
    set.0[1].rule.network.damping = "0.25".parse().expect("a number");
    assert!(set.fault().is_some_and(|fault| fault.contains("strict 1.0.0") && fault.contains("0.25")));
    let fault_after = |rule: &str, status| set.fault_after(rule, &["1.0.0".to_owned()], status);
    assert!(fault_after("strict", Status::Live).is_some());
    assert_eq!(fault_after("strict", Status::Shadow), None);
    assert_eq!(fault_after("standard", Status::Off), None);
}

/// A version of the rule that the program comes with, which somebody has added at a moment.
fn added(version: &str, status: &str, at: i64) -> AddedRule {
    let line = |name: &str| STANDARD.lines().find(|line| line.starts_with(name)).expect("a line").to_owned();
    let rule = STANDARD.replace(&line("version = "), &format!("version = {version:?}"));
    let rule = rule.replace(&line("status = "), &format!("status = {status:?}"));
    let (added_by, added_by_name) = ("key".to_owned(), "Key".to_owned());
    AddedRule { id: format!("standard@{version}"), rule_id: "standard".to_owned(), rule, added_at: at, added_by, added_by_name }
}

#[test]
fn a_version_that_is_added_live_counts_from_then_on_until_another_is_switched() {
    let versions = || vec![added("3.0.0", "off", 5), added("2.0.0", "live", 5)];
    let table = [
        (Vec::new(), "2.0.0"),
        // What was switched before it was added is earlier, whatever comes in between.
        (vec![tuning(3, "standard", Some(Status::Off), &[]), tuning(4, "standard", Some(Status::Live), &[])], "2.0.0"),
        (vec![tuning(6, "standard", Some(Status::Off), &[]), tuning(7, "standard", Some(Status::Live), &[])], "1.0.0"),
    ];
    for (tunings, expected) in table {
        let told = format!("{tunings:?}");
        let set = RiskRuleSet::new(&rules(), versions(), tunings).expect("a set");
        assert_eq!(set.versions("standard"), ["3.0.0", "2.0.0", "1.0.0"]);
        assert_eq!(set.live_of(ActorType::Individual).map(|rule| rule.version.to_string()).as_deref(), Some(expected), "{told}");
        assert_eq!(set.find("standard", None).map(|known| known.rule.version.to_string()).as_deref(), Some(expected), "{told}");
        assert_eq!(set.keys(), [format!("standard {expected}"), "strict 1.0.0".to_owned()], "{told}");
    }
}

#[test]
fn what_is_added_is_told_from_what_stands_in_a_folder() {
    let set = RiskRuleSet::new(&rules(), vec![added("2.0.0", "off", 5)], Vec::new()).expect("a set");
    let version = |version: &str| set.find("standard", Some(version)).expect("a version").rule.clone();
    assert_eq!(set.beside(&version("2.0.0")), (KnownVersion::Added, 1));
    assert_eq!(set.beside(&version("1.0.0")), (KnownVersion::OfProgramOrFolder, 1));
    let mut damped = version("2.0.0");
    (damped.id, damped.scores, damped.network.damping) = ("third".to_owned(), vec![ActorType::LegalEntity], "0.25".parse().expect("a number"));
    assert_eq!((set.beside(&damped), set.fault_with(&damped)), ((KnownVersion::Absent, 1), None));
    damped.status = Status::Live;
    assert!(set.fault_with(&damped).is_some_and(|fault| fault.contains("third 2.0.0")));
    // The same is no fault, and what says otherwise under a version of the folder is one.
    assert!(RiskRuleSet::new(&rules(), vec![added("1.0.0", "off", 5)], Vec::new()).is_ok());
    let otherwise = AddedRule { rule: added("1.0.0", "live", 5).rule.replace("weight = 100", "weight = 90"), ..added("1.0.0", "live", 5) };
    let refused = RiskRuleSet::new(&rules(), vec![otherwise.clone()], Vec::new());
    assert!(matches!(refused, Err(Error::Misconfigured(told)) if told.contains("raise it")));
    // A later program's version of that name is not the institution's.
    let set = RiskRuleSet::new(&RiskRules::default(), vec![otherwise], Vec::new()).expect("a set");
    assert_eq!(set.find("standard", Some("1.0.0")).map(|known| known.rule.factors["assessments"].weight.to_string()).as_deref(), Some("90"));
}

#[test]
fn a_tuning_that_no_longer_fits_is_told() {
    let unfit = RiskRuleSet::new(&rules(), Vec::new(), vec![tuning(1, "standard", None, &[("age", Some("1"))])]);
    assert!(matches!(unfit, Err(Error::Misconfigured(told)) if told.contains("standard 1.0.0") && told.contains("raise it")));
}
