//! Marks: payments that the statement of a rule names, as one thing about an actor.
//!
//! A statement reads what the payments alone do not say: who lives where, who has which phone, who owns whom. What it found comes as marks
//! and is searched like anything else, so that findings are joined, explained and replayed without a database.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use analytics::PaymentIndex;

use super::{ActorIndex, Dataset};
use crate::matches::Values;

/// What a row of a statement says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// The key of the rule whose statement it is: its id and version.
    pub rule: Box<str>,
    /// The id of the actor that it is about.
    pub actor: Box<str>,
    /// What it is about beside: a country, a phone, a counterparty.
    pub anchor: Box<str>,
    /// The ids of the payments' records.
    pub records: Vec<Box<str>>,
    /// What the statement measured. It is no payment, so a replay is given it.
    pub measures: Values,
}

/// A mark of a dataset, counted from zero in the order of actors, rules and anchors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MarkIndex(pub u32);

/// A mark as the dataset has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marked {
    pub rule: Box<str>,
    pub actor: ActorIndex,
    pub anchor: Box<str>,
    /// In the order of time, each once; never empty.
    pub payments: Vec<PaymentIndex>,
    pub measures: Values,
}

impl Dataset {
    /// The same with marks in place of those that it has. Records and actors that are not there are left out, and so is a mark that then has no payment.
    /// Several of one rule, actor and anchor are one: with the payments of all, and of each measure the largest.
    pub fn with_marks(self, marks: &[Mark]) -> Self {
        let named: BTreeSet<&str> = marks.iter().flat_map(|mark| &mark.records).map(|record| &**record).collect();
        let mut places: HashMap<&str, PaymentIndex> = HashMap::with_capacity(named.len());
        for (place, payment) in self.payments.iter().enumerate() {
            for record in [payment.records.outbound(), payment.records.inbound()].into_iter().flatten() {
                if let Some(&record) = named.get(record) {
                    places.insert(record, PaymentIndex(place as u32));
                }
            }
        }
        let mut joined: BTreeMap<(ActorIndex, &str, &str), (BTreeSet<PaymentIndex>, Values)> = BTreeMap::new();
        for mark in marks {
            let Ok(actor) = self.actors.binary_search_by(|actor| actor.id.cmp(&mark.actor)) else { continue };
            let payments = mark.records.iter().filter_map(|record| places.get(&**record)).copied();
            let (all, measures) = joined.entry((ActorIndex(actor as u32), &mark.rule, &mark.anchor)).or_default();
            all.extend(payments);
            for (name, &value) in &mark.measures {
                let largest = measures.entry(name.clone()).or_insert(value);
                *largest = value.max(*largest);
            }
        }
        let marked = |((actor, rule, anchor), (payments, measures)): ((ActorIndex, &str, &str), (BTreeSet<PaymentIndex>, Values))| Marked {
            rule: rule.into(),
            actor,
            anchor: anchor.into(),
            payments: payments.into_iter().collect(),
            measures,
        };
        let marks = joined.into_iter().map(marked).filter(|mark| !mark.payments.is_empty()).collect();
        Self { marks, ..self }
    }

    /// All marks, in their order.
    pub fn marks(&self) -> &[Marked] {
        &self.marks
    }

    pub fn mark(&self, mark: MarkIndex) -> &Marked {
        &self.marks[mark.0 as usize]
    }

    /// The marks of one rule, in their order.
    pub(crate) fn marks_of(&self, rule: &str) -> impl Iterator<Item = (MarkIndex, &Marked)> {
        (0..).map(MarkIndex).zip(&self.marks).filter(move |(_, mark)| *mark.rule == *rule)
    }

    /// The marks of some payments, as a dataset of these actors and payments alone has them. Both are in order.
    pub(super) fn kept_marks(&self, actors: &[ActorIndex], payments: &[PaymentIndex]) -> Vec<Marked> {
        let of_actor = |&actor: &ActorIndex| {
            let marks = &self.marks[self.marks.partition_point(|mark| mark.actor < actor)..];
            &marks[..marks.partition_point(|mark| mark.actor == actor)]
        };
        let kept = |(actor, mark): (usize, &Marked)| {
            let place = |payment: &PaymentIndex| payments.binary_search(payment).ok().map(|place| PaymentIndex(place as u32));
            let payments: Vec<PaymentIndex> = mark.payments.iter().filter_map(place).collect();
            let (rule, anchor, measures) = (mark.rule.clone(), mark.anchor.clone(), mark.measures.clone());
            (!payments.is_empty()).then_some(Marked { rule, actor: ActorIndex(actor as u32), anchor, payments, measures })
        };
        let marks = actors.iter().enumerate().flat_map(|(place, actor)| of_actor(actor).iter().map(move |mark| (place, mark)));
        marks.filter_map(kept).collect()
    }
}

#[cfg(test)]
mod tests {
    use analytics::{AccountIndex, Amount, CurrencyIndex, Timestamp};

    use super::*;
    use crate::dataset::{Account, Actor, ActorKind, Payment, Records};
    use crate::matches::values;
    use crate::quantity::Quantity;

    fn dataset() -> Dataset {
        let actor = |id: &str| Actor { id: id.into(), kind: ActorKind::Individual, monitored: true, since: None };
        let account = |(place, id): (u32, &str)| Account { id: id.into(), owner: Some(ActorIndex(place)), opened: None };
        let payment = |place: u32| Payment {
            records: Records::Both { outbound: format!("p{place}").into(), inbound: format!("p{place}-in").into() },
            from: AccountIndex(0),
            to: AccountIndex(1),
            at: Timestamp::from_millis(i64::from(place)).expect("a time"),
            amount: Amount(1),
            currency: CurrencyIndex(0),
            sender: Some(ActorIndex(0)),
            receiver: Some(ActorIndex(1)),
        };
        let accounts = [(0, "a"), (1, "b")].map(account).into();
        Dataset::new(vec![actor("a"), actor("b")], accounts, (0..4).map(payment).collect(), vec!["EUR".to_owned()]).expect("a dataset")
    }

    fn mark(actor: &str, anchor: &str, records: &[&str], members: usize) -> Mark {
        let records = records.iter().map(|&record| record.into()).collect();
        Mark { rule: "ring".into(), actor: actor.into(), anchor: anchor.into(), records, measures: values([("members", Quantity::count(members))]) }
    }

    #[test]
    fn records_are_payments_and_marks_of_one_anchor_are_one() {
        let marks = vec![
            mark("b", "phone", &["p2-in"], 3),
            mark("a", "phone", &["p1", "p1-in", "p0", "p9"], 2),
            mark("a", "phone", &["p3"], 4),
            mark("c", "phone", &["p1"], 2),
            mark("a", "address", &["p9"], 2),
        ];
        let dataset = dataset().with_marks(&marks);
        let found: Vec<(&str, &str, Vec<u32>, Quantity)> = dataset
            .marks_of("ring")
            .map(|(_, mark)| {
                let payments = mark.payments.iter().map(|payment| payment.0).collect();
                (&*dataset.actor(mark.actor).id, &*mark.anchor, payments, mark.measures["members"])
            })
            .collect();
        let expected = [("a", "phone", vec![0, 1, 3], Quantity::count(4)), ("b", "phone", vec![2], Quantity::count(3))];
        assert_eq!(found, expected);
        assert_eq!(dataset.marks_of("other").count(), 0);
    }

    #[test]
    fn a_subset_has_the_marks_of_its_payments() {
        let dataset = dataset().with_marks(&[mark("a", "phone", &["p0", "p2"], 2), mark("b", "phone", &["p1"], 2)]);
        let subset = dataset.subset(&[PaymentIndex(2), PaymentIndex(3)]);
        assert_eq!(subset.marks().len(), 1);
        assert_eq!(subset.marks()[0].payments, [PaymentIndex(0)]);
    }
}
