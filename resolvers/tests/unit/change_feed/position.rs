use resolvers::EventPosition;
use resolvers::testing::change_feed::position;

#[test]
fn positions_are_read_as_they_are_written() {
    for text in ["0", "17", "18.2", "1.1", "999999999999999999", "999999999999999999.999999999999999999"] {
        assert_eq!(EventPosition::parse(text).map(|position| position.to_string()).as_deref(), Some(text));
    }
    for text in ["", "x", "-1", "+1", " 1", "1.", ".1", "1.0", "0.1", "1.x", "1.2.3", "1,2", "1e3", "9999999999999999999", "\u{0661}"] {
        assert_eq!(EventPosition::parse(text), None, "{text}");
    }
}

#[test]
fn positions_sort_as_events_come() {
    let inside = |read| position::inside(18, read, 3);
    let order = [position::behind(0), position::behind(17), inside(1), inside(2), inside(3), position::behind(19)];
    assert!(order.is_sorted_by(|one, next| one < next), "{order:?}");
    assert_eq!(order.map(|position| position.to_string()), ["0", "17", "18.1", "18.2", "18", "19"]);
}
