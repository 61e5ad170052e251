//! What people get and pay month by month.

use std::collections::BTreeMap;

use super::Ordinary;
use crate::typologies::book::Entry;
use crate::typologies::calendar::Hours;
use crate::typologies::draw::units;
use crate::typologies::innocent::Innocent;
use crate::typologies::network::AccountId;
use crate::typologies::population::{Home, Income, Person};

/// Payments of one payer or payee in one month.
type Runs = BTreeMap<(AccountId, i32), Vec<Entry>>;

/// How many of the people are look-alikes of one kind by their monthly payments.
const TAGGED_PEOPLE: usize = 20;
const TAGGED_PAYERS: usize = 8;

/// The monthly payments of all people.
pub(super) fn enter(ordinary: &mut Ordinary<'_>) {
    let people = &ordinary.population.people;
    let mut salaries = Runs::new();
    let mut rents = Runs::new();
    for (place, person) in people.iter().enumerate() {
        let income = enter_income(ordinary, person, &mut salaries);
        let home = enter_home(ordinary, person, &mut rents);
        let orders = enter_savings(ordinary, person);
        enter_debits(ordinary, person);
        enter_tax_refund(ordinary, person);
        if place % 50 == 0 && place / 50 < TAGGED_PEOPLE {
            ordinary.book.look_alike(Innocent::RentAfterSalary, [&income[..], &home[..]].concat());
            ordinary.book.look_alike(Innocent::StandingOrders, [home, orders].concat());
        }
    }
    for &mule in &ordinary.population.mules {
        enter_cover(ordinary, mule);
    }
    tag(ordinary, Innocent::SalaryRun, salaries);
    tag(ordinary, Innocent::RentRoll, rents);
}

/// Notes the runs of the first payers or payees that have many.
fn tag(ordinary: &mut Ordinary<'_>, kind: Innocent, runs: Runs) {
    let mut tagged = Vec::new();
    for ((account, _), entries) in runs.into_iter().filter(|(_, entries)| entries.len() >= 15) {
        if !tagged.contains(&account) {
            tagged.push(account);
        }
        if tagged.len() > TAGGED_PAYERS {
            return;
        }
        ordinary.book.look_alike(kind, entries);
    }
}

/// The day of the month on which an employer pays.
fn payday(employer: AccountId) -> u32 {
    [25, 26, 27, 28, 30, 31, 15][employer.0 as usize % 7]
}

fn enter_income(ordinary: &mut Ordinary<'_>, person: &Person, salaries: &mut Runs) -> Vec<Entry> {
    let companies = &ordinary.population.companies;
    let (payer, day_of_month) = match person.income {
        Income::Salary { employer } => (employer, payday(employer)),
        Income::Pension => (companies.social_insurance[0], 30),
        Income::Benefit => (companies.social_insurance[0], 31),
        Income::Student { parent } => (parent, 1),
        Income::Freelance => return enter_invoices(ordinary, person),
    };
    let mut entered = Vec::new();
    for day in ordinary.book.calendar.monthly(day_of_month) {
        // Overtime and shifts: two in five salaries differ from month to month.
        let varies = matches!(person.income, Income::Salary { .. }) && person.account.0.is_multiple_of(5);
        let amount = if varies { person.monthly.share(ordinary.draw.real(0.93..=1.12)) } else { person.monthly };
        let entry = ordinary.pay(payer, person.account, day, Hours::Batch, amount);
        entered.extend(entry);
        if let Income::Salary { employer } = person.income {
            salaries.entry((employer, day)).or_default().extend(entry);
        }
    }
    entered
}

/// The invoices of a freelancer: a few clients, irregular days.
fn enter_invoices(ordinary: &mut Ordinary<'_>, person: &Person) -> Vec<Entry> {
    let small = &ordinary.population.companies.small_accounts;
    let clients = ordinary.draw.count(2..=5);
    let clients = ordinary.draw.several(small, clients);
    let mut entered = Vec::new();
    for first in ordinary.book.calendar.monthly(1) {
        let invoices = ordinary.draw.count(1..=4);
        for amount in ordinary.draw.split(person.monthly, invoices, 2.0) {
            let client = ordinary.draw.pick(&clients);
            let day = first + ordinary.draw.day(0..=27);
            if let Some(day) = ordinary.book.calendar.business_day(day) {
                entered.extend(ordinary.pay(client, person.account, day, Hours::Office, amount));
            }
        }
    }
    entered
}

fn enter_home(ordinary: &mut Ordinary<'_>, person: &Person, rents: &mut Runs) -> Vec<Entry> {
    let (payee, amount, day_of_month) = match person.home {
        Home::Rented { landlord, rent } => (landlord, rent, [1, 1, 2, 3][person.account.0 as usize % 4]),
        Home::Mortgaged { lender, instalment } => (lender, instalment, [1, 15, 30][person.account.0 as usize % 3]),
        Home::Shared { partner, share } => (partner, share, 29),
        Home::Owned => return Vec::new(),
    };
    let mut entered = Vec::new();
    for day in ordinary.book.calendar.monthly(day_of_month) {
        let entry = ordinary.pay(person.account, payee, day, Hours::Batch, amount);
        entered.extend(entry);
        if matches!(person.home, Home::Rented { .. }) {
            rents.entry((payee, day / 10)).or_default().extend(entry);
        }
    }
    entered
}

/// A savings plan, and now and then something back from it.
fn enter_savings(ordinary: &mut Ordinary<'_>, person: &Person) -> Vec<Entry> {
    let Some(savings) = person.savings else { return Vec::new() };
    let plan = person.monthly.share(ordinary.draw.real(0.04..=0.15)).rounded(25);
    let mut entered = Vec::new();
    for day in ordinary.book.calendar.monthly(2) {
        entered.extend(ordinary.pay(person.account, savings, day, Hours::Batch, plan));
        if ordinary.draw.chance(0.1) {
            let day = day + ordinary.draw.day(3..=24);
            let amount = ordinary.draw.amount(600.0, 0.8, 50.0..=9_000.0).rounded(10);
            ordinary.pay(savings, person.account, day, Hours::Home, amount);
        }
    }
    entered
}

/// Energy, telephone, insurance.
fn enter_debits(ordinary: &mut Ordinary<'_>, person: &Person) {
    if matches!(person.income, Income::Student { .. }) && ordinary.draw.chance(0.5) {
        return;
    }
    let contracts = ordinary.draw.count(1..=3);
    for utility in ordinary.draw.several(&ordinary.population.companies.utilities, contracts) {
        let amount = ordinary.draw.amount(46.0, 0.6, 5.0..=420.0);
        let day_of_month = ordinary.draw.count(1..=28) as u32;
        for day in ordinary.book.calendar.monthly(day_of_month) {
            ordinary.pay(person.account, utility, day, Hours::Batch, amount);
        }
    }
}

/// The little that an account is used for which was opened for a case: two of three have some.
fn enter_cover(ordinary: &mut Ordinary<'_>, account: AccountId) {
    let opened = ordinary.book.opened(account).max(0);
    if ordinary.draw.chance(0.35) {
        return;
    }
    let last = ordinary.book.calendar.days() - 1;
    let payer = ordinary.draw.pick(&ordinary.population.clearing);
    for day in ordinary.book.calendar.monthly(28).into_iter().filter(|&day| day >= opened) {
        let amount = ordinary.draw.amount(450.0, 0.6, 30.0..=2_500.0);
        ordinary.pay(payer, account, day, Hours::Batch, amount);
        for _ in 0..ordinary.draw.count(0..=6) {
            let shop = ordinary.draw.count(0..=ordinary.population.companies.shops.len() - 1);
            let shop = &ordinary.population.companies.shops[shop];
            let (day, amount) = (ordinary.draw.day(opened..=last), ordinary.draw.amount(shop.ticket, 0.6, 1.0..=400.0));
            ordinary.pay(account, shop.account, day, Hours::Shopping, amount);
        }
    }
}

fn enter_tax_refund(ordinary: &mut Ordinary<'_>, person: &Person) {
    if ordinary.draw.chance(0.25) {
        let last = ordinary.book.calendar.days() - 1;
        let day = ordinary.draw.day(0..=last);
        let amount = ordinary.draw.amount(640.0, 0.8, 20.0..=6_000.0);
        if let Some(day) = ordinary.book.calendar.business_day(day) {
            ordinary.pay(ordinary.population.companies.tax_office[0], person.account, day, Hours::Batch, amount.max(units(1.0)));
        }
    }
}
