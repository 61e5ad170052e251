//! Scatter-gather: one account pays several, and each of these pays most of it on to one other.
//!
//! For accounts `u ≠ z`, a currency, and the window, among payments of new relations:
//!
//! ```text
//! legs of m      = payments from u to m and from m to z, each with a partner in time order (analytics::Legs::InOrder)
//! passed_on(m)   = min(Σ from u, Σ to z) / max(Σ from u, Σ to z) of the legs of m
//! intermediaries = |{ m : passed_on(m) ≥ passed_on }|
//! amount         = Σ min(Σ from u, Σ to z) over those m
//! ```
//!
//! Employees who rent from one landlord pay a part of their salary: they pass little on. The focal actor is the first monitored one of the
//! owners of `u`, of `z`, and of the intermediaries in the order of their accounts. There are no baselines. Sources as in
//! [`analytics::for_each_scatter_gather`].

use std::collections::BTreeMap;
use std::time::Duration;

use analytics::{AccountIndex, Amount, CurrencyIndex, Legs, PaymentIndex, Role, Span};

use super::relations::{self, Part};
use super::{Named, Scope};
use crate::dataset::ActorIndex;
use crate::matches::{Anchor, Match, Values, values};
use crate::quantity::Quantity;
use crate::rule::Unit;

pub const PASSES: Named = &[("window", Unit::Hours), ("history", Unit::Days), ("floor", Unit::Amount), ("passed_on", Unit::Share)];
pub const MEASURES: Named = &[("intermediaries", Unit::Accounts), ("amount", Unit::Amount)];

/// The legs of one intermediary.
#[derive(Default)]
struct Flow {
    scattered: Amount,
    gathered: Amount,
    payments: Vec<PaymentIndex>,
}

impl Flow {
    fn passed(&self) -> Quantity {
        Quantity::amount(self.scattered.min(self.gathered))
    }

    fn share(&self) -> Quantity {
        Quantity::share(self.passed(), Quantity::amount(self.scattered.max(self.gathered)))
    }
}

pub fn search(scope: &Scope<'_>, show: &mut dyn FnMut(Match)) {
    let window = scope.window();
    for (currency, part) in relations::of_network(scope, window, scope.amount("floor")) {
        // The last pattern of a pair has all its legs, as no two payments of a window are further apart than its length.
        let mut pairs: BTreeMap<(AccountIndex, AccountIndex), BTreeMap<AccountIndex, Flow>> = BTreeMap::new();
        let span = Span::new(Duration::from_millis(window.length().unsigned_abs()));
        analytics::for_each_scatter_gather(&part.network, span, Legs::InOrder, |pattern| {
            if scope.day.holds(part.network.at(pattern.closing)) {
                pairs.insert((pattern.source, pattern.sink), flows(&part, pattern.legs));
            }
        });
        for ((source, sink), flows) in pairs {
            if let Some(found) = found(scope, currency, source, sink, flows) {
                show(found);
            }
        }
    }
}

fn flows(part: &Part, legs: &[analytics::Leg]) -> BTreeMap<AccountIndex, Flow> {
    let mut flows: BTreeMap<AccountIndex, Flow> = BTreeMap::new();
    for leg in legs {
        let flow = flows.entry(leg.intermediary).or_default();
        flow.payments.push(part.whole(leg.payment));
        match leg.role {
            Role::Scatter => flow.scattered += part.network.amount(leg.payment),
            Role::Gather => flow.gathered += part.network.amount(leg.payment),
        }
    }
    flows
}

fn found(
    scope: &Scope<'_>,
    currency: CurrencyIndex,
    source: AccountIndex,
    sink: AccountIndex,
    mut flows: BTreeMap<AccountIndex, Flow>,
) -> Option<Match> {
    let passed_on = scope.settings.value("passed_on");
    flows.retain(|_, flow| flow.share() >= passed_on);
    let (actor, anchor) = focal(scope, [source, sink].into_iter().chain(flows.keys().copied()))?;
    let measures = values([("intermediaries", Quantity::count(flows.len())), ("amount", flows.values().map(Flow::passed).sum())]);
    let mut payments: Vec<PaymentIndex> = flows.into_values().flat_map(|flow| flow.payments).collect();
    payments.sort_unstable();
    let is_closed = scope.is_closed(&payments);
    is_closed.then_some(Match { actor, anchor, currency, payments, measures, history: Values::new(), window: scope.window() })
}

/// The first of some accounts whose owner is monitored.
pub fn focal(scope: &Scope<'_>, accounts: impl IntoIterator<Item = AccountIndex>) -> Option<(ActorIndex, Anchor)> {
    accounts.into_iter().find_map(|account| Some((scope.dataset.monitored_owner(account)?, Anchor::Account(account))))
}
