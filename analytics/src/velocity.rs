//! Velocity and volume: how much an account has lately paid or received, and how much it used to.
//!
//! For an account `a` that a payment `p` at `t` has as a party, a side (payments out of `a`, or into it), and a lookback `W`:
//!
//! ```text
//! recent(p)   = { e on that side of a : t − W < t(e) ≤ t }
//! earlier(p)  = { e on that side of a : t − W − H < t(e) ≤ t − W }       (a history of length H)
//! payments    = |window|     accounts = different accounts at the other ends     amount = Σ amounts in the currency of p
//! ```
//!
//! Volume against own history is `amount(recent) / W` beside `amount(earlier) / H`; against a segment it is beside that of its accounts.
//!
//! - **Window**: half-open, so that a payment exactly `W` before `p` belongs to the history and to no window twice.
//! - **Equal times**: payments of the instant of `p`, and `p` itself, are recent.
//! - **Self payments** count as one payment out and one in, with their amount; the account is no account at its own other end.
//! - **Parallel payments** count each as payments and once as accounts.
//!
//! Time is linear in the payments. Source: Whitrow et al., *Transaction Aggregation as a Strategy for Credit Card Fraud Detection* (Data
//! Mining and Knowledge Discovery 18, 2009); Bolton and Hand, *Statistical Fraud Detection: A Review* (Statistical Science 17, 2002).

use crate::network::Link;
use crate::{AccountIndex, Amount, CurrencyIndex, Lookback, Network, PaymentIndex, Side, Timestamp};

/// A party of a payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Party {
    Sender,
    Receiver,
}

impl Party {
    /// The side on which a party has its payments.
    pub(crate) fn side(self) -> Side {
        match self {
            Self::Sender => Side::Out,
            Self::Receiver => Side::In,
        }
    }
}

/// What an account did in a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Activity {
    pub payments: u32,
    pub accounts: u32,
    /// In the currency of the payment that was looked at.
    pub amount: Amount,
}

/// The activity of one party of each payment.
#[derive(Debug, Clone)]
pub struct Velocities<'a> {
    network: &'a Network,
    party: Party,
    activities: Vec<Activity>,
}

impl Velocities<'_> {
    pub fn activity(&self, payment: PaymentIndex) -> Activity {
        self.activities[self.network.place(payment, self.party.side())]
    }
}

/// What a party of each payment did lately, on one side.
pub fn velocities(network: &Network, party: Party, side: Side, lookback: Lookback) -> Velocities<'_> {
    slide(network, party, side, |at| (lookback.earliest(at), at))
}

/// What it did in the history before that.
pub fn velocities_before(network: &Network, party: Party, side: Side, lookback: Lookback, history: Lookback) -> Velocities<'_> {
    slide(network, party, side, |at| {
        let last = Timestamp(lookback.earliest(at).0.saturating_sub(1));
        (history.earliest(last), last)
    })
}

/// Slides a window, given by its first and its last time, over the payments of each account.
fn slide(network: &Network, party: Party, side: Side, window: impl Fn(Timestamp) -> (Timestamp, Timestamp)) -> Velocities<'_> {
    let mut activities = Vec::with_capacity(network.len());
    let mut sums = Sums { network, seen: vec![0; network.accounts()], payments: 0, accounts: 0, amounts: Vec::new() };
    for account in (0..network.accounts() as u32).map(AccountIndex) {
        let counted = network.links(account, side);
        let (mut first, mut behind) = (0, 0);
        for link in network.links(account, party.side()) {
            let (earliest, latest) = window(link.at);
            while counted.get(behind).is_some_and(|counted| counted.at <= latest) {
                sums.add(counted[behind], account);
                behind += 1;
            }
            while first < behind && counted[first].at < earliest {
                sums.remove(counted[first], account);
                first += 1;
            }
            let amount = sums.amount(network.currency(link.payment));
            activities.push(Activity { payments: sums.payments, accounts: sums.accounts, amount });
        }
        counted[first..behind].iter().for_each(|&link| sums.remove(link, account));
        sums.amounts.clear();
    }
    Velocities { network, party, activities }
}

/// The sums of a window.
struct Sums<'a> {
    network: &'a Network,
    /// How many payments of the window each other account has.
    seen: Vec<u32>,
    payments: u32,
    accounts: u32,
    /// By currency; an account has few.
    amounts: Vec<(CurrencyIndex, Amount)>,
}

impl Sums<'_> {
    fn add(&mut self, link: Link, account: AccountIndex) {
        self.payments += 1;
        if link.other != account {
            let seen = &mut self.seen[link.other.position()];
            self.accounts += u32::from(*seen == 0);
            *seen += 1;
        }
        let (currency, amount) = (self.network.currency(link.payment), self.network.amount(link.payment));
        match self.amounts.iter_mut().find(|(known, _)| *known == currency) {
            Some((_, sum)) => *sum += amount,
            None => self.amounts.push((currency, amount)),
        }
    }

    fn remove(&mut self, link: Link, account: AccountIndex) {
        self.payments -= 1;
        if link.other != account {
            let seen = &mut self.seen[link.other.position()];
            *seen -= 1;
            self.accounts -= u32::from(*seen == 0);
        }
        let currency = self.network.currency(link.payment);
        if let Some((_, sum)) = self.amounts.iter_mut().find(|(known, _)| *known == currency) {
            *sum -= self.network.amount(link.payment);
        }
    }

    fn amount(&self, currency: CurrencyIndex) -> Amount {
        self.amounts.iter().find(|(known, _)| *known == currency).map_or(Amount::ZERO, |&(_, sum)| sum)
    }
}
