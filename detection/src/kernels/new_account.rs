//! New account with high turnover: much money comes in and goes out again soon after an account was opened.
//!
//! For an account `v` of a monitored actor, opened at a known time, a currency, and the window, over the actor's own activity on `v` with
//! others since it was opened:
//!
//! ```text
//! age      = days from when v was opened to the end of the window
//! payments = number of payments      through = min(received, sent)      share = through / max(received, sent)
//! ```
//!
//! A founded company gets its capital once and spends it over months; a student spends a twelfth a month. The focal actor is the owner of
//! `v`. Baselines: `age`.
//!
//! Source: FATF, *Professional Money Laundering* (2018), on accounts that are opened to move money and emptied at once; Europol, *European
//! Money Mule Action* reports, on recruited holders of new accounts.

use super::awakened::is_on;
use super::fan::baseline;
use super::window::of_acts;
use super::{Named, Scope, turnover};
use crate::dataset::Act;
use crate::matches::{Anchor, Match, values};
use crate::quantity::Quantity;
use crate::rule::Unit;

pub const PASSES: Named = &[("window", Unit::Hours)];
pub const MEASURES: Named = &[("age", Unit::Days), ("payments", Unit::Payments), ("through", Unit::Amount), ("share", Unit::Share)];

pub fn search(scope: &Scope<'_>, show: &mut dyn FnMut(Match)) {
    let (dataset, window) = (scope.dataset, scope.window());
    for account in dataset.account_indices() {
        let Some(actor) = dataset.monitored_owner(account) else { continue };
        let Some(opened) = dataset.account(account).opened else { continue };
        let acts = of_acts(dataset.activity(actor), window).iter();
        let since: Vec<Act> = acts.filter(|act| act.at >= opened && is_on(dataset, act, account)).copied().collect();
        for (currency, turnover) in turnover::by_currency(dataset, actor, since.iter()) {
            if !scope.is_closed(&turnover.payments) {
                continue;
            }
            let anchor = Anchor::Account(account);
            let measure = || values([("age", Quantity::days(window.end.millis() - opened.millis()))]);
            let Some(history) = scope.history.values(dataset, anchor, currency, measure) else { continue };
            let measures = values([
                ("age", baseline(&history, "age")),
                ("payments", Quantity::count(turnover.payments.len())),
                ("through", turnover.through()),
                ("share", turnover.balance()),
            ]);
            show(Match { actor, anchor, currency, payments: turnover.payments, measures, history, window });
        }
    }
}
