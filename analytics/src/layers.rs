//! Stacked bipartite layers: money moves from a layer of accounts to the next, each account taking from several and paying several.
//!
//! A *stack* of `n` steps has `n + 1` layers of accounts. A *place* is a payment at a step `i` (0 ≤ i < n): it goes from an account in
//! layer `i` to one in layer `i + 1`. A set of places holds together when, within it and for a span `W`,
//!
//! ```text
//! each account of a layer above 0 is paid by `senders` different accounts or more, at the step before
//! each account of a layer below n pays `receivers` different accounts or more, at the step behind
//! each place (p, i) with i > 0 has a place (q, i − 1):  to(q) = from(p),  0 < t(p) − t(q) ≤ W
//! each place (p, i) with i < n − 1 has a place (q, i + 1):  from(q) = to(p),  0 < t(q) − t(p) ≤ W
//! ```
//!
//! Two sets that hold together do so joined; hence there is a largest, and it is found by taking away what does not hold until all does.
//! The stacks are the parts of it that share no account in a layer.
//!
//! - **Window**: a span from one step to the next. Exactly `W` counts.
//! - **Equal times** do not link.
//! - **Self payments** are no places.
//! - **Parallel payments** count an account once for `senders` and `receivers`; each is a place of its own.
//! - **Steps** count payments. A stack of no steps has none. One account may stand in two layers, and one payment at two steps.
//!
//! Time is linear in the places and in the pairs of payments that follow one another within `W`. Sources: Altman et al., *Realistic
//! Synthetic Financial Transactions for Anti-Money Laundering Models* (NeurIPS 2023), for stacks of bipartite layers; Liu et al., *Efficient
//! (α, β)-core Computation: an Index-based Approach* (WWW 2019), for the core of a bipartite graph and its peeling.

mod peel;

use std::collections::HashMap;

use crate::joined::firsts;
use crate::{AccountIndex, Network, PaymentIndex, Span};
use peel::Peel;

/// What makes a stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StackLimits {
    /// Payments from the first layer to the last.
    pub steps: usize,
    /// The fewest accounts that pay an account.
    pub senders: u32,
    /// The fewest accounts that an account pays.
    pub receivers: u32,
    /// The longest time from a payment to one that passes it on.
    pub span: Span,
}

/// A stack, with the payments of each step in the order of time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stack {
    pub steps: Vec<Vec<PaymentIndex>>,
}

impl Stack {
    /// The accounts of each layer, in their order; one layer more than steps.
    pub fn layers(&self, network: &Network) -> Vec<Vec<AccountIndex>> {
        let layer = |layer: usize| {
            let paying = self.steps.get(layer).into_iter().flatten().map(|&payment| network.from(payment));
            let paid = layer.checked_sub(1).and_then(|step| self.steps.get(step)).into_iter().flatten().map(|&payment| network.to(payment));
            let mut accounts: Vec<AccountIndex> = paying.chain(paid).collect();
            accounts.sort_unstable();
            accounts.dedup();
            accounts
        };
        (0..=self.steps.len()).map(layer).collect()
    }
}

/// All stacks, by their first payment.
pub fn stacks(network: &Network, limits: StackLimits) -> Vec<Stack> {
    let mut peel = Peel::new(network, limits);
    peel.peel();
    parts(network, limits.steps, |step, payment| peel.is_kept(step, payment))
}

/// Parts the places that are kept into those that share no account in a layer.
fn parts(network: &Network, steps: usize, is_kept: impl Fn(usize, PaymentIndex) -> bool) -> Vec<Stack> {
    let is_kept = &is_kept;
    let of_step = |step| network.payments().filter(move |&payment| is_kept(step, payment)).map(move |payment| (step, payment));
    let kept: Vec<(usize, PaymentIndex)> = (0..steps).flat_map(of_step).collect();
    let firsts = firsts(kept.iter().map(|&(step, payment)| [(step, network.from(payment)), (step + 1, network.to(payment))]));
    let mut stacks: Vec<Stack> = Vec::new();
    let mut of_first: HashMap<usize, usize> = HashMap::new();
    for (&(step, payment), first) in kept.iter().zip(firsts) {
        let stack = *of_first.entry(first).or_insert_with(|| {
            stacks.push(Stack { steps: vec![Vec::new(); steps] });
            stacks.len() - 1
        });
        stacks[stack].steps[step].push(payment);
    }
    stacks
}
