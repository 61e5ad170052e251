//! Innocent events that look like typologies. Those that come back each month are made with ordinary life and only noted there.

mod gatherings;
mod money;
mod newcomers;

use super::cast::{Cast, Scene};
use super::innocent::Innocent;

/// Enters so many events of each kind. Says no when there are too few customers.
pub(super) fn enter(cast: &mut Cast<'_>, events: usize) -> Option<()> {
    type Event = fn(&mut Cast<'_>) -> Option<Scene>;
    const EVENTS: [(Innocent, Event); 12] = [
        (Innocent::SaleForCash, money::sale_for_cash),
        (Innocent::SavingsForCar, money::savings_for_car),
        (Innocent::TaxRefund, money::tax_refund),
        (Innocent::SavingsSpent, money::savings_spent),
        (Innocent::HolidayShopping, money::holiday_shopping),
        (Innocent::CharityCampaign, gatherings::charity_campaign),
        (Innocent::GroupGift, gatherings::group_gift),
        (Innocent::TravelRefunds, gatherings::travel_refunds),
        (Innocent::TripOrganiser, gatherings::trip_organiser),
        (Innocent::SubsidisedTrip, gatherings::subsidised_trip),
        (Innocent::FriendsSplitting, gatherings::friends_splitting),
        (Innocent::BankSwitcher, newcomers::bank_switcher),
    ];
    for number in 0..events {
        for (kind, event) in EVENTS {
            let scene = event(cast)?;
            cast.book.look_alike(kind, scene.entries);
        }
        money::house_purchase(cast)?;
        newcomers::student_account(cast, number);
    }
    newcomers::start_ups(cast);
    newcomers::seasonal(cast);
    Some(())
}
