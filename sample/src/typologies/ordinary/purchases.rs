//! What is bought in between: in shops and on marketplaces, from craftsmen, among friends, in cash.

use super::Ordinary;
use crate::typologies::calendar::Hours;
use crate::typologies::draw::{Weighted, units};
use crate::typologies::innocent::Innocent;
use crate::typologies::network::AccountId;
use crate::typologies::population::Person;

/// How many shops and people are noted as look-alikes.
const TAGGED: usize = 8;
const TAGGED_PEOPLE: usize = 60;

/// Enters so many payments. A person's share follows the own activity.
pub(super) fn enter(ordinary: &mut Ordinary<'_>, number: usize) {
    let people = &ordinary.population.people;
    let active = Weighted::new(people.iter().map(|person| person.activity));
    let mut customers = vec![Vec::new(); TAGGED.min(ordinary.population.companies.shops.len())];
    let mut withdrawals = vec![Vec::new(); TAGGED_PEOPLE.min(people.len())];
    let behind = ordinary.book.len() + number;
    while ordinary.book.len() < behind {
        let place = active.draw(&mut ordinary.draw);
        let person = &people[place];
        match ordinary.draw.real(0.0..=1.0) {
            share if share < 0.68 => {
                let shop = ordinary.draw.pick(&person.shops);
                let entry = buy(ordinary, person.account, shop);
                customers.get_mut(shop).into_iter().for_each(|entries| entries.extend(entry));
            }
            share if share < 0.80 => lend(ordinary, person),
            share if share < 0.88 => {
                let day = ordinary.book.calendar.shopping_day(&mut ordinary.draw);
                let cash = ordinary.draw.pick(&ordinary.population.cash);
                let amount = units(f64::from(ordinary.draw.pick(&[20, 30, 50, 50, 50, 100, 100, 150, 200, 200, 300, 400, 500, 1_000])));
                let entry = ordinary.pay(person.account, cash, day, Hours::Shopping, amount);
                withdrawals.get_mut(place).into_iter().for_each(|entries| entries.extend(entry));
            }
            share if share < 0.94 => {
                let marketplace = ordinary.draw.pick(&ordinary.population.companies.marketplaces);
                spend(ordinary, person, marketplace, (34.0, 0.9));
            }
            share if share < 0.955 => {
                let craftsman = ordinary.draw.pick(&ordinary.population.companies.small_accounts);
                spend(ordinary, person, craftsman, (240.0, 0.9));
            }
            share if share < 0.985 => {
                let travel = ordinary.draw.pick(&ordinary.population.companies.travel_agencies);
                spend(ordinary, person, travel, (380.0, 0.8));
            }
            share if share < 0.995 => {
                let charity = ordinary.draw.pick(&ordinary.population.companies.charities);
                let day = ordinary.book.calendar.shopping_day(&mut ordinary.draw);
                let amount = units(f64::from(ordinary.draw.pick(&[5, 10, 20, 25, 50, 100])));
                ordinary.pay(person.account, charity, day, Hours::Home, amount);
            }
            _ => {
                // Somebody at another bank pays: a relative, an insurer, a buyer of old things.
                let payer = ordinary.draw.pick(&ordinary.population.clearing);
                let day = ordinary.book.calendar.shopping_day(&mut ordinary.draw);
                let amount = ordinary.draw.amount(110.0, 1.0, 5.0..=6_000.0);
                ordinary.pay(payer, person.account, day, Hours::Any, amount);
            }
        }
    }
    customers.into_iter().for_each(|entries| ordinary.book.look_alike(Innocent::ShopCustomers, entries));
    withdrawals.into_iter().for_each(|entries| ordinary.book.look_alike(Innocent::CashWithdrawals, entries));
}

fn buy(ordinary: &mut Ordinary<'_>, payer: AccountId, shop: usize) -> Option<crate::typologies::book::Entry> {
    let shop = &ordinary.population.companies.shops[shop];
    let day = ordinary.book.calendar.shopping_day(&mut ordinary.draw);
    let amount = ordinary.draw.amount(shop.ticket, 0.7, 1.2..=2_500.0);
    ordinary.pay(payer, shop.account, day, Hours::Shopping, amount)
}

fn spend(ordinary: &mut Ordinary<'_>, person: &Person, payee: AccountId, (median, sigma): (f64, f64)) {
    let day = ordinary.book.calendar.shopping_day(&mut ordinary.draw);
    let amount = ordinary.draw.amount(median, sigma, 2.0..=6_000.0);
    ordinary.pay(person.account, payee, day, Hours::Home, amount);
}

/// A transfer to a friend; half of them are whole amounts.
fn lend(ordinary: &mut Ordinary<'_>, person: &Person) {
    if person.friends.is_empty() {
        return;
    }
    let friend = ordinary.draw.pick(&person.friends);
    let friend = ordinary.population.people[friend].account;
    let day = ordinary.book.calendar.shopping_day(&mut ordinary.draw);
    let amount = ordinary.draw.amount(24.0, 0.9, 1.0..=1_500.0);
    let amount = if ordinary.draw.chance(0.5) { amount.rounded(5) } else { amount };
    ordinary.pay(person.account, friend, day, Hours::Home, amount);
}
