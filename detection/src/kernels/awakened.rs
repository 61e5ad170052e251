//! Dormant account awakened: an account that was idle for months is suddenly used, and for much.
//!
//! For an account `v` of a monitored actor, a currency, and the window, over the actor's own activity on `v` with others:
//!
//! ```text
//! first    = time of the first payment on v in the window, of whatever currency
//! last     = time of the last payment on v before the window; without one, when v was opened; without that, the dataset's first payment
//! idle     = days from the later of last and the dataset's first payment to first
//! payments = number of payments in the currency      amount = received + sent      through = min(received, sent)
//! share    = through / max(received, sent)
//! ```
//!
//! A seasonal business has many small customers; a tax refund is one payment, and stays. What was before the dataset's first payment is
//! not known, and is not taken for idle. The focal actor is the owner of `v`. Baselines: `idle`. Sources as in [`analytics::dormancies`].

use analytics::{AccountIndex, Timestamp};

use super::fan::baseline;
use super::window::of_acts;
use super::{Named, Scope, turnover};
use crate::dataset::{Act, ActorIndex, Dataset};
use crate::matches::{Anchor, Match, values};
use crate::quantity::Quantity;
use crate::rule::Unit;

pub const PASSES: Named = &[("window", Unit::Hours)];
pub const MEASURES: Named =
    &[("idle", Unit::Days), ("payments", Unit::Payments), ("amount", Unit::Amount), ("through", Unit::Amount), ("share", Unit::Share)];

pub fn search(scope: &Scope<'_>, show: &mut dyn FnMut(Match)) {
    let (dataset, window) = (scope.dataset, scope.window());
    for account in dataset.account_indices() {
        let Some(actor) = dataset.monitored_owner(account) else { continue };
        let acts = dataset.activity(actor);
        let recent: Vec<Act> = of_acts(acts, window).iter().filter(|act| is_on(dataset, act, account)).copied().collect();
        let Some(first) = recent.first().map(|act| act.at) else { continue };
        for (currency, turnover) in turnover::by_currency(dataset, actor, recent.iter()) {
            if !scope.is_closed(&turnover.payments) {
                continue;
            }
            let anchor = Anchor::Account(account);
            let measure = || values([("idle", idle(scope, actor, account, first))]);
            let Some(history) = scope.history.values(dataset, anchor, currency, measure) else { continue };
            let measures = values([
                ("idle", baseline(&history, "idle")),
                ("payments", Quantity::count(turnover.payments.len())),
                ("amount", turnover.total()),
                ("through", turnover.through()),
                ("share", turnover.balance()),
            ]);
            show(Match { actor, anchor, currency, payments: turnover.payments, measures, history, window });
        }
    }
}

/// Whether an act is on an account.
pub fn is_on(dataset: &Dataset, act: &Act, account: AccountIndex) -> bool {
    let payment = dataset.payment(act.payment);
    match act.side {
        analytics::Side::Out => payment.from == account,
        analytics::Side::In => payment.to == account,
    }
}

fn idle(scope: &Scope<'_>, actor: ActorIndex, account: AccountIndex, first: Timestamp) -> Quantity {
    let (dataset, window) = (scope.dataset, scope.window());
    let acts = dataset.activity(actor);
    let before = &acts[..acts.partition_point(|act| act.at < window.start)];
    let last = before.iter().rev().find(|act| is_on(dataset, act, account)).map(|act| act.at);
    let since = last.or(dataset.account(account).opened).max(dataset.begin());
    Quantity::days(since.map_or(0, |since| (first.millis() - since.millis()).max(0)))
}
