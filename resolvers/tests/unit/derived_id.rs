use resolvers::testing::derived_id::{digest_id, digest_number, digest_uuid};

#[test]
fn parts_are_told_apart() {
    let id = digest_id("x", &["a", "bc"]);
    assert_eq!(id, digest_id("x", &["a", "bc"]));
    assert_eq!(digest_uuid("x", &["a", "bc"]), digest_uuid("x", &["a", "bc"]));
    assert_ne!(digest_uuid("x", &["a", "bc"]), digest_uuid("y", &["a", "bc"]));
    assert_eq!(digest_number("x", &["a", "bc"]), digest_number("x", &["a", "bc"]));
    assert_ne!(digest_number("x", &["a", "bc"]), digest_number("x", &["ab", "c"]));
    assert!((0..1 << 53).contains(&digest_number("x", &["a", "bc"])));
    for other in [vec!["ab", "c"], vec!["abc"], vec!["bc", "a"], vec!["a", "bc", ""]] {
        assert_ne!(id, digest_id("x", &other), "{other:?}");
    }
}
