//! Payments of a window between accounts that did not pay each other before. A refund goes to somebody who paid, and is of no new relation.

use std::collections::BTreeMap;

use analytics::{AccountIndex, Amount, CurrencyIndex, Link, Network, PaymentIndex, Side};

use super::Scope;
use super::window::of_links;
use crate::dataset::Dataset;
use crate::day::Window;
use crate::quantity::Quantity;

/// Whether two accounts paid each other in a window, in either direction. It looks at the account with fewer payments there.
fn are_related(network: &Network, one: AccountIndex, other: AccountIndex, window: Window) -> bool {
    let links = |account| [Side::Out, Side::In].map(|side| of_links(network.links(account, side), window));
    let count = |links: &[&[Link]; 2]| links[0].len() + links[1].len();
    let (of_one, of_other) = (links(one), links(other));
    match count(&of_one) <= count(&of_other) {
        true => of_one.iter().any(|links| links.iter().any(|link| link.other == other)),
        false => of_other.iter().any(|links| links.iter().any(|link| link.other == one)),
    }
}

/// Whether a payment of an account is of a new relation to another owner. One that goes back where money came from in the window is a refund.
fn is_new(dataset: &Dataset, account: AccountIndex, side: Side, link: &Link, window: Window, history: Window) -> bool {
    let other_side = match side {
        Side::Out => Side::In,
        Side::In => Side::Out,
    };
    let goes_back = || {
        let earlier = Window { end: link.at, ..window };
        of_links(dataset.network().links(account, other_side), earlier).iter().any(|earlier| earlier.other == link.other)
    };
    !dataset.one_owner(account, link.other) && !are_related(dataset.network(), account, link.other, history) && !goes_back()
}

/// The payments of an account in the window that are of new relations, by currency, in the order of time. Those below the floor are left out.
pub fn of_account(scope: &Scope<'_>, account: AccountIndex, side: Side, window: Window, floor: Amount) -> BTreeMap<CurrencyIndex, Vec<PaymentIndex>> {
    let history = window.history(scope.history_length());
    let mut found: BTreeMap<CurrencyIndex, Vec<PaymentIndex>> = BTreeMap::new();
    for link in of_links(scope.dataset.network().links(account, side), window) {
        let payment = scope.dataset.payment(link.payment);
        if payment.amount >= floor && is_new(scope.dataset, account, side, link, window, history) {
            found.entry(payment.currency).or_default().push(link.payment);
        }
    }
    found
}

/// A network of some of a dataset's payments, with the same accounts.
pub struct Part {
    pub network: Network,
    payments: Vec<PaymentIndex>,
}

impl Part {
    /// The dataset's index of a payment of the part.
    pub fn whole(&self, payment: PaymentIndex) -> PaymentIndex {
        self.payments[self.network.loaded(payment)]
    }
}

/// The payments of the window of new relations, in one network for each currency. Those below the floor are left out.
pub fn of_network(scope: &Scope<'_>, window: Window, floor: Amount) -> Vec<(CurrencyIndex, Part)> {
    let history = window.history(scope.history_length());
    let payments = scope.dataset.payments();
    let first = payments.partition_point(|payment| payment.at < window.start);
    let behind = payments.partition_point(|payment| payment.at < window.end);
    let mut found: BTreeMap<CurrencyIndex, Vec<PaymentIndex>> = BTreeMap::new();
    for (place, payment) in payments.iter().enumerate().take(behind).skip(first) {
        let is_between = payment.amount >= floor && !scope.dataset.one_owner(payment.from, payment.to);
        if is_between && !are_related(scope.dataset.network(), payment.from, payment.to, history) {
            found.entry(payment.currency).or_default().push(PaymentIndex(place as u32));
        }
    }
    let part = |(currency, payments): (CurrencyIndex, Vec<PaymentIndex>)| {
        let rows: Vec<analytics::Payment> = payments.iter().map(|&payment| edge(scope.dataset, payment)).collect();
        // A part of a network has no more payments than the network.
        Network::new(&rows).ok().map(|network| (currency, Part { network, payments }))
    };
    found.into_iter().filter_map(part).collect()
}

fn edge(dataset: &Dataset, payment: PaymentIndex) -> analytics::Payment {
    let payment = dataset.payment(payment);
    let (from, to, at) = (payment.from, payment.to, payment.at);
    analytics::Payment { from, to, at, amount: payment.amount, currency: payment.currency }
}

/// The different accounts at one side of payments.
pub fn accounts(dataset: &Dataset, payments: &[PaymentIndex], end: impl Fn(&crate::dataset::Payment) -> AccountIndex) -> usize {
    let mut accounts: Vec<AccountIndex> = payments.iter().map(|&payment| end(dataset.payment(payment))).collect();
    accounts.sort_unstable();
    accounts.dedup();
    accounts.len()
}

/// The lower median of the amounts of payments; zero of none.
pub fn median(dataset: &Dataset, payments: &[PaymentIndex]) -> Quantity {
    let mut amounts: Vec<Amount> = payments.iter().map(|&payment| dataset.payment(payment).amount).collect();
    amounts.sort_unstable();
    Quantity::amount(amounts.get(amounts.len().saturating_sub(1) / 2).copied().unwrap_or_default())
}

/// The sum of payments.
pub fn sum(dataset: &Dataset, payments: &[PaymentIndex]) -> Amount {
    payments.iter().map(|&payment| dataset.payment(payment).amount).sum()
}

/// The sum of payments of a part, by its own indices.
pub fn sum_of(network: &Network, payments: &[PaymentIndex]) -> Amount {
    payments.iter().map(|&payment| network.amount(payment)).sum()
}
