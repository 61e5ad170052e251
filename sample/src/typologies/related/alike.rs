//! Innocent events that look like cases of relations.

use super::planted::{abroad, assessed, between, name_counterparty, name_country, own_through};
use crate::typologies::calendar::Hours;
use crate::typologies::cast::{Cast, Scene};
use crate::typologies::draw::units;
use crate::typologies::facts::{Assessment, Fact};
use crate::typologies::network::AccountId;

/// Countries of FATF's lists that many have family in, or buy from.
const HOME_COUNTRIES: [&str; 6] = ["BA", "BG", "VN", "LB", "SY", "KE"];

/// 100 to 400 a month to a family abroad.
pub(super) fn family_support(cast: &mut Cast<'_>) -> Option<Scene> {
    let (person, mut scene) = (cast.person()?, cast.euro());
    let usual = cast.draw.real(100.0..=400.0);
    monthly(cast, &mut scene, person, usual);
    let country = cast.draw.pick(&HOME_COUNTRIES);
    name_country(cast, &scene, country);
    Some(scene)
}

/// An employer buys for 1,000 to 3,000 a month.
pub(super) fn small_imports(cast: &mut Cast<'_>, number: usize) -> Option<Scene> {
    let employers = &cast.population.companies.employers;
    let (importer, mut scene) = (employers.get(number % employers.len().max(1))?.account, cast.euro());
    let usual = cast.draw.real(1_000.0..=3_000.0);
    monthly(cast, &mut scene, importer, usual);
    let country = cast.draw.pick(&HOME_COUNTRIES);
    name_country(cast, &scene, country);
    Some(scene)
}

/// A payment each month to another bank.
fn monthly(cast: &mut Cast<'_>, scene: &mut Scene, payer: AccountId, usual: f64) {
    let bank = cast.draw.pick(&cast.population.clearing);
    let day_of_month = cast.draw.count(1..=28) as u32;
    let opened = cast.book.opened(payer);
    for day in cast.book.calendar.monthly(day_of_month).into_iter().filter(|&day| day >= opened) {
        let (at, amount) = (cast.at(day, Hours::Home), cast.draw.amount(usual, 0.1, 50.0..=4_000.0));
        cast.send(scene, (payer, bank), at, amount);
    }
}

/// A counterparty that was taken for a sanctioned one, and was not.
pub(super) fn cleared_namesake(cast: &mut Cast<'_>) -> Option<Scene> {
    let (person, total) = (cast.person()?, cast.draw.amount(1_800.0, 0.8, 100.0..=40_000.0));
    let payments = cast.draw.count(1..=4);
    let scene = abroad(cast, person, 20, (total, payments));
    let party = assessed(cast, Assessment::Sanctions, &[true, false]);
    name_counterparty(cast, &scene, party);
    Some(scene)
}

/// Somebody held an office and no longer does.
pub(super) fn former_pep(cast: &mut Cast<'_>) -> Option<Scene> {
    let (person, total) = (cast.person()?, cast.draw.amount(30_000.0, 0.5, 15_000.0..=120_000.0));
    let payments = cast.draw.count(1..=4);
    let scene = abroad(cast, person, 20, (total, payments));
    let party = assessed(cast, Assessment::Pep, &[true, false]);
    name_counterparty(cast, &scene, party);
    Some(scene)
}

/// Rent of 600 to 1,600 a month to a politically exposed person.
pub(super) fn rent_to_pep(cast: &mut Cast<'_>) -> Option<Scene> {
    let (person, mut scene) = (cast.person()?, cast.euro());
    let rent = cast.draw.real(600.0..=1_600.0);
    monthly(cast, &mut scene, person, rent);
    let party = assessed(cast, Assessment::Pep, &[true]);
    name_counterparty(cast, &scene, party);
    Some(scene)
}

/// 3 to 5 people with one address pay 250 to 480 a month each to one landlord.
pub(super) fn flat_share(cast: &mut Cast<'_>) -> Option<Scene> {
    let flatmates = cast.draw.count(3..=5);
    let rent = cast.draw.real(250.0..=480.0);
    share_address(cast, flatmates, rent)
}

/// 11 to 18 people with one address pay 200 to 320 a month each to one landlord.
pub(super) fn lodging_house(cast: &mut Cast<'_>) -> Option<Scene> {
    let lodgers = cast.draw.count(11..=18);
    let rent = cast.draw.real(200.0..=320.0);
    share_address(cast, lodgers, rent)
}

/// People who may be in events of other kinds have one address and pay one landlord each month.
fn share_address(cast: &mut Cast<'_>, people: usize, rent: f64) -> Option<Scene> {
    let (landlord, mut scene) = (cast.draw.pick(&cast.population.companies.landlords), cast.euro());
    let everybody: Vec<AccountId> = cast.population.people.iter().map(|person| person.account).collect();
    let tenants = cast.draw.several(&everybody, people);
    let address = cast.book.known.address();
    for &tenant in &tenants {
        if let Some(actor) = cast.population.owner(tenant) {
            cast.book.known.note(Fact::HasAddress { actor, address });
        }
        let opened = cast.book.opened(tenant);
        for day in cast.book.calendar.monthly(1).into_iter().filter(|&day| day >= opened) {
            let at = cast.at(day, Hours::Batch);
            cast.send(&mut scene, (tenant, landlord), at, units(rent));
        }
    }
    Some(scene)
}

/// Invoices of 20,000 to 60,000 among the subsidiaries of one parent.
pub(super) fn group_invoices(cast: &mut Cast<'_>, number: usize) -> Option<Scene> {
    let groups = &cast.population.companies.groups;
    let (_, subsidiaries) = groups.get(number % groups.len().max(1))?;
    let pair = cast.draw.several(subsidiaries, 2);
    let &[one, other] = &pair[..] else { return None };
    let (mut scene, first) = (cast.euro(), cast.first_day(7, 20));
    let total = cast.draw.amount(35_000.0, 0.3, 20_000.0..=60_000.0);
    between(cast, &mut scene, (one, other), (first, 20), (total, 2));
    Some(scene)
}

/// An owner far behind two companies that trade little with one another.
pub(super) fn distant_stake(cast: &mut Cast<'_>) -> Option<Scene> {
    let pair = cast.draw.several(&cast.population.companies.small_accounts, 2);
    let &[one, other] = &pair[..] else { return None };
    let owner = cast.book.known.outsider();
    own_through(cast, owner, one, 2);
    own_through(cast, owner, other, 2);
    let (mut scene, first) = (cast.euro(), cast.first_day(7, 60));
    let total = cast.draw.amount(3_500.0, 0.4, 800.0..=9_000.0);
    between(cast, &mut scene, (one, other), (first, 60), (total, 4));
    Some(scene)
}
