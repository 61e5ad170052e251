//! Fan-in and fan-out: an account is paid by, or pays, unusually many others that are new to it.
//!
//! For an account `v`, a currency, and the window:
//!
//! ```text
//! members        = payments into v (fan-in) or out of v (fan-out) of new relations, from `floor` on
//! accounts       = different accounts at the other ends of the members
//! amount, median = sum and lower median of the members' amounts
//! highest        = most different counterparties of v on that side by payments from `floor` on, new or not, in any window of the same length
//!                  in the history
//! times_highest  = accounts / max(1, highest)
//! observed       = days that v had been observed when the window began; observed_business likewise, of a business alone; as long as
//!                  the history where the members fall on `spread` days or more, and the account had been observed for a window's length
//! ```
//!
//! A shop's and an employer's counterparties are as many every week; a landlord's tenants are not new. Before a month was observed nobody
//! knows what is usual, which `observed` is for. The focal actor is the owner of `v`. Baselines: `highest`, `observed`,
//! `observed_business`.
//!
//! Sources as in [`analytics::fans`].

use std::collections::BTreeSet;

use analytics::{PaymentIndex, Side};

use super::window::{highest_accounts, observed_account, of_links, times};
use super::{Named, Scope, relations};
use crate::matches::{Anchor, Match, Values, values};
use crate::quantity::{DAY_MILLIS, Quantity};
use crate::rule::Unit;

pub const PASSES: Named = &[("window", Unit::Hours), ("history", Unit::Days), ("floor", Unit::Amount), ("spread", Unit::Days)];
pub const MEASURES: Named = &[
    ("accounts", Unit::Accounts),
    ("amount", Unit::Amount),
    ("median", Unit::Amount),
    ("times_highest", Unit::Times),
    ("observed", Unit::Days),
    ("observed_business", Unit::Days),
];

pub fn search(scope: &Scope<'_>, side: Side, show: &mut dyn FnMut(Match)) {
    let (dataset, window) = (scope.dataset, scope.window());
    for account in dataset.account_indices() {
        let Some(actor) = dataset.monitored_owner(account) else { continue };
        let links = dataset.network().links(account, side);
        if !of_links(links, window).last().is_some_and(|link| scope.day.holds(link.at)) {
            continue;
        }
        for (currency, payments) in relations::of_account(scope, account, side, window, scope.amount("floor")) {
            let others = relations::accounts(dataset, &payments, |payment| match side {
                Side::Out => payment.to,
                Side::In => payment.from,
            });
            if others < 2 || !scope.is_closed(&payments) {
                continue;
            }
            let anchor = Anchor::Account(account);
            let measure = || {
                let before = of_links(links, window.history(scope.history_length()));
                let highest = highest_accounts(dataset, account, before, window.length(), scope.amount("floor"));
                let [since, as_business] = observed_account(scope, account, window);
                values([("highest", Quantity::count(highest)), ("observed", since), ("observed_business", as_business)])
            };
            let Some(history) = scope.history.values(dataset, anchor, currency, measure) else { continue };
            let measures = measures(scope, &payments, others, &history);
            show(Match { actor, anchor, currency, payments, measures, history, window });
        }
    }
}

fn measures(scope: &Scope<'_>, payments: &[PaymentIndex], others: usize, history: &Values) -> Values {
    let accounts = Quantity::count(others);
    values([
        ("accounts", accounts),
        ("amount", Quantity::amount(relations::sum(scope.dataset, payments))),
        ("median", relations::median(scope.dataset, payments)),
        ("times_highest", times(accounts, baseline(history, "highest"), Quantity::ONE)),
        ("observed", baseline(history, "observed")),
        ("observed_business", observed_business(scope, payments, history)),
    ])
}

/// How long the account had been observed as one of a business. Payments on many days are no monthly run, for which a month is waited.
fn observed_business(scope: &Scope<'_>, payments: &[PaymentIndex], history: &Values) -> Quantity {
    let window = scope.window();
    let is_a_window = baseline(history, "observed") >= Quantity::days(window.length());
    let is_spread = days(scope, payments) >= scope.settings.value("spread").as_count();
    match is_a_window && is_spread {
        true => baseline(history, "observed_business").max(scope.settings.value("history")),
        false => baseline(history, "observed_business"),
    }
}

/// On how many different days the payments are, counted back from the window's end.
fn days(scope: &Scope<'_>, payments: &[PaymentIndex]) -> usize {
    let end = scope.window().end.millis();
    let days = payments.iter().map(|&payment| (end - 1 - scope.dataset.payment(payment).at.millis()) / DAY_MILLIS);
    days.collect::<BTreeSet<i64>>().len()
}

/// A baseline by its name; zero where it was not given.
pub fn baseline(history: &Values, name: &str) -> Quantity {
    history.get(name).copied().unwrap_or_default()
}
