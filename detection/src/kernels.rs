//! The kernels: searches over a dataset that show matches, thin over the algorithms of [`analytics`].
//!
//! A kernel looks at the window that ends with the business day, and shows a match only where a payment of the day is part of it. So a
//! pattern is shown on each day that adds to it, and on no other. Thresholds are compared behind it.
//!
//! - **Window**: `[end − W, end)` of the business day's end. A payment exactly `W` before the end counts.
//! - **Currency**: a match is within one.
//! - **New relations**: patterns between accounts count payments between accounts that did not pay each other, in either direction, in the
//!   history right before the window. Salaries, rents, and regular suppliers repeat, and refunds go back where money came from.
//! - **Own transfers**: payments between accounts of one known owner are no part of a pattern, as the money changes no hands.
//! - **Baselines** are measured before the window, are no elements, and are given in a replay.

mod awakened;
mod fan;
mod gather_scatter;
pub(crate) mod marked;
mod new_account;
mod pass_through;
mod relations;
mod round_trip;
mod scatter_gather;
mod selected;
mod stacked_layers;
mod turnover;
mod velocity;
mod window;

use std::time::Duration;

use analytics::{Amount, Side};
use serde::Serialize;

use crate::dataset::Dataset;
use crate::day::{Day, Window};
use crate::matches::{History, Match};
use crate::rule::{Settings, Unit};

/// A search that is part of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kernel {
    Structuring,
    RapidPassThrough,
    FanIn,
    FanOut,
    GatherScatter,
    ScatterGather,
    StackedLayers,
    RoundTrip,
    DormantAwakened,
    Velocity,
    RoundAmounts,
    NewAccountTurnover,
}

/// Names with units.
pub type Named = &'static [(&'static str, Unit)];

/// A search: shows each match.
type SearchFn = fn(&Scope<'_>, &mut dyn FnMut(Match));

/// What a kernel is asked for, what it measures, and what it does.
struct Definition {
    name: &'static str,
    passes: Named,
    measures: Named,
    search: SearchFn,
}

impl Kernel {
    pub const ALL: [Self; 12] = [
        Self::Structuring,
        Self::RapidPassThrough,
        Self::FanIn,
        Self::FanOut,
        Self::GatherScatter,
        Self::ScatterGather,
        Self::StackedLayers,
        Self::RoundTrip,
        Self::DormantAwakened,
        Self::Velocity,
        Self::RoundAmounts,
        Self::NewAccountTurnover,
    ];

    /// The kernel of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kernel| kernel.name() == name)
    }

    pub fn name(self) -> &'static str {
        self.definition().name
    }

    /// The parameters that the search takes.
    pub fn passes(self) -> Named {
        self.definition().passes
    }

    /// What each of its matches measures.
    pub fn measures(self) -> Named {
        self.definition().measures
    }

    /// Shows the matches that the day closes, in an order that follows from the dataset.
    pub fn search(self, scope: &Scope<'_>, mut show: impl FnMut(Match)) {
        (self.definition().search)(scope, &mut show);
    }

    fn definition(self) -> Definition {
        let (name, passes, measures, search): (_, _, _, SearchFn) = match self {
            Self::Structuring => ("structuring", selected::LIMIT_PASSES, selected::MEASURES, selected::below_limit),
            Self::RapidPassThrough => ("rapid-pass-through", pass_through::PASSES, pass_through::MEASURES, pass_through::search),
            Self::FanIn => ("fan-in", fan::PASSES, fan::MEASURES, |scope, show| fan::search(scope, Side::In, show)),
            Self::FanOut => ("fan-out", fan::PASSES, fan::MEASURES, |scope, show| fan::search(scope, Side::Out, show)),
            Self::GatherScatter => ("gather-scatter", gather_scatter::PASSES, gather_scatter::MEASURES, gather_scatter::search),
            Self::ScatterGather => ("scatter-gather", scatter_gather::PASSES, scatter_gather::MEASURES, scatter_gather::search),
            Self::StackedLayers => ("stacked-layers", stacked_layers::PASSES, stacked_layers::MEASURES, stacked_layers::search),
            Self::RoundTrip => ("round-trip", round_trip::PASSES, round_trip::MEASURES, round_trip::search),
            Self::DormantAwakened => ("dormant-awakened", awakened::PASSES, awakened::MEASURES, awakened::search),
            Self::Velocity => ("velocity", velocity::PASSES, velocity::MEASURES, velocity::search),
            Self::RoundAmounts => ("round-amounts", selected::ROUND_PASSES, selected::MEASURES, selected::round),
            Self::NewAccountTurnover => ("new-account-turnover", new_account::PASSES, new_account::MEASURES, new_account::search),
        };
        Definition { name, passes, measures, search }
    }
}

/// What a search looks at.
#[derive(Debug, Clone, Copy)]
pub struct Scope<'a> {
    pub dataset: &'a Dataset,
    pub day: Day,
    pub settings: &'a Settings,
    pub history: History<'a>,
}

impl Scope<'_> {
    /// The window that ends with the day; its length is the pass `window`, in hours.
    fn window(&self) -> Window {
        self.day.window(self.settings.value("window").as_hours())
    }

    /// The length of the history before the window: the pass `history`, in days.
    fn history_length(&self) -> Duration {
        self.settings.value("history").as_days()
    }

    fn amount(&self, name: &str) -> Amount {
        self.settings.value(name).as_amount()
    }

    /// Whether a payment of the day is among those.
    fn is_closed(&self, payments: &[analytics::PaymentIndex]) -> bool {
        payments.iter().any(|&payment| self.day.holds(self.dataset.payment(payment).at))
    }
}
