mod changes;
mod gatherer;
mod noted;
mod telling;

use resolvers::OffsetPage;
use resolvers::testing::audit::{Begin, Listing, Walk, Walks, at_least};

#[test]
fn where_nothing_was_counted_a_full_page_is_not_the_last() {
    let page = OffsetPage { limit: 10, offset: 20 };
    assert_eq!([at_least(30, 10, page), at_least(27, 7, page), at_least(20, 0, page)], [31, 27, 20]);
}
#[test]
fn a_walk_goes_on_where_its_pages_have_ended_and_begins_anew_with_the_first() {
    let walk = Walk::default();
    let place = |millis: i64| (millis, format!("entry-{millis}"));
    let skipping = Begin { offset: 0, place: None };
    assert_eq!(walk.begin(10), skipping);
    walk.ends(0, 10, place(90));
    walk.ends(10, 20, place(80));
    assert_eq!([walk.begin(10).place, walk.begin(20).place], [Some(place(90)), Some(place(80))]);
    walk.ends(0, 10, place(95));
    assert_eq!((walk.begin(10).place, walk.begin(20)), (Some(place(95)), skipping), "what was behind the former first page is elsewhere now");
    (1..=2_000).for_each(|page| walk.ends(page, page + 1, place(page)));
    assert_eq!((walk.begin(2), walk.begin(2_001).offset), (Begin { offset: 0, place: None }, 2_001));
}

#[tokio::test]
async fn a_walk_belongs_to_its_reader() {
    let (walks, listing) = (Walks::default(), Listing { from: 0, to: 9, case_id: None, log_type: None });
    walks.of("a", &listing).await.ends(0, 10, (5, "entry".to_owned()));
    assert!(walks.of("a", &listing).await.begin(10).place.is_some());
    assert!(walks.of("b", &listing).await.begin(10).place.is_none());
    let of_case = Listing { case_id: Some("c".to_owned()), ..listing };
    assert!(walks.of("a", &of_case).await.begin(10).place.is_none());
}
