//! Round trips: money comes back to where it set out, over accounts that are new to each other, and little is lost on the way.
//!
//! Among payments of new relations in one currency and the window, from `floor` on:
//!
//! ```text
//! ring   = analytics::for_each_ring of at most `payments` payments, closed by a payment of the day
//! length = payments of the ring
//! sum(i) = Σ amounts of the members that go from the i-th account to the next
//! amount = the smallest sum(i)
//! share  = amount / the largest sum(i)
//! ```
//!
//! Friends who split bills pay small amounts that differ; companies that trade both ways and sweeps of a treasury repeat. The focal actor
//! is the owner of the account that the money came back to, else the next monitored one along the ring. There are no baselines. Sources as
//! in [`analytics::for_each_ring`].

use std::time::Duration;

use analytics::{AccountIndex, CurrencyIndex, CycleLimits, PaymentIndex, Ring, Span};

use super::relations::{self, Part};
use super::scatter_gather::focal;
use super::{Named, Scope};
use crate::matches::{Match, Values, values};
use crate::quantity::Quantity;
use crate::rule::Unit;

pub const PASSES: Named = &[("window", Unit::Hours), ("history", Unit::Days), ("floor", Unit::Amount), ("longest", Unit::Payments)];
pub const MEASURES: Named = &[("length", Unit::Payments), ("amount", Unit::Amount), ("share", Unit::Share)];

/// The longest ring that is looked for: the search is exponential in half of it.
const LONGEST: usize = 10;

pub fn search(scope: &Scope<'_>, show: &mut dyn FnMut(Match)) {
    let window = scope.window();
    let limits = CycleLimits {
        span: Span::new(Duration::from_millis(window.length().unsigned_abs())),
        payments: scope.settings.value("longest").as_count().min(LONGEST) as u32,
    };
    for (currency, part) in relations::of_network(scope, window, scope.amount("floor")) {
        analytics::for_each_ring(&part.network, limits, |ring| {
            if scope.day.holds(part.network.at(ring.closing))
                && let Some(found) = found(scope, currency, &part, ring)
            {
                show(found);
            }
        });
    }
}

fn found(scope: &Scope<'_>, currency: CurrencyIndex, part: &Part, ring: &Ring<'_>) -> Option<Match> {
    let before = (0..ring.length() - 1).map(|step| ring.members(step));
    let steps: Vec<&[PaymentIndex]> = before.chain([std::slice::from_ref(&ring.closing)]).collect();
    let accounts: Vec<AccountIndex> = steps.iter().filter_map(|step| Some(part.network.from(*step.first()?))).collect();
    let (actor, anchor) = focal(scope, accounts)?;
    let sums: Vec<Quantity> = steps.iter().map(|step| Quantity::amount(relations::sum_of(&part.network, step))).collect();
    let (smallest, largest) = (sums.iter().copied().min()?, sums.iter().copied().max()?);
    let measures = values([("length", Quantity::count(ring.length())), ("amount", smallest), ("share", Quantity::share(smallest, largest))]);
    let mut payments: Vec<PaymentIndex> = steps.concat().into_iter().map(|payment| part.whole(payment)).collect();
    payments.sort_unstable();
    Some(Match { actor, anchor, currency, payments, measures, history: Values::new(), window: scope.window() })
}
