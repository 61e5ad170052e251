//! Conduct of one account that does not fit its past.
//!
//! Sources: FFIEC, *BSA/AML Examination Manual*, appendix F (dormant accounts that suddenly have activity, activity inconsistent with the
//! account's history, round amounts, new accounts with large transfers); FATF, *Guidance on the risk-based approach for the banking sector*
//! (2014) and *Operational Issues: Financial Investigations* (2012).

use crate::typologies::calendar::Hours;
use crate::typologies::cast::{Cast, Scene};
use crate::typologies::draw::units;
use crate::typologies::network::{AccountId, Cents};

/// The fewest days without a payment that make an account dormant.
const DORMANT_DAYS: i32 = 95;

/// An account that was opened long ago and has not been used for 95 days gets 8,000 to 90,000 in 1 to 3 payments; 85 % to 98 % leaves in 2 to 6
/// payments within 4 days. Every second account had been used a little when the network begins.
pub(super) fn dormant(cast: &mut Cast<'_>, number: usize) -> Option<(Vec<AccountId>, Scene)> {
    let subject = cast.dormant()?;
    let last_use = cast.draw.day(0..=8);
    if number.is_multiple_of(2) {
        let shop = cast.population.companies.shops[number % cast.population.companies.shops.len()].account;
        let amount = cast.draw.amount(18.0, 0.6, 2.0..=90.0);
        cast.book.pay(subject, shop, (last_use, Hours::Shopping), amount, &mut cast.draw);
    }
    let first = cast.first_day(last_use + DORMANT_DAYS + 1, 7);
    let (ins, outs) = (cast.draw.count(1..=3), cast.draw.count(2..=6));
    let parties = cast.parties(ins + outs, &[subject]);
    let (senders, receivers) = parties.split_at(ins);
    let mut scene = cast.scene();
    let total = units(cast.draw.log_normal(24_000.0, 0.6).clamp(8_000.0, 90_000.0));
    let mut last = 0;
    for (&sender, amount) in senders.iter().zip(cast.draw.split(total, ins, 1.0)) {
        let day = first + cast.draw.day(0..=1);
        let at = cast.at(day, Hours::Any);
        cast.send(&mut scene, (sender, subject), at, amount);
        last = last.max(at);
    }
    let passed = total.share(cast.draw.real(0.85..=0.98));
    for (&receiver, amount) in receivers.iter().zip(cast.draw.split(passed, outs, 1.5)) {
        let at = cast.later(last, 0.5..=90.0);
        cast.send(&mut scene, (subject, receiver), at, amount);
    }
    Some((vec![subject], scene))
}

/// A customer of long standing makes or gets 18 to 45 payments of some hundreds within 2 days, with 4 to 10 parties.
pub(super) fn burst(cast: &mut Cast<'_>, number: usize) -> Option<(Vec<AccountId>, Scene)> {
    let first = cast.first_day(60, 3);
    let subject = if cast.draw.chance(0.7) { cast.person()? } else { cast.small_company()? };
    let parties = cast.draw.count(4..=10);
    let parties = cast.parties(parties, &[subject]);
    let payments = cast.draw.count(18..=45);
    let mut scene = cast.scene();
    let usual = cast.draw.log_normal(480.0, 0.4).max(250.0);
    for _ in 0..payments {
        let other = cast.draw.pick(&parties);
        let day = first + cast.draw.day(0..=1);
        let at = cast.at(day, Hours::Any);
        let amount = cast.draw.amount(usual, 0.4, 60.0..=4_000.0);
        cast.send(&mut scene, if number.is_multiple_of(2) { (subject, other) } else { (other, subject) }, at, amount);
    }
    Some((vec![subject], scene))
}

/// 7 to 16 payments of whole thousands or five hundreds within 4 to 20 days, with 1 to 4 parties, in one direction.
pub(super) fn round_amounts(cast: &mut Cast<'_>, number: usize) -> Option<(Vec<AccountId>, Scene)> {
    const ROUND: [i32; 11] = [1_000, 1_500, 2_000, 2_000, 2_500, 3_000, 3_000, 4_000, 5_000, 5_000, 7_000];
    let days = cast.draw.day(4..=20);
    let first = cast.first_day(7, days);
    let subject = cast.subject(first)?;
    let parties = cast.draw.count(1..=4);
    let parties = cast.parties(parties, &[subject]);
    let mut scene = cast.scene();
    for _ in 0..cast.draw.count(7..=16) {
        let other = cast.draw.pick(&parties);
        let day = first + cast.draw.day(0..=days - 1);
        let at = cast.at(day, Hours::Any);
        let amount = units(f64::from(cast.draw.pick(&ROUND)));
        cast.send(&mut scene, if number.is_multiple_of(2) { (subject, other) } else { (other, subject) }, at, amount);
    }
    Some((vec![subject], scene))
}

/// An account gets 25,000 to 250,000 in 4 to 14 payments within the first 5 to 25 days, and pays 75 % to 98 % of it in 4 to 14 payments.
pub(super) fn new_account(cast: &mut Cast<'_>) -> Option<(Vec<AccountId>, Scene)> {
    let days = cast.draw.day(5..=22);
    let first = cast.first_day(3, days + 3);
    let opened = first - cast.draw.day(0..=3);
    let subject = cast.newly_opened(opened)?;
    let (ins, outs) = (cast.draw.count(4..=14), cast.draw.count(4..=14));
    let (senders, receivers) = (cast.draw.count(2..=ins), cast.draw.count(2..=outs));
    let parties = cast.parties(senders + receivers, &[subject]);
    let (senders, receivers) = parties.split_at(senders);
    let mut scene = cast.scene();
    let total = units(cast.draw.log_normal(70_000.0, 0.6).clamp(25_000.0, 250_000.0));
    let passed = total.share(cast.draw.real(0.75..=0.98));
    let mut into: Vec<(i64, Cents)> = Vec::new();
    for amount in cast.draw.split(total, ins, 2.0) {
        let day = first + cast.draw.day(0..=days - 1);
        into.push((cast.at(day, Hours::Any), amount));
    }
    into.sort_unstable();
    for &(at, amount) in &into {
        let sender = cast.draw.pick(senders);
        cast.send(&mut scene, (sender, subject), at, amount);
    }
    // A payment out follows the payments in that cover it.
    let (mut needed, all) = (0, total.0);
    for amount in cast.draw.split(passed, outs, 2.0) {
        needed += amount.0;
        let mut covered = 0;
        let behind = into.iter().find(|(_, amount)| {
            covered += amount.0;
            covered >= needed.min(all)
        });
        let at = behind.map_or(into[ins - 1].0, |&(at, _)| at);
        let at = cast.later(at, 0.5..=40.0);
        let receiver = cast.draw.pick(receivers);
        cast.send(&mut scene, (subject, receiver), at, amount);
    }
    Some((vec![subject], scene))
}
