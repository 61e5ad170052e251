//! Gather-scatter: an account collects from several that are new to it, and pays most of it on to several that are new to it.
//!
//! For an account `v`, a currency, and the window:
//!
//! ```text
//! gathered   = payments into v of new relations, before the last of scattered
//! scattered  = payments out of v of new relations, behind the first of gathered
//! senders, receivers = different accounts at the other ends
//! amount     = min(Σ gathered, Σ scattered)
//! share      = amount / max(Σ gathered, Σ scattered)
//! highest    = most different counterparties on both sides of v in any window of the same length in the history
//! times_highest = (senders + receivers) / max(1, highest)
//! observed   = days that v had been observed when the window began; observed_business likewise, of a business alone
//! ```
//!
//! Equal times do not link. A marketplace has as many counterparties each week, and a payroll agency pays the same people each month. The
//! focal actor is the owner of `v`. Baselines: `highest`, `observed`,
//! `observed_business`. Sources as in [`analytics::gather_scatters`].

use analytics::{AccountIndex, Amount, PaymentIndex, Side};

use super::fan::baseline;
use super::window::{highest_accounts, observed_account, of_links, times};
use super::{Named, Scope, relations};
use crate::matches::{Anchor, Match, Values, values};
use crate::quantity::Quantity;
use crate::rule::Unit;

pub const PASSES: Named = &[("window", Unit::Hours), ("history", Unit::Days)];
pub const MEASURES: Named = &[
    ("senders", Unit::Accounts),
    ("receivers", Unit::Accounts),
    ("amount", Unit::Amount),
    ("share", Unit::Share),
    ("times_highest", Unit::Times),
    ("observed", Unit::Days),
    ("observed_business", Unit::Days),
];

pub fn search(scope: &Scope<'_>, show: &mut dyn FnMut(Match)) {
    let (dataset, window) = (scope.dataset, scope.window());
    for account in dataset.account_indices() {
        let Some(actor) = dataset.monitored_owner(account) else { continue };
        // Money that is paid on leaves last, so that a day without a payment out closes nothing.
        if !of_links(dataset.network().links(account, Side::Out), window).last().is_some_and(|link| scope.day.holds(link.at)) {
            continue;
        }
        let scattered = relations::of_account(scope, account, Side::Out, window, Amount::ZERO);
        let mut gathered = relations::of_account(scope, account, Side::In, window, Amount::ZERO);
        for (currency, scattered) in scattered {
            let Some(gathered) = gathered.remove(&currency) else { continue };
            let Some((gathered, scattered)) = in_order(scope, gathered, scattered) else { continue };
            let anchor = Anchor::Account(account);
            let Some(history) = scope.history.values(dataset, anchor, currency, || usual(scope, account)) else { continue };
            let measures = measures(scope, &gathered, &scattered, &history);
            let mut payments = [gathered, scattered].concat();
            payments.sort_unstable();
            show(Match { actor, anchor, currency, payments, measures, history, window });
        }
    }
}

/// The payments that came before the last one out, and those that went behind the first one in. `None` where no money can have moved on,
/// and where the day added nothing.
pub fn in_order(scope: &Scope<'_>, mut into: Vec<PaymentIndex>, mut out: Vec<PaymentIndex>) -> Option<(Vec<PaymentIndex>, Vec<PaymentIndex>)> {
    let at = |payment: &PaymentIndex| scope.dataset.payment(*payment).at;
    let first = at(into.first()?);
    out.retain(|payment| at(payment) > first);
    let last = at(out.last()?);
    into.retain(|payment| at(payment) < last);
    (scope.is_closed(&out) && !into.is_empty()).then_some((into, out))
}

fn usual(scope: &Scope<'_>, account: AccountIndex) -> Values {
    let window = scope.window();
    let before = window.history(scope.history_length());
    let highest = |side| {
        highest_accounts(scope.dataset, account, of_links(scope.dataset.network().links(account, side), before), window.length(), Amount::ZERO)
    };
    let highest = highest(Side::In) + highest(Side::Out);
    let [since, as_business] = observed_account(scope, account, window);
    values([("highest", Quantity::count(highest)), ("observed", since), ("observed_business", as_business)])
}

fn measures(scope: &Scope<'_>, gathered: &[PaymentIndex], scattered: &[PaymentIndex], history: &Values) -> Values {
    let dataset = scope.dataset;
    let senders = Quantity::count(relations::accounts(dataset, gathered, |payment| payment.from));
    let receivers = Quantity::count(relations::accounts(dataset, scattered, |payment| payment.to));
    let [received, sent] = [gathered, scattered].map(|payments| Quantity::amount(relations::sum(dataset, payments)));
    values([
        ("senders", senders),
        ("receivers", receivers),
        ("amount", received.min(sent)),
        ("share", Quantity::share(received.min(sent), received.max(sent))),
        ("times_highest", times(senders.plus(receivers), baseline(history, "highest"), Quantity::ONE)),
        ("observed", baseline(history, "observed")),
        ("observed_business", baseline(history, "observed_business")),
    ])
}
