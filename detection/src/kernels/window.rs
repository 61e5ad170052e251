//! Windows of an account's or actor's payments, and how much was usual in windows of the same length before.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use analytics::{AccountIndex, Amount, Link, Timestamp};

use super::Scope;
use crate::dataset::{Act, ActorIndex, ActorKind, Dataset};
use crate::day::Window;
use crate::quantity::Quantity;

/// The part of an account's links that a window holds.
pub fn of_links(links: &[Link], window: Window) -> &[Link] {
    let start = links.partition_point(|link| link.at < window.start);
    let rest = &links[start..];
    &rest[..rest.partition_point(|link| link.at < window.end)]
}

/// The part of an actor's acts that a window holds.
pub fn of_acts(acts: &[Act], window: Window) -> &[Act] {
    let start = acts.partition_point(|act| act.at < window.start);
    let rest = &acts[start..];
    &rest[..rest.partition_point(|act| act.at < window.end)]
}

/// How long the dataset had been observed when a window began: days since its first payment.
fn observed(dataset: &Dataset, window: Window) -> Quantity {
    let millis = dataset.begin().map_or(0, |begin| window.start.millis() - begin.millis());
    Quantity::days(millis.max(0))
}

/// How long an account or actor had been observed when a window began, and how long where it is a business.
///
/// Of what began during the observation the whole past is known: it was observed as long as the history asks for. So was, as a business, an
/// individual: only a business has hundreds of innocent counterparties each month.
fn observed_since(scope: &Scope<'_>, window: Window, began: Option<Timestamp>, kind: Option<ActorKind>) -> [Quantity; 2] {
    let all = scope.settings.value("history");
    let began_meanwhile = began.zip(scope.dataset.begin()).is_some_and(|(began, begin)| began >= begin);
    let observed = if began_meanwhile { all } else { observed(scope.dataset, window) };
    let as_business = if kind == Some(ActorKind::LegalEntity) { observed } else { all };
    [observed, as_business]
}

/// How long an account had been observed, and how long as one of a business.
pub fn observed_account(scope: &Scope<'_>, account: AccountIndex, window: Window) -> [Quantity; 2] {
    let account = scope.dataset.account(account);
    observed_since(scope, window, account.opened, account.owner.map(|owner| scope.dataset.actor(owner).kind))
}

/// How long an actor had been observed, and how long as a business.
pub fn observed_actor(scope: &Scope<'_>, actor: ActorIndex) -> [Quantity; 2] {
    let actor = scope.dataset.actor(actor);
    observed_since(scope, scope.window(), actor.since, Some(actor.kind))
}

/// Whether `later` is at least a window's length behind `earlier`, so that no window of that length holds both.
fn apart(earlier: Timestamp, later: Timestamp, length: i64) -> bool {
    later.millis() - earlier.millis() >= length.max(1)
}

/// The most different accounts at the other ends in any window of the given length in milliseconds. Own transfers do not count, nor do
/// payments below the floor.
pub fn highest_accounts(dataset: &Dataset, account: AccountIndex, links: &[Link], length: i64, floor: Amount) -> usize {
    let mut seen: HashMap<AccountIndex, u32> = HashMap::new();
    let counts = |link: &&Link| dataset.payment(link.payment).amount >= floor && !dataset.one_owner(account, link.other);
    let links: Vec<&Link> = links.iter().filter(counts).collect();
    let (mut first, mut highest) = (0, 0);
    for link in &links {
        *seen.entry(link.other).or_default() += 1;
        while apart(links[first].at, link.at, length) {
            if let Entry::Occupied(mut count) = seen.entry(links[first].other) {
                *count.get_mut() -= 1;
                if *count.get() == 0 {
                    count.remove();
                }
            }
            first += 1;
        }
        highest = highest.max(seen.len());
    }
    highest
}

/// The most rows, and the highest sum, in any window of the given length in milliseconds.
pub fn highest_sums(rows: &[(Timestamp, Amount)], length: i64) -> (usize, Amount) {
    let (mut first, mut sum) = (0, Amount::ZERO);
    let (mut highest_count, mut highest_sum) = (0, Amount::ZERO);
    for (place, &(at, amount)) in rows.iter().enumerate() {
        sum += amount;
        while apart(rows[first].0, at, length) {
            sum -= rows[first].1;
            first += 1;
        }
        highest_count = highest_count.max(place + 1 - first);
        highest_sum = highest_sum.max(sum);
    }
    (highest_count, highest_sum)
}

/// How many times a baseline something is. A baseline below `least` counts as `least`, so that nothing is infinitely unusual.
pub fn times(measured: Quantity, usual: Quantity, least: Quantity) -> Quantity {
    Quantity::share(measured, usual.max(least))
}
