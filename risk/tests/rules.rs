//! The built-in risk rules, and what any rule promises: scores add up, and nothing that is made worse lowers one.

use std::collections::BTreeMap;

use analytics::ActorIndex;
use detection::{Quantity, Status, high_risk_countries};
use proptest::prelude::*;
use risk::{
    ActorType, Band, BandMove, Factor, Facts, Input, Known, Member, NetworkShares, Pack, RatedTexts, Ratings, RiskRule, compare, lint, score, test,
};

fn quantity(text: &str) -> Quantity {
    text.parse().expect("a number")
}

fn standard() -> RiskRule {
    let pack = Pack::built_in().expect("the built-in pack");
    pack.live(ActorType::Individual).expect("a live rule").clone()
}

#[test]
fn the_built_in_rules_pass_their_tests_and_each_weight_flips_one() {
    let pack = Pack::built_in().expect("the built-in pack");
    for rule in test(&pack).rules {
        for result in rule.tests {
            assert!(result.differences.is_empty(), "{}: {:?}", result.file, result.differences);
        }
    }
    let report = lint(&pack);
    let faults: Vec<String> = report.rules.iter().flat_map(|rule| &rule.faults).map(ToString::to_string).collect();
    assert!(report.passes() && faults.is_empty(), "{faults:?}");
    let moved = report.rules.iter().flat_map(|rule| &rule.moved);
    assert!(moved.clone().count() > 30 && moved.clone().all(|moved| moved.flips.is_some()));
    for kind in ActorType::ALL {
        assert_eq!(pack.live(kind).map(|rule| rule.status), Some(Status::Live));
    }
}

/// Whoever changes the lists of detection changes those of the rule.
#[test]
fn the_built_in_rule_rates_all_countries_of_high_risk() {
    let rule = standard();
    for (name, factor) in &rule.factors {
        let Ratings::Values { values, .. } = &factor.ratings else { continue };
        if name.ends_with("countries") || ["domicile", "nationality", "tax-residency"].contains(&name.as_str()) {
            let mut named: Vec<String> = values.iter().flat_map(|rated| rated.any.clone()).collect();
            named.sort();
            assert_eq!(named, high_risk_countries(), "{name}");
        }
    }
}

/// The policy of the documentation is the rule, line by line.
#[test]
fn the_policy_of_the_documentation_is_the_rule() {
    let page = include_str!("../../docs/risk.md");
    let table = page.lines().skip_while(|line| !line.starts_with("| factor | what | of its weight | points |")).skip(2);
    let documented: Vec<&str> = table.take_while(|line| line.starts_with("| ")).collect();
    assert_eq!(documented, standard().policy());
}

/// Each value of an assessment that the reference lists, in any words.
#[test]
fn each_type_of_assessment_has_its_points() {
    let rule = standard();
    let score = |assessments: &[&str]| {
        let mut facts = Facts::default();
        facts.add_texts(Input::Domicile, ["DE"]);
        facts.set_number(Input::RelationDays, quantity("1000"));
        facts.add_texts(Input::Assessments, assessments.iter().copied());
        rule.evaluate(&facts).score
    };
    let table: [(&[&str], &str); 12] = [
        (&[], "0"),
        (&["SANCTIONS=yes"], "100"),
        (&["SANCTIONS="], "100"),
        (&["PEP=domestic"], "50"),
        (&["PEP=former"], "25"),
        (&["PEP=former", "PEP=foreign"], "50"),
        (&["INTP=yes"], "50"),
        (&["PP=yes"], "50"),
        (&["SAR=1"], "60"),
        (&["INTERNAL=watch"], "20"),
        (&["ADVERSE_MEDIA=fraud"], "20"),
        (&["ADVERSE_MEDIA=fraud", "SANCTIONS=hit", "OTHER=yes"], "120"),
    ];
    for (assessments, expected) in table {
        assert_eq!(score(assessments), quantity(expected), "{assessments:?}");
    }
}

#[test]
fn what_is_told_of_a_factor_is_what_decided() {
    let mut facts = Facts::default();
    facts.add_texts(Input::CounterpartyCountries, ["DE", "IR", "AO"]);
    let breakdown = standard().evaluate(&facts);
    let part = breakdown.contributions.iter().find(|part| part.factor == "counterparty-countries").expect("the factor");
    assert_eq!(part.known, Known::Texts(["AO", "DE", "IR"].map(str::to_owned).into()));
    assert_eq!((part.decisive.as_deref(), part.rating, part.contribution), (Some("IR"), Quantity::ONE, quantity("15")));
}

#[test]
fn other_weights_move_scores_between_bands() {
    let rule = standard();
    let actors: Vec<Facts> = ["PEP=yes", "INTERNAL=watch", "SANCTIONS=hit"]
        .into_iter()
        .map(|assessment| {
            let mut facts = Facts::default();
            facts.add_texts(Input::Domicile, ["DE"]);
            facts.set_number(Input::RelationDays, quantity("1000"));
            facts.add_texts(Input::Assessments, [assessment]);
            facts
        })
        .collect();
    let weights = |factor: &str, weight: &str| BTreeMap::from([(factor.to_owned(), quantity(weight))]);
    let changed = rule.with_weights(&weights("assessments", "90")).expect("a weight");
    let members = |rule| -> Vec<Member<'_>> { actors.iter().map(|facts| Member { facts, rule, ties: &[], read: 0 }).collect() };
    let (live, other) = (members(&rule), members(&changed));
    let (scores, others) = (score(&live).expect("scores"), score(&other).expect("scores"));
    let counted = [0, 1, 2].map(ActorIndex);
    let band = |score: Quantity| {
        if score >= quantity("80") {
            "high"
        } else if score >= quantity("50") {
            "medium"
        } else {
            "low"
        }
    };
    let scored = |actor: ActorIndex| scores.summary(actor).map(|summary| summary.score);
    assert_eq!(compare(&counted, scored, &scores, band).bands, BTreeMap::from([("low", 1), ("medium", 1), ("high", 1)]));
    let comparison = compare(&counted, scored, &others, band);
    assert_eq!((comparison.scored, &comparison.bands), (3, &BTreeMap::from([("low", 2), ("high", 1)])));
    assert_eq!(comparison.moved, [BandMove { actor: ActorIndex(0), live: quantity("50"), other: quantity("45") }]);
    assert!(compare(&counted[1..], scored, &others, band).moved.is_empty());
    let beside_none = compare(&counted, |_| None, &others, band);
    assert_eq!((beside_none.scored, beside_none.bands, beside_none.moved), (3, comparison.bands, Vec::new()));
    let told = |weights| rule.with_weights(&weights).expect_err("faults").iter().map(ToString::to_string).collect::<Vec<_>>();
    assert!(told(weights("age", "1"))[0].starts_with("age: must be a factor of the rule: adverse-media, "));
    assert_eq!(told(weights("domicile", "0")), ["domicile: must be more than 0 and at most 1000000, not 0"]);
    let off_step = rule.check("domicile", quantity("20.5")).expect_err("a fault").to_string();
    assert_eq!(off_step, "domicile: must be a whole number of steps of 1 from 20, not 20.5");
    // What was kept before is read as it is.
    assert!(rule.with_weights(&weights("domicile", "20.5")).is_ok());
    // A rule with other weights takes the same ones.
    assert!(changed.check("assessments", quantity("100")).is_ok() && changed.check("assessments", quantity("97")).is_err());
}

fn faults(rule: &str, more: &[(&str, &str)]) -> Vec<String> {
    let files = [("a/rule.toml", rule)].into_iter().chain(more.iter().copied());
    let read = Pack::from_files(files.map(|(path, text)| (path.to_owned(), text.to_owned())));
    read.expect_err("faults").0.iter().map(ToString::to_string).collect()
}

const RULE: &str = r#"
id = "a"
version = "1.0.0"
status = "live"
owner = "o"
name = "n"
rationale = "r"
scores = ["INDIVIDUAL"]

[network]
damping = 0.5
payments = 1
ownership = 1
identities = 1
full = 100

[factors.domicile]
input = "domicile"
weight = 10
step = 1
says = "s"

[[factors.domicile.values]]
rating = 1
any = ["IR"]
"#;

#[test]
fn faults_of_a_rule_are_told_with_their_places_all_at_once() {
    let table = [
        (
            RULE.replace("weight = 10", "weight = 0"),
            vec![
                "a/rule.toml: factors.domicile.step: is 1; it must be more than 0 and at most the weight, 0",
                "a/rule.toml: factors.domicile.weight: is 0; it must be more than 0 and at most 1000000",
            ],
        ),
        (RULE.replace("rating = 1", "rating = 1.5"), vec!["a/rule.toml: factors.domicile.values[0].rating: is 1.5; it must be from 0 to 1"]),
        (RULE.replace("damping = 0.5", "damping = 0.95"), vec!["a/rule.toml: network.damping: is 0.95; it must be from 0 to 0.9"]),
        (
            RULE.replace("any = [\"IR\"]", "any = [\"IR\", \"IR\"]"),
            vec!["a/rule.toml: factors.domicile.values[0].any: has \"IR\", which has a rating already"],
        ),
        (RULE.replace("INDIVIDUAL", "PERSON"), vec!["a/rule.toml: scores: has \"PERSON\"; there are INDIVIDUAL and LEGAL_ENTITY"]),
        (RULE.replace("id = \"a\"", "id = \"b\""), vec!["a/rule.toml: id: is \"b\"; it must be the folder's name, \"a\""]),
    ];
    for (rule, expected) in table {
        assert_eq!(faults(&rule, &[]), expected);
    }
    let second = RULE.replace("id = \"a\"", "id = \"b\"");
    assert_eq!(
        faults(RULE, &[("b/rule.toml", &second)]),
        ["b/rule.toml: scores: has INDIVIDUAL, which the live rule a scores; of live rules one scores a type of actor"]
    );
}

/// A weight that no test tells from another is a fault, and so is a rating that none reaches.
#[test]
fn what_no_test_tells_is_a_fault() {
    let test = "says = \"t\"\nscore = 0\n[facts]\ndomicile = [\"DE\"]\n[contributions]\n";
    let files = [("a/rule.toml", RULE), ("a/tests/t.toml", test)].map(|(path, text)| (path.to_owned(), text.to_owned()));
    let report = lint(&Pack::from_files(files).expect("a pack"));
    let faults: Vec<String> = report.rules[0].faults.iter().map(ToString::to_string).collect();
    assert_eq!(
        faults,
        [
            "a/rule.toml: factors.domicile: no test reaches the rating of IR; one must",
            "a/rule.toml: factors.domicile.weight: no test tells 11 from the weight; one must",
            "a/rule.toml: factors.domicile.weight: no test tells 9 from the weight; one must",
        ]
    );
}

/// A rating in hundredths.
fn hundredths(count: u32) -> Quantity {
    Quantity::share(Quantity::count(count as usize), Quantity::count(100))
}

/// Factors over three texts or numbers up to ten, with ascending bands.
fn factor() -> impl Strategy<Value = Factor> {
    let texts = (prop::collection::vec(0..=100_u32, 3), 0..=100_u32).prop_map(|(ratings, other)| {
        let values =
            ratings.into_iter().zip(["A", "B", "C"]).map(|(rating, text)| RatedTexts { rating: hundredths(rating), any: vec![text.to_owned()] });
        (Input::Nationality, Ratings::Values { values: values.collect(), other: hundredths(other) })
    });
    let bands = prop::collection::btree_map(0..10_u32, 0..=100_u32, 1..4).prop_map(|bands| {
        let mut ratings: Vec<u32> = bands.values().copied().collect();
        ratings.sort_unstable();
        let bands = bands.into_keys().zip(ratings).map(|(from, rating)| Band { from: Quantity::count(from as usize), rating: hundredths(rating) });
        (Input::Findings, Ratings::Bands(bands.collect()))
    });
    let full = (1..20_u32).prop_map(|full| (Input::Exposure, Ratings::Full(Quantity::count(full as usize))));
    (prop_oneof![texts, bands, full], 1..100_000_u32, 0..=100_u32).prop_map(|((input, ratings), weight, absent)| Factor {
        input,
        weight: hundredths(weight),
        step: hundredths(1),
        absent: hundredths(absent),
        ratings,
        says: "s".to_owned(),
    })
}

fn rule() -> impl Strategy<Value = RiskRule> {
    prop::collection::vec(factor(), 1..6).prop_map(|factors| RiskRule {
        factors: factors.into_iter().enumerate().map(|(at, factor)| (format!("f{at}"), factor)).collect(),
        network: NetworkShares {
            damping: hundredths(50),
            payments: Quantity::ONE,
            ownership: Quantity::ONE,
            identities: Quantity::ONE,
            full: Quantity::count(100),
        },
        ..standard()
    })
}

/// Texts and numbers, each of them absent at times.
fn facts() -> impl Strategy<Value = (Vec<&'static str>, Option<u32>, Option<u32>)> {
    (prop::collection::vec(prop::sample::select(vec!["A", "B", "C", "D"]), 0..4), prop::option::of(0..12_u32), prop::option::of(0..25_u32))
}

fn made((texts, findings, exposure): &(Vec<&'static str>, Option<u32>, Option<u32>)) -> Facts {
    let mut facts = Facts::default();
    facts.add_texts(Input::Nationality, texts.iter().copied());
    for (input, number) in [(Input::Findings, findings), (Input::Exposure, exposure)] {
        if let Some(number) = number {
            facts.set_number(input, Quantity::count(*number as usize));
        }
    }
    facts
}

/// Billionths of the text of a number.
fn billionths(number: Quantity) -> i128 {
    let text = number.to_string();
    let (units, decimals) = text.split_once('.').unwrap_or((&text, ""));
    format!("{units}{decimals:0<9}").parse().expect("digits")
}

/// The score in billionths, by other code: whole numbers alone.
fn recomputed(rule: &RiskRule, (texts, findings, exposure): &(Vec<&'static str>, Option<u32>, Option<u32>)) -> i128 {
    const ONE: i128 = 1_000_000_000;
    let rating = |factor: &Factor| match &factor.ratings {
        Ratings::Values { values, other } => {
            let of = |text: &&str| values.iter().find(|rated| rated.any == [*text]).map_or(billionths(*other), |rated| billionths(rated.rating));
            texts.iter().map(of).max()
        }
        Ratings::Bands(bands) => findings.map(|count| {
            let reached = bands.iter().filter(|band| billionths(band.from) <= i128::from(count) * ONE);
            reached.map(|band| (band.from, billionths(band.rating))).max().map_or(0, |(_, rating)| rating)
        }),
        Ratings::Full(full) => exposure.map(|count| (i128::from(count) * ONE * ONE / billionths(*full)).min(ONE)),
    };
    rule.factors
        .values()
        .map(|factor| {
            let rating = rating(factor).unwrap_or(billionths(factor.absent));
            billionths(factor.weight) * rating / ONE / 100_000 * 100_000
        })
        .sum()
}

proptest! {
    #[test]
    fn contributions_add_up_to_the_score_as_plain_code_computes_it(rule in rule(), known in facts()) {
        let breakdown = rule.evaluate(&made(&known));
        let sum: i128 = breakdown.contributions.iter().map(|part| billionths(part.contribution)).sum();
        prop_assert_eq!(billionths(breakdown.score), sum);
        prop_assert_eq!(sum, recomputed(&rule, &known));
        prop_assert_eq!(breakdown.contributions.len(), rule.factors.len());
    }

    #[test]
    fn nothing_made_worse_lowers_a_score(rule in rule(), known in facts(), more in 0..10_u32) {
        let score = rule.evaluate(&made(&known)).score;
        let own = rule.own_risk(&made(&known));
        // A text more, and larger numbers; what was not known stays so.
        let (mut texts, findings, exposure) = known.clone();
        if !texts.is_empty() {
            texts.push("A");
        }
        let worse = made(&(texts, findings.map(|count| count + more), exposure.map(|count| count + more)));
        prop_assert!(rule.evaluate(&worse).score >= score);
        prop_assert!(rule.own_risk(&worse) >= own && own <= Quantity::ONE);
        // A higher weight, and a higher rating of what is not known.
        let heavier = rule.with_weight("f0", rule.factors["f0"].weight.plus(hundredths(more)));
        prop_assert!(heavier.evaluate(&made(&known)).score >= score);
    }
}
