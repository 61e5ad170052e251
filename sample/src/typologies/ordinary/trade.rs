//! What companies pay one another: suppliers, rents, taxes, sweeps of a treasury, takings brought to the bank.

use super::Ordinary;
use crate::typologies::book::Entry;
use crate::typologies::calendar::Hours;
use crate::typologies::draw::units;
use crate::typologies::innocent::Innocent;
use crate::typologies::network::{AccountId, Cents, Currency};
use crate::typologies::population::{Company, Shop};

/// How many of the companies are noted as look-alikes of one kind.
const TAGGED: usize = 10;
const TAGGED_SHOPS: usize = 40;

/// The payments of all companies.
pub(super) fn enter(ordinary: &mut Ordinary<'_>) {
    let companies = &ordinary.population.companies;
    for company in companies.employers.iter().chain(&companies.small) {
        enter_company(ordinary, company);
    }
    for employer in &companies.employers {
        enter_customers(ordinary, employer, 3.5, 1.6);
    }
    for company in &companies.small {
        enter_customers(ordinary, company, 11.0, 2.0);
    }
    let mut deliveries = Vec::new();
    for (place, shop) in companies.shops.iter().enumerate() {
        deliveries.extend(enter_shop(ordinary, shop, place < TAGGED_SHOPS));
    }
    for &wholesaler in &companies.wholesalers {
        deliveries.extend(enter_wholesaler(ordinary, wholesaler));
    }
    ordinary.book.look_alike(Innocent::SupplyChain, deliveries);
    enter_both_ways(ordinary);
    for (parent, subsidiaries) in &companies.groups {
        enter_group(ordinary, *parent, subsidiaries);
    }
}

/// Business days that are about so many days apart.
fn every(ordinary: &mut Ordinary<'_>, distance: f64) -> Vec<i32> {
    let mut at = ordinary.draw.real(0.0..=distance);
    let mut days = Vec::new();
    while (at as i32) < ordinary.book.calendar.days() {
        days.extend(ordinary.book.calendar.business_day(at as i32));
        at += distance * ordinary.draw.real(0.6..=1.4);
    }
    days
}

/// Suppliers, rent, energy, tax.
fn enter_company(ordinary: &mut Ordinary<'_>, company: &Company) {
    for &supplier in &company.suppliers {
        let currency = if company.imports && ordinary.draw.chance(0.5) { ordinary.draw.pick(&Currency::ALL[1..]) } else { Currency::Eur };
        let distance = ordinary.draw.real(12.0..=45.0);
        let invoice = ordinary.draw.log_normal(company.invoice, 0.5);
        for day in every(ordinary, distance) {
            let amount = ordinary.draw.amount(invoice, 0.4, 15.0..=180_000.0);
            ordinary.book.pay_in(currency, company.account, supplier, (day, Hours::Office), amount, &mut ordinary.draw);
        }
    }
    enter_overheads(ordinary, company.account, company.invoice, company.landlord);
}

fn enter_overheads(ordinary: &mut Ordinary<'_>, account: AccountId, size: f64, landlord: Option<AccountId>) {
    if let Some(landlord) = landlord {
        let rent = ordinary.draw.amount(1_100.0, 0.6, 250.0..=25_000.0).rounded(10);
        for day in ordinary.book.calendar.monthly(1) {
            ordinary.pay(account, landlord, day, Hours::Batch, rent);
        }
    }
    let utility = ordinary.draw.pick(&ordinary.population.companies.utilities);
    let energy = ordinary.draw.amount(180.0, 0.7, 30.0..=9_000.0);
    for day in ordinary.book.calendar.monthly(15) {
        ordinary.pay(account, utility, day, Hours::Batch, energy);
    }
    for day in ordinary.book.calendar.monthly(10) {
        let tax = ordinary.draw.amount(size * 0.6, 0.4, 20.0..=90_000.0);
        ordinary.pay(account, ordinary.population.companies.tax_office[0], day, Hours::Office, tax);
    }
}

/// What a company is paid by other companies and by customers of other banks, about every so many days. A payment is mostly so many
/// of its invoices.
fn enter_customers(ordinary: &mut Ordinary<'_>, company: &Company, distance: f64, invoices: f64) {
    let small = &ordinary.population.companies.small_accounts;
    let number = ordinary.draw.count(2..=10);
    let customers = [ordinary.draw.several(small, number), ordinary.population.clearing.clone()].concat();
    for day in every(ordinary, distance) {
        let customer = ordinary.draw.pick(&customers);
        let amount = ordinary.draw.amount(company.invoice * invoices, 0.8, 100.0..=400_000.0);
        ordinary.pay(customer, company.account, day, Hours::Office, amount);
    }
}

/// A shop's deliveries, which are returned, its overheads and its takings.
fn enter_shop(ordinary: &mut Ordinary<'_>, shop: &Shop, tagged: bool) -> Vec<Entry> {
    let mut deliveries = Vec::new();
    for &wholesaler in &shop.wholesalers {
        for day in every(ordinary, 9.0) {
            let amount = ordinary.draw.amount(shop.ticket * 40.0, 0.6, 60.0..=40_000.0);
            deliveries.extend(ordinary.pay(shop.account, wholesaler, day, Hours::Office, amount));
        }
    }
    enter_overheads(ordinary, shop.account, shop.ticket * 30.0, None);
    if let Some(takings) = shop.takings {
        let mut entered = Vec::new();
        let cash = ordinary.draw.pick(&ordinary.population.cash);
        for day in every(ordinary, 4.5) {
            let amount = takings_of(ordinary, takings);
            entered.extend(ordinary.pay(cash, shop.account, day, Hours::Office, amount));
        }
        if tagged {
            ordinary.book.look_alike(Innocent::ShopTakings, entered);
        }
    }
    deliveries
}

/// Takings follow the sales; notes alone are brought, so that they end in 5.
fn takings_of(ordinary: &mut Ordinary<'_>, usual: Cents) -> Cents {
    Cents((ordinary.draw.log_normal(usual.0 as f64, 0.35) as i64 / 500 + 1) * 500)
}

fn enter_wholesaler(ordinary: &mut Ordinary<'_>, wholesaler: AccountId) -> Vec<Entry> {
    let number = ordinary.draw.count(2..=5);
    let producers = ordinary.draw.several(&ordinary.population.companies.producers, number);
    let mut deliveries = Vec::new();
    for producer in producers {
        let usual = ordinary.draw.log_normal(5_200.0, 0.6);
        for day in every(ordinary, 9.0) {
            let amount = ordinary.draw.amount(usual, 0.4, 300.0..=90_000.0);
            deliveries.extend(ordinary.pay(wholesaler, producer, day, Hours::Office, amount));
        }
    }
    enter_overheads(ordinary, wholesaler, 4_000.0, None);
    deliveries
}

/// Pairs of companies that buy from each other over months.
fn enter_both_ways(ordinary: &mut Ordinary<'_>) {
    let pairs = ordinary.population.companies.small.chunks_exact(2).take(TAGGED);
    for pair in pairs {
        let mut entered = Vec::new();
        for (from, to) in [(&pair[0], &pair[1]), (&pair[1], &pair[0])] {
            for day in every(ordinary, 17.0) {
                let amount = ordinary.draw.amount(from.invoice, 0.7, 40.0..=60_000.0);
                entered.extend(ordinary.pay(from.account, to.account, day, Hours::Office, amount));
            }
        }
        ordinary.book.look_alike(Innocent::TradingBothWays, entered);
    }
}

/// A treasury: the surplus goes up each week, funds come down each month, subsidiaries pay one another.
fn enter_group(ordinary: &mut Ordinary<'_>, parent: AccountId, subsidiaries: &[AccountId]) {
    let usual = ordinary.draw.log_normal(24_000.0, 0.5);
    let mut entered = Vec::new();
    for (place, &subsidiary) in subsidiaries.iter().enumerate() {
        for day in every(ordinary, 3.0) {
            let amount = ordinary.draw.amount(usual * 0.4, 0.7, 200.0..=200_000.0);
            let customer = ordinary.draw.pick(&ordinary.population.clearing);
            ordinary.pay(customer, subsidiary, day, Hours::Office, amount);
        }
        let sweeps = (0..ordinary.book.calendar.days()).filter(|day| day % 7 == 4).filter_map(|day| ordinary.book.calendar.business_day(day));
        for day in sweeps.collect::<Vec<_>>() {
            let amount = ordinary.draw.amount(usual, 0.4, 1_000.0..=300_000.0);
            entered.extend(ordinary.pay(subsidiary, parent, day, Hours::Batch, amount));
        }
        for day in ordinary.book.calendar.monthly(1) {
            let funds = units((ordinary.draw.log_normal(usual * 2.5, 0.3) / 1_000.0).round() * 1_000.0);
            entered.extend(ordinary.pay(parent, subsidiary, day, Hours::Batch, funds.max(units(1_000.0))));
        }
        let next = subsidiaries[(place + 1) % subsidiaries.len()];
        for day in every(ordinary, 30.0) {
            let amount = ordinary.draw.amount(usual * 0.5, 0.5, 100.0..=90_000.0);
            entered.extend(ordinary.pay(subsidiary, next, day, Hours::Office, amount));
        }
        enter_overheads(ordinary, subsidiary, 3_000.0, None);
    }
    ordinary.book.look_alike(Innocent::CashPooling, entered);
}
