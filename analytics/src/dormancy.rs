//! Dormancy: how long an account had been idle when a payment was made.
//!
//! For an account `a` that a payment `p` at `t` has as a party:
//!
//! ```text
//! idle(p) = t − max { t(e) : e out of a or into a, t(e) < t }
//! ```
//!
//! An account whose payment is its first has no idle time, and is not dormant. `p` *awakens* an account that was idle for at least `D`.
//!
//! - **Window**: a payment exactly `D` after the one before awakens the account.
//! - **Equal times**: payments of one instant do not end each other's idle time; they all awaken the account, or none does.
//! - **Self payments** and **parallel payments** are activity like any other, on either side.
//!
//! Time is linear in the payments. Source: FFIEC, *BSA/AML Examination Manual*, appendix F, red flags (dormant accounts that suddenly have
//! activity); Bolton and Hand, *Statistical Fraud Detection: A Review* (Statistical Science 17, 2002).

use std::time::Duration;

use crate::velocity::Party;
use crate::{AccountIndex, Network, PaymentIndex, Timestamp};

/// The idle time of one party before each payment.
#[derive(Debug, Clone)]
pub struct Dormancies<'a> {
    network: &'a Network,
    party: Party,
    idle: Vec<Option<Duration>>,
}

impl Dormancies<'_> {
    /// How long the account had been idle; `None` when it had never been active.
    pub fn idle(&self, payment: PaymentIndex) -> Option<Duration> {
        self.idle[self.network.place(payment, self.party.side())]
    }

    /// Whether the payment awakens an account that was idle for so long.
    pub fn awakens(&self, payment: PaymentIndex, dormant: Duration) -> bool {
        self.idle(payment).is_some_and(|idle| idle >= dormant)
    }
}

/// Looks at a party of each payment.
pub fn dormancies(network: &Network, party: Party) -> Dormancies<'_> {
    let mut idle = Vec::with_capacity(network.len());
    for account in (0..network.accounts() as u32).map(AccountIndex) {
        let (out, into) = (network.out(account), network.into(account));
        let (mut out_before, mut in_before) = (0, 0);
        for link in network.links(account, party.side()) {
            out_before += out[out_before..].iter().take_while(|other| other.at < link.at).count();
            in_before += into[in_before..].iter().take_while(|other| other.at < link.at).count();
            let last = |links: &[crate::Link]| links.last().map(|link| link.at);
            let last: Option<Timestamp> = last(&out[..out_before]).max(last(&into[..in_before]));
            idle.push(last.map(|last| Duration::from_millis(link.at.0.abs_diff(last.0))));
        }
    }
    Dormancies { network, party, idle }
}
