//! What a page costs, and where it goes on.

use async_graphql::connection::CursorType;
use resolvers::explore::{Page, Place, link, nodes};

use graphql_api::page::*;

#[test]
fn what_is_too_dear_does_not_come_round_to_nothing() {
    let mut dear = 1;
    for _ in 0..40 {
        let next = cost(Some(256), None, dear);
        assert!(next >= dear.min(DEAREST_ITEM), "{next} after {dear}");
        dear = next;
    }
}

#[test]
fn cursors_come_back_as_they_went_and_to_no_other_list() {
    let listing = |field, sort| {
        let link = link(&nodes::ACCOUNT, field).expect("a link");
        CursorScope { link, order: Page { sort: link.sorts.iter().find(|known| known.name == sort).expect("an order"), ..link.usual_page() } }
    };
    let sent = listing("sent", "AMOUNT");
    let place = Place::read("[[\"3fb999999999999a\"],\"a b c\"]", sent.order).expect("a place");
    let text = Cursor { listing: sent, place: place.clone() }.encode_cursor();
    assert_eq!(sent.place(&text), Some(place));
    let turned = CursorScope { order: Page { direction: sent.order.direction.reversed(), ..sent.order }, ..sent };
    for other in [listing("sent", "CREATED_AT"), listing("received", "AMOUNT"), listing("actors", "ID"), turned] {
        assert_eq!(other.place(&text), None, "{other:?}");
    }
    for wrong in ["", "!!", "eA"] {
        assert_eq!(sent.place(wrong), None, "{wrong}");
    }
}
