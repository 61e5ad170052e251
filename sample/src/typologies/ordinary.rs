//! Ordinary life: what everybody pays month by month, and what is bought in between.
//!
//! Amounts are log-normal, what people buy follows Zipf's law by shop and a log-normal law by person; salaries, rents and debits come on
//! their day of the month, invoices in office hours of business days, purchases when shops are open. Prices have cents.

mod agencies;
mod households;
mod purchases;
mod trade;

use super::book::{Book, Entry};
use super::calendar::Hours;
use super::draw::{Draw, Part};
use super::network::{AccountId, Cents};
use super::population::Population;

/// Where ordinary payments are made up.
pub(super) struct Ordinary<'a> {
    pub population: &'a Population,
    pub book: &'a mut Book,
    pub draw: Draw,
}

impl Ordinary<'_> {
    fn pay(&mut self, from: AccountId, to: AccountId, day: i32, hours: Hours, amount: Cents) -> Option<Entry> {
        self.book.pay(from, to, (day, hours), amount, &mut self.draw)
    }
}

/// Enters what comes back each month: salaries, rents, debits, invoices, collections.
pub(super) fn enter_regular(population: &Population, book: &mut Book, seed: u64) {
    let mut ordinary = Ordinary { population, book, draw: Draw::new(seed, Part::Regular) };
    households::enter(&mut ordinary);
    trade::enter(&mut ordinary);
    agencies::enter(&mut ordinary);
}

/// Enters so many purchases, withdrawals and transfers among friends.
pub(super) fn enter_purchases(population: &Population, book: &mut Book, seed: u64, number: usize) {
    let mut ordinary = Ordinary { population, book, draw: Draw::new(seed, Part::Purchases) };
    purchases::enter(&mut ordinary, number);
}
