//! One rule on one day: search, decide, join, explain.

use std::collections::BTreeMap;

use analytics::PaymentIndex;

use crate::dataset::Dataset;
use crate::day::Day;
use crate::finding::Finding;
use crate::kernels::{Scope, marked};
use crate::matches::{History, Match};
use crate::rule::{Rule, Search, Settings};

impl Rule {
    /// The matches of a day, before any threshold is compared. A rule that is a statement shows those of its marks.
    pub fn search(&self, scope: &Scope<'_>) -> Vec<Match> {
        let mut matches = Vec::new();
        let show = |found| matches.push(found);
        match &self.search {
            Search::Kernel(kernel) => kernel.search(scope, show),
            Search::Statement(_) => marked::search(scope, &self.key(), show),
        }
        matches
    }

    /// The findings of a day, by actor, then from the largest to the smallest.
    pub fn detect(&self, dataset: &Dataset, day: Day, settings: &Settings) -> Vec<Finding> {
        let scope = Scope { dataset, day, settings, history: History::Measured };
        let matches = self.search(&scope);
        let groups = join(dataset, matches.iter().filter(|found| self.decide(found, settings)));
        groups.iter().map(|group| Finding::of(self, dataset, day, settings, group)).collect()
    }
}

/// Matches of one actor that share payments: the largest first, and all their payments in the order of time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group<'a> {
    /// The largest of the matches.
    pub leading: &'a Match,
    /// The others, from the largest to the smallest.
    pub others: Vec<&'a Match>,
    pub payments: Vec<PaymentIndex>,
}

/// Joins matches of one actor that share a payment, directly or through other matches. Groups come by actor, the largest first.
pub fn join<'a>(dataset: &Dataset, matches: impl Iterator<Item = &'a Match>) -> Vec<Group<'a>> {
    let mut ordered: Vec<&Match> = matches.collect();
    ordered.sort_by_cached_key(|found| {
        let size = std::cmp::Reverse((found.amount(dataset), found.payments.len()));
        (found.actor, size, found.payments.clone(), found.anchor, found.currency)
    });
    let mut groups = Vec::new();
    for of_actor in ordered.chunk_by(|one, other| one.actor == other.actor) {
        groups.extend(join_of_actor(of_actor));
    }
    groups
}

/// For each match of one actor the first one that it is joined with, directly or through others; for the first of them itself.
pub(crate) fn firsts(matches: &[&Match]) -> Vec<usize> {
    analytics::firsts(matches.iter().map(|found| found.payments.iter().copied()))
}

fn join_of_actor<'a>(ordered: &[&'a Match]) -> Vec<Group<'a>> {
    let mut groups: BTreeMap<usize, Group<'a>> = BTreeMap::new();
    for (&found, first) in ordered.iter().zip(firsts(ordered)) {
        let group = groups.entry(first);
        let group = group.or_insert_with(|| Group { leading: found, others: Vec::new(), payments: Vec::new() });
        if !std::ptr::eq(group.leading, found) {
            group.others.push(found);
        }
        group.payments.extend(&found.payments);
    }
    let mut groups: Vec<Group<'a>> = groups.into_values().collect();
    for group in &mut groups {
        group.payments.sort_unstable();
        group.payments.dedup();
    }
    groups
}
