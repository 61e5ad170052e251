use resolvers::testing::logical_time::{Acknowledged, BEHIND_ITEMS, LogicalTime, TICK};

const NOW: i64 = 7 * TICK + BEHIND_ITEMS;

#[test]
fn what_is_acknowledged_as_it_is_written_comes_after_all_that_it_finds() {
    for stored in [None, Some(1), Some(NOW - 1), Some(NOW), Some(NOW + TICK)] {
        let time = Acknowledged::Written.in_place_of(stored, Some(NOW)).expect("it is the present");
        assert!(time >= NOW && stored.is_none_or(|stored| time >= stored));
    }
}

#[test]
fn an_item_keeps_the_place_of_its_request() {
    let first = LogicalTime::first_of_tick(NOW);
    let (before, after) = (NOW - TICK, NOW);
    let item = |places| Acknowledged::Before(first.behind(places));
    for places in [0, 1, 8_999] {
        let time = item(places).in_place_of(None, Some(NOW)).expect("nothing is there");
        assert!(before < time && time < after, "single writes of the tick before come before it, those that see its tick after it");
        assert_eq!(item(places).in_place_of(Some(before), Some(NOW)), Some(time));
        assert_eq!(item(places).in_place_of(Some(after), Some(NOW + TICK)), None);
    }
    assert!(item(1).in_place_of(item(2).in_place_of(None, None), None).is_none(), "the later of two items of a request is the last word");
    let older = Acknowledged::Before(LogicalTime::of_older_program(1_800_000_000_000));
    assert!(older.in_place_of(Some(BEHIND_ITEMS), None).is_none() && older.in_place_of(None, None).is_some());
}

#[test]
fn texts_sort_as_times_do() {
    let texts = [NOW, NOW + 1, NOW + TICK, NOW + 20 * TICK].map(|time| LogicalTime(time).sortable());
    assert!(texts.is_sorted());
}
