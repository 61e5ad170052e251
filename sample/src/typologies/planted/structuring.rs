//! Structuring: a sum above the reporting threshold is paid in parts below it.
//!
//! Source: 31 U.S.C. 5324 and 31 CFR 1010.314 (breaking down a sum at or below 10,000 "on one or more days"); FFIEC, *BSA/AML Examination
//! Manual*, appendix G; the *smurfs* of FATF, *Money Laundering through the Physical Transportation of Cash* (2015).

use crate::typologies::calendar::Hours;
use crate::typologies::cast::{Cast, Scene};
use crate::typologies::draw::units;
use crate::typologies::network::{AccountId, Cents};

/// The threshold in units of each currency.
const THRESHOLD: f64 = 10_000.0;

/// One case: 4 to 12 payments of 80 % to 99.7 % of the threshold within 1 to 7 days. The ways alternate: cash to one account; one payer and
/// one payee; one payer and several payees; several payers and one payee.
pub(super) fn structuring(cast: &mut Cast<'_>, number: usize) -> Option<(Vec<AccountId>, Scene)> {
    let payments = cast.draw.count(4..=12);
    let days = cast.draw.day(payments.div_ceil(4) as i32..=7);
    let first = cast.first_day(7, days);
    let subject = cast.subject(first)?;
    let others = cast.draw.count(3..=payments.min(6));
    let others = cast.parties(others, &[subject]);
    let cash = cast.draw.pick(&cast.population.cash);
    let mut scene = cast.scene();
    for payment in 0..payments {
        let other = others[payment % others.len()];
        let (parties, hours) = match number % 4 {
            0 => ((cash, subject), Hours::Office),
            1 => ((subject, others[0]), Hours::Any),
            2 => ((subject, other), Hours::Any),
            _ => ((other, subject), Hours::Any),
        };
        let day = first + cast.draw.day(0..=days - 1);
        let at = cast.at(day, hours);
        let amount = below_threshold(cast);
        cast.send(&mut scene, parties, at, amount);
    }
    Some((vec![subject], scene))
}

fn below_threshold(cast: &mut Cast<'_>) -> Cents {
    let amount = units(cast.draw.real(0.80..=0.997) * THRESHOLD);
    match cast.draw.real(0.0..=1.0) {
        share if share < 0.5 => amount.rounded(50).min(units(THRESHOLD - 50.0)),
        share if share < 0.8 => amount.rounded(10),
        _ => amount,
    }
}
