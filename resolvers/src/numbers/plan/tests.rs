//! Whatever the order in which records and payments come, everybody ends with the same numbers, and every payment where its numbers say.

use proptest::prelude::*;

use super::*;

/// What happens to numbers.
#[derive(Debug, Clone, PartialEq)]
enum Step {
    Pay(Vec<u8>),
    Arrive(u8, BTreeSet<u8>),
}

/// The store, as far as numbers go; payments with where they are.
#[derive(Default)]
struct World {
    numbers: Numbers,
    payments: Vec<(Vec<String>, String)>,
}

fn id(number: u8) -> String {
    format!("n{number}")
}

impl World {
    fn take(&mut self, steps: &[Step]) {
        let mut claims = Claims::default();
        let mut paid = Vec::new();
        for step in steps {
            match step {
                Step::Pay(numbers) => {
                    let numbers: Vec<String> = numbers.iter().map(|number| id(*number)).collect();
                    claims.paid.extend(numbers.iter().cloned());
                    let pairs =
                        numbers.iter().flat_map(|one| numbers.iter().filter(move |other| one < *other).map(|other| (one.clone(), other.clone())));
                    claims.together.extend(pairs);
                    paid.push(numbers);
                }
                Step::Arrive(account, own) => {
                    let account = format!("a{account}");
                    let former = self.numbers.iter().filter(|(_, known)| known.holders.get(&account) == Some(&Source::Record));
                    claims.former.extend(former.map(|(number, _)| number.clone()));
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

/// A payment names its numbers in the order of their strength, which is the same for all.
fn payment() -> impl Strategy<Value = Step> {
    prop::collection::btree_set(0..6_u8, 1..=3).prop_map(|numbers| Step::Pay(numbers.into_iter().collect()))
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
        prop_assert_eq!(run(&one, splits.0).places(), run(&other, splits.1).places());
    }
}

fn pay(numbers: &[u8]) -> Step {
    Step::Pay(numbers.to_vec())
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
