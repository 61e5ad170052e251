mod rights;
mod roles;

use resolvers::testing::policy::may;
use resolvers::{Action, Caller, CredentialType, Error, Identified, Role, Roles};

#[test]
fn several_roles_allow_what_any_of_them_allows() {
    let both = Roles::of([Role::Ingest, Role::Auditor]).unwrap();
    let (id, name, means) = ("k".to_owned(), "k".to_owned(), CredentialType::System);
    let identified = Identified { id, name, roles: both, means, expires_at: None, follows_groups: false, user: None };
    let caller = Caller::new(identified, None, "r".into());
    for (action, expected) in [
        (Action::Ingest, true),
        (Action::ReadAuditLog, true),
        (Action::Explore, true),
        (Action::WorkOnCase, false),
        (Action::Decide, false),
        (Action::Administer, false),
    ] {
        assert_eq!(may(&caller, action).is_ok(), expected, "{action:?}");
    }
    let refused = may(&caller, Action::Administer);
    assert!(matches!(refused, Err(Error::Forbidden { roles, action: Action::Administer }) if roles == both), "{refused:?}");
}
