//! Fan-in, fan-out and what they make together.
//!
//! Sources: Suzumura and Kanezashi, *AMLSim* (2018), for fan-in, fan-out, gather-scatter and scatter-gather; Altman et al., *Realistic
//! Synthetic Financial Transactions for Anti-Money Laundering Models* (NeurIPS 2023), whose patterns have 2 to 16 branches and more and take
//! up to some days; FATF, *Money Laundering Using New Payment Methods* (2010) and *Professional Money Laundering* (2018), for collection
//! accounts and mule networks.

use crate::typologies::calendar::Hours;
use crate::typologies::cast::{Cast, Scene};
use crate::typologies::draw::units;
use crate::typologies::network::{AccountId, Cents};

/// 8 to 30 accounts pay one within 1 to 7 days, some hundreds each.
pub(super) fn fan_in(cast: &mut Cast<'_>) -> Option<(Vec<AccountId>, Scene)> {
    branches(cast, |hub, other| (other, hub))
}

/// One account pays 8 to 30 within 1 to 7 days, some hundreds each.
pub(super) fn fan_out(cast: &mut Cast<'_>) -> Option<(Vec<AccountId>, Scene)> {
    branches(cast, |hub, other| (hub, other))
}

/// A fan whose payments go from and to what `ends` says of the hub and another.
fn branches(cast: &mut Cast<'_>, ends: fn(AccountId, AccountId) -> (AccountId, AccountId)) -> Option<(Vec<AccountId>, Scene)> {
    let (first, days, hub, others) = fan(cast, 8..=30)?;
    let mut scene = cast.scene();
    let usual = cast.draw.log_normal(900.0, 0.4).max(450.0);
    for other in others {
        let day = first + cast.draw.day(0..=days - 1);
        let at = cast.at(day, Hours::Any);
        let amount = branch(cast, usual);
        cast.send(&mut scene, ends(hub, other), at, amount);
    }
    Some((vec![hub], scene))
}

fn fan(cast: &mut Cast<'_>, branches: std::ops::RangeInclusive<usize>) -> Option<(i32, i32, AccountId, Vec<AccountId>)> {
    let days = cast.draw.day(1..=7);
    let first = cast.first_day(7, days);
    let hub = cast.subject(first)?;
    let branches = cast.draw.count(branches);
    let others = cast.parties(branches, &[hub]);
    Some((first, days, hub, others))
}

fn branch(cast: &mut Cast<'_>, usual: f64) -> Cents {
    let amount = cast.draw.amount(usual, 0.35, 150.0..=9_000.0);
    if cast.draw.chance(0.4) { amount.rounded(10) } else { amount }
}

/// An account gathers from 4 to 16 within 1 to 3 days, and pays 85 % to 98 % of it to 4 to 16 others within 2 days.
pub(super) fn gather_scatter(cast: &mut Cast<'_>) -> Option<(Vec<AccountId>, Scene)> {
    let days = cast.draw.day(1..=3);
    let first = cast.first_day(7, days + 3);
    let hub = cast.subject(first)?;
    let (senders, receivers) = (cast.draw.count(4..=16), cast.draw.count(4..=16));
    let others = cast.parties(senders + receivers, &[hub]);
    let (senders, receivers) = others.split_at(senders);
    let mut scene = cast.scene();
    let usual = cast.draw.log_normal(1_500.0, 0.5).max(600.0);
    let (mut gathered, mut last) = (0, 0);
    for &sender in senders {
        let day = first + cast.draw.day(0..=days - 1);
        let at = cast.at(day, Hours::Any);
        let amount = branch(cast, usual);
        cast.send(&mut scene, (sender, hub), at, amount);
        (gathered, last) = (gathered + amount.0, last.max(at));
    }
    let scattered = Cents(gathered).share(cast.draw.real(0.85..=0.98));
    for (&receiver, amount) in receivers.iter().zip(cast.draw.split(scattered, receivers.len(), 1.5)) {
        let at = cast.later(last, 0.3..=44.0);
        cast.send(&mut scene, (hub, receiver), at, amount);
    }
    Some((vec![hub], scene))
}

/// A source pays 4 to 14 intermediaries within 2 days; each pays 88 % to 99 % of it to one sink within 2 days.
pub(super) fn scatter_gather(cast: &mut Cast<'_>) -> Option<(Vec<AccountId>, Scene)> {
    let first = cast.first_day(7, 5);
    let (source, sink) = (cast.subject(first)?, cast.subject(first)?);
    let branches = cast.draw.count(4..=14);
    let intermediaries = cast.parties(branches, &[source, sink]);
    let mut scene = cast.scene();
    let total = units(cast.draw.log_normal(1_800.0, 0.5).max(700.0) * branches as f64);
    for (&intermediary, amount) in intermediaries.iter().zip(cast.draw.split(total, branches, 1.0)) {
        let day = first + cast.draw.day(0..=1);
        let at = cast.at(day, Hours::Any);
        cast.send(&mut scene, (source, intermediary), at, amount);
        let at = cast.later(at, 0.2..=46.0);
        let passed = amount.share(cast.draw.real(0.88..=0.99));
        cast.send(&mut scene, (intermediary, sink), at, passed);
    }
    Some((vec![source, sink], scene))
}
