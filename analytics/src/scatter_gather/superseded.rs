//! Which legs close a pattern for snapml's Graph Feature Preprocessor (1.17.2, all payments in one `transform`), as was found by asking
//! it of some ten thousand random networks.
//!
//! It searches when all payments are in its graph, and gives a closing leg `f` up as soon as it meets a later one. For a pair of
//! accounts and each intermediary `m` that ever had a scatter and a gather payment, let the *own* side be that of `f` (scatter or gather)
//! and let `own(m)`, `other(m)` be the times of the latest payments of `m` on either side. Then `f` closes nothing when for any `m`
//!
//! ```text
//! own(m) > t(f), or: own(m) ≥ t(f) − W and other(m) > t(f)
//! ```
//!
//! So of each pair of accounts it shows the latest pattern alone.

use super::{Leg, Role};
use crate::{AccountIndex, Network, Span, Timestamp};

pub struct Superseded<'a> {
    network: &'a Network,
    span: Span,
    /// For each intermediary the times of its latest scatter and gather payment.
    latest: Vec<(Timestamp, Timestamp)>,
    /// For each account the latest scatter payment from the present source.
    scatters: Vec<Option<Timestamp>>,
}

impl<'a> Superseded<'a> {
    pub fn new(network: &'a Network, span: Span) -> Self {
        Self { network, span, latest: Vec::new(), scatters: Vec::new() }
    }

    /// Looks at all intermediaries that a pair of accounts ever had.
    pub fn look(&mut self, source: AccountIndex, sink: AccountIndex) {
        self.scatters.resize(self.network.accounts(), None);
        self.latest.clear();
        let scatters = self.network.out(source).iter().filter(|link| link.other != source && link.other != sink);
        for link in scatters.clone() {
            self.scatters[link.other.position()] = Some(link.at);
        }
        // From the latest on, so that each intermediary's first is its latest.
        for gather in self.network.into(sink).iter().rev().filter(|link| link.other != source && link.other != sink) {
            if let Some(scatter) = self.scatters[gather.other.position()].take() {
                self.latest.push((scatter, gather.at));
            }
        }
        for link in scatters {
            self.scatters[link.other.position()] = None;
        }
    }

    /// Whether a later payment supersedes what the leg would close. False for all legs where no pair was looked at.
    pub fn holds(&self, leg: &Leg) -> bool {
        let earliest = self.span.earliest(leg.at);
        self.latest.iter().any(|&(scatter, gather)| {
            let (own, other) = match leg.role {
                Role::Scatter => (scatter, gather),
                Role::Gather => (gather, scatter),
            };
            own > leg.at || own >= earliest && other > leg.at
        })
    }
}
