use resolvers::testing::live::credentials::{Connection, CredentialKind, Credentials, Standing};
use resolvers::{Role, Roles};

const ANALYST: Role = Role::Analyst;

fn roles(roles: &[Role]) -> Option<Roles> {
    Roles::of(roles.iter().copied())
}

#[test]
fn connections_of_one_credential_are_looked_at_once() {
    let credentials = Credentials::default();
    let enter = |id, kind| credentials.enter(id, kind, ANALYST.into());
    let [(first, of_first), (second, of_second)] = [(); 2].map(|()| enter("key-1", CredentialKind::Key));
    enter("user-1", CredentialKind::Token);
    let ids = credentials.ids();
    assert_eq!((ids.keys, ids.tokens), (vec!["key-1".to_owned()], vec!["user-1".to_owned()]));
    credentials.set("key-1", Standing::Ended);
    credentials.set("nobody", Standing::Ended);
    assert_eq!([*of_first.borrow(), *of_second.borrow()], [Standing::Ended; 2]);
    credentials.set("key-1", Standing::Good);
    assert_eq!(*of_first.borrow(), Standing::Ended, "what has ended stays so");
    credentials.leave("key-1", &first);
    assert_eq!(credentials.ids().keys.len(), 1, "the other connection is there");
    credentials.leave("key-1", &second);
    assert_eq!(credentials.ids().keys.len(), 0);
}

#[test]
fn groups_are_looked_at_while_roles_follow_them() {
    let credentials = Credentials::default();
    let users = || credentials.ids().users;
    credentials.enter("user-1", CredentialKind::Token, ANALYST.into());
    assert!(users().is_empty(), "its token says the roles");
    let (by_groups, _) = credentials.enter("user-1", CredentialKind::TokenByGroups, ANALYST.into());
    assert_eq!(users(), ["user-1"]);
    credentials.leave("user-1", &by_groups);
    assert!(users().is_empty());
    assert_eq!(credentials.ids().tokens, ["user-1"]);
}

#[test]
fn other_roles_end_a_connection_that_has_its_roles_by_groups() {
    let by = |kind| Connection { kind, roles: ANALYST.into(), arrival: 7 };
    let (by_groups, by_token) = (by(CredentialKind::TokenByGroups), by(CredentialKind::Token));
    let table = [(vec![ANALYST], false), (vec![Role::Auditor], true), (vec![ANALYST, Role::Admin], true), (vec![], true)];
    for (now, ends) in table {
        let seen = |arrivals| Standing::Gives { roles: roles(&now), arrivals };
        assert_eq!(by_groups.is_ended_by(seen(7)), ends, "{now:?}");
        assert!(!by_groups.is_ended_by(seen(6)), "{now:?}: what was seen before it came");
        assert!(!by_token.is_ended_by(seen(7)), "{now:?}: its token says the roles");
    }
    assert!(!by_groups.is_ended_by(Standing::Good) && by_token.is_ended_by(Standing::Ended));
}
