//! Gather-scatter: an account gathers from several and then pays several.
//!
//! For a payment `f` out of `v` at `t(f)` and a span `W`:
//!
//! ```text
//! in(f)    = { e into v : t(f) − W ≤ t(e) < t(f) }
//! begin(f) = the earliest time in in(f)
//! out(f)   = { e out of v : begin(f) < t(e) ≤ t(f) }
//! ```
//!
//! `f` *closes* a gather-scatter when the payments in `in(f)` come from two or more accounts and those in `out(f)` go to two or more.
//!
//! - **Window**: a span. A payment in exactly `W` before `f` is gathered.
//! - **Equal times** do not link: what comes in at the instant of `f` is not gathered by it, and what goes out at the instant of the first
//!   payment in is not scattered by it. Payments out of one instant are in each other's `out(f)`.
//! - **Self payments** are neither gathered nor scattered, and close nothing.
//! - **Parallel payments** count an account once; [`Hub`] has the numbers of accounts and of payments.
//!
//! Time is linear in the payments. Sources: Altman et al., *Realistic Synthetic Financial Transactions for Anti-Money Laundering Models*
//! (NeurIPS 2023), for the pattern; the order in time as in Starnini et al., *Smurf-Based Anti-money Laundering in Time-Evolving
//! Transaction Networks* (ECML PKDD 2021).

use crate::network::Link;
use crate::{AccountIndex, Network, PaymentIndex, Side, Span, Timestamp};

/// What the sender of a payment had gathered and scattered when he made it. Nothing, where nothing came in before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Hub {
    pub senders: u32,
    pub payments_in: u32,
    pub receivers: u32,
    pub payments_out: u32,
}

impl Hub {
    /// Whether the payment closes a gather-scatter.
    pub fn is_closed(self) -> bool {
        self.senders >= 2 && self.receivers >= 2
    }
}

/// The hubs of all payments.
#[derive(Debug, Clone)]
pub struct GatherScatters<'a> {
    network: &'a Network,
    hubs: Vec<Hub>,
}

impl GatherScatters<'_> {
    pub fn hub(&self, payment: PaymentIndex) -> Hub {
        self.hubs[self.network.place(payment, Side::Out)]
    }
}

/// Looks at the sender of each payment.
pub fn gather_scatters(network: &Network, span: Span) -> GatherScatters<'_> {
    let mut hubs = vec![Hub::default(); network.len()];
    let mut begin = 0;
    let (mut senders, mut receivers) = (Distinct::new(network), Distinct::new(network));
    for account in (0..network.accounts() as u32).map(AccountIndex) {
        let (into, out) = (network.into(account), network.out(account));
        let mut window = Window { into, out, gathered: (0, 0), scattered: (0, 0) };
        for (place, closing) in out.iter().enumerate().filter(|(_, link)| link.other != account) {
            window.slide(span.earliest(closing.at), closing.at, account, &mut senders, &mut receivers);
            hubs[begin + place] =
                Hub { senders: senders.accounts, payments_in: senders.payments, receivers: receivers.accounts, payments_out: receivers.payments };
        }
        window.leave(account, &mut senders, &mut receivers);
        begin += out.len();
    }
    GatherScatters { network, hubs }
}

/// The payments of one account: which of them are gathered and which scattered, each from one place up to another.
struct Window<'a> {
    into: &'a [Link],
    out: &'a [Link],
    gathered: (usize, usize),
    scattered: (usize, usize),
}

impl Window<'_> {
    fn slide(&mut self, earliest: Timestamp, at: Timestamp, account: AccountIndex, senders: &mut Distinct, receivers: &mut Distinct) {
        let (into, out) = (self.into, self.out);
        while into.get(self.gathered.1).is_some_and(|link| link.at < at) {
            senders.add(into[self.gathered.1], account);
            self.gathered.1 += 1;
        }
        while self.gathered.0 < self.gathered.1 && into[self.gathered.0].at < earliest {
            senders.remove(into[self.gathered.0], account);
            self.gathered.0 += 1;
        }
        while out.get(self.scattered.1).is_some_and(|link| link.at <= at) {
            receivers.add(out[self.scattered.1], account);
            self.scattered.1 += 1;
        }
        // A self payment gathers nothing and begins nothing.
        let begin = into[self.gathered.0..self.gathered.1].iter().find(|link| link.other != account).map(|link| link.at);
        while self.scattered.0 < self.scattered.1 && begin.is_none_or(|begin| out[self.scattered.0].at <= begin) {
            receivers.remove(out[self.scattered.0], account);
            self.scattered.0 += 1;
        }
    }

    fn leave(self, account: AccountIndex, senders: &mut Distinct, receivers: &mut Distinct) {
        self.into[self.gathered.0..self.gathered.1].iter().for_each(|&link| senders.remove(link, account));
        self.out[self.scattered.0..self.scattered.1].iter().for_each(|&link| receivers.remove(link, account));
    }
}

/// How many payments of a window each account has. Self payments do not count.
struct Distinct {
    seen: Vec<u32>,
    accounts: u32,
    payments: u32,
}

impl Distinct {
    fn new(network: &Network) -> Self {
        Self { seen: vec![0; network.accounts()], accounts: 0, payments: 0 }
    }

    fn add(&mut self, link: Link, account: AccountIndex) {
        if link.other != account {
            let seen = &mut self.seen[link.other.position()];
            self.accounts += u32::from(*seen == 0);
            *seen += 1;
            self.payments += 1;
        }
    }

    fn remove(&mut self, link: Link, account: AccountIndex) {
        if link.other != account {
            let seen = &mut self.seen[link.other.position()];
            *seen -= 1;
            self.accounts -= u32::from(*seen == 0);
            self.payments -= 1;
        }
    }
}
