//! Two versions of a rule side by side: which of their findings are the same.
//!
//! Findings are the same when they are about the same actor and share a payment, so that a window that is a little wider makes no other finding of one.

use std::collections::HashMap;

/// A finding, as far as it is compared with others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sighting<'a> {
    /// About whom it is.
    pub subject: &'a str,
    /// Ids of the payments that it counts.
    pub payments: Vec<&'a str>,
}

/// Which findings both versions have, as places in the lists that were compared, in their order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Beside {
    /// Findings of the live version that the challenger has as well.
    pub both: Vec<usize>,
    /// Findings of the live version that the challenger does not have.
    pub only_live: Vec<usize>,
    /// Findings of the challenger that the live version does not have.
    pub only_challenger: Vec<usize>,
}

/// Compares what two versions of a rule find on one day.
pub fn beside(live: &[Sighting<'_>], challenger: &[Sighting<'_>]) -> Beside {
    let mut holders: HashMap<(&str, &str), Vec<usize>> = HashMap::new();
    for (place, sighting) in live.iter().enumerate() {
        for payment in &sighting.payments {
            holders.entry((sighting.subject, payment)).or_default().push(place);
        }
    }
    let mut shared = vec![false; live.len()];
    let mut beside = Beside::default();
    for (place, sighting) in challenger.iter().enumerate() {
        let mut is_shared = false;
        for &holder in sighting.payments.iter().filter_map(|payment| holders.get(&(sighting.subject, *payment))).flatten() {
            shared[holder] = true;
            is_shared = true;
        }
        if !is_shared {
            beside.only_challenger.push(place);
        }
    }
    let places = |is_shared: bool| shared.iter().enumerate().filter(move |(_, shared)| **shared == is_shared).map(|(place, _)| place);
    beside.both = places(true).collect();
    beside.only_live = places(false).collect();
    beside
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sighting(text: &'static str) -> Sighting<'static> {
        let (subject, payments) = text.split_once(": ").expect("SUBJECT: PAYMENTS");
        Sighting { subject, payments: payments.split(' ').collect() }
    }

    /// What one and the other see; places of what both, only the one, and only the other have.
    type Row = (&'static [&'static str], &'static [&'static str], [&'static [usize]; 3]);

    #[test]
    fn findings_are_the_same_where_they_share_a_payment_of_one_actor() {
        let table: [Row; 6] = [
            (&[], &[], [&[], &[], &[]]),
            (&["a: 1 2"], &["a: 2 3"], [&[0], &[], &[]]),
            (&["a: 1 2"], &["a: 3"], [&[], &[0], &[0]]),
            (&["a: 1 2"], &["b: 1 2"], [&[], &[0], &[0]]),
            // One of the challenger's for two of the live version: both are had by both.
            (&["a: 1", "a: 2", "b: 9"], &["a: 1 2"], [&[0, 1], &[2], &[]]),
            (&["a: 1 2"], &["a: 1", "a: 2", "c: 1"], [&[0], &[], &[2]]),
        ];
        for (live, challenger, [both, only_live, only_challenger]) in table {
            let of = |texts: &[&'static str]| texts.iter().map(|text| sighting(text)).collect::<Vec<_>>();
            let expected = Beside { both: both.to_vec(), only_live: only_live.to_vec(), only_challenger: only_challenger.to_vec() };
            assert_eq!(beside(&of(live), &of(challenger)), expected, "{live:?} {challenger:?}");
        }
    }
}
