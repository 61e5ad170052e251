//! Accounts that are new, or awake after a rest, for good reasons.

use crate::typologies::calendar::Hours;
use crate::typologies::cast::{Cast, Scene};
use crate::typologies::draw::units;
use crate::typologies::innocent::Innocent;
use crate::typologies::network::AccountId;
use crate::typologies::population::Income;

/// A customer of another bank opens an account and brings savings along. The ordinary life begins that day.
pub(super) fn bank_switcher(cast: &mut Cast<'_>) -> Option<Scene> {
    let (person, mut scene) = (cast.newcomer()?, cast.euro());
    let day = cast.first_day(10, 5);
    cast.book.open(person, day);
    let (at, other_bank) = (cast.at(day + 1, Hours::Office), cast.draw.pick(&cast.population.clearing));
    let savings = cast.draw.amount(5_500.0, 0.7, 300.0..=40_000.0);
    cast.send(&mut scene, (other_bank, person), at, savings);
    Some(scene)
}

/// A student from abroad opens an account with the living costs of a year and takes a twelfth of them each month.
pub(super) fn student_account(cast: &mut Cast<'_>, number: usize) {
    let people = &cast.population.people;
    let mut students = people.iter().filter(|person| matches!(person.income, Income::Student { .. }) && person.savings.is_none());
    let Some(student) = students.nth(number) else { return };
    let mut scene = cast.euro();
    let first = cast.first_day(5, 70);
    cast.book.open(student.account, first);
    let (at, other_bank) = (cast.at(first + 1, Hours::Office), cast.draw.pick(&cast.population.clearing));
    cast.send(&mut scene, (other_bank, student.account), at, units(11_904.0));
    let landlord = cast.draw.pick(&cast.population.companies.landlords);
    for day in cast.book.calendar.monthly(1).into_iter().filter(|&day| day > first + 2) {
        let at = cast.at(day, Hours::Batch);
        let costs = cast.draw.amount(520.0, 0.1, 380.0..=700.0).rounded(5);
        cast.send(&mut scene, (student.account, landlord), at, costs);
    }
    cast.book.look_alike(Innocent::StudentAccount, scene.entries);
}

/// Founded companies: capital once, then rent, suppliers, a wage, and customers who come slowly.
pub(super) fn start_ups(cast: &mut Cast<'_>) {
    for &company in &cast.population.companies.start_ups {
        let mut scene = cast.euro();
        let first = cast.first_day(5, 60);
        cast.book.open(company, first);
        let (at, founder) = (cast.at(first + 1, Hours::Office), cast.draw.pick(&cast.population.clearing));
        let capital = units(f64::from(cast.draw.pick(&[12_500, 25_000, 25_000, 25_000, 50_000])));
        cast.send(&mut scene, (founder, company), at, capital);
        let suppliers = cast.parties(4, &[company]);
        let landlord = cast.draw.pick(&cast.population.companies.landlords);
        let rent = cast.draw.amount(1_400.0, 0.3, 500.0..=4_000.0).rounded(50);
        let mut day = first + 4;
        while day < cast.book.calendar.days() {
            if let Some(business_day) = cast.book.calendar.business_day(day) {
                let (at, supplier) = (cast.at(business_day, Hours::Office), cast.draw.pick(&suppliers));
                let amount = cast.draw.amount(620.0, 0.7, 20.0..=4_500.0);
                let pair = if cast.draw.chance(0.3) { (supplier, company) } else { (company, supplier) };
                cast.send(&mut scene, pair, at, amount);
            }
            day += cast.draw.day(2..=9);
        }
        for day in cast.book.calendar.monthly(3).into_iter().filter(|&day| day > first + 3) {
            let at = cast.at(day, Hours::Batch);
            cast.send(&mut scene, (company, landlord), at, rent);
        }
        cast.book.look_alike(Innocent::StartUp, scene.entries);
    }
}

/// Businesses that rest for months: ice cream, boats, gardens. Some have paid an insurance in the first week.
pub(super) fn seasonal(cast: &mut Cast<'_>) {
    let everybody: Vec<AccountId> = cast.parties(usize::MAX / 2, &[]);
    for (place, &business) in cast.population.companies.seasonal.iter().enumerate() {
        let mut scene = cast.euro();
        if place.is_multiple_of(2) {
            let (day, utility) = (cast.draw.day(0..=6), cast.draw.pick(&cast.population.companies.utilities));
            let amount = cast.draw.amount(140.0, 0.4, 40.0..=600.0);
            cast.book.pay(business, utility, (day, Hours::Batch), amount, &mut cast.draw);
        }
        let days = cast.book.calendar.days();
        let opening = cast.draw.day(days * 55 / 100..=days * 75 / 100);
        let ticket = cast.draw.log_normal(16.0, 0.6);
        for _ in 0..cast.draw.count(120..=260) {
            let day = cast.draw.day(opening..=days - 1);
            let (at, guest) = (cast.at(day, Hours::Shopping), cast.draw.pick(&everybody));
            let price = cast.draw.amount(ticket, 0.6, 2.0..=900.0);
            cast.send(&mut scene, (guest, business), at, price);
        }
        let wholesaler = cast.draw.pick(&cast.population.companies.wholesalers);
        let mut day = opening + 1;
        while let Some(business_day) = cast.book.calendar.business_day(day) {
            let at = cast.at(business_day, Hours::Office);
            let amount = cast.draw.amount(ticket * 20.0, 0.4, 40.0..=6_000.0);
            cast.send(&mut scene, (business, wholesaler), at, amount);
            day = business_day + cast.draw.day(5..=10);
        }
        cast.book.look_alike(Innocent::SeasonalBusiness, scene.entries);
    }
}
