//! Takes away places that do not hold, until all that are left do.

use std::collections::HashMap;

use super::StackLimits;
use crate::network::{Link, between};
use crate::{AccountIndex, Network, PaymentIndex, Side, Timestamp};

pub struct Peel<'a> {
    network: &'a Network,
    limits: StackLimits,
    /// By step, then payment.
    places: Vec<Place>,
    /// Payments that are kept between two accounts at a step.
    parallel: HashMap<(usize, AccountIndex, AccountIndex), u32>,
    /// By step, then account: how many different accounts it pays, and by how many it is paid.
    pays: Vec<u32>,
    is_paid: Vec<u32>,
    /// Places that no longer hold, and are to be taken away.
    falling: Vec<(usize, PaymentIndex)>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Place {
    is_kept: bool,
    /// Whether it is among those that fall.
    falls: bool,
    /// Places that are kept at the step before and behind and go with it.
    before: u32,
    behind: u32,
}

impl<'a> Peel<'a> {
    pub fn new(network: &'a Network, limits: StackLimits) -> Self {
        let accounts = limits.steps * network.accounts();
        let mut peel = Self {
            network,
            limits,
            places: vec![Place::default(); limits.steps * network.len()],
            parallel: HashMap::new(),
            pays: vec![0; accounts],
            is_paid: vec![0; accounts],
            falling: Vec::new(),
        };
        for step in 0..limits.steps {
            for payment in network.payments().filter(|&payment| network.from(payment) != network.to(payment)) {
                peel.keep(step, payment);
            }
        }
        peel
    }

    pub fn is_kept(&self, step: usize, payment: PaymentIndex) -> bool {
        self.places[self.place(step, payment)].is_kept
    }

    pub fn peel(&mut self) {
        for step in 0..self.limits.steps {
            for payment in self.network.payments() {
                if self.is_kept(step, payment) && !self.holds(step, payment) {
                    self.fall(step, payment);
                }
            }
        }
        while let Some((step, payment)) = self.falling.pop() {
            self.take_away(step, payment);
        }
    }

    fn keep(&mut self, step: usize, payment: PaymentIndex) {
        let (from, to) = (self.network.from(payment), self.network.to(payment));
        let before = self.followed(payment).filter(|link| link.other != from).count() as u32;
        let behind = self.following(payment).filter(|link| link.other != to).count() as u32;
        let place = self.place(step, payment);
        self.places[place] = Place { is_kept: true, falls: false, before, behind };
        let parallel = self.parallel.entry((step, from, to)).or_default();
        *parallel += 1;
        if *parallel == 1 {
            let (pays, is_paid) = (self.node(step, from), self.node(step, to));
            self.pays[pays] += 1;
            self.is_paid[is_paid] += 1;
        }
    }

    fn holds(&self, step: usize, payment: PaymentIndex) -> bool {
        let place = self.places[self.place(step, payment)];
        let linked = (step == 0 || place.before > 0) && (step + 1 == self.limits.steps || place.behind > 0);
        linked && self.account_holds(step, self.network.from(payment)) && self.account_holds(step + 1, self.network.to(payment))
    }

    /// Whether an account has its layer's senders and receivers.
    fn account_holds(&self, layer: usize, account: AccountIndex) -> bool {
        let pays = layer == self.limits.steps || self.pays[self.node(layer, account)] >= self.limits.receivers;
        let is_paid = layer.checked_sub(1).is_none_or(|step| self.is_paid[self.node(step, account)] >= self.limits.senders);
        pays && is_paid
    }

    fn fall(&mut self, step: usize, payment: PaymentIndex) {
        let place = self.place(step, payment);
        let place = &mut self.places[place];
        if place.is_kept && !place.falls {
            place.falls = true;
            self.falling.push((step, payment));
        }
    }

    fn take_away(&mut self, step: usize, payment: PaymentIndex) {
        let (from, to) = (self.network.from(payment), self.network.to(payment));
        let place = self.place(step, payment);
        self.places[place].is_kept = false;
        if let Some(before) = step.checked_sub(1) {
            self.unlink(before, self.followed(payment).collect(), |place| &mut place.behind);
        }
        if step + 1 < self.limits.steps {
            self.unlink(step + 1, self.following(payment).collect(), |place| &mut place.before);
        }
        let Some(parallel) = self.parallel.get_mut(&(step, from, to)) else { return };
        *parallel -= 1;
        if *parallel == 0 {
            let (pays, is_paid) = (self.node(step, from), self.node(step, to));
            self.pays[pays] -= 1;
            self.is_paid[is_paid] -= 1;
            self.drop_account(step, from);
            self.drop_account(step + 1, to);
        }
    }

    /// Places at another step have one fewer that goes with them.
    fn unlink(&mut self, step: usize, links: Vec<Link>, count: impl Fn(&mut Place) -> &mut u32) {
        for link in links {
            let place = self.place(step, link.payment);
            if self.places[place].is_kept {
                let left = count(&mut self.places[place]);
                *left -= 1;
                if *left == 0 {
                    self.fall(step, link.payment);
                }
            }
        }
    }

    /// Lets all places of an account in a layer fall, where it no longer holds.
    fn drop_account(&mut self, layer: usize, account: AccountIndex) {
        if self.account_holds(layer, account) {
            return;
        }
        let network = self.network;
        if layer < self.limits.steps {
            network.links(account, Side::Out).iter().for_each(|link| self.fall(layer, link.payment));
        }
        if let Some(step) = layer.checked_sub(1) {
            network.links(account, Side::In).iter().for_each(|link| self.fall(step, link.payment));
        }
    }

    /// The payments that a payment may pass on.
    fn followed(&self, payment: PaymentIndex) -> impl Iterator<Item = Link> + use<'a> {
        let at = self.network.at(payment);
        between(self.network.into(self.network.from(payment)), self.limits.span.earliest(at), at).iter().copied()
    }

    /// The payments that may pass a payment on.
    fn following(&self, payment: PaymentIndex) -> impl Iterator<Item = Link> + use<'a> {
        let at = self.network.at(payment);
        let (first, behind) = (Timestamp(at.0 + 1), Timestamp(self.limits.span.latest(at).0.saturating_add(1)));
        between(self.network.out(self.network.to(payment)), first, behind).iter().copied()
    }

    fn place(&self, step: usize, payment: PaymentIndex) -> usize {
        step * self.network.len() + payment.position()
    }

    fn node(&self, step: usize, account: AccountIndex) -> usize {
        step * self.network.accounts() + account.position()
    }
}
