use cypher::map;
use graph_schema::date::Timestamp;
use resolvers::testing::jobs::instance::store::Left;

#[test]
fn what_is_broken_off_keeps_the_last_error_and_what_fails_has_its_own() {
    let left = |error: Option<&str>| Left::ToBeTried { at: Timestamp(5), failures: 1, error: error.map(str::to_owned) }.props(Timestamp(1));
    let expected = map([("status", "QUEUED".into()), ("dueAt", 5.into()), ("failures", 1.into())]);
    assert_eq!(left(None), expected);
    assert_eq!(left(Some("why")).get("lastError").as_text(), Some("why"));
}
