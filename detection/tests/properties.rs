//! What holds for all rules on all networks: evidence replays and is 1-minimal, the order of loading does not matter, and thresholds decide
//! what is found and nothing else.

use std::collections::{BTreeMap, BTreeSet};

use analytics::{AccountIndex, Amount, CurrencyIndex, Timestamp};
use detection::{
    Account, Actor, ActorIndex, ActorKind, Compare, Dataset, Day, Evidence, Finding, Grid, Pack, Payment, Point, Quantity, Records, Role, Rule,
    Search, Settings, replays, what_if,
};
use proptest::prelude::*;

const DAY_MILLIS: i64 = 86_400_000;
const DAYS: i64 = 45;
const ACCOUNTS: u32 = 12;
/// One more account than actors, so that one actor has two; the last account has no owner.
const ACTORS: u32 = 10;
/// Of a grid: more than 64.
const MANY_POINTS: usize = 70;

/// A payment by small numbers.
#[derive(Debug, Clone, Copy)]
struct Draft {
    from: u32,
    to: u32,
    minutes: i64,
    amount: i64,
    currency: u16,
    reported: u8,
}

fn draft() -> impl Strategy<Value = Draft> {
    let amounts = prop_oneof![Just(9_500), Just(8_200), Just(1_000), Just(2_500), Just(640), Just(45), 1_i64..15_000];
    // Half of the payments are of the last week, so that patterns are dense where rules look.
    let minutes = prop_oneof![0..DAYS * 1_440, (DAYS - 6) * 1_440..DAYS * 1_440, (DAYS - 1) * 1_440..DAYS * 1_440];
    let currency = prop_oneof![9 => Just(0_u16), 1 => Just(1)];
    (0..ACCOUNTS, 0..ACCOUNTS, minutes, amounts, currency, 0_u8..6).prop_map(|(from, to, minutes, amount, currency, reported)| Draft {
        from,
        to,
        minutes,
        amount,
        currency,
        reported,
    })
}

/// Random payments, and mostly a pattern of the last days among them that random payments seldom make.
fn network(count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Draft>> {
    const SCATTER_GATHER: &[(u32, u32, i64)] = &[(0, 1, 0), (0, 2, 0), (0, 3, 0), (1, 4, 1), (2, 4, 1), (3, 4, 1)];
    const LAYERS: &[(u32, u32, i64)] = &[(0, 2, 0), (0, 3, 0), (1, 2, 0), (1, 3, 0), (2, 4, 1), (2, 5, 1), (3, 4, 1), (3, 5, 1)];
    let pattern = prop_oneof![Just(SCATTER_GATHER), Just(LAYERS), Just(&[][..])];
    (prop::collection::vec(draft(), count), pattern, 0..ACCOUNTS).prop_map(|(mut drafts, pattern, shift)| {
        let link = |(place, &(from, to, step)): (usize, &(u32, u32, i64))| Draft {
            from: (from + shift) % ACCOUNTS,
            to: (to + shift) % ACCOUNTS,
            minutes: (DAYS - 2 + step) * 1_440 + 7 * place as i64,
            amount: 2_000 - 10 * place as i64,
            currency: 0,
            reported: 2,
        };
        drafts.extend(pattern.iter().enumerate().map(link));
        drafts
    })
}

fn owner(account: u32) -> Option<u32> {
    (account + 1 < ACCOUNTS).then_some(account % ACTORS)
}

/// The dataset of drafts, with all rows in an order that `turned` gives.
fn dataset(drafts: &[Draft], turned: bool) -> Dataset {
    let order = |count: usize| -> Vec<usize> { if turned { (0..count).rev().collect() } else { (0..count).collect() } };
    let place = |count: u32, index: u32| if turned { count - 1 - index } else { index };
    let actor = |index: u32| ActorIndex(place(ACTORS, index));
    let account = |index: u32| AccountIndex(place(ACCOUNTS, index));
    let actors = order(ACTORS as usize).into_iter().map(|index| Actor {
        id: format!("actor-{index}").into(),
        kind: if index % 4 == 3 { ActorKind::LegalEntity } else { ActorKind::Individual },
        monitored: index != 5,
        since: None,
    });
    let accounts = order(ACCOUNTS as usize).into_iter().map(|index| Account {
        id: format!("account-{index}").into(),
        owner: owner(index as u32).map(actor),
        opened: time(if index % 3 == 0 { (DAYS - 12) * DAY_MILLIS } else { -400 * DAY_MILLIS }),
    });
    let payments = order(drafts.len()).into_iter().map(|index| {
        let Draft { from, to, minutes, amount, currency, reported } = drafts[index];
        let (out, into): (Box<str>, Box<str>) = (format!("out-{index:03}").into(), format!("in-{index:03}").into());
        let (records, by_sender, by_receiver) = match reported {
            0 => (Records::Outbound(out), true, false),
            1 => (Records::Inbound(into), false, true),
            _ => (Records::Both { outbound: out, inbound: into }, true, true),
        };
        Payment {
            records,
            from: account(from),
            to: account(to),
            at: time(minutes * 60_000).expect("a time of the twentieth century"),
            amount: Amount(i128::from(amount) * 1_000_000_000),
            currency: CurrencyIndex(if turned { 1 - currency } else { currency }),
            sender: owner(from).filter(|_| by_sender).map(actor),
            receiver: owner(to).filter(|_| by_receiver).map(actor),
        }
    });
    let currencies = if turned { ["USD", "EUR"] } else { ["EUR", "USD"] };
    Dataset::new(actors.collect(), accounts.collect(), payments.collect(), currencies.map(String::from).into()).expect("rows that fit together")
}

fn time(millis: i64) -> Option<Timestamp> {
    Timestamp::from_millis(millis)
}

fn last_day() -> Day {
    let at = |day: i64| time(day * DAY_MILLIS).expect("a time of the twentieth century");
    Day::new(at(DAYS - 1), at(DAYS)).expect("a day")
}

/// Thresholds between the most lenient value (0) and the default (1); passes keep their defaults.
fn settings(rule: &Rule, strictness: f64) -> Settings {
    let mut values = BTreeMap::new();
    for (name, parameter) in &rule.parameters {
        if let Role::Threshold(threshold) = &parameter.role {
            let lenient = match threshold.compare {
                Compare::AtLeast | Compare::MoreThan => parameter.min,
                Compare::AtMost | Compare::LessThan => parameter.max,
            };
            let steps = ((parameter.default.to_f64() - lenient.to_f64()) / parameter.step.to_f64() * strictness).round();
            let steps: Quantity = steps.to_string().parse().expect("a whole number");
            values.insert(name.clone(), lenient.plus(parameter.step.times(steps)));
        }
    }
    Settings::with(rule, &values).expect("values within the bounds")
}

fn findings(rule: &Rule, dataset: &Dataset, settings: &Settings) -> Vec<Finding> {
    rule.detect(dataset, last_day(), settings)
}

/// Whether the rule fires for the finding's actor on some of its necessary payments.
fn fires(rule: &Rule, dataset: &Dataset, settings: &Settings, finding: &Finding, kept: impl Fn(usize) -> bool) -> bool {
    let necessary: Vec<&str> = finding.evidence(Evidence::Necessary).map(|payment| payment.leading()).collect();
    let is_kept = |leading: &str| necessary.iter().position(|id| *id == leading).is_some_and(&kept);
    let network = dataset.network().payments();
    let elements: Vec<_> = network.filter(|&payment| is_kept(dataset.payment(payment).records.leading())).collect();
    let elements = dataset.subset(&elements);
    replays(rule, &elements, last_day(), settings, &finding.actor, &finding.history)
}

fn rules() -> Vec<Rule> {
    let pack = Pack::built_in().unwrap_or_else(|faults| panic!("{faults}"));
    // Nothing is marked here.
    let pack = pack.only(|rule| matches!(rule.search, Search::Kernel(_)));
    pack.rules().iter().map(|packed| packed.rule.clone()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn the_necessary_payments_make_the_rule_fire_and_none_of_them_can_be_spared(
        drafts in network(3..60),
        strictness in prop_oneof![Just(0.0), Just(0.3), Just(0.7)],
    ) {
        let dataset = dataset(&drafts, false);
        for rule in rules() {
            let settings = settings(&rule, strictness);
            for finding in findings(&rule, &dataset, &settings) {
                let necessary = finding.evidence(Evidence::Necessary).count();
                prop_assert!(necessary > 0, "{}", finding.text);
                prop_assert!(fires(&rule, &dataset, &settings, &finding, |_| true), "{}", finding.text);
                for spared in 0..necessary {
                    prop_assert!(!fires(&rule, &dataset, &settings, &finding, |place| place != spared), "without {spared}: {}", finding.text);
                }
            }
        }
    }

    #[test]
    fn the_order_of_loading_does_not_matter(drafts in network(3..60)) {
        let (dataset, turned) = (dataset(&drafts, false), dataset(&drafts, true));
        for rule in rules() {
            let settings = settings(&rule, 0.2);
            prop_assert_eq!(findings(&rule, &dataset, &settings), findings(&rule, &turned, &settings));
        }
    }

    #[test]
    fn findings_are_of_monitored_actors_and_share_no_payment_of_one_actor(drafts in network(3..60)) {
        let dataset = dataset(&drafts, false);
        for rule in rules() {
            let found = findings(&rule, &dataset, &settings(&rule, 0.0));
            for (place, finding) in found.iter().enumerate() {
                prop_assert!(finding.actor != "actor-5");
                prop_assert!((0.0..=1.0).contains(&finding.score));
                for other in found[..place].iter().filter(|other| other.actor == finding.actor) {
                    prop_assert!(finding.payments.iter().all(|payment| other.payments.iter().all(|known| known.leading() != payment.leading())));
                }
            }
        }
    }

    #[test]
    fn a_grid_finds_what_single_runs_find(drafts in network(3..50)) {
        let dataset = dataset(&drafts, false);
        for rule in rules() {
            let around = Settings::of(&rule);
            let strictness = [0.0, 0.2, 0.5, 1.0];
            let points: Vec<Point> = strictness.iter().map(|&strictness| settings(&rule, strictness).values().clone()).collect();
            // Each point several times, so that there are more than a word has bits.
            let points: Vec<Point> = points.iter().cycle().take(MANY_POINTS).cloned().collect();
            let grid = Grid::new(&rule, &around, &points).expect("thresholds alone differ");
            let outcomes = what_if(&rule, &dataset, &[last_day()], &around, &grid);
            prop_assert_eq!(outcomes.len(), MANY_POINTS);
            let single = strictness.map(|strictness| findings(&rule, &dataset, &settings(&rule, strictness)));
            for (outcome, single) in outcomes.iter().zip(single.iter().cycle()) {
                prop_assert_eq!((outcome.findings, &outcome.by_day), (single.len(), &vec![single.len()]));
                let cited: BTreeSet<&str> = single.iter().flat_map(|finding| finding.payments.iter().map(|payment| payment.leading())).collect();
                prop_assert_eq!(outcome.payments, cited.len());
                let mut actors: Vec<&str> = single.iter().map(|finding| finding.actor.as_str()).collect();
                actors.dedup();
                prop_assert_eq!(outcome.actors, actors.len());
            }
        }
    }
}

#[test]
fn random_networks_make_every_rule_fire() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
    let mut runner = TestRunner::new_with_rng(ProptestConfig::default(), TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let mut fired: BTreeMap<String, usize> = BTreeMap::new();
    for _ in 0..60 {
        let drafts = network(20..50).new_tree(&mut runner).expect("a network").current();
        let dataset = dataset(&drafts, false);
        for rule in rules() {
            *fired.entry(rule.id.clone()).or_default() += findings(&rule, &dataset, &settings(&rule, 0.0)).len();
        }
    }
    assert!(fired.values().all(|&count| count > 0), "{fired:?}");
}
