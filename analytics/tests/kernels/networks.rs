//! Small networks.

use std::time::Duration;

use analytics::{AccountIndex, Amount, CurrencyIndex, Lookback, Network, Payment, PaymentIndex, Span, Timestamp};
use proptest::prelude::*;

pub fn payment(from: u32, to: u32, at: i64) -> Payment {
    paid(from, to, at, 1, 0)
}

pub fn paid(from: u32, to: u32, at: i64, amount: i128, currency: u16) -> Payment {
    let at = Timestamp::from_millis(at).unwrap();
    Payment { from: AccountIndex(from), to: AccountIndex(to), at, amount: Amount(amount), currency: CurrencyIndex(currency) }
}

pub fn network(payments: &[Payment]) -> Network {
    Network::new(payments).unwrap()
}

pub fn span(millis: u64) -> Span {
    Span::new(Duration::from_millis(millis))
}

pub fn lookback(millis: u64) -> Lookback {
    Lookback::new(Duration::from_millis(millis))
}

/// What is said of each payment, in the order of loading.
pub fn loaded<T: Clone + Default>(network: &Network, of: impl Fn(PaymentIndex) -> T) -> Vec<T> {
    let mut values = vec![T::default(); network.len()];
    for payment in network.payments() {
        values[network.loaded(payment)] = of(payment);
    }
    values
}

/// Up to so many payments of five accounts at twelve times, in two currencies.
pub fn payments(most: usize) -> impl Strategy<Value = Vec<Payment>> {
    let payment =
        (0..5_u32, 0..5_u32, 0..12_i64, 1..4_i128, 0..2_u16).prop_map(|(from, to, at, amount, currency)| paid(from, to, at, amount, currency));
    prop::collection::vec(payment, 0..=most)
}

/// The same payments in two orders, with the place of each one of the second in the first.
pub fn shuffled(most: usize) -> impl Strategy<Value = (Vec<Payment>, Vec<usize>)> {
    payments(most).prop_flat_map(|payments| {
        let places: Vec<usize> = (0..payments.len()).collect();
        (Just(payments), Just(places).prop_shuffle())
    })
}

/// The payments in another order.
pub fn reordered(payments: &[Payment], places: &[usize]) -> Vec<Payment> {
    places.iter().map(|&place| payments[place]).collect()
}

/// Places in the order of loading, from those in another order.
pub fn restored<T: Clone + Default>(values: Vec<T>, places: &[usize]) -> Vec<T> {
    let mut restored = vec![T::default(); values.len()];
    for (value, &place) in values.into_iter().zip(places) {
        restored[place] = value;
    }
    restored
}
