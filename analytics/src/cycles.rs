//! Cycles in time order: money that comes back to where it set out.
//!
//! For a span `W`, a payment `f` from `u` to `v` at `t(f)` *closes a ring* of the accounts `v = a_0, a_1, …, a_k = u` (k ≥ 1, all of them
//! different) when there are payments `p_1, …, p_k` such that
//!
//! ```text
//! p_i goes from a_(i−1) to a_i
//! t(p_1) < t(p_2) < … < t(p_k) < t(f)
//! t(f) − t(p_1) ≤ W
//! ```
//!
//! Its length is `k + 1`, counted in payments. A payment is a *member* of the ring when it is `f`, or one `p_i` of such a chain.
//!
//! - **Window**: a span. A first payment exactly `W` before the last belongs to it.
//! - **Equal times** do not link: a payment goes on only what came strictly before.
//! - **Self payments** are no members: one closes no longer ring, and there is no ring of length one.
//! - **Parallel payments**: a ring is one sequence of accounts for each closing payment, however many payments are parallel ([`Ring`]);
//!   the *ways* are the chains of payments, `p_1, …, p_k, f`, each counted.
//! - **Length**: a bound on payments. Bounds of 0 and 1 let nothing through.
//! - An account other than the start is met once; no payment is taken twice.
//!
//! The search goes through the closing payments, by the account that they come back to. From `v` it walks forward in time, one account sequence at a time, always by the
//! earliest payment, and goes on only where the account reached can still come back to `u` in time: that is known for the last two
//! payments from a walk backward from `u` ([`reach`]). Members and ways follow from the latest departures. Without hubs the time
//! is linear in the payments and exponential in half of the length.
//!
//! Sources: Kumar and Calders, *2SCENT: An Efficient Algorithm to Enumerate All Simple Temporal Cycles* (VLDB 2018), for the
//! definition and for bundles of parallel payments; Blanuša, Ienne and Atasu, *Scalable Fine-Grained Parallel Cycle Enumeration
//! Algorithms* (SPAA 2022), for the pruning; Blanuša et al., *Graph Feature Preprocessor* (ICAIF 2024), for counts by payment.

mod bundle;
mod met;
mod reach;

use crate::histogram::{Bins, Histograms, Tally};
use crate::network::{Before, Leaving};
use crate::{AccountIndex, Network, PaymentIndex, Span, Timestamp};
use bundle::Bundle;
use met::Met;
use reach::Reach;

/// How far cycles are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CycleLimits {
    /// The longest time from the first payment to the last.
    pub span: Span,
    /// The most payments in a cycle, the closing one included.
    pub payments: u32,
}

/// One ring that a payment closes.
#[derive(Debug, Clone, Copy)]
pub struct Ring<'a> {
    /// The last payment.
    pub closing: PaymentIndex,
    bundle: &'a Bundle,
}

/// The rings that each payment is a member of, by length.
#[derive(Debug, Clone)]
pub struct Cycles {
    rings: Histograms,
    ways: Histograms,
    closed: Vec<u32>,
}

impl Cycles {
    /// How many rings the payment is a member of, by their length in payments: 2, 3, … up to the limit; lengths from 64 on count together.
    pub fn rings(&self, payment: PaymentIndex) -> Vec<u32> {
        self.rings.row(payment.position())
    }

    /// How many chains of payments it is part of, by length.
    pub fn ways(&self, payment: PaymentIndex) -> Vec<u32> {
        self.ways.row(payment.position())
    }

    /// How many rings it closes itself.
    pub fn closed(&self, payment: PaymentIndex) -> u32 {
        self.closed[payment.position()]
    }

    /// The bytes that the counts take.
    pub fn bytes(&self) -> usize {
        self.rings.bytes() + self.ways.bytes() + self.closed.capacity() * size_of::<u32>()
    }
}

impl Ring<'_> {
    /// The length in payments, which is the number of accounts.
    pub fn length(&self) -> usize {
        self.bundle.steps() + 1
    }

    /// The members that go from the `step`th account to the next, in the order of time; step 0 leaves the start.
    pub fn members(&self, step: usize) -> &[PaymentIndex] {
        self.bundle.step(step)
    }

    /// The chains of payments.
    pub fn ways(&self) -> u64 {
        self.bundle.ways()
    }
}

/// Counts the rings of each payment. A limit below two finds none.
pub fn cycles(network: &Network, limits: CycleLimits) -> Cycles {
    let bins = Bins::each(limits.payments);
    let tally = || Tally::new(network.len(), bins.len());
    let (mut rings, mut ways, mut closed) = (tally(), tally(), vec![0_u32; network.len()]);
    let cap = |ways: u64| u32::try_from(ways).unwrap_or(u32::MAX);
    for_each_ring(network, limits, |ring| {
        let Some(bin) = bins.of(ring.length() as u32) else { return };
        let closes = &mut closed[ring.closing.position()];
        *closes = closes.saturating_add(1);
        rings.add(ring.closing.0, bin, 1);
        ways.add(ring.closing.0, bin, cap(ring.ways()));
        for (&member, &of_member) in ring.bundle.members() {
            rings.add(member.0, bin, 1);
            ways.add(member.0, bin, cap(of_member));
        }
    });
    Cycles { rings: rings.histograms(), ways: ways.histograms(), closed }
}

/// Shows each ring, by the account that it starts from, then in the order of the closing payments.
pub fn for_each_ring(network: &Network, limits: CycleLimits, mut show: impl FnMut(&Ring<'_>)) {
    if limits.payments < 2 {
        return;
    }
    let mut search = Search::new(network, limits);
    for start in (0..network.accounts() as u32).map(AccountIndex) {
        search.start(start, &mut show);
    }
}

struct Search<'a> {
    network: &'a Network,
    span: Span,
    /// The most payments before the closing one.
    steps: usize,
    reach: Reach,
    met: Met,
    path: Vec<AccountIndex>,
    bundle: Bundle,
}

/// What the search for one closing payment does not change.
#[derive(Clone, Copy)]
struct Closing {
    payment: PaymentIndex,
    /// The account that the closing payment leaves, where the path must end.
    end: AccountIndex,
    /// The earliest time of the window.
    earliest: Timestamp,
    /// The closing payment's own time, and its turn: where what the end had received before ends.
    at: Timestamp,
    turn: Before,
}

impl<'a> Search<'a> {
    fn new(network: &'a Network, limits: CycleLimits) -> Self {
        Self {
            network,
            span: limits.span,
            steps: limits.payments as usize - 1,
            reach: Reach::default(),
            met: Met::default(),
            path: Vec::new(),
            bundle: Bundle::default(),
        }
    }

    /// All rings that come back to an account.
    fn start(&mut self, start: AccountIndex, show: &mut impl FnMut(&Ring<'_>)) {
        let network = self.network;
        let (leaving, arriving) = (network.leaving(start), network.arriving(start));
        let (mut first, mut behind) = (0, 0);
        for (link, &turn) in arriving.links.iter().zip(arriving.turns) {
            let closing = Closing { payment: link.payment, end: link.other, earliest: self.span.earliest(link.at), at: link.at, turn };
            first += leaving.links[first..].iter().take_while(|leaving| leaving.at < closing.earliest).count();
            behind += leaving.links[behind..].iter().take_while(|leaving| leaving.at < closing.at).count();
            // A self payment closes nothing, and where nothing left the account before, nothing comes back.
            if closing.end == start || first == behind {
                continue;
            }
            let leaving = Leaving { links: &leaving.links[first..behind], turns: &leaving.turns[first..behind] };
            if !self.reach.look(network, closing, leaving, self.steps) {
                continue;
            }
            self.path.clear();
            self.path.push(start);
            self.extend(closing, leaving, closing.earliest, show);
        }
    }

    /// Goes on from the end of the path by its payments of the time `first` or later, before the closing one.
    fn extend(&mut self, closing: Closing, leaving: Leaving<'_>, first: Timestamp, show: &mut impl FnMut(&Ring<'_>)) {
        let network = self.network;
        let here = self.path[self.path.len() - 1];
        if self.reach.arrives(here, leaving.links, first, closing) {
            self.path.push(closing.end);
            self.bundle.collect(network, &self.path, closing.earliest, closing.at);
            self.path.pop();
            show(&Ring { closing: closing.payment, bundle: &self.bundle });
        }
        // After the next payment there must be another one, up to the end.
        let step = self.path.len() - 1;
        let Some(left) = self.steps.checked_sub(step + 1).filter(|&left| left > 0) else { return };
        let mark = self.met.begin(network.accounts(), step, leaving.links);
        for (place, (link, &turn)) in leaving.links.iter().zip(leaving.turns).enumerate() {
            let after = Timestamp(link.at.0 + 1);
            // Of parallel payments the earliest stands for all of them.
            if link.other == closing.end
                || !turn.may_reach(link.at, closing.at)
                || !self.reach.comes_back(link.other, after, left)
                || self.path.contains(&link.other)
                || self.met.met(mark, step, leaving.links, place)
            {
                continue;
            }
            self.path.push(link.other);
            self.extend(closing, network.onward(link.other, turn, after, closing.at), after, show);
            self.path.pop();
        }
    }
}
