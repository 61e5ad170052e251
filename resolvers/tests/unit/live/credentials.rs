use resolvers::testing::live::credential_watch::has_ended;
use resolvers::testing::live::credentials::{CredentialIds, CredentialKind, Credentials, Standing};
use resolvers::{Role, Roles};

fn ids(keys: &[&str], tokens: &[&str], users: &[&str]) -> CredentialIds {
    let [keys, tokens, users] = [keys, tokens, users].map(|ids| ids.iter().map(|id| (*id).to_owned()).collect());
    CredentialIds { keys, tokens, users }
}

#[test]
fn connections_of_one_credential_are_looked_at_once() {
    let credentials = Credentials::default();
    let (first, second) = (credentials.enter("key-1", CredentialKind::Key), credentials.enter("key-1", CredentialKind::Key));
    let _user = credentials.enter("user-1", CredentialKind::Token);
    assert_eq!(credentials.ids(), ids(&["key-1"], &["user-1"], &[]));
    credentials.end("key-1");
    credentials.end("nobody");
    assert_eq!([*first.borrow(), *second.borrow()], [Standing::Ended; 2]);
    credentials.leave("key-1", CredentialKind::Key);
    assert_eq!(credentials.ids().keys.len(), 1, "the other connection is there");
    credentials.leave("key-1", CredentialKind::Key);
    assert_eq!(credentials.ids().keys.len(), 0);
}

#[test]
fn groups_are_looked_at_while_roles_follow_them() {
    let credentials = Credentials::default();
    let by_token = credentials.enter("user-1", CredentialKind::Token);
    assert_eq!(credentials.ids(), ids(&[], &["user-1"], &[]), "its token says the roles");
    let by_groups = credentials.enter("user-1", CredentialKind::TokenByGroups);
    assert_eq!(credentials.ids(), ids(&[], &["user-1"], &["user-1"]));
    let roles = Roles::of([Role::Analyst]);
    credentials.give("user-1", roles);
    assert_eq!([*by_token.borrow(), *by_groups.borrow()], [Standing::Gives(roles); 2]);
    credentials.end("user-1");
    credentials.give("user-1", roles);
    assert_eq!(*by_groups.borrow(), Standing::Ended, "what has ended stays so");
    credentials.leave("user-1", CredentialKind::TokenByGroups);
    assert_eq!(credentials.ids(), ids(&[], &["user-1"], &[]));
}

#[test]
fn other_roles_end_what_has_its_roles_by_groups() {
    let roles = |roles: &[Role]| Roles::of(roles.iter().copied());
    let own = roles(&[Role::Analyst]).expect("a role");
    for (now, ends) in [(roles(&[Role::Analyst]), false), (roles(&[Role::Auditor]), true), (roles(&[Role::Analyst, Role::Admin]), true), (None, true)]
    {
        assert_eq!(has_ended(Standing::Gives(now), CredentialKind::TokenByGroups, own), ends, "{now:?}");
        assert!(!has_ended(Standing::Gives(now), CredentialKind::Token, own), "{now:?}");
    }
    assert!(!has_ended(Standing::Good, CredentialKind::TokenByGroups, own));
    assert!(has_ended(Standing::Ended, CredentialKind::Key, own));
}
