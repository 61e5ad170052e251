use resolvers::testing::unique_name::{NameSpace, Renaming};

#[test]
fn a_name_is_had_by_one_at_most() {
    let space = NameSpace::within("group", "c");
    let moved = Renaming { claimed: Some("group:c:b".to_owned()), released: Some("group:c:a".to_owned()) };
    for (holder, wanted, decided) in [
        (None, None, Some(Renaming::default())),
        (Some("me"), Some("a"), Some(Renaming::default())),
        (None, Some("b"), Some(moved.clone())),
        (Some("me"), Some("b"), Some(moved)),
        (Some("other"), Some("b"), None),
    ] {
        assert_eq!(Renaming::decide(&space, holder, "me", "a", wanted).ok(), decided, "{holder:?} {wanted:?}");
    }
}
