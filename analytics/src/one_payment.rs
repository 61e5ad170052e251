//! Which two records are one payment.
//!
//! A payment between two customers comes as two records: one `OUTBOUND` of the sender's side, one `INBOUND` of the receiver's. Records are
//! of one payment when their sending account, receiving account, currency and amount are equal (the *key*), their directions differ, and
//! their times are at most `within` apart, that included. Among several of one key both sides are walked in the order of time, then id:
//!
//! ```text
//! o, i = the first outbound and the first inbound record that are left
//! |t(o) − t(i)| ≤ within → o and i are one payment
//! otherwise              → the earlier of them is a payment that one side alone reported
//! ```
//!
//! The result follows from the records, not from the order in which they came. Two records of one direction are never one payment. A self
//! payment (sender = receiver) has a key like any other. Greedy pairing in this order pairs as many records as can be paired: it is the
//! classic exchange argument for intervals on a line (Cormen et al., *Introduction to Algorithms*, 16.1).

use std::time::Duration;

use crate::Timestamp;

/// Which side reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    Outbound,
    Inbound,
}

/// A record of a payment. `K` is what must be equal, `I` an id that no other record has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record<K, I> {
    pub key: K,
    pub at: Timestamp,
    pub id: I,
    pub direction: Direction,
}

/// One payment, by the places of its records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Counted {
    Both { outbound: usize, inbound: usize },
    Alone(usize),
}

impl Counted {
    /// The record that the payment is taken from: the sender's where there is one, since that is when the money left.
    pub fn leading(self) -> usize {
        match self {
            Self::Both { outbound, .. } => outbound,
            Self::Alone(record) => record,
        }
    }
}

/// The payments of the records, by key, then in the order in which they are settled.
pub fn one_payment<K: Ord, I: Ord>(records: &[Record<K, I>], within: Duration) -> Vec<Counted> {
    let within = i64::try_from(within.as_millis()).unwrap_or(i64::MAX);
    let mut order: Vec<usize> = (0..records.len()).collect();
    let rank = |&place: &usize| {
        let Record { key, at, id, direction } = &records[place];
        (key, direction, at, id)
    };
    order.sort_by(|one, other| rank(one).cmp(&rank(other)));
    let mut counted = Vec::with_capacity(records.len());
    for alike in order.chunk_by(|&one, &other| records[one].key == records[other].key) {
        let inbound = alike.partition_point(|&place| records[place].direction == Direction::Outbound);
        pair(records, alike.split_at(inbound), within, &mut counted);
    }
    counted
}

/// Pairs the records of one key.
fn pair<K, I>(records: &[Record<K, I>], (mut outbound, mut inbound): (&[usize], &[usize]), within: i64, counted: &mut Vec<Counted>) {
    while let (Some((&out, rest_out)), Some((&into, rest_in))) = (outbound.split_first(), inbound.split_first()) {
        let (sent, received) = (records[out].at, records[into].at);
        if sent.0.abs_diff(received.0) <= within.unsigned_abs() {
            counted.push(Counted::Both { outbound: out, inbound: into });
            (outbound, inbound) = (rest_out, rest_in);
        } else if sent < received {
            counted.push(Counted::Alone(out));
            outbound = rest_out;
        } else {
            counted.push(Counted::Alone(into));
            inbound = rest_in;
        }
    }
    counted.extend(outbound.iter().chain(inbound).copied().map(Counted::Alone));
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: Duration = Duration::from_secs(86_400);

    fn record(id: &'static str, direction: Direction, seconds: i64) -> Record<&'static str, &'static str> {
        Record { key: "a to b, 10 EUR", at: Timestamp(seconds * 1_000), id, direction }
    }

    fn names(records: &[Record<&'static str, &'static str>]) -> Vec<(Option<&'static str>, Option<&'static str>)> {
        let name = |place: usize| Some(records[place].id);
        let names = one_payment(records, DAY).into_iter().map(|counted| match counted {
            Counted::Both { outbound, inbound } => (name(outbound), name(inbound)),
            Counted::Alone(place) if records[place].direction == Direction::Outbound => (name(place), None),
            Counted::Alone(place) => (None, name(place)),
        });
        names.collect()
    }

    use Direction::{Inbound, Outbound};

    #[test]
    fn records_exactly_as_far_apart_as_allowed_are_one_payment() {
        assert_eq!(names(&[record("o", Outbound, 0), record("i", Inbound, 86_400)]), [(Some("o"), Some("i"))]);
        assert_eq!(names(&[record("o", Outbound, 0), record("i", Inbound, 86_401)]), [(Some("o"), None), (None, Some("i"))]);
        assert_eq!(names(&[record("o", Outbound, 86_400), record("i", Inbound, 0)]), [(Some("o"), Some("i"))]);
    }

    #[test]
    fn records_of_one_side_are_two_payments() {
        assert_eq!(names(&[record("o1", Outbound, 0), record("o2", Outbound, 0)]), [(Some("o1"), None), (Some("o2"), None)]);
    }

    #[test]
    fn equal_times_pair_by_id() {
        let records = [record("o2", Outbound, 5), record("i9", Inbound, 5), record("o1", Outbound, 5), record("i8", Inbound, 5)];
        assert_eq!(names(&records), [(Some("o1"), Some("i8")), (Some("o2"), Some("i9"))]);
    }

    #[test]
    fn one_that_is_too_early_stands_alone_and_the_next_ones_pair() {
        let records = [record("o1", Outbound, 0), record("o2", Outbound, 100_000), record("i", Inbound, 100_000)];
        assert_eq!(names(&records), [(Some("o1"), None), (Some("o2"), Some("i"))]);
    }

    #[test]
    fn different_keys_are_different_payments() {
        let other = Record { key: "a to b, 11 EUR", ..record("i", Inbound, 0) };
        assert_eq!(names(&[record("o", Outbound, 0), other]), [(Some("o"), None), (None, Some("i"))]);
    }
}
