//! Rapid pass-through: an account is paid by somebody new and soon pays most of it to somebody new.
//!
//! For a payment `p` of a new relation into an account `v`, in its currency, where `p` is at most `within` before the business day:
//!
//! ```text
//! out(p)     = payments out of v of new relations, later than p by at most `within`, each of at least a twentieth of p
//! passed(p)  = of out(p), from the largest to the smallest, each that does not make their sum larger than p
//! amount     = Σ passed(p)      paid_on = amount / amount of p      parts = |passed(p)|
//! highest    = largest such amount of any payment into v in the history, new relations or not
//! times_highest = amount / max(1, highest)
//! observed   = days that v had been observed when the window began; observed_business likewise, of a business alone
//! ```
//!
//! Equal times do not link. A household that pays rent out of its salary pays somebody known and keeps a part. An employer pays many. What a
//! trader is paid goes on each week, so that the history knows as much. The focal actor is the owner of `v`. Baselines: `highest`,
//! `observed`, `observed_business`. Sources as in [`analytics::pass_throughs`], whose sums over a window tell less of one payment.

use analytics::{AccountIndex, Amount, CurrencyIndex, PaymentIndex, Side, Timestamp};

use super::fan::baseline;
use super::window::{observed_account, of_links, times};
use super::{Named, Scope, relations};
use crate::day::{Window, before};
use crate::matches::{Anchor, Match, Values, values};
use crate::quantity::Quantity;
use crate::rule::Unit;

pub const PASSES: Named = &[("within", Unit::Hours), ("history", Unit::Days)];
pub const MEASURES: Named = &[
    ("amount", Unit::Amount),
    ("paid_on", Unit::Share),
    ("parts", Unit::Payments),
    ("times_highest", Unit::Times),
    ("observed", Unit::Days),
    ("observed_business", Unit::Days),
];

/// Smaller parts of a payment are daily life beside it.
const SMALLEST_PART: i128 = 20;

/// A payment as it is matched.
#[derive(Debug, Clone, Copy)]
struct Part {
    payment: PaymentIndex,
    at: Timestamp,
    amount: Amount,
}

pub fn search(scope: &Scope<'_>, show: &mut dyn FnMut(Match)) {
    let dataset = scope.dataset;
    let window = Window { start: before(scope.day.start(), scope.settings.value("within").as_hours()), end: scope.day.end() };
    for account in dataset.account_indices() {
        let Some(actor) = dataset.monitored_owner(account) else { continue };
        if !of_links(dataset.network().links(account, Side::Out), window).last().is_some_and(|link| scope.day.holds(link.at)) {
            continue;
        }
        let sent = relations::of_account(scope, account, Side::Out, window, Amount::ZERO);
        let mut received = relations::of_account(scope, account, Side::In, window, Amount::ZERO);
        for (currency, sent) in sent {
            let Some(received) = received.remove(&currency) else { continue };
            let sent = parts(scope, sent.into_iter());
            let found: Vec<(Part, Vec<Part>)> =
                parts(scope, received.into_iter()).into_iter().map(|part| (part, passed(scope, part, &sent))).collect();
            if found.iter().all(|(_, passed)| passed.is_empty()) {
                continue;
            }
            let anchor = Anchor::Account(account);
            let measure = || usual(scope, account, currency, window);
            let Some(history) = scope.history.values(dataset, anchor, currency, measure) else { continue };
            for (received, passed) in found {
                let measures = measures(received, &passed, &history);
                let mut payments: Vec<PaymentIndex> = passed.iter().map(|part| part.payment).chain([received.payment]).collect();
                payments.sort_unstable();
                if !passed.is_empty() && scope.is_closed(&payments) {
                    show(Match { actor, anchor, currency, payments, measures, history: history.clone(), window });
                }
            }
        }
    }
}

fn measures(received: Part, passed: &[Part], history: &Values) -> Values {
    let amount = Quantity::amount(passed.iter().map(|part| part.amount).sum());
    values([
        ("amount", amount),
        ("paid_on", Quantity::share(amount, Quantity::amount(received.amount))),
        ("parts", Quantity::count(passed.len())),
        ("times_highest", times(amount, baseline(history, "highest"), Quantity::ONE)),
        ("observed", baseline(history, "observed")),
        ("observed_business", baseline(history, "observed_business")),
    ])
}

fn parts(scope: &Scope<'_>, payments: impl Iterator<Item = PaymentIndex>) -> Vec<Part> {
    let part = |payment| {
        let row = scope.dataset.payment(payment);
        Part { payment, at: row.at, amount: row.amount }
    };
    payments.map(part).collect()
}

/// The payments out, in the order of time, that pass a payment on.
fn passed(scope: &Scope<'_>, received: Part, sent: &[Part]) -> Vec<Part> {
    let within = i64::try_from(scope.settings.value("within").as_hours().as_millis()).unwrap_or(i64::MAX);
    let later = &sent[sent.partition_point(|part| part.at <= received.at)..];
    let soon = later.iter().take_while(|part| part.at.millis() - received.at.millis() <= within);
    let mut soon: Vec<Part> = soon.filter(|part| part.amount.0 > 0 && part.amount.0 >= received.amount.0 / SMALLEST_PART).copied().collect();
    soon.sort_by_key(|part| (std::cmp::Reverse(part.amount), part.payment));
    let mut sum = Amount::ZERO;
    soon.retain(|part| {
        let fits = sum + part.amount <= received.amount;
        if fits {
            sum += part.amount;
        }
        fits
    });
    soon
}

fn usual(scope: &Scope<'_>, account: AccountIndex, currency: CurrencyIndex, window: Window) -> Values {
    let history = window.history(scope.history_length());
    let [received, sent] = [Side::In, Side::Out].map(|side| {
        let links = of_links(scope.dataset.network().links(account, side), history).iter();
        let with_others = links.filter(|link| !scope.dataset.one_owner(account, link.other)).map(|link| link.payment);
        parts(scope, with_others.filter(|&payment| scope.dataset.payment(payment).currency == currency))
    });
    let through = received.iter().map(|&part| passed(scope, part, &sent).iter().map(|part| part.amount).sum::<Amount>());
    let highest = through.max().unwrap_or_default();
    let [since, as_business] = observed_account(scope, account, window);
    values([("highest", Quantity::amount(highest)), ("observed", since), ("observed_business", as_business)])
}
