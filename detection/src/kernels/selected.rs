//! Amounts that were chosen: just below a limit (structuring), or round.
//!
//! For a monitored actor, a side (what it sent, what it received), a currency, and the window, over the actor's own activity with others:
//!
//! ```text
//! below_limit: chosen = amounts in [limit · (1 − band), limit)       beside = other amounts of at least limit / 5
//! round:       chosen = multiples of `multiple`                      beside = other amounts of at least `multiple`
//! payments = |chosen|      amount = Σ chosen      share = |chosen| / (|chosen| + |beside|)
//! surplus  = max(0, |chosen| − |beside|)
//! highest  = most chosen payments on that side in any window of the same length in the history
//! times_highest = payments / max(1, highest)
//! ```
//!
//! A shop's takings vary, so that few are just below the limit; a rent is one round amount a month. The focal actor is the actor itself.
//! Baselines: `beside`, `highest`.
//!
//! Sources: FATF, *Money Laundering & Terrorist Financing Risk Assessment* indicators on structured deposits; Benford-type and round-number
//! tests in Nigrini, *Forensic Analytics* (2011).

use std::collections::BTreeMap;

use analytics::{Amount, CurrencyIndex, PaymentIndex, Side, Timestamp};

use super::fan::baseline;
use super::turnover::is_own;
use super::window::{highest_sums, of_acts, times};
use super::{Named, Scope};
use crate::dataset::{Act, ActorIndex};
use crate::matches::{Anchor, Match, Values, values};
use crate::quantity::Quantity;
use crate::rule::Unit;

pub const LIMIT_PASSES: Named = &[("window", Unit::Hours), ("history", Unit::Days), ("limit", Unit::Amount), ("band", Unit::Share)];
pub const ROUND_PASSES: Named = &[("window", Unit::Hours), ("history", Unit::Days), ("multiple", Unit::Amount)];
pub const MEASURES: Named =
    &[("payments", Unit::Payments), ("amount", Unit::Amount), ("share", Unit::Share), ("surplus", Unit::Payments), ("times_highest", Unit::Times)];

/// Which amounts are chosen, and which stand beside them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Chosen,
    Beside,
    Small,
}

/// Of the limit: smaller amounts are daily life, and say nothing about how large ones are split.
const BESIDE_FROM: i128 = 5;

/// Amounts just below a limit.
pub fn below_limit(scope: &Scope<'_>, show: &mut dyn FnMut(Match)) {
    let limit = scope.settings.value("limit");
    let lowest = limit.minus(limit.times(scope.settings.value("band"))).as_amount();
    let limit = limit.as_amount();
    search(scope, show, |amount| match amount {
        amount if amount >= lowest && amount < limit => Kind::Chosen,
        amount if amount.0 >= limit.0 / BESIDE_FROM => Kind::Beside,
        _ => Kind::Small,
    });
}

/// Round amounts.
pub fn round(scope: &Scope<'_>, show: &mut dyn FnMut(Match)) {
    let multiple = scope.amount("multiple");
    search(scope, show, |amount| match amount {
        amount if amount < multiple || amount <= Amount::ZERO => Kind::Small,
        // Of a multiple of zero nothing is one.
        amount if amount.0.checked_rem(multiple.0) == Some(0) => Kind::Chosen,
        _ => Kind::Beside,
    });
}

fn search(scope: &Scope<'_>, show: &mut dyn FnMut(Match), kind: impl Fn(Amount) -> Kind) {
    let (dataset, window) = (scope.dataset, scope.window());
    for actor in dataset.monitored() {
        let acts = of_acts(dataset.activity(actor), window);
        if !acts.last().is_some_and(|act| scope.day.holds(act.at)) {
            continue;
        }
        for side in [Side::Out, Side::In] {
            for (currency, (chosen, beside)) in split(scope, actor, side, acts, &kind) {
                if !scope.is_closed(&chosen) {
                    continue;
                }
                let anchor = Anchor::Actor(actor);
                let measure = || values([("beside", Quantity::count(beside)), ("highest", highest(scope, actor, side, currency, &kind))]);
                let Some(history) = scope.history.values(dataset, anchor, currency, measure) else { continue };
                let measures = measures(scope, &chosen, &history);
                show(Match { actor, anchor, currency, payments: chosen, measures, history, window });
            }
        }
    }
}

/// By currency, the chosen payments of a side and how many stand beside them.
fn split(
    scope: &Scope<'_>,
    actor: ActorIndex,
    side: Side,
    acts: &[Act],
    kind: impl Fn(Amount) -> Kind,
) -> BTreeMap<CurrencyIndex, (Vec<PaymentIndex>, usize)> {
    let mut found: BTreeMap<CurrencyIndex, (Vec<PaymentIndex>, usize)> = BTreeMap::new();
    for act in acts.iter().filter(|act| act.side == side && !is_own(scope.dataset, actor, act)) {
        let payment = scope.dataset.payment(act.payment);
        let (chosen, beside) = found.entry(payment.currency).or_default();
        match kind(payment.amount) {
            Kind::Chosen => chosen.push(act.payment),
            Kind::Beside => *beside += 1,
            Kind::Small => {}
        }
    }
    found
}

fn highest(scope: &Scope<'_>, actor: ActorIndex, side: Side, currency: CurrencyIndex, kind: impl Fn(Amount) -> Kind) -> Quantity {
    let window = scope.window();
    let acts = of_acts(scope.dataset.activity(actor), window.history(scope.history_length()));
    let payments = acts.iter().filter(|act| act.side == side && !is_own(scope.dataset, actor, act)).map(|act| scope.dataset.payment(act.payment));
    let chosen = payments.filter(|payment| payment.currency == currency && kind(payment.amount) == Kind::Chosen);
    let rows: Vec<(Timestamp, Amount)> = chosen.map(|payment| (payment.at, payment.amount)).collect();
    Quantity::count(highest_sums(&rows, window.length()).0)
}

fn measures(scope: &Scope<'_>, chosen: &[PaymentIndex], history: &Values) -> Values {
    let payments = Quantity::count(chosen.len());
    values([
        ("payments", payments),
        ("amount", Quantity::amount(super::relations::sum(scope.dataset, chosen))),
        ("share", Quantity::share(payments, payments.plus(baseline(history, "beside")))),
        ("surplus", payments.minus(baseline(history, "beside")).max(Quantity::ZERO)),
        ("times_highest", times(payments, baseline(history, "highest"), Quantity::ONE)),
    ])
}
