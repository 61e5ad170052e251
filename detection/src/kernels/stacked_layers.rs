//! Stacked layers: money moves through layers of accounts, each taking from several and paying several.
//!
//! Among payments of new relations in one currency and the window, from `floor` on:
//!
//! ```text
//! stack    = analytics::stacks of `steps` steps, `width` accounts at both ends of each step, within the window
//! accounts = different accounts in all layers
//! amount   = the smallest sum that a step moved
//! share    = amount / the largest sum that a step moved
//! ```
//!
//! A supply chain pays the same suppliers for months. The focal actor is the owner of the first account that is monitored, layer by layer,
//! in the order of accounts. There are no baselines. Sources as in [`analytics::stacks`].

use std::time::Duration;

use analytics::{CurrencyIndex, PaymentIndex, Span, Stack, StackLimits};

use super::relations::{self, Part};
use super::scatter_gather::focal;
use super::{Named, Scope};
use crate::matches::{Match, Values, values};
use crate::quantity::Quantity;
use crate::rule::Unit;

pub const PASSES: Named =
    &[("window", Unit::Hours), ("history", Unit::Days), ("floor", Unit::Amount), ("steps", Unit::Payments), ("width", Unit::Accounts)];
pub const MEASURES: Named = &[("accounts", Unit::Accounts), ("amount", Unit::Amount), ("share", Unit::Share)];

/// The most steps that are looked for, so that a search ends whatever is asked.
const MOST_STEPS: usize = 16;

pub fn search(scope: &Scope<'_>, show: &mut dyn FnMut(Match)) {
    let window = scope.window();
    let width = u32::try_from(scope.settings.value("width").as_count()).unwrap_or(u32::MAX);
    let limits = StackLimits {
        steps: scope.settings.value("steps").as_count().min(MOST_STEPS),
        senders: width,
        receivers: width,
        span: Span::new(Duration::from_millis(window.length().unsigned_abs())),
    };
    for (currency, part) in relations::of_network(scope, window, scope.amount("floor")) {
        for stack in analytics::stacks(&part.network, limits) {
            if let Some(found) = found(scope, currency, &part, &stack) {
                show(found);
            }
        }
    }
}

fn found(scope: &Scope<'_>, currency: CurrencyIndex, part: &Part, stack: &Stack) -> Option<Match> {
    let layers = stack.layers(&part.network);
    let mut accounts = layers.concat();
    let (actor, anchor) = focal(scope, accounts.iter().copied())?;
    accounts.sort_unstable();
    accounts.dedup();
    let steps: Vec<Vec<PaymentIndex>> = stack.steps.iter().map(|step| step.iter().map(|&payment| part.whole(payment)).collect()).collect();
    let sums: Vec<Quantity> = steps.iter().map(|step| Quantity::amount(relations::sum(scope.dataset, step))).collect();
    let (smallest, largest) = (sums.iter().copied().min()?, sums.iter().copied().max()?);
    let measures = values([("accounts", Quantity::count(accounts.len())), ("amount", smallest), ("share", Quantity::share(smallest, largest))]);
    let mut payments = steps.concat();
    payments.sort_unstable();
    payments.dedup();
    let is_closed = scope.is_closed(&payments);
    is_closed.then_some(Match { actor, anchor, currency, payments, measures, history: Values::new(), window: scope.window() })
}
