use cypher::statements::rows::LockedUser;
use graph_schema::id::UserId;
use graph_schema::user::UpdateUser;
use resolvers::testing::user::admin::After;

fn stored() -> LockedUser {
    LockedUser {
        id: "u".to_owned(),
        user: Some("u".to_owned()),
        username: Some("ada".to_owned()),
        first_name: Some("Ada".to_owned()),
        last_name: None,
        enabled: Some(true),
        groups: Some(vec!["analysts".to_owned()]),
        holder: None,
    }
}

#[test]
fn what_is_not_said_stays() {
    let nothing = UpdateUser {
        user_id: UserId::new("u"),
        username: None,
        first_name: None,
        last_name: None,
        enabled: None,
        groups: None,
        idempotency_key: None,
    };
    let (stored, is_as) = (stored(), |update: &UpdateUser, stored: &LockedUser| After::of(update, stored, "ada").is_as(stored, "ada"));
    assert!(is_as(&nothing, &stored));
    for update in [
        UpdateUser { username: Some("bob".to_owned()), ..nothing.clone() },
        UpdateUser { last_name: Some("Byron".to_owned()), ..nothing.clone() },
        UpdateUser { enabled: Some(false), ..nothing.clone() },
        UpdateUser { groups: Some(Vec::new()), ..nothing.clone() },
    ] {
        assert!(!is_as(&update, &stored), "{update:?}");
    }
    let same = UpdateUser { groups: Some(vec!["analysts".to_owned(); 2]), first_name: Some("Ada".to_owned()), ..nothing };
    assert!(is_as(&same, &stored));
}
