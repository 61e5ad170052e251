use resolvers::testing::user::arrival::{kept, kept_groups};
use resolvers::{Role, RolesOfGroups};

#[test]
fn a_user_has_the_roles_of_all_groups() {
    let given = [("in", Role::Ingest), ("look", Role::Analyst), ("check", Role::Auditor), ("check", Role::Analyst), ("all", Role::Admin)];
    let setting = RolesOfGroups(given.map(|(group, role)| (group.to_owned(), role)).to_vec());
    for (groups, roles) in [
        (vec![], None),
        (vec!["other"], None),
        (vec!["in"], Some("INGEST")),
        (vec!["in", "look", "other"], Some("INGEST,ANALYST")),
        (vec!["check"], Some("ANALYST,AUDITOR")),
        (vec!["all", "in"], Some("INGEST,ADMIN")),
    ] {
        let groups: Vec<String> = groups.into_iter().map(str::to_owned).collect();
        assert_eq!(setting.roles(&groups).map(String::from).as_deref(), roles, "{groups:?}");
    }
}

#[test]
fn what_an_issuer_says_is_kept_as_far_as_it_can_be_read() {
    assert_eq!((kept(" a\u{1}b "), kept("\t"), kept("")), (Some("ab".to_owned()), None, None));
    assert_eq!(kept(&"x".repeat(300)).map(|text| text.len()), Some(256));
    assert_eq!(kept_groups(vec!["a".to_owned(), " ".to_owned(), "a ".to_owned()]), ["a"]);
}
