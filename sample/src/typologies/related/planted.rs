//! Cases that only what is known beside payments tells from ordinary ones.
//!
//! Sources: FATF, *High-Risk Jurisdictions subject to a Call for Action* and *Jurisdictions under Increased Monitoring* (June 2026), and
//! *Guidance on Politically Exposed Persons* (2013); Europol, *European Money Mule Action*, and FATF/Interpol/Egmont, *Illicit Financial Flows from
//! Cyber-enabled Fraud* (2023), for mules behind one phone or device; FATF/Egmont, *Concealment of Beneficial Ownership* (2018), for layers of holdings.

use crate::typologies::calendar::Hours;
use crate::typologies::cast::{Cast, Scene};
use crate::typologies::draw::units;
use crate::typologies::facts::{Assessment, Fact, OutsiderId, Party};
use crate::typologies::network::{AccountId, Cents};

type Case = Option<(Vec<AccountId>, Scene)>;

/// Countries of FATF's lists.
const COUNTRIES: [&str; 10] = ["IR", "MM", "KP", "SY", "YE", "LB", "VE", "SS", "HT", "CD"];

/// 12,000 to 200,000 go to, or come from, banks of a country in 1 to 6 payments within 20 days.
pub(super) fn high_risk_country(cast: &mut Cast<'_>) -> Case {
    let days = cast.draw.day(2..=20);
    let (subject, country) = (subject(cast)?, cast.draw.pick(&COUNTRIES));
    let total = units(cast.draw.log_normal(32_000.0, 0.6).clamp(12_000.0, 200_000.0));
    let payments = cast.draw.count(1..=6);
    let scene = abroad(cast, subject, days, (total, payments));
    name_country(cast, &scene, country);
    Some((vec![subject], scene))
}

/// 16,000 to 200,000 go to, or come from, a politically exposed person in 2 to 6 payments within 25 days.
pub(super) fn pep_counterparty(cast: &mut Cast<'_>) -> Case {
    let days = cast.draw.day(2..=25);
    let (subject, payments) = (subject(cast)?, cast.draw.count(2..=6));
    let total = units(cast.draw.log_normal(42_000.0, 0.5).clamp(16_000.0, 200_000.0));
    let scene = abroad(cast, subject, days, (total, payments));
    let party = assessed(cast, Assessment::Pep, &[true]);
    name_counterparty(cast, &scene, party);
    Some((vec![subject], scene))
}

/// 1 to 4 payments of any size with a sanctioned party within 25 days: at another bank, or, every third, by way of an account on which it has a role.
pub(super) fn sanctioned_counterparty(cast: &mut Cast<'_>, number: usize) -> Case {
    let days = cast.draw.day(1..=25);
    let (subject, payments) = (subject(cast)?, cast.draw.count(1..=4));
    let total = units(cast.draw.log_normal(3_000.0, 0.9).clamp(150.0, 60_000.0));
    let party = assessed(cast, Assessment::Sanctions, &[true]);
    let front = if number % 3 == 2 { cast.dormant() } else { None };
    let Some(front) = front else {
        let scene = abroad(cast, subject, days, (total, payments));
        name_counterparty(cast, &scene, party);
        return Some((vec![subject], scene));
    };
    cast.book.known.note(Fact::Holds { party: Party::Outsider(party), account: front });
    let first = cast.first_day(7, days);
    let mut scene = cast.scene();
    between(cast, &mut scene, (subject, front), (first, days), (total, payments));
    Some((vec![subject], scene))
}

/// 3 to 8 customers have one phone, address or device. Each gets 1 to 3 payments of strangers within 3 days, and pays 75 % to 97 % of it to one account within
/// 40 hours.
pub(super) fn mule_ring(cast: &mut Cast<'_>, number: usize) -> Case {
    let first = cast.first_day(7, 6);
    let members = (0..cast.draw.count(3..=8)).map(|_| mule(cast, first)).collect::<Option<Vec<AccountId>>>()?;
    let collector = cast.parties(1, &members).first().copied()?;
    let known = &mut cast.book.known;
    let (phone, address, device) = (known.phone(), known.address(), known.device());
    for &account in &members {
        let Some(actor) = cast.population.owner(account) else { continue };
        cast.book.known.note(match number % 3 {
            0 => Fact::HasPhone { actor, phone },
            1 => Fact::HasAddress { actor, address },
            _ => Fact::SignedIn { account, device },
        });
    }
    let mut scene = cast.scene();
    let usual = cast.draw.log_normal(2_800.0, 0.4).max(1_400.0);
    for &member in &members {
        let payers = cast.draw.count(1..=3);
        let others = [&members[..], &[collector]].concat();
        let (mut received, mut last) = (0, 0);
        for payer in cast.parties(payers, &others) {
            let day = first + cast.draw.day(0..=2);
            let (at, amount) = (cast.at(day, Hours::Any), cast.draw.amount(usual, 0.3, 400.0..=9_000.0));
            cast.send(&mut scene, (payer, member), at, amount);
            (received, last) = (received + amount.0, last.max(at));
        }
        let at = cast.later(last, 0.3..=40.0);
        let passed = Cents(received).share(cast.draw.real(0.75..=0.97));
        cast.send(&mut scene, (member, collector), at, passed);
    }
    Some((members, scene))
}

/// A new account where one is left, one that nobody uses, or a customer of long standing.
fn mule(cast: &mut Cast<'_>, day: i32) -> Option<AccountId> {
    let before = cast.draw.day(4..=40);
    match cast.draw.real(0.0..=1.0) {
        share if share < 0.3 => cast.newly_opened(day - before).or_else(|| cast.person()),
        share if share < 0.5 => cast.dormant().or_else(|| cast.person()),
        _ => cast.person(),
    }
}

/// One owner has a company through two or three holdings and another through one or two; 25,000 to 400,000 go from the one to the other in 1 to 6 payments within
/// 20 days.
pub(super) fn layered_ownership(cast: &mut Cast<'_>, number: usize) -> Case {
    let subject = cast.small_company()?;
    let other = cast.draw.pick(&cast.population.companies.small_accounts.iter().copied().filter(|&other| other != subject).collect::<Vec<_>>());
    let owner = cast.book.known.outsider();
    let (near, far) = (cast.draw.count(1..=2), cast.draw.count(2..=3));
    own_through(cast, owner, subject, far);
    own_through(cast, owner, other, near);
    let days = cast.draw.day(1..=20);
    let first = cast.first_day(7, days);
    let total = units(cast.draw.log_normal(70_000.0, 0.6).clamp(25_000.0, 400_000.0));
    let (payments, mut scene) = (cast.draw.count(1..=6), cast.scene());
    let ends = if number.is_multiple_of(2) { (subject, other) } else { (other, subject) };
    between(cast, &mut scene, ends, (first, days), (total, payments));
    Some((vec![subject], scene))
}

/// A party elsewhere that was assessed, with these outcomes one after the other.
pub(super) fn assessed(cast: &mut Cast<'_>, kind: Assessment, outcomes: &[bool]) -> OutsiderId {
    let party = cast.book.known.outsider();
    for (turn, &holds) in (0..).zip(outcomes) {
        cast.book.known.note(Fact::Assessed { party: Party::Outsider(party), kind, turn, holds });
    }
    party
}

/// All payments are with the party.
pub(super) fn name_counterparty(cast: &mut Cast<'_>, scene: &Scene, party: OutsiderId) {
    scene.entries.iter().for_each(|&payment| cast.book.known.note(Fact::Counterparty { payment, party }));
}

/// All payments name the country.
pub(super) fn name_country(cast: &mut Cast<'_>, scene: &Scene, code: &'static str) {
    scene.entries.iter().for_each(|&payment| cast.book.known.note(Fact::Country { payment, code }));
}

/// The owner has a company at the end of so many holdings.
pub(super) fn own_through(cast: &mut Cast<'_>, owner: OutsiderId, company: AccountId, holdings: usize) {
    let mut above = Party::Outsider(owner);
    for _ in 0..holdings {
        let holding = Party::Outsider(cast.book.known.outsider());
        cast.book.known.note(Fact::Owns { owner: above, owned: holding });
        above = holding;
    }
    if let Some(company) = cast.population.owner(company).map(Party::Customer) {
        cast.book.known.note(Fact::Owns { owner: above, owned: company });
    }
}

/// Somebody who is in no other case: mostly a person.
fn subject(cast: &mut Cast<'_>) -> Option<AccountId> {
    let company = if cast.draw.chance(0.25) { cast.small_company() } else { None };
    company.or_else(|| cast.person())
}

/// Payments of one direction between a customer and other banks.
pub(super) fn abroad(cast: &mut Cast<'_>, subject: AccountId, days: i32, what: (Cents, usize)) -> Scene {
    let first = cast.first_day(7, days);
    let (mut scene, bank) = (cast.scene(), cast.draw.pick(&cast.population.clearing));
    let ends = if cast.draw.chance(0.6) { (subject, bank) } else { (bank, subject) };
    between(cast, &mut scene, ends, (first, days), what);
    scene
}

/// So many payments that come to the total.
pub(super) fn between(
    cast: &mut Cast<'_>,
    scene: &mut Scene,
    ends: (AccountId, AccountId),
    (first, days): (i32, i32),
    (total, payments): (Cents, usize),
) {
    for amount in cast.draw.split(total, payments, 1.5) {
        let day = first + cast.draw.day(0..=days - 1);
        let at = cast.at(day, Hours::Any);
        cast.send(scene, ends, at, amount);
    }
}
