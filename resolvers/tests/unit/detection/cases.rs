use cypher::statements::rows::{ObservedActor, StandingFinding};
use graph_schema::case::GatheredBy;
use resolvers::testing::detection::cases::{Group, groups, is_to_be_gathered};

fn finding(id: &str, actors: &[&str], payments: &[&str]) -> StandingFinding {
    StandingFinding {
        id: id.to_owned(),
        score: Some(0.5),
        observed_at: 1,
        transaction_ids: Some(payments.iter().map(|id| (*id).to_owned()).collect()),
        below_the_line: false,
        handled: false,
        actors: actors.iter().map(|id| ObservedActor { id: (*id).to_owned(), primary: true }).collect(),
    }
}

fn ids(groups: &[Group]) -> Vec<Vec<&str>> {
    let mut ids: Vec<Vec<&str>> = groups.iter().map(|group| group.findings.iter().map(|finding| finding.id.as_str()).collect()).collect();
    ids.sort();
    ids
}

#[test]
fn an_actors_findings_are_one_case_and_a_rings_are() {
    let all = || {
        vec![
            finding("1", &["a"], &["p"]),
            finding("2", &["a"], &["q"]),
            finding("3", &["b"], &["q"]),
            finding("4", &["c"], &["r"]),
            finding("5", &["b", "c"], &[]),
            finding("6", &["d"], &["s"]),
            finding("7", &[], &["s"]),
        ]
    };
    assert_eq!(ids(&groups(GatheredBy::Actor, all())), [vec!["1", "2"], vec!["3", "5"], vec!["4"], vec!["6"]]);
    assert_eq!(ids(&groups(GatheredBy::Ring, all())), [vec!["1", "2", "3", "4", "5"], vec!["6"]]);
}

#[test]
fn the_id_of_a_case_follows_from_its_first_finding() {
    let one = Group::of(GatheredBy::Actor, vec![finding("2", &["a"], &[]), finding("1", &["a"], &[])]);
    let other = Group::of(GatheredBy::Actor, vec![finding("1", &["a"], &[])]);
    assert_eq!(one.case_id(GatheredBy::Actor), other.case_id(GatheredBy::Actor));
    assert_ne!(one.case_id(GatheredBy::Actor), one.case_id(GatheredBy::Ring));
}

#[test]
fn what_is_handled_below_the_line_or_of_a_low_score_is_left_out() {
    let plain = finding("1", &["a"], &[]);
    let table = [
        (plain.clone(), 0.0, true),
        (plain.clone(), 0.5, true),
        (plain.clone(), 0.51, false),
        (StandingFinding { handled: true, ..plain.clone() }, 0.0, false),
        (StandingFinding { below_the_line: true, ..plain.clone() }, 0.0, false),
        (StandingFinding { score: None, ..plain.clone() }, 0.0, true),
        (StandingFinding { score: None, ..plain }, 0.1, false),
    ];
    for (finding, least, expected) in table {
        assert_eq!(is_to_be_gathered(&finding, least), expected, "{finding:?} {least}");
    }
}
