//! Scatter-gather: one account pays several, and these pay one other (also called a *smurf* or a *fan-out followed by a fan-in*).
//!
//! For accounts `u ≠ z`, the *legs* of an intermediary `m` (neither `u` nor `z`) are the payments `s` from `u` to `m` (scatter) and `g`
//! from `m` to `z` (gather). For a span `W` and a leg `f` at `t(f)`:
//!
//! ```text
//! window(f) = the legs of u and z with 0 ≤ t(f) − t ≤ W
//! m takes part     when window(f) has s and g of m, in order: with t(s) < t(g)
//! size(f)          = the number of intermediaries that take part
//! members(f)       = the legs in window(f) of those m; in order: each s with a later g of its m, each g with an earlier s
//! ```
//!
//! `f` *closes* a scatter-gather of `u` and `z` when it is a member and two or more intermediaries take part. A payment's histogram
//! counts the patterns that it is a member of, by size.
//!
//! - **Window**: a span. Payments exactly `W` apart may be in one pattern.
//! - **Order**: [`Legs::InOrder`] is how money moves. [`Legs::AnyOrder`] ignores which leg came first.
//! - **Equal times**: a gather payment of the instant of the scatter payment is not later. Payments of one instant are in each other's
//!   windows, and each that closes a pattern closes one of its own; so nothing hangs on their order.
//! - **Self payments** are no legs, and a pattern back to its source (`u = z`) is none.
//! - **Parallel payments**: the size counts intermediaries; each parallel payment is a member. [`Pattern::legs`] has all payments.
//!
//! [`Legs::AsGraphFeaturePreprocessor`] counts what snapml 1.17.2 counts when it is handed all payments in one batch, for teams whose
//! models know those numbers; what it does otherwise is in [`superseded`]. It is not meant for detection, as a later payment erases an
//! earlier pattern.
//!
//! The time is that of all walks `u → m → z` with both payments within `W` ([`walks`]), and for each pair of accounts with two
//! intermediaries or more that of its legs times the legs in a window.
//!
//! Sources: Suzumura and Kanezashi, *AMLSim* (2018); Altman et al., *Realistic Synthetic Financial Transactions for Anti-Money
//! Laundering Models* (NeurIPS 2023); Starnini et al., *Smurf-Based Anti-money Laundering in Time-Evolving Transaction Networks*
//! (ECML PKDD 2021) for the order in time; Blanuša et al., *Graph Feature Preprocessor* (ICAIF 2024) for counts by payment.

mod pair;
mod superseded;
mod walks;

use crate::histogram::{Bins, Histograms, Tally};
use crate::{AccountIndex, Network, PaymentIndex, Span, Timestamp};
use pair::Pair;
use superseded::Superseded;
use walks::{Walk, Walks};

/// Which legs make a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Legs {
    /// An intermediary takes part when it received before it paid.
    InOrder,
    /// An intermediary takes part when it received and paid, in whatever order.
    AnyOrder,
    /// [`Legs::AnyOrder`], closed only by the latest legs of a pair of accounts, as snapml's Graph Feature Preprocessor counts.
    AsGraphFeaturePreprocessor,
}

/// What a payment is in a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    Scatter,
    Gather,
}

/// A leg of a pair of accounts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Leg {
    pub at: Timestamp,
    pub payment: PaymentIndex,
    pub role: Role,
    pub intermediary: AccountIndex,
}

/// A pattern that a payment closes.
#[derive(Debug, Clone, Copy)]
pub struct Pattern<'a> {
    pub source: AccountIndex,
    pub sink: AccountIndex,
    pub closing: PaymentIndex,
    /// The number of intermediaries.
    pub size: u32,
    /// All members, in the order of time.
    pub legs: &'a [Leg],
}

/// The scatter-gathers of each payment.
#[derive(Debug, Clone)]
pub struct ScatterGathers {
    closed: Vec<u32>,
    histograms: Histograms,
}

impl ScatterGathers {
    /// How many patterns the payment closes.
    pub fn closed(&self, payment: PaymentIndex) -> u32 {
        self.closed[payment.position()]
    }

    /// How many patterns it is a member of, by size.
    pub fn memberships(&self, payment: PaymentIndex) -> Vec<u32> {
        self.histograms.row(payment.position())
    }

    /// The bytes that the counts take.
    pub fn bytes(&self) -> usize {
        self.closed.capacity() * size_of::<u32>() + self.histograms.bytes()
    }
}

/// Counts the scatter-gathers of each payment.
pub fn scatter_gathers(network: &Network, span: Span, legs: Legs, bins: &Bins) -> ScatterGathers {
    let (mut closed, mut tally) = (vec![0_u32; network.len()], Tally::new(network.len(), bins.len()));
    for_each_scatter_gather(network, span, legs, |pattern| {
        let closes = &mut closed[pattern.closing.position()];
        *closes = closes.saturating_add(1);
        if let Some(bin) = bins.of(pattern.size) {
            for leg in pattern.legs {
                tally.add(leg.payment.0, bin, 1);
            }
        }
    });
    ScatterGathers { closed, histograms: tally.histograms() }
}

/// Shows each pattern, by source and sink, then in the order of the closing payments.
pub fn for_each_scatter_gather(network: &Network, span: Span, legs: Legs, mut show: impl FnMut(&Pattern<'_>)) {
    let mut pair = Pair::new(span, legs);
    let mut superseded = Superseded::new(network, span);
    Walks::new(network, span, legs).for_each_pair(|walks: &[Walk]| {
        let (source, sink) = (walks[0].source, walks[0].sink);
        if !pair.take(walks) {
            return;
        }
        if legs == Legs::AsGraphFeaturePreprocessor {
            superseded.look(source, sink);
        }
        pair.close(|leg| superseded.holds(leg), |closing, size, legs| show(&Pattern { source, sink, closing, size, legs }));
    });
}
