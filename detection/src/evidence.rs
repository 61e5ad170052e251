//! Evidence: which payments are necessary for a rule to fire.
//!
//! A set of payments is *1-minimal* when the rule fires on it and on no set that lacks one of them (Zeller and Hildebrandt, *Simplifying and
//! Isolating Failure-Inducing Input*, IEEE TSE 28, 2002). Payments are taken away from the smallest to the largest, of equal amounts the
//! later id first; so what stays are the largest. Where several smallest payments can go together they go in one step, so that a fan of a
//! thousand needs few replays. Not all measures grow with the set, so the walk is repeated until it takes nothing away.

use analytics::PaymentIndex;

use crate::dataset::Dataset;

/// One smallest set of the payments with which `fires` still says yes, in the order of time. The rule must fire on all of them.
pub fn necessary(dataset: &Dataset, payments: &[PaymentIndex], mut fires: impl FnMut(&[PaymentIndex]) -> bool) -> Vec<PaymentIndex> {
    let mut kept = payments.to_vec();
    // The first to be taken away stand last, so that a step takes a tail away.
    kept.sort_by(|&one, &other| {
        let (one, other) = (dataset.payment(one), dataset.payment(other));
        (other.amount, &one.records).cmp(&(one.amount, &other.records))
    });
    loop {
        let before = kept.len();
        walk(&mut kept, &mut fires);
        if kept.len() == before {
            break;
        }
    }
    kept.sort_unstable();
    kept
}

/// Goes once from the last payment to the first and takes away what is not needed.
fn walk(kept: &mut Vec<PaymentIndex>, fires: &mut impl FnMut(&[PaymentIndex]) -> bool) {
    // All from here on were looked at and are needed.
    let mut needed_from = kept.len();
    while needed_from > 0 {
        let removed = removable(kept, needed_from, fires);
        if removed == 0 {
            needed_from -= 1;
        } else {
            kept.drain(needed_from - removed..needed_from);
            needed_from -= removed;
        }
    }
}

/// How many payments before a place can be taken away together: doubles while the rule fires. Never all of them.
fn removable(kept: &[PaymentIndex], behind: usize, fires: &mut impl FnMut(&[PaymentIndex]) -> bool) -> usize {
    let (mut removed, mut next) = (0, 1);
    while next <= behind && next < kept.len() {
        let left = [&kept[..behind - next], &kept[behind..]].concat();
        if !fires(&left) {
            break;
        }
        removed = next;
        next *= 2;
    }
    removed
}

#[cfg(test)]
mod tests {
    use analytics::{AccountIndex, Amount, CurrencyIndex, Timestamp};

    use super::*;
    use crate::dataset::{Account, Payment, Records};

    fn dataset(amounts: &[i128]) -> Dataset {
        let account = |id: &str| Account { id: id.into(), owner: None, opened: None };
        let payment = |(place, &amount): (usize, &i128)| Payment {
            records: Records::Outbound(format!("p{place:03}").into()),
            from: AccountIndex(0),
            to: AccountIndex(1),
            at: Timestamp::from_millis(place as i64).expect("a time"),
            amount: Amount(amount),
            currency: CurrencyIndex(0),
            sender: None,
            receiver: None,
        };
        let payments = amounts.iter().enumerate().map(payment).collect();
        Dataset::new(Vec::new(), vec![account("a"), account("b")], payments, vec!["EUR".into()]).expect("a dataset")
    }

    fn positions(kept: &[PaymentIndex]) -> Vec<u32> {
        kept.iter().map(|payment| payment.0).collect()
    }

    #[test]
    fn the_largest_payments_stay_and_of_equal_ones_the_first_ids() {
        let dataset = dataset(&[5, 9, 5, 9, 5, 1]);
        let all: Vec<PaymentIndex> = (0..6).map(PaymentIndex).collect();
        let kept = necessary(&dataset, &all, |left| left.len() >= 3);
        assert_eq!(positions(&kept), [0, 1, 3]);
    }

    #[test]
    fn a_thousand_payments_need_few_replays() {
        let dataset = dataset(&(0..1_000).collect::<Vec<i128>>());
        let all: Vec<PaymentIndex> = (0..1_000).map(PaymentIndex).collect();
        let mut replays = 0;
        let fires = |left: &[PaymentIndex]| {
            replays += 1;
            left.len() >= 5
        };
        assert_eq!(positions(&necessary(&dataset, &all, fires)), [995, 996, 997, 998, 999]);
        assert!(replays < 100, "{replays}");
    }

    #[test]
    fn a_measure_that_does_not_grow_is_walked_again() {
        // Fires with an even number of payments of at least two: the last removal makes an earlier one possible.
        let dataset = dataset(&[1, 2, 3, 4]);
        let all: Vec<PaymentIndex> = (0..4).map(PaymentIndex).collect();
        let fires = |left: &[PaymentIndex]| left.len() >= 2 && left.iter().all(|payment| payment.0 != 3) || left.len() == 4 || left.len() == 3;
        let kept = necessary(&dataset, &all, fires);
        for place in 0..kept.len() {
            let mut left = kept.clone();
            left.remove(place);
            assert!(!fires(&left), "{kept:?} without {place}");
        }
    }

    #[test]
    fn a_set_is_never_empty() {
        let dataset = dataset(&[1, 2]);
        let all: Vec<PaymentIndex> = (0..2).map(PaymentIndex).collect();
        let kept = necessary(&dataset, &all, |_| true);
        assert_eq!(positions(&kept), [1]);
    }
}
