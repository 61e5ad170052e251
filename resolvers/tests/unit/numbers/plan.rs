//! Whatever the order in which records and payments come, everybody ends with the same numbers, and every payment where its numbers say.

use std::collections::{BTreeMap, BTreeSet};

use graph_schema::identity::hinted_account;
use proptest::prelude::*;
use resolvers::testing::numbers::plan::{Claims, EXTERNAL, Holders, Numbers, Plan, Source, plan};

/// What happens to numbers.
#[derive(Debug, Clone, PartialEq)]
enum Step {
    /// A payment to an account that is named by numbers, perhaps with its id beside them.
    Pay(Vec<u8>, Option<u8>),
    Arrive(u8, BTreeSet<u8>),
}

/// The store, as far as numbers go; payments with where they are.
#[derive(Default)]
struct World {
    numbers: Numbers,
    payments: Vec<(Vec<String>, String)>,
    recorded: BTreeSet<String>,
}

fn id(number: u8) -> String {
    format!("n{number}")
}

fn account(number: u8) -> String {
    format!("a{number}")
}

fn hint(number: u8) -> String {
    format!("id:a{number}")
}

/// The numbers that a payment names, as they are stored: the hint is the last.
fn named(numbers: &[u8], hinted: &Option<u8>) -> Vec<String> {
    numbers.iter().map(|number| id(*number)).chain(hinted.map(hint)).collect()
}

impl World {
    fn take(&mut self, steps: &[Step]) {
        let mut claims = Claims::default();
        let mut paid = Vec::new();
        for step in steps {
            match step {
                Step::Pay(numbers, hinted) => {
                    let numbers = named(numbers, hinted);
                    claims.paid.extend(numbers.iter().cloned());
                    let pairs =
                        numbers.iter().flat_map(|one| numbers.iter().filter(move |other| one < *other).map(|other| (one.clone(), other.clone())));
                    claims.together.extend(pairs);
                    paid.push(numbers);
                }
                Step::Arrive(number, own) => {
                    let account = account(*number);
                    let hinted = hint(*number);
                    let former = self.numbers.iter().filter(|(id, known)| **id == hinted || known.holders.get(&account) == Some(&Source::Record));
                    claims.former.extend(former.map(|(number, _)| number.clone()));
                    self.recorded.insert(account.clone());
                    claims.own.insert(account, own.iter().map(|number| id(*number)).collect());
                }
            }
        }
        // Only what is read is known, as in the store.
        let mut read = Numbers::new();
        let mut next = claims.numbers();
        while !next.is_empty() {
            for number in next {
                read.insert(number.clone(), self.numbers.entry(number).or_default().clone());
            }
            next = claims.unread(&read);
        }
        let new = read.iter().filter(|(_, known)| known.holders.is_empty()).filter_map(|(id, _)| hinted_account(id));
        claims.recorded = new.filter(|account| self.recorded.contains(*account)).map(str::to_owned).collect();
        let (plan, holders) = plan(&read, &claims);
        self.carry_out(&claims, &plan);
        for numbers in paid {
            let place = holders.of(numbers.iter().map(String::as_str)).expect("somebody has them").to_owned();
            self.payments.push((numbers, place));
        }
        self.move_payments(&plan.leave);
    }

    fn carry_out(&mut self, claims: &Claims, plan: &Plan) {
        for (one, other) in &claims.together {
            self.numbers.entry(one.clone()).or_default().named.insert(other.clone());
            self.numbers.entry(other.clone()).or_default().named.insert(one.clone());
        }
        for (number, account) in &plan.take {
            self.numbers.entry(number.clone()).or_default().holders.remove(account);
        }
        for (number, account, source) in &plan.give {
            self.numbers.entry(number.clone()).or_default().holders.insert(account.clone(), *source);
        }
    }

    /// As steps do: only payments of the accounts, by the numbers that are said to have changed hands.
    fn move_payments(&mut self, leave: &BTreeSet<(String, String)>) {
        let holders = self.holders();
        for (numbers, place) in &mut self.payments {
            if numbers.iter().any(|number| leave.contains(&(place.clone(), number.clone()))) {
                *place = holders.of(numbers.iter().map(String::as_str)).expect("somebody has them").to_owned();
            }
        }
    }

    fn holders(&self) -> Holders {
        Holders(self.numbers.iter().map(|(number, known)| (number.clone(), known.holders.clone())).collect())
    }

    /// Where every payment is, whatever the order in which they came.
    fn places(&self) -> Vec<(Vec<String>, String)> {
        let mut places = self.payments.clone();
        places.sort();
        places
    }

    fn check(&self) {
        let holders = self.holders();
        for (numbers, place) in &self.payments {
            let wanted = holders.of(numbers.iter().map(String::as_str));
            assert_eq!(wanted, Some(place.as_str()), "a payment to {numbers:?} is where its numbers lead");
        }
        for (number, known) in &self.numbers {
            if let Some(account) = hinted_account(number) {
                assert!(known.holders.keys().eq([account]), "{number}: {known:?}");
            }
            let externals = known.holders.iter().filter(|(_, source)| **source == Source::Payment).count();
            assert!(externals <= 1 && (externals == 0 || known.holders.len() == 1), "{number}: {known:?}");
        }
    }
}

fn run(steps: &[Step], split: usize) -> World {
    let mut world = World::default();
    for batch in steps.chunks(split.max(1)) {
        world.take(batch);
        world.check();
    }
    world
}

/// What must come out, whatever the order: worked out from all records and payments at once.
fn model(steps: &[Step]) -> Vec<(Vec<String>, String)> {
    let records: BTreeMap<u8, &BTreeSet<u8>> =
        steps.iter().filter_map(|step| if let Step::Arrive(account, own) = step { Some((*account, own)) } else { None }).collect();
    let payments: Vec<(&Vec<u8>, &Option<u8>)> =
        steps.iter().filter_map(|step| if let Step::Pay(numbers, hinted) = step { Some((numbers, hinted)) } else { None }).collect();
    let owner = |number: u8| records.iter().find(|(_, own)| own.contains(&number)).map(|(account, _)| *account);
    let group_of = |number: u8| {
        let mut group = BTreeSet::from([number]);
        loop {
            let near =
                payments.iter().filter(|(numbers, _)| numbers.iter().any(|number| group.contains(number))).flat_map(|(numbers, _)| numbers.iter());
            let larger: BTreeSet<u8> = near.copied().filter(|number| owner(*number).is_none()).chain(group.iter().copied()).collect();
            if larger == group {
                return group;
            }
            group = larger;
        }
    };
    let place = |numbers: &Vec<u8>, hinted: &Option<u8>| {
        if let Some(hinted) = hinted.filter(|hinted| records.get(hinted).is_some_and(|own| numbers.iter().any(|number| own.contains(number)))) {
            return account(hinted);
        }
        if let Some(owner) = numbers.iter().find_map(|number| owner(*number)).or(hinted.filter(|hinted| records.contains_key(hinted))) {
            return account(owner);
        }
        let group = group_of(numbers[0]);
        let near: Vec<_> = payments.iter().filter(|(numbers, _)| numbers.iter().any(|number| group.contains(number))).collect();
        let owners = near.iter().flat_map(|(numbers, _)| numbers.iter()).filter_map(|number| owner(*number));
        let hints = || near.iter().filter_map(|(_, hinted)| **hinted);
        let known = owners.chain(hints().filter(|hinted| records.contains_key(hinted))).min();
        known.or(hints().min()).map_or_else(|| format!("{EXTERNAL}{}", id(*group.first().expect("a number"))), account)
    };
    let mut places: Vec<_> = payments.iter().map(|(numbers, hinted)| (named(numbers, hinted), place(numbers, hinted))).collect();
    places.sort();
    places
}

/// A payment names its numbers in the order of their strength, which is the same for all.
fn payment() -> impl Strategy<Value = Step> {
    let hinted = prop_oneof![2 => Just(None), 1 => (0..5_u8).prop_map(Some)];
    (prop::collection::btree_set(0..6_u8, 1..=3), hinted).prop_map(|(numbers, hinted)| Step::Pay(numbers.into_iter().collect(), hinted))
}

fn history() -> impl Strategy<Value = (Vec<Step>, Vec<Step>)> {
    let records = prop::collection::vec(prop::collection::btree_set(0..6_u8, 0..=2), 0..4);
    (prop::collection::vec(payment(), 1..7), records).prop_flat_map(|(mut steps, records)| {
        steps.extend(records.into_iter().enumerate().map(|(account, own)| Step::Arrive(account as u8, own)));
        (Just(steps.clone()), Just(steps).prop_shuffle())
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_order_and_any_split_end_alike((one, other) in history(), splits in (1..8_usize, 1..8_usize)) {
        let places = run(&one, splits.0).places();
        prop_assert_eq!(&places, &run(&other, splits.1).places());
        prop_assert_eq!(places, model(&one));
    }
}

fn pay(numbers: &[u8]) -> Step {
    Step::Pay(numbers.to_vec(), None)
}

fn pay_to(hinted: u8, numbers: &[u8]) -> Step {
    Step::Pay(numbers.to_vec(), Some(hinted))
}

fn arrive(account: u8, own: &[u8]) -> Step {
    Step::Arrive(account, own.iter().copied().collect())
}

fn ends(steps: &[Step]) -> Vec<(String, String)> {
    run(steps, 1).places().into_iter().map(|(numbers, place)| (numbers.join(" "), place)).collect()
}

fn table(rows: &[(&str, &str)]) -> Vec<(String, String)> {
    rows.iter().map(|(numbers, place)| ((*numbers).to_owned(), (*place).to_owned())).collect()
}

#[test]
fn numbers_named_together_are_one_accounts() {
    assert_eq!(ends(&[pay(&[2]), pay(&[1, 2]), arrive(0, &[1])]), table(&[("n1 n2", "a0"), ("n2", "a0")]));
    assert_eq!(ends(&[pay(&[1]), pay(&[2]), pay(&[1, 2])]), table(&[("n1", "external:n1"), ("n1 n2", "external:n1"), ("n2", "external:n1")]));
}

#[test]
fn a_records_number_never_leaves_it() {
    let claimed = [pay(&[1, 2]), pay(&[2]), arrive(0, &[1]), arrive(1, &[2]), pay(&[2])];
    assert_eq!(ends(&claimed), table(&[("n1 n2", "a0"), ("n2", "a1"), ("n2", "a1")]));
}

#[test]
fn what_was_learned_stays_when_a_record_changes() {
    let learned = [arrive(0, &[1]), pay(&[1, 2]), arrive(0, &[1, 3]), pay(&[2]), arrive(0, &[3]), pay(&[1]), pay(&[2])];
    assert_eq!(ends(&learned), table(&[("n1", "a0"), ("n1 n2", "a0"), ("n2", "a0"), ("n2", "a0")]));
}

#[test]
fn a_number_that_nobody_has_paid_goes_with_the_record() {
    assert_eq!(ends(&[arrive(0, &[1]), arrive(0, &[2]), pay(&[1]), pay(&[2])]), table(&[("n1", "external:n1"), ("n2", "a0")]));
}

#[test]
fn an_id_beside_a_number_is_a_hint() {
    let known_number = [arrive(0, &[1]), pay_to(9, &[1])];
    assert_eq!(ends(&known_number), table(&[("n1 id:a9", "a0")]), "a record's number counts more");
    let nobodys = [pay(&[1]), pay_to(9, &[1]), pay(&[1])];
    assert_eq!(ends(&nobodys), table(&[("n1", "a9"), ("n1", "a9"), ("n1 id:a9", "a9")]), "all who name the number find one account");
    let two_records = [arrive(0, &[1]), arrive(1, &[1]), pay_to(1, &[1]), pay(&[1])];
    assert_eq!(ends(&two_records), table(&[("n1", "a0"), ("n1 id:a1", "a1")]), "it says which of two is meant");
    let late = [pay_to(9, &[1]), pay(&[1]), arrive(0, &[1])];
    assert_eq!(ends(&late), table(&[("n1", "a0"), ("n1 id:a9", "a0")]));
}

#[test]
fn what_a_known_account_has_learned_no_unknown_id_takes() {
    let learned = [arrive(0, &[1]), pay(&[1, 2]), arrive(0, &[]), pay_to(9, &[2]), pay(&[2])];
    assert_eq!(ends(&learned), table(&[("n1 n2", "a0"), ("n2", "a0"), ("n2 id:a9", "a0")]));
}
