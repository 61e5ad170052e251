//! What is known beside payments, and the cases and events that can't be told by payments alone.
//!
//! Facts of ordinary life come first: who lives with whom, who uses whose device, which companies belong together. The cases ([`planted`]) and the
//! innocent events that look like them ([`alike`]) come last of all, with customers who are in no other case, so that the rest of a network is what it was
//! without them.

mod alike;
mod ordinary;
mod planted;

use super::cast::{Case, Cast, Scene};
use super::innocent::Innocent;
use super::network::Typology;

pub(super) use ordinary::note;

type Event = fn(&mut Cast<'_>, usize) -> Option<Scene>;

const CASES: [(Typology, Case); 5] = [
    (Typology::HighRiskCountry, |cast, _| planted::high_risk_country(cast)),
    (Typology::PepCounterparty, |cast, _| planted::pep_counterparty(cast)),
    (Typology::SanctionedCounterparty, planted::sanctioned_counterparty),
    (Typology::MuleRing, planted::mule_ring),
    (Typology::LayeredOwnership, planted::layered_ownership),
];

const EVENTS: [(Innocent, Event); 9] = [
    (Innocent::FamilySupport, |cast, _| alike::family_support(cast)),
    (Innocent::SmallImports, alike::small_imports),
    (Innocent::ClearedNamesake, |cast, _| alike::cleared_namesake(cast)),
    (Innocent::RentToPep, |cast, _| alike::rent_to_pep(cast)),
    (Innocent::FormerPep, |cast, _| alike::former_pep(cast)),
    (Innocent::FlatShare, |cast, _| alike::flat_share(cast)),
    (Innocent::LodgingHouse, |cast, _| alike::lodging_house(cast)),
    (Innocent::GroupInvoices, alike::group_invoices),
    (Innocent::DistantStake, |cast, _| alike::distant_stake(cast)),
];

/// Plants so many cases of each typology of relations, and enters so many events of each kind. Says no when there are too few customers.
pub(super) fn enter(cast: &mut Cast<'_>, cases: usize) -> Option<()> {
    for number in 0..cases {
        for (typology, case) in CASES {
            cast.plant(typology, case, number)?;
        }
        for (kind, event) in EVENTS {
            let scene = event(cast, number)?;
            cast.book.look_alike(kind, scene.entries);
        }
    }
    Some(())
}
