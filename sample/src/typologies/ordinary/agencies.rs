//! Those who collect from many and pay many by trade: marketplaces, payroll agencies, letting agents, clubs.

use super::Ordinary;
use crate::typologies::calendar::Hours;
use crate::typologies::draw::units;
use crate::typologies::innocent::Innocent;
use crate::typologies::network::{AccountId, Cents};
use crate::typologies::population::{Home, Income};

/// What agencies collect and pay.
pub(super) fn enter(ordinary: &mut Ordinary<'_>) {
    let companies = &ordinary.population.companies;
    for &marketplace in &companies.marketplaces {
        enter_payouts(ordinary, marketplace);
    }
    for &agency in &companies.payroll_agencies {
        enter_payroll(ordinary, agency);
    }
    for (place, &agent) in companies.letting_agents.iter().enumerate() {
        enter_letting(ordinary, agent, place);
    }
    for &club in &companies.clubs {
        enter_dues(ordinary, club);
    }
    enter_company_housing(ordinary);
}

/// Accounts of people with a kind of income.
fn accounts_of(ordinary: &Ordinary<'_>, kind: impl Fn(Income) -> bool) -> Vec<AccountId> {
    ordinary.population.people.iter().filter(|person| kind(person.income)).map(|person| person.account).collect()
}

/// A marketplace pays its sellers each week.
fn enter_payouts(ordinary: &mut Ordinary<'_>, marketplace: AccountId) {
    let freelancers = accounts_of(ordinary, |income| matches!(income, Income::Freelance));
    let small = &ordinary.population.companies.small_accounts;
    let sellers = [ordinary.draw.several(&freelancers, 18), ordinary.draw.several(small, 22)].concat();
    let mut weekday = 2;
    while weekday < ordinary.book.calendar.days() {
        for &seller in &sellers {
            if ordinary.draw.chance(0.7) {
                let amount = ordinary.draw.amount(190.0, 0.9, 4.0..=9_000.0);
                ordinary.pay(marketplace, seller, weekday, Hours::Batch, amount);
            }
        }
        weekday += 7;
    }
}

/// A payroll agency collects wages on the 23rd and pays the employees of its clients on the 25th.
fn enter_payroll(ordinary: &mut Ordinary<'_>, agency: AccountId) {
    let small = &ordinary.population.companies.small_accounts;
    let students = accounts_of(ordinary, |income| matches!(income, Income::Student { .. } | Income::Benefit | Income::Pension));
    let clients = ordinary.draw.count(7..=14);
    let clients = ordinary.draw.several(small, clients);
    let workers = ordinary.draw.count(35..=80);
    let workers: Vec<(AccountId, Cents)> =
        ordinary.draw.several(&students, workers).into_iter().map(|worker| (worker, ordinary.draw.amount(430.0, 0.25, 120.0..=1_400.0))).collect();
    let wages = Cents(workers.iter().map(|(_, wage)| wage.0).sum::<i64>()).share(1.04);
    for (collected, paid) in ordinary.book.calendar.monthly(23).into_iter().zip(ordinary.book.calendar.monthly(25)) {
        let mut run = Vec::new();
        for (share, &client) in ordinary.draw.split(wages, clients.len(), 1.5).into_iter().zip(&clients) {
            run.extend(ordinary.pay(client, agency, collected, Hours::Office, share));
        }
        for &(worker, wage) in &workers {
            run.extend(ordinary.pay(agency, worker, paid.max(collected + 1), Hours::Batch, wage));
        }
        ordinary.book.look_alike(Innocent::PayrollAgency, run);
    }
}

/// A letting agent collects rents on the 2nd and passes them to the owners from the 6th on, less a fee.
fn enter_letting(ordinary: &mut Ordinary<'_>, agent: AccountId, place: usize) {
    let people = &ordinary.population.people;
    let tenants: Vec<AccountId> = people
        .iter()
        .skip(place)
        .step_by(11)
        .filter(|person| matches!(person.home, Home::Owned) && matches!(person.income, Income::Salary { .. }))
        .map(|person| person.account)
        .collect();
    let tenants = ordinary.draw.several(&tenants, 24);
    let owners: Vec<AccountId> = people.iter().skip(place + 1).step_by(13).map(|person| person.account).collect();
    let owners = ordinary.draw.several(&owners, tenants.len().div_ceil(2));
    let rents: Vec<Cents> = tenants.iter().map(|_| ordinary.draw.amount(780.0, 0.3, 300.0..=2_400.0).rounded(5)).collect();
    for (collected, paid) in ordinary.book.calendar.monthly(2).into_iter().zip(ordinary.book.calendar.monthly(6)) {
        let mut run = Vec::new();
        for (&tenant, &rent) in tenants.iter().zip(&rents) {
            run.extend(ordinary.pay(tenant, agent, collected, Hours::Batch, rent));
        }
        for (&owner, rents) in owners.iter().zip(rents.chunks(2)) {
            let rents = Cents(rents.iter().map(|rent| rent.0).sum());
            run.extend(ordinary.pay(agent, owner, paid.max(collected + 1), Hours::Office, rents.share(0.93)));
        }
        ordinary.book.look_alike(Innocent::LettingAgent, run);
    }
}

/// A club collects its dues each quarter.
fn enter_dues(ordinary: &mut Ordinary<'_>, club: AccountId) {
    let members: Vec<AccountId> = ordinary.population.people.iter().map(|person| person.account).collect();
    let number = ordinary.draw.count(30..=80);
    let members = ordinary.draw.several(&members, number);
    let dues = units(ordinary.draw.real(4.0..=24.0).round() * 5.0);
    for day in ordinary.book.calendar.monthly(15).into_iter().step_by(3) {
        for &member in &members {
            ordinary.pay(member, club, day, Hours::Batch, dues);
        }
    }
}

/// Salaries of the people whose employer and landlord have each many in common, and their rents.
fn enter_company_housing(ordinary: &mut Ordinary<'_>) {
    let (Some(employer), Some(&landlord)) = (ordinary.population.companies.employers.get(2), ordinary.population.companies.landlords.first()) else {
        return;
    };
    let employees = accounts_of(ordinary, |income| matches!(income, Income::Salary { employer: payer } if payer == employer.account));
    let tenants = ordinary.draw.several(&employees, 25);
    for (paid, due) in ordinary.book.calendar.monthly(1).into_iter().zip(ordinary.book.calendar.monthly(4)) {
        let mut run = Vec::new();
        for &tenant in &tenants {
            let bonus = ordinary.draw.amount(900.0, 0.1, 500.0..=1_300.0);
            run.extend(ordinary.pay(employer.account, tenant, paid, Hours::Batch, bonus));
            let rent = ordinary.draw.amount(410.0, 0.2, 250.0..=700.0);
            run.extend(ordinary.pay(tenant, landlord, due.max(paid + 1), Hours::Batch, rent));
        }
        ordinary.book.look_alike(Innocent::CompanyHousing, run);
    }
}
