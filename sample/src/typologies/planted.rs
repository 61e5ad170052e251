//! The planted cases.
//!
//! Each typology has a function that plants one case. Sizes, times and amounts vary from case to case; a third of the subjects opened their
//! account for the purpose, the others have an ordinary life beside it. What passes through an account keeps the order of time and loses
//! a commission.

mod chains;
mod conduct;
mod fans;
mod structuring;

use super::cast::Cast;
use super::network::Typology;

/// Plants so many cases of each typology. Says no when there are too few customers.
pub(super) fn plant(cast: &mut Cast<'_>, cases: usize) -> Option<()> {
    for number in 0..cases {
        for typology in Typology::ALL {
            plant_one(cast, typology, number)?;
        }
    }
    Some(())
}

fn plant_one(cast: &mut Cast<'_>, typology: Typology, number: usize) -> Option<()> {
    let (focal, scene) = match typology {
        Typology::Structuring => structuring::structuring(cast, number)?,
        Typology::RapidPassThrough => chains::pass_through(cast)?,
        Typology::FanIn => fans::fan_in(cast)?,
        Typology::FanOut => fans::fan_out(cast)?,
        Typology::GatherScatter => fans::gather_scatter(cast)?,
        Typology::ScatterGather => fans::scatter_gather(cast)?,
        Typology::StackedLayers => chains::stacked_layers(cast)?,
        Typology::RoundTrip => chains::round_trip(cast)?,
        Typology::DormantAwakened => conduct::dormant(cast, number)?,
        Typology::VelocityBurst => conduct::burst(cast, number)?,
        Typology::RoundAmounts => conduct::round_amounts(cast, number)?,
        Typology::NewAccountTurnover => conduct::new_account(cast)?,
    };
    let focal = cast.population.owners_of(&focal);
    cast.book.plant(typology, focal, scene.entries);
    Some(())
}
