//! Large or many payments of one person.

use crate::typologies::calendar::Hours;
use crate::typologies::cast::{Cast, Scene};
use crate::typologies::draw::units;
use crate::typologies::innocent::Innocent;
use crate::typologies::network::AccountId;

pub(super) fn sale_for_cash(cast: &mut Cast<'_>) -> Option<Scene> {
    let (person, mut scene) = (cast.person()?, cast.euro());
    let day = cast.first_day(3, 1);
    let (at, cash) = (cast.at(day, Hours::Office), cast.draw.pick(&cast.population.cash));
    let price = cast.draw.amount(7_500.0, 0.4, 2_000.0..=25_000.0).rounded(50);
    cast.send(&mut scene, (cash, person), at, price);
    Some(scene)
}

/// Own savings go to the current account and to a dealer within a day.
pub(super) fn savings_for_car(cast: &mut Cast<'_>) -> Option<Scene> {
    let savers: Vec<(AccountId, AccountId)> = cast.population.people.iter().filter_map(|person| Some((person.savings?, person.account))).collect();
    if savers.is_empty() {
        return None;
    }
    let ((savings, account), mut scene) = (cast.draw.pick(&savers), cast.euro());
    let dealer = cast.draw.pick(&cast.population.companies.small_accounts);
    let day = cast.first_day(3, 3);
    let price = cast.draw.amount(9_500.0, 0.4, 2_500.0..=40_000.0).rounded(10);
    let at = cast.at(day, Hours::Home);
    cast.send(&mut scene, (savings, account), at, price.rounded(500));
    let at = cast.later(at, 0.5..=30.0);
    cast.send(&mut scene, (account, dealer), at, price);
    Some(scene)
}

pub(super) fn tax_refund(cast: &mut Cast<'_>) -> Option<Scene> {
    let (account, mut scene) = (cast.dormant()?, cast.euro());
    let day = cast.first_day(cast.book.calendar.days() / 2, 1);
    let at = cast.at(day, Hours::Batch);
    let refund = cast.draw.amount(900.0, 0.6, 120.0..=6_000.0);
    cast.send(&mut scene, (cast.population.companies.tax_office[0], account), at, refund);
    Some(scene)
}

pub(super) fn savings_spent(cast: &mut Cast<'_>) -> Option<Scene> {
    let (account, mut scene) = (cast.dormant()?, cast.euro());
    let day = cast.first_day(cast.book.calendar.days() / 2, 1);
    let (at, other_bank) = (cast.at(day, Hours::Home), cast.draw.pick(&cast.population.clearing));
    let savings = cast.draw.amount(7_000.0, 0.7, 500.0..=60_000.0).rounded(100);
    cast.send(&mut scene, (account, other_bank), at, savings);
    Some(scene)
}

/// 18 to 40 purchases within 3 to 5 days, in many shops.
pub(super) fn holiday_shopping(cast: &mut Cast<'_>) -> Option<Scene> {
    let (person, mut scene) = (cast.person()?, cast.euro());
    let days = cast.draw.day(3..=5);
    let first = cast.first_day(60, days);
    for _ in 0..cast.draw.count(18..=40) {
        let shop = cast.draw.count(0..=cast.population.companies.shops.len() - 1);
        let shop = &cast.population.companies.shops[shop];
        let day = first + cast.draw.day(0..=days - 1);
        let at = cast.at(day, Hours::Shopping);
        let price = cast.draw.amount(shop.ticket, 0.6, 2.0..=400.0);
        cast.send(&mut scene, (person, shop.account), at, price);
    }
    Some(scene)
}

/// A buyer gathers a loan and savings and pays the notary days later; the notary pays the seller after weeks.
pub(super) fn house_purchase(cast: &mut Cast<'_>) -> Option<()> {
    let (buyer, seller) = (cast.person()?, cast.person()?);
    let companies = &cast.population.companies;
    let (lender, notary) = (cast.draw.pick(&companies.lenders), cast.draw.pick(&companies.notaries));
    let (other_bank, broker) = (cast.draw.pick(&cast.population.clearing), cast.draw.pick(&companies.small_accounts));
    let day = cast.first_day(10, 50);
    let price = cast.draw.amount(240_000.0, 0.35, 90_000.0..=700_000.0).rounded(1_000);
    let (mut purchase, mut escrow) = (cast.euro(), cast.euro());
    let at = cast.at(day, Hours::Office);
    cast.send(&mut purchase, (other_bank, buyer), at, price.share(0.33).rounded(1_000));
    let at = cast.later(at, 24.0..=120.0);
    cast.send(&mut purchase, (lender, buyer), at, price.share(0.75).rounded(1_000));
    let paid = cast.later(at, 72.0..=200.0);
    cast.send(&mut purchase, (buyer, notary), paid, price);
    escrow.entries.extend(purchase.entries.last());
    let at = cast.later(paid, 50.0..=400.0);
    cast.send(&mut purchase, (buyer, companies.tax_office[0]), at, price.share(0.05));
    let at = cast.later(paid, 20.0..=200.0);
    cast.send(&mut purchase, (buyer, broker), at, price.share(0.0238));
    let at = cast.later(paid, 240.0..=600.0);
    cast.send(&mut escrow, (notary, seller), at, price.max(units(1.0)));
    cast.book.look_alike(Innocent::HousePurchase, purchase.entries);
    cast.book.look_alike(Innocent::NotaryEscrow, escrow.entries);
    Some(())
}
