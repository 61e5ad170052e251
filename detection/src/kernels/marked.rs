//! Marked payments: what the statement of a rule has named.
//!
//! For a mark of the rule, a currency, and the window:
//!
//! ```text
//! chosen   = payments of the mark in the window; one at least is of the business day
//! payments = |chosen|      amount = Σ chosen
//! turnover = what the actor sent to others and received of others in the window
//! share    = Σ of the chosen ones that the actor itself sent or received / turnover
//! ```
//!
//! What the mark itself measured stands beside under its own names. The focal actor is the mark's. Baselines: `turnover`, and what the mark
//! measured: it is read from the graph, not from payments.

use std::collections::BTreeMap;

use analytics::{Amount, CurrencyIndex, PaymentIndex};

use super::fan::baseline;
use super::window::of_acts;
use super::{Named, Scope, turnover};
use crate::dataset::{ActorIndex, Marked};
use crate::matches::{Anchor, Match, Values, values};
use crate::quantity::Quantity;
use crate::rule::Unit;

/// The name of the baseline that shares are measured by.
const TURNOVER: &str = "turnover";
/// What each statement is asked for.
pub const PASSES: Named = &[("window", Unit::Hours)];
/// What is measured of the marks of each statement.
pub const MEASURES: Named = &[("payments", Unit::Payments), ("amount", Unit::Amount), ("share", Unit::Share)];

pub fn search(scope: &Scope<'_>, rule: &str, mut show: impl FnMut(Match)) {
    let (dataset, window) = (scope.dataset, scope.window());
    for (place, mark) in dataset.marks_of(rule).filter(|(_, mark)| dataset.actor(mark.actor).monitored) {
        let mut by_currency: BTreeMap<CurrencyIndex, Vec<PaymentIndex>> = BTreeMap::new();
        for &payment in &mark.payments {
            if window.holds(dataset.payment(payment).at) {
                by_currency.entry(dataset.payment(payment).currency).or_default().push(payment);
            }
        }
        for (currency, payments) in by_currency {
            if !scope.is_closed(&payments) {
                continue;
            }
            let anchor = Anchor::Mark(place);
            let Some(history) = scope.history.values(dataset, anchor, currency, || usual(scope, mark, currency)) else { continue };
            let measures = measures(scope, mark.actor, &payments, &history);
            show(Match { actor: mark.actor, anchor, currency, payments, measures, history, window });
        }
    }
}

/// What the mark measured, and the actor's turnover.
fn usual(scope: &Scope<'_>, mark: &Marked, currency: CurrencyIndex) -> Values {
    let acts = of_acts(scope.dataset.activity(mark.actor), scope.window());
    let sums = turnover::by_currency(scope.dataset, mark.actor, acts.iter());
    let turnover = sums.get(&currency).map_or(Quantity::ZERO, turnover::Turnover::total);
    let mut usual = mark.measures.clone();
    usual.insert(TURNOVER.into(), turnover);
    usual
}

fn measures(scope: &Scope<'_>, actor: ActorIndex, payments: &[PaymentIndex], history: &Values) -> Values {
    let of = |payment: &PaymentIndex| scope.dataset.payment(*payment);
    let is_own = |payment: &&PaymentIndex| [of(payment).sender, of(payment).receiver].contains(&Some(actor));
    let own: Amount = payments.iter().filter(is_own).map(|payment| of(payment).amount).sum();
    let mut measures = history.clone();
    measures.remove(TURNOVER);
    measures.extend(values([
        ("payments", Quantity::count(payments.len())),
        ("amount", Quantity::amount(super::relations::sum(scope.dataset, payments))),
        ("share", Quantity::share(Quantity::amount(own), baseline(history, TURNOVER))),
    ]));
    measures
}
