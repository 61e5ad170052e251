//! Permissions are the actions of the table of rights. That none of either lacks the other is checked by the compiler.

use std::collections::BTreeSet;

use async_graphql::resolver_utils::EnumType;
use graphql_api::viewer::{Permission, Role};
use resolvers::Action;

#[test]
fn each_permission_is_an_action_and_each_action_a_permission() {
    let items = Permission::items();
    for item in items {
        assert_eq!(Permission::from(Action::from(item.value)), item.value, "{}", item.name);
    }
    let actions: BTreeSet<String> = items.iter().map(|item| format!("{:?}", Action::from(item.value))).collect();
    let names: BTreeSet<&str> = items.iter().map(|item| item.name).collect();
    assert_eq!((actions.len(), names.len()), (items.len(), items.len()), "two permissions are one action, or have one name");
}

#[test]
fn roles_have_one_name_everywhere() {
    let names: Vec<&str> = Role::items().iter().map(|item| item.name).collect();
    assert_eq!(names, resolvers::Role::ALL.map(resolvers::Role::as_str));
}
