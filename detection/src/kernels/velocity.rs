//! Velocity and volume: an actor does far more, and for far more money, than it ever did in as long a time.
//!
//! For a monitored actor, a currency, and the window, over the actor's own activity with others on both sides:
//!
//! ```text
//! payments, amount = number and sum of what was sent and received
//! highest_payments, highest_amount = the most of each in any window of the same length in the history
//! payments_times = payments / max(1, highest_payments)      amount_times = amount / max(1, highest_amount)
//! median = lower median of the amounts
//! repeats_business = payments / different accounts at the other ends, of a business; of an individual, payments
//! observed = days that the actor had been observed when the window began; observed_business likewise, of a business alone
//! ```
//!
//! A house purchase is much money in few payments, holiday shopping many payments for little. Businesses pay salaries and refunds, and are
//! paid dues and donations, many at once but one each. The focal actor is the actor itself. Baselines: `highest_payments`,
//! `highest_amount`, `observed`, `observed_business`. Sources as in [`analytics::velocities`].

use analytics::{Amount, CurrencyIndex, PaymentIndex, Timestamp};

use super::fan::baseline;
use super::window::{highest_sums, observed_actor, of_acts, times};
use super::{Named, Scope, relations, turnover};
use crate::dataset::{ActorIndex, ActorKind, Dataset};
use crate::matches::{Anchor, Match, Values, values};
use crate::quantity::Quantity;
use crate::rule::Unit;

pub const PASSES: Named = &[("window", Unit::Hours), ("history", Unit::Days)];
pub const MEASURES: Named = &[
    ("payments", Unit::Payments),
    ("amount", Unit::Amount),
    ("payments_times", Unit::Times),
    ("amount_times", Unit::Times),
    ("median", Unit::Amount),
    ("repeats_business", Unit::Times),
    ("observed", Unit::Days),
    ("observed_business", Unit::Days),
];

pub fn search(scope: &Scope<'_>, show: &mut dyn FnMut(Match)) {
    let (dataset, window) = (scope.dataset, scope.window());
    for actor in dataset.monitored() {
        let acts = of_acts(dataset.activity(actor), window);
        if !acts.last().is_some_and(|act| scope.day.holds(act.at)) {
            continue;
        }
        for (currency, turnover) in turnover::by_currency(dataset, actor, acts.iter()) {
            if !scope.is_closed(&turnover.payments) {
                continue;
            }
            let anchor = Anchor::Actor(actor);
            let Some(history) = scope.history.values(dataset, anchor, currency, || usual(scope, actor, currency)) else { continue };
            let (payments, amount) = (Quantity::count(turnover.payments.len()), turnover.total());
            let measures = values([
                ("payments", payments),
                ("amount", amount),
                ("payments_times", times(payments, baseline(&history, "highest_payments"), Quantity::ONE)),
                ("amount_times", times(amount, baseline(&history, "highest_amount"), Quantity::ONE)),
                ("median", relations::median(dataset, &turnover.payments)),
                ("repeats_business", repeats(dataset, actor, &turnover.payments)),
                ("observed", baseline(&history, "observed")),
                ("observed_business", baseline(&history, "observed_business")),
            ]);
            show(Match { actor, anchor, currency, payments: turnover.payments, measures, history, window });
        }
    }
}

fn usual(scope: &Scope<'_>, actor: ActorIndex, currency: CurrencyIndex) -> Values {
    let (dataset, window) = (scope.dataset, scope.window());
    let acts = of_acts(dataset.activity(actor), window.history(scope.history_length()));
    let with_others = acts.iter().filter(|act| !turnover::is_own(dataset, actor, act));
    let payments = with_others.map(|act| dataset.payment(act.payment)).filter(|payment| payment.currency == currency);
    let rows: Vec<(Timestamp, Amount)> = payments.map(|payment| (payment.at, payment.amount)).collect();
    let (count, sum) = highest_sums(&rows, window.length());
    let [since, as_business] = observed_actor(scope, actor);
    values([
        ("highest_payments", Quantity::count(count)),
        ("highest_amount", Quantity::amount(sum)),
        ("observed", since),
        ("observed_business", as_business),
    ])
}

/// How many payments a business has with each account at the other end, on average; of an individual, all payments.
fn repeats(dataset: &Dataset, actor: ActorIndex, payments: &[PaymentIndex]) -> Quantity {
    let count = Quantity::count(payments.len());
    if dataset.actor(actor).kind == ActorKind::Individual {
        return count;
    }
    let is_own = |account| dataset.account(account).owner == Some(actor);
    let others = relations::accounts(dataset, payments, |payment| if is_own(payment.from) { payment.to } else { payment.from });
    Quantity::share(count, Quantity::count(others))
}
