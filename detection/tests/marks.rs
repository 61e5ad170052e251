//! Marked payments are found, explained and replayed without whoever marked them.

use std::collections::BTreeMap;

use analytics::{AccountIndex, Amount, CurrencyIndex, PaymentIndex, Timestamp};
use detection::{
    Account, Actor, ActorIndex, ActorKind, Dataset, Day, Evidence, Grid, Mark, Pack, Payment, Quantity, Records, Rule, Settings, replays, what_if,
};

const DAY_MILLIS: i64 = 86_400_000;
const ONE: i128 = 1_000_000_000;

fn at(millis: i64) -> Timestamp {
    Timestamp::from_millis(millis).expect("a time")
}

fn the_day() -> Day {
    Day::new(at(20 * DAY_MILLIS), at(21 * DAY_MILLIS)).expect("a day")
}

fn rule(id: &str) -> Rule {
    Pack::built_in().unwrap_or_else(|faults| panic!("{faults}")).rule(id).expect("a rule").rule.clone()
}

/// What `a` pays on days, of amounts; the marks name all but the last.
fn dataset(payments: &[(i64, i128)]) -> Dataset {
    let account = |id: &str, owner| Account { id: id.into(), owner, opened: None };
    let payment = |(place, &(day, amount)): (usize, &(i64, i128))| Payment {
        records: Records::Outbound(format!("p{place}").into()),
        from: AccountIndex(0),
        to: AccountIndex(1),
        at: at(day * DAY_MILLIS + place as i64),
        amount: Amount(amount * ONE),
        currency: CurrencyIndex(0),
        sender: Some(ActorIndex(0)),
        receiver: None,
    };
    let actor = Actor { id: "a".into(), kind: ActorKind::Individual, monitored: true, since: None };
    let rows = payments.iter().enumerate().map(payment).collect();
    let accounts = vec![account("from", Some(ActorIndex(0))), account("to", None)];
    let dataset = Dataset::new(vec![actor], accounts, rows, vec!["EUR".to_owned()]).expect("a dataset");
    let records = (0..payments.len() - 1).map(|place| format!("p{place}").into()).collect();
    let mark = Mark { rule: rule("pep-counterparty").key().into(), actor: "a".into(), anchor: "somebody".into(), records, measures: BTreeMap::new() };
    dataset.with_marks(&[mark])
}

#[test]
fn the_necessary_payments_of_a_mark_make_the_rule_fire_and_none_can_be_spared() {
    let (rule, dataset) = (rule("pep-counterparty"), dataset(&[(10, 9_000), (20, 8_000), (20, 500), (20, 30_000)]));
    let settings = Settings::of(&rule);
    let found = rule.detect(&dataset, the_day(), &settings);
    assert_eq!(found.len(), 1);
    let finding = &found[0];
    let cited: Vec<&str> = finding.payments.iter().map(|payment| payment.leading()).collect();
    assert_eq!(cited, ["p0", "p1", "p2"]);
    let necessary: Vec<&str> = finding.evidence(Evidence::Necessary).map(|payment| payment.leading()).collect();
    assert_eq!(necessary, ["p0", "p1"]);
    let fires = |kept: &[u32]| {
        let kept: Vec<PaymentIndex> = kept.iter().copied().map(PaymentIndex).collect();
        replays(&rule, &dataset.subset(&kept), the_day(), &settings, "a", &finding.history)
    };
    assert!(fires(&[0, 1]));
    assert!(!fires(&[0]) && !fires(&[1]));
    // The share is of all that was turned over, which a replay is given.
    let turnover = finding.history[0].values["turnover"];
    assert_eq!((&*finding.history[0].anchor, turnover), ("somebody", Quantity::amount(Amount(47_500 * ONE))));
}

#[test]
fn marks_of_other_rules_and_without_a_payment_of_the_day_are_nothing() {
    let earlier = dataset(&[(10, 19_000), (12, 18_000), (20, 100)]);
    let rule = rule("pep-counterparty");
    assert_eq!(rule.detect(&earlier, the_day(), &Settings::of(&rule)), []);
    let of_another = self::rule("sanctioned-counterparty");
    let dataset = dataset(&[(20, 19_000), (20, 100)]);
    assert_eq!(of_another.detect(&dataset, the_day(), &Settings::of(&of_another)), []);
    assert_eq!(rule.detect(&dataset, the_day(), &Settings::of(&rule)).len(), 1);
}

#[test]
fn other_thresholds_are_compared_in_one_pass() {
    let (rule, dataset) = (rule("pep-counterparty"), dataset(&[(20, 16_000), (20, 100)]));
    let around = Settings::of(&rule);
    let amounts = ["15000", "16000", "17000"].map(|amount| amount.parse().expect("a number")).to_vec();
    let grid = Grid::new(&rule, &around, &Grid::combinations(&BTreeMap::from([("amount".to_owned(), amounts)]))).expect("thresholds");
    let outcomes = what_if(&rule, &dataset, &[the_day()], &around, &grid);
    assert_eq!(outcomes.iter().map(|outcome| outcome.findings).collect::<Vec<_>>(), [1, 1, 0]);
}

#[test]
fn a_grid_takes_the_values_that_a_rule_can_be_tuned_to() {
    let rule = rule("pep-counterparty");
    let point = |name: &str, value: &str| BTreeMap::from([(name.to_owned(), value.parse::<Quantity>().expect("a number"))]);
    let points = [
        point("amount", "15500.5"),
        point("share", "7"),
        point("window", "24"),
        point("window", "720"),
        point("amuont", "1"),
        point("amount", "16000"),
    ];
    let faults = Grid::tried(&rule, &Settings::of(&rule), &points).expect_err("faults");
    let told: Vec<(usize, String)> = faults.iter().map(|fault| (fault.point(), fault.to_string())).collect();
    let expected = [
        (0, "amount: must be a whole number of steps of"),
        (1, "share: must be from"),
        (2, "window: must stay 720"),
        (4, "amuont: must be a parameter of the rule: amount, share, window"),
    ];
    assert_eq!(told.len(), expected.len(), "{told:?}");
    for ((point, told), (of, begins)) in told.iter().zip(expected) {
        assert!(*point == of && told.starts_with(begins), "{told}");
    }
    // A search has bounds between steps, too, and what was taken before is read as it is.
    assert!(Settings::with(&rule, &points[0]).is_ok() && Grid::new(&rule, &Settings::of(&rule), &points[..1]).is_ok());
}
