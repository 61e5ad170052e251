//! Many people pay one, or are paid by one, for a reason that all of them know.

use crate::typologies::calendar::Hours;
use crate::typologies::cast::{Cast, Scene};
use crate::typologies::draw::units;
use crate::typologies::network::AccountId;

/// 150 to 350 gifts within 6 days.
pub(super) fn charity_campaign(cast: &mut Cast<'_>) -> Option<Scene> {
    let (charity, mut scene) = (cast.draw.pick(&cast.population.companies.charities), cast.euro());
    let first = cast.first_day(5, 6);
    let donors = cast.draw.count(150..=350);
    for donor in cast.parties(donors, &[charity]) {
        let day = first + cast.draw.day(0..=5);
        let at = cast.at(day, Hours::Home);
        let gift = units(f64::from(cast.draw.pick(&[5, 10, 10, 20, 20, 25, 30, 50, 50, 100, 200])));
        cast.send(&mut scene, (donor, charity), at, gift);
    }
    Some(scene)
}

/// 7 to 20 people give up to 30 each within 6 days; one of them buys the gift.
pub(super) fn group_gift(cast: &mut Cast<'_>) -> Option<Scene> {
    let (buyer, mut scene) = (cast.person()?, cast.euro());
    let first = cast.first_day(5, 9);
    let givers = cast.draw.count(7..=20);
    let givers = cast.parties(givers, &[buyer]);
    for &giver in &givers {
        let day = first + cast.draw.day(0..=5);
        let at = cast.at(day, Hours::Home);
        let gift = units(f64::from(cast.draw.pick(&[5, 10, 10, 15, 20, 20, 25, 30])));
        cast.send(&mut scene, (giver, buyer), at, gift);
    }
    let shop = cast.draw.pick(&shops(cast));
    let (at, price) = (cast.at(first + 7, Hours::Shopping), cast.draw.amount(15.0 * givers.len() as f64, 0.1, 40.0..=600.0));
    cast.send(&mut scene, (buyer, shop), at, price);
    Some(scene)
}

/// 30 to 90 people book a trip within a month; the agency pays all of it back within 2 days.
pub(super) fn travel_refunds(cast: &mut Cast<'_>) -> Option<Scene> {
    let (agency, mut scene) = (cast.draw.pick(&cast.population.companies.travel_agencies), cast.euro());
    let cancelled = cast.first_day(40, 2);
    let travellers = cast.draw.count(30..=90);
    for traveller in cast.parties(travellers, &[agency]) {
        let price = cast.draw.amount(340.0, 0.5, 60.0..=2_500.0);
        let day = cancelled - cast.draw.day(3..=33);
        let at = cast.at(day, Hours::Home);
        cast.send(&mut scene, (traveller, agency), at, price);
        let day = cancelled + cast.draw.day(0..=1);
        let at = cast.at(day, Hours::Office);
        cast.send(&mut scene, (agency, traveller), at, price);
    }
    Some(scene)
}

/// 6 to 14 friends pay their share within 8 days; hotel, bus and tickets are paid in the fortnight behind.
pub(super) fn trip_organiser(cast: &mut Cast<'_>) -> Option<Scene> {
    let (organiser, mut scene) = (cast.person()?, cast.euro());
    let first = cast.first_day(5, 24);
    let friends = cast.draw.count(6..=14);
    let friends = cast.parties(friends, &[organiser]);
    let share = cast.draw.amount(190.0, 0.3, 80.0..=420.0).rounded(5);
    for &friend in &friends {
        let day = first + cast.draw.day(0..=7);
        let at = cast.at(day, Hours::Home);
        cast.send(&mut scene, (friend, organiser), at, share);
    }
    let companies = &cast.population.companies;
    let payees = [cast.draw.pick(&companies.travel_agencies), cast.draw.pick(&companies.small_accounts), cast.draw.pick(&shops(cast))];
    let total = share.share(friends.len() as f64 + 1.0);
    for (payee, amount) in payees.into_iter().zip(cast.draw.split(total, 3, 3.0)) {
        let day = first + cast.draw.day(9..=22);
        let at = cast.at(day, Hours::Home);
        cast.send(&mut scene, (organiser, payee), at, amount);
    }
    Some(scene)
}

/// A club pays 10 to 20 families a subsidy, and within a week they pay a travel agency six times as much.
pub(super) fn subsidised_trip(cast: &mut Cast<'_>) -> Option<Scene> {
    let companies = &cast.population.companies;
    let (club, agency) = (cast.draw.pick(&companies.clubs), cast.draw.pick(&companies.travel_agencies));
    let mut scene = cast.euro();
    let first = cast.first_day(5, 9);
    let families = cast.draw.count(10..=20);
    let subsidy = cast.draw.amount(70.0, 0.2, 40.0..=120.0).rounded(5);
    for family in cast.parties(families, &[club, agency]) {
        let at = cast.at(first, Hours::Office);
        cast.send(&mut scene, (club, family), at, subsidy);
        let at = cast.later(at, 10.0..=160.0);
        cast.send(&mut scene, (family, agency), at, subsidy.share(6.0));
    }
    Some(scene)
}

/// 15 to 30 small payments among 4 or 5 friends within a month, in all directions.
pub(super) fn friends_splitting(cast: &mut Cast<'_>) -> Option<Scene> {
    let mut scene = cast.euro();
    let first = cast.first_day(5, 30);
    let friends = cast.draw.count(4..=5);
    let friends = cast.parties(friends, &[]);
    for _ in 0..cast.draw.count(15..=30) {
        let pair = cast.draw.several(&friends, 2);
        let day = first + cast.draw.day(0..=29);
        let at = cast.at(day, Hours::Home);
        let amount = cast.draw.amount(19.0, 0.6, 3.0..=120.0);
        if let [from, to] = pair[..] {
            cast.send(&mut scene, (from, to), at, amount);
        }
    }
    Some(scene)
}

fn shops(cast: &Cast<'_>) -> Vec<AccountId> {
    cast.population.companies.shops.iter().map(|shop| shop.account).collect()
}
