//! What holds for all names.

use proptest::prelude::*;
use screening::evidence::{Facts, PartialDate};
use screening::list::{Entry, Query};
use screening::{Index, Kind, Name, explain, score};

fn kinds() -> impl Strategy<Value = Kind> {
    prop_oneof![Just(Kind::Person), Just(Kind::Organization), Just(Kind::Thing), Just(Kind::Unknown)]
}

/// Names as they are, names of pieces that mean something to the matcher, and any text.
fn names() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "Vladimir",
        "Putin,",
        "al-",
        "bin",
        "Dr.",
        "A.",
        "GmbH",
        "Ltd",
        "S.A.",
        "Владимир",
        "محمد",
        "الرحمن",
        "习近平",
        "김정은",
        "ООО",
        "II",
        "forty",
        "4",
        "&",
        "O'Neill",
        "JP",
        "Bank",
        "of",
        "Μπάμπης",
        "ბარაკ",
        "Mohammed",
        "Muhammad",
        "Ali",
        "x",
        "株式会社",
        "'",
        "-",
        ".",
        "Kim",
        "Jong",
        "un",
    ]);
    prop_oneof![
        prop::collection::vec(pieces, 0..7).prop_map(|pieces| pieces.join(" ")),
        "[A-Za-z]{1,9}( [A-Za-z]{1,9}){0,4}",
        "\\PC{0,40}",
        any::<String>(),
    ]
}

fn query(name: &str, facts: Facts) -> Query {
    Query { id: String::new(), name: name.into(), kind: Kind::Person, facts }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn a_score_is_the_same_both_ways_and_every_time(first in names(), second in names(), one in kinds(), other in kinds()) {
        let (first, second) = (Name::new(&first, one), Name::new(&second, other));
        let there = score(&first, &second);
        prop_assert_eq!(there, score(&second, &first));
        prop_assert_eq!(there, score(&first.clone(), &second.clone()));
        prop_assert!((0.0..=1.0).contains(&there));
    }

    #[test]
    fn reasons_are_the_same_both_ways_and_add_up(first in names(), second in names(), kind in kinds()) {
        let (first, second) = (Name::new(&first, kind), Name::new(&second, kind));
        let (there, back) = (explain(&first, &second), explain(&second, &first));
        prop_assert_eq!(there.score, score(&first, &second));
        let turned: Vec<_> = back.reasons.iter().map(|reason| (&reason.second, &reason.first, reason.what)).collect();
        let straight: Vec<_> = there.reasons.iter().map(|reason| (&reason.first, &reason.second, reason.what)).collect();
        if first.given != second.given {
            prop_assert_eq!(straight, turned);
        }
        let costs: f32 = there.reasons.iter().map(|reason| reason.cost).sum();
        prop_assert!(there.reasons.iter().all(|reason| reason.cost >= 0.0));
        prop_assert!((there.score - (1.0 - costs).clamp(0.0, 1.0)).abs() < 1e-3, "{} {costs}", there.score);
    }

    #[test]
    fn a_name_is_itself_and_nothing_is_more_like_it(first in names(), second in names(), kind in kinds()) {
        let (first, second) = (Name::new(&first, kind), Name::new(&second, kind));
        if !first.is_empty() {
            prop_assert_eq!(score(&first, &first), 1.0);
            if first.given != second.given {
                prop_assert!(score(&first, &second) < 1.0);
            }
        }
    }

    #[test]
    fn a_birth_date_that_is_contradicted_never_raises(name in names(), asked in 1930u16..2000, listed in 1930u16..2000) {
        prop_assume!(asked.abs_diff(listed) > 1);
        let date = |year| Facts { birth_dates: vec![PartialDate { year, month: None, day: None }], ..Facts::default() };
        let entry = |facts| Entry { id: "1".into(), schema: "Person".into(), names: vec![name.clone()], facts };
        let [known, missing] = [date(listed), Facts::default()].map(|facts| Index::new([entry(facts)]));
        let best = |index: &Index, facts: Facts| index.searcher().search(&query(&name, facts), 1).first().map(|hit| hit.score);
        if let (Some(plain), Some(contradicted)) = (best(&known, Facts::default()), best(&known, date(asked))) {
            let missing = best(&missing, date(asked)).unwrap_or(0.0);
            prop_assert!(contradicted < plain && contradicted < missing, "{contradicted} {missing} {plain}");
        }
    }

    #[test]
    fn a_name_of_a_list_is_found_by_itself(names in prop::collection::vec("[A-Z][a-z]{2,9}( [A-Z][a-z]{2,9}){0,3}", 1..30)) {
        let entry = |(at, name): (usize, &String)| Entry { id: at.to_string(), schema: "Person".into(), names: vec![name.clone()], facts: Facts::default() };
        let index = Index::new(names.iter().enumerate().map(entry));
        let mut searcher = index.searcher();
        for name in names.iter().filter(|name| !screening::is_placeholder(name)) {
            let hits = searcher.search(&query(name, Facts::default()), 5);
            prop_assert!(hits.first().is_some_and(|hit| hit.is_match && hit.score == 1.0), "{name}: {hits:?}");
        }
    }
}
