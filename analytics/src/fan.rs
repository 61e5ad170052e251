//! Fan-in and fan-out: many accounts pay one, one account pays many.
//!
//! For an account `v` and a payment `f` into it at `t(f)`, with a lookback `W`:
//!
//! ```text
//! members(f) = { e into v : e no self payment, t(f) − W < t(e) ≤ t(f) }
//! size(f)    = |{ from(e) : e ∈ members(f) }|
//! ```
//!
//! `f` *closes* a fan-in of `size(f)` senders when there are two or more. Fan-out is the same of payments out of `v` and of receivers.
//!
//! - **Window**: half-open. A payment exactly `W` before `f` is no member.
//! - **Equal times**: payments of one instant are members of each other's fans, and each closes one; so nothing hangs on their order.
//! - **Self payments** neither close a fan nor are members of one.
//! - **Parallel payments** count one account once in the size, and are members each; [`Fan`] has both numbers.
//!
//! A payment's histogram counts the fans that it is a member of by their size, those that later payments close included. Time is
//! linear in the payments.
//!
//! Source: the fan-in and fan-out of Suzumura and Kanezashi, *AMLSim* (2018), and of Altman et al., *Realistic Synthetic Financial
//! Transactions for Anti-Money Laundering Models* (NeurIPS 2023); histograms by edge: Blanuša et al., *Graph Feature Preprocessor*
//! (ICAIF 2024).

use crate::histogram::{Bins, Histograms};
use crate::network::Link;
use crate::{AccountIndex, Lookback, Network, PaymentIndex, Side};

/// The fan that a payment closes, whatever its size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Fan {
    /// Accounts at the other ends.
    pub accounts: u32,
    /// Payments between them and the account; zero for a self payment.
    pub payments: u32,
}

/// All fans of one side. Rows are in the order of the accounts' links, as they are made.
#[derive(Debug, Clone)]
pub struct Fans<'a> {
    network: &'a Network,
    side: Side,
    closed: Vec<Fan>,
    histograms: Histograms,
}

impl Fans<'_> {
    /// The fan that a payment closes, whatever its size.
    pub fn closed(&self, payment: PaymentIndex) -> Fan {
        self.closed[self.network.place(payment, self.side)]
    }

    /// How many fans the payment is a member of, by size.
    pub fn memberships(&self, payment: PaymentIndex) -> Vec<u32> {
        self.histograms.row(self.network.place(payment, self.side))
    }

    /// The bytes that the counts take.
    pub fn bytes(&self) -> usize {
        self.closed.capacity() * size_of::<Fan>() + self.histograms.bytes()
    }
}

/// The fans of all accounts: [`Side::In`] is fan-in, [`Side::Out`] is fan-out.
pub fn fans<'a>(network: &'a Network, side: Side, lookback: Lookback, bins: &Bins) -> Fans<'a> {
    let histograms = Histograms::new(network.len(), bins.len());
    let found = Fans { network, side, closed: Vec::with_capacity(network.len()), histograms };
    let mut search = Search { lookback, bins, seen: vec![0; network.accounts()], links: Vec::new(), found };
    for account in (0..network.accounts() as u32).map(AccountIndex) {
        search.search(account, network.links(account, side));
    }
    search.found
}

struct Search<'a, 'b> {
    lookback: Lookback,
    bins: &'b Bins,
    /// How many payments of the window each account has.
    seen: Vec<u32>,
    /// The payments of one account, without self payments, and the place of each among all links.
    links: Vec<(Link, usize)>,
    found: Fans<'a>,
}

impl Search<'_, '_> {
    fn search(&mut self, account: AccountIndex, links: &[Link]) {
        let begin = self.found.closed.len();
        self.found.closed.resize(begin + links.len(), Fan::default());
        self.links.clear();
        self.links.extend(links.iter().copied().zip(begin..).filter(|(link, _)| link.other != account));
        self.close();
        self.count();
    }

    /// Slides the window over the account's payments, one instant at a time.
    fn close(&mut self) {
        let (mut first, mut behind, mut accounts) = (0, 0, 0);
        while behind < self.links.len() {
            let at = self.links[behind].0.at;
            let group = behind;
            while let Some((link, _)) = self.links.get(behind).filter(|(link, _)| link.at == at) {
                let seen = &mut self.seen[link.other.position()];
                accounts += u32::from(*seen == 0);
                *seen += 1;
                behind += 1;
            }
            let earliest = self.lookback.earliest(at);
            while first < behind && self.links[first].0.at < earliest {
                let seen = &mut self.seen[self.links[first].0.other.position()];
                *seen -= 1;
                accounts -= u32::from(*seen == 0);
                first += 1;
            }
            for &(_, place) in &self.links[group..behind] {
                self.found.closed[place] = Fan { accounts, payments: (behind - first) as u32 };
            }
        }
        for (link, _) in &self.links[first..] {
            self.seen[link.other.position()] = 0;
        }
    }

    /// Slides over the account's payments again: a member of time `t` is one of all fans that are closed in `[t, t + W)`.
    fn count(&mut self) {
        let mut counts = [0_u32; Bins::MOST];
        let counts = &mut counts[..self.bins.len()];
        let (mut first, mut behind) = (0, 0);
        for &(member, place) in &self.links {
            while self.links.get(behind).is_some_and(|(closing, _)| self.lookback.earliest(closing.at) <= member.at) {
                if let Some(bin) = self.bin(behind) {
                    counts[bin] += 1;
                }
                behind += 1;
            }
            while first < behind && self.links[first].0.at < member.at {
                if let Some(bin) = self.bin(first) {
                    counts[bin] -= 1;
                }
                first += 1;
            }
            self.found.histograms.set(place, counts.iter().copied().enumerate());
        }
    }

    fn bin(&self, link: usize) -> Option<usize> {
        self.bins.of(self.found.closed[self.links[link].1].accounts)
    }
}
