//! Money that moves on from account to account.
//!
//! Sources: Altman et al., *Realistic Synthetic Financial Transactions for Anti-Money Laundering Models* (NeurIPS 2023), for stacks of
//! bipartite layers and for cycles; Suzumura and Kanezashi, *AMLSim* (2018), for cycles whose amounts shrink by a margin; Europol, *European
//! Money Mule Action*, and FATF, *Professional Money Laundering* (2018), for mules that pass money on within hours and keep a commission.

use crate::typologies::calendar::Hours;
use crate::typologies::cast::{Cast, Scene};
use crate::typologies::draw::units;
use crate::typologies::network::{AccountId, Cents};

/// One to three times a payment comes in and 88 % to 99 % of it goes on within 20 hours, in one or two parts; all within 3 days.
pub(super) fn pass_through(cast: &mut Cast<'_>) -> Option<(Vec<AccountId>, Scene)> {
    let first = cast.first_day(7, 4);
    let subject = cast.subject(first)?;
    let rounds = cast.draw.count(1..=3);
    let parties = cast.parties(rounds * 3, &[subject]);
    let mut scene = cast.scene();
    let usual = cast.draw.log_normal(9_000.0, 0.7).max(3_000.0);
    let mut at = cast.at(first, Hours::Any);
    for parties in parties.chunks_exact(3) {
        let amount = cast.draw.amount(usual, 0.4, 2_000.0..=150_000.0);
        cast.send(&mut scene, (parties[0], subject), at, amount);
        let passed = amount.share(cast.draw.real(0.88..=0.99));
        let parts = cast.draw.count(1..=2);
        let mut last = at;
        for (&receiver, part) in parties[1..].iter().zip(cast.draw.split(passed, parts, 1.0)) {
            let on = cast.later(at, 0.2..=20.0);
            cast.send(&mut scene, (subject, receiver), on, part);
            last = last.max(on);
        }
        at = cast.later(last, 0.1..=4.0);
    }
    Some((vec![subject], scene))
}

/// 3 to 5 layers of 2 to 5 accounts. Each account within is paid by two or more of the layer above and pays two or more of the layer below.
/// A step takes at most 40 hours, and begins when the step before has ended.
pub(super) fn stacked_layers(cast: &mut Cast<'_>) -> Option<(Vec<AccountId>, Scene)> {
    let layers = cast.draw.count(3..=5);
    let first = cast.first_day(7, 2 * layers as i32);
    let widths: Vec<usize> = (0..layers).map(|_| cast.draw.count(2..=5)).collect();
    let mut members = Vec::new();
    // One account of each layer is a subject, the others are parties.
    let subjects = widths.iter().map(|_| cast.subject(first)).collect::<Option<Vec<_>>>()?;
    let parties = cast.parties(widths.iter().sum::<usize>() - layers, &subjects);
    let mut rest = parties.as_slice();
    for (&width, subject) in widths.iter().zip(subjects) {
        let (of_layer, left) = rest.split_at(width - 1);
        members.push([&[subject], of_layer].concat());
        rest = left;
    }
    let mut scene = cast.scene();
    let mut total = units(cast.draw.log_normal(22_000.0, 0.6).max(8_000.0));
    let mut begin = cast.at(first, Hours::Any);
    for step in members.windows(2) {
        let links = links(cast, step[0].len(), step[1].len());
        let mut last = begin;
        for (&(from, to), amount) in links.iter().zip(cast.draw.split(total, links.len(), 0.8)) {
            let at = cast.later(begin, 0.2..=40.0);
            cast.send(&mut scene, (step[0][from], step[1][to]), at, amount);
            last = last.max(at);
        }
        total = total.share(cast.draw.real(0.92..=0.99));
        begin = last;
    }
    let within = members[1..layers - 1].concat();
    Some((within, scene))
}

/// Which accounts of a layer pay which of the next: two each at least, on both sides.
fn links(cast: &mut Cast<'_>, above: usize, below: usize) -> Vec<(usize, usize)> {
    let mut links = Vec::new();
    for from in 0..above {
        for to in 0..below {
            // Each account is linked with the two next to its own place; around the layer's end it goes on at its beginning.
            let is_near = (to + below - from % below) % below < 2 || (from + above - to % above) % above < 2;
            if is_near || cast.draw.chance(0.35) {
                links.push((from, to));
            }
        }
    }
    links
}

/// 3 to 6 accounts pay one another in a ring, in the order of time, within 10 days. 92 % to 100 % is passed on.
pub(super) fn round_trip(cast: &mut Cast<'_>) -> Option<(Vec<AccountId>, Scene)> {
    let length = cast.draw.count(3..=6);
    let first = cast.first_day(7, 11);
    let subject = cast.subject(first)?;
    let ring = [vec![subject], cast.parties(length - 1, &[subject])].concat();
    let mut scene = cast.scene();
    let mut amount: Cents = units(cast.draw.log_normal(12_000.0, 0.7).max(2_500.0));
    let mut at = cast.at(first, Hours::Any);
    let pace = cast.draw.real(6.0..=40.0);
    for place in 0..length {
        cast.send(&mut scene, (ring[place], ring[(place + 1) % length]), at, amount);
        at = cast.later(at, 0.3..=pace);
        amount = amount.share(cast.draw.real(0.92..=1.0));
    }
    Some((ring, scene))
}
