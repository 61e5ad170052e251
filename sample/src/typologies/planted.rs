//! The planted cases.
//!
//! Each typology has a function that plants one case. Sizes, times and amounts vary from case to case; a third of the subjects opened their
//! account for the purpose, the others have an ordinary life beside it. What passes through an account keeps the order of time and loses
//! a commission.

mod chains;
mod conduct;
mod fans;
mod structuring;

use super::cast::{Case, Cast};
use super::network::Typology;

const CASES: [(Typology, Case); 12] = [
    (Typology::Structuring, structuring::structuring),
    (Typology::RapidPassThrough, |cast, _| chains::pass_through(cast)),
    (Typology::FanIn, |cast, _| fans::fan_in(cast)),
    (Typology::FanOut, |cast, _| fans::fan_out(cast)),
    (Typology::GatherScatter, |cast, _| fans::gather_scatter(cast)),
    (Typology::ScatterGather, |cast, _| fans::scatter_gather(cast)),
    (Typology::StackedLayers, |cast, _| chains::stacked_layers(cast)),
    (Typology::RoundTrip, |cast, _| chains::round_trip(cast)),
    (Typology::DormantAwakened, conduct::dormant),
    (Typology::VelocityBurst, conduct::burst),
    (Typology::RoundAmounts, conduct::round_amounts),
    (Typology::NewAccountTurnover, |cast, _| conduct::new_account(cast)),
];

/// Plants so many cases of each typology that payments alone tell. Says no when there are too few customers.
pub(super) fn plant(cast: &mut Cast<'_>, cases: usize) -> Option<()> {
    for number in 0..cases {
        for (typology, case) in CASES {
            cast.plant(typology, case, number)?;
        }
    }
    Some(())
}
