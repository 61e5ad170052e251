use resolvers::{Role, Roles};

#[test]
fn a_role_is_read_as_it_is_written() {
    for role in Role::ALL {
        assert_eq!(role.to_string().parse(), Ok(role));
        assert_eq!(serde_json::to_string(&role).unwrap(), format!("\"{role}\""), "serde and the store have one name");
        assert_eq!(role.to_string().parse(), Ok(Roles::from(role)), "the text of one role is a set of one");
    }
    let refused = "must be one of INGEST, ANALYST, SUPERVISOR, AUDITOR, ADMIN".to_owned();
    for wrong in ["", "KING", "analyst", "ANALYST "] {
        assert_eq!(wrong.parse::<Role>(), Err(refused.clone()), "{wrong:?}");
    }
}

#[test]
fn several_roles_are_a_union_in_one_order() {
    let both = Roles::of([Role::Auditor, Role::Analyst, Role::Auditor]).unwrap();
    assert_eq!((both.to_string().as_str(), both.iter().count()), ("ANALYST,AUDITOR", 2));
    assert_eq!("AUDITOR,ANALYST".parse(), Ok(both));
    assert!(both.contain(Role::Analyst) && both.contain(Role::Auditor) && !both.contain(Role::Supervisor));
    assert_eq!(Roles::of([]), None);
    assert!("ANALYST,KING".parse::<Roles>().is_err() && "".parse::<Roles>().is_err());
    assert_eq!(serde_json::from_str::<Roles>(&serde_json::to_string(&both).unwrap()).unwrap(), both);
}
