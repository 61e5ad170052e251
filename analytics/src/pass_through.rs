//! Rapid pass-through: what an account receives it soon pays on.
//!
//! For a payment `f` out of `v` in the currency `c` at `t(f)` and a span `W`, of payments in `c` alone:
//!
//! ```text
//! in(f)       = { e into v : t(f) − W ≤ t(e) < t(f) }
//! begin(f)    = the earliest time in in(f)
//! out(f)      = { e out of v : begin(f) < t(e) ≤ t(f) }
//! received(f) = Σ amounts of in(f)        sent(f) = Σ amounts of out(f)
//! ```
//!
//! What passed through is `min(received, sent)`; how much of it was paid on is `sent / received`.
//!
//! - **Window**: a span. A payment in exactly `W` before `f` counts.
//! - **Equal times** do not link: what comes in at the instant of `f` is not paid on by it. Payments out of one instant count together.
//! - **Self payments** are neither received nor sent, and nothing is paid on by one.
//! - **Parallel payments** count each. Amounts are exact; currencies are never added.
//!
//! Time is linear in the payments of an account but for a sort by currency. Source: Li et al., *FlowScope: Spotting Money Laundering Based
//! on Graphs* (AAAI 2020), where the flow through an account is the smaller of what comes in and what goes out.

use crate::network::Link;
use crate::{AccountIndex, Amount, Network, PaymentIndex, Side, Span};

/// What the sender of a payment had received and sent when he made it, in its currency. Nothing, where nothing came in before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Passed {
    pub received: Amount,
    pub payments_in: u32,
    pub sent: Amount,
    pub payments_out: u32,
}

impl Passed {
    /// What passed through.
    pub fn through(self) -> Amount {
        self.received.min(self.sent)
    }
}

/// What passed through the sender of each payment.
#[derive(Debug, Clone)]
pub struct PassThroughs<'a> {
    network: &'a Network,
    passed: Vec<Passed>,
}

impl PassThroughs<'_> {
    pub fn passed(&self, payment: PaymentIndex) -> Passed {
        self.passed[self.network.place(payment, Side::Out)]
    }
}

/// Looks at the sender of each payment.
pub fn pass_throughs(network: &Network, span: Span) -> PassThroughs<'_> {
    let mut passed = vec![Passed::default(); network.len()];
    let (mut into, mut out) = (Vec::new(), Vec::new());
    for account in (0..network.accounts() as u32).map(AccountIndex) {
        by_currency(network, account, Side::In, &mut into);
        by_currency(network, account, Side::Out, &mut out);
        let mut into = into.as_slice();
        for out in out.chunk_by(|one: &Link, other| network.currency(one.payment) == network.currency(other.payment)) {
            let currency = network.currency(out[0].payment);
            into = &into[into.partition_point(|link| network.currency(link.payment) < currency)..];
            let alike = &into[..into.partition_point(|link| network.currency(link.payment) == currency)];
            pass(network, span, alike, out, &mut passed);
        }
    }
    PassThroughs { network, passed }
}

/// An account's payments on one side by currency, those of one currency in the order of time, without self payments.
fn by_currency(network: &Network, account: AccountIndex, side: Side, links: &mut Vec<Link>) {
    links.clear();
    links.extend(network.links(account, side).iter().filter(|link| link.other != account));
    links.sort_by_key(|link| network.currency(link.payment));
}

/// Slides over the payments of an account in one currency.
fn pass(network: &Network, span: Span, into: &[Link], out: &[Link], passed: &mut [Passed]) {
    let (mut first_in, mut behind_in, mut first_out, mut behind_out) = (0, 0, 0, 0);
    let mut sum = Passed::default();
    for closing in out {
        while into.get(behind_in).is_some_and(|link| link.at < closing.at) {
            sum.received += network.amount(into[behind_in].payment);
            behind_in += 1;
        }
        while first_in < behind_in && into[first_in].at < span.earliest(closing.at) {
            sum.received -= network.amount(into[first_in].payment);
            first_in += 1;
        }
        while out.get(behind_out).is_some_and(|link| link.at <= closing.at) {
            sum.sent += network.amount(out[behind_out].payment);
            behind_out += 1;
        }
        let begin = into[first_in..behind_in].first().map(|link| link.at);
        while first_out < behind_out && begin.is_none_or(|begin| out[first_out].at <= begin) {
            sum.sent -= network.amount(out[first_out].payment);
            first_out += 1;
        }
        sum.payments_in = (behind_in - first_in) as u32;
        sum.payments_out = (behind_out - first_out) as u32;
        passed[network.place(closing.payment, Side::Out)] = sum;
    }
}
