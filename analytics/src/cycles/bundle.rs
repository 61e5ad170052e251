//! The members of a ring: all payments that are part of one of its chains, and how many chains each is part of.

use crate::network::between;
use crate::{AccountIndex, Network, PaymentIndex, Timestamp};

/// The parallel payments of each step, in the order of time.
#[derive(Debug, Default)]
pub struct Bundle {
    members: Vec<PaymentIndex>,
    times: Vec<Timestamp>,
    /// Where each step begins among the members, and where the last one ends.
    bounds: Vec<usize>,
    /// The chains that each member is part of.
    ways: Vec<u64>,
    /// Chains from a member to the end.
    onward: Vec<u64>,
    total: u64,
}

impl Bundle {
    /// Collects the members along a path of accounts that can be walked in time, within `earliest..last`.
    pub fn collect(&mut self, network: &Network, path: &[AccountIndex], earliest: Timestamp, last: Timestamp) {
        self.collect_arrivals(network, path, earliest, last);
        self.drop_late(last);
        self.count_ways();
    }

    pub fn steps(&self) -> usize {
        self.bounds.len() - 1
    }

    pub fn step(&self, step: usize) -> &[PaymentIndex] {
        &self.members[self.bounds[step]..self.bounds[step + 1]]
    }

    pub fn members(&self) -> impl Iterator<Item = (&PaymentIndex, &u64)> {
        self.members.iter().zip(&self.ways)
    }

    pub fn ways(&self) -> u64 {
        self.total
    }

    /// The payments of each step that come after the earliest arrival at its account.
    fn collect_arrivals(&mut self, network: &Network, path: &[AccountIndex], earliest: Timestamp, last: Timestamp) {
        self.members.clear();
        self.times.clear();
        self.bounds.clear();
        self.bounds.push(0);
        let mut first = earliest;
        for pair in path.windows(2) {
            let begin = self.members.len();
            for link in between(network.out(pair[0]), first, last).iter().filter(|link| link.other == pair[1]) {
                self.members.push(link.payment);
                self.times.push(link.at);
            }
            first = self.times.get(begin).map_or(last, |arrival| Timestamp(arrival.0 + 1));
            self.bounds.push(self.members.len());
        }
    }

    /// Leaves out what comes too late for the payments of the next step.
    fn drop_late(&mut self, last: Timestamp) {
        let mut limit = last;
        let mut kept_ends = vec![0; self.steps()];
        for (step, kept_end) in kept_ends.iter_mut().enumerate().rev() {
            let (begin, end) = (self.bounds[step], self.bounds[step + 1]);
            *kept_end = begin + self.times[begin..end].partition_point(|&at| at < limit);
            if *kept_end > begin {
                limit = self.times[*kept_end - 1];
            }
        }
        let mut written = 0;
        for (step, kept_end) in kept_ends.into_iter().enumerate() {
            let begin = self.bounds[step];
            self.members.copy_within(begin..kept_end, written);
            self.times.copy_within(begin..kept_end, written);
            self.bounds[step] = written;
            written += kept_end - begin;
        }
        self.members.truncate(written);
        self.times.truncate(written);
        let steps = self.steps();
        self.bounds[steps] = written;
    }

    /// Chains from the first step to a member, times those from it to the last. Counts end at the type's limit.
    fn count_ways(&mut self) {
        let count = self.members.len();
        self.ways.clear();
        self.ways.resize(count, 1);
        self.onward.clear();
        self.onward.resize(count, 1);
        for step in 1..self.steps() {
            let (before, begin, end) = (self.bounds[step - 1], self.bounds[step], self.bounds[step + 1]);
            let (mut previous, mut sum) = (before, 0_u64);
            for member in begin..end {
                while previous < begin && self.times[previous] < self.times[member] {
                    sum = sum.saturating_add(self.ways[previous]);
                    previous += 1;
                }
                self.ways[member] = sum;
            }
        }
        for step in (1..self.steps()).rev() {
            let (before, begin, end) = (self.bounds[step - 1], self.bounds[step], self.bounds[step + 1]);
            let (mut next, mut sum) = (end, 0_u64);
            for member in (before..begin).rev() {
                while next > begin && self.times[next - 1] > self.times[member] {
                    next -= 1;
                    sum = sum.saturating_add(self.onward[next]);
                }
                self.onward[member] = sum;
            }
        }
        for (ways, onward) in self.ways.iter_mut().zip(&self.onward) {
            *ways = ways.saturating_mul(*onward);
        }
        let first = self.bounds[0]..self.bounds[1];
        self.total = self.ways[first].iter().fold(0, |sum, &ways| sum.saturating_add(ways));
    }
}
