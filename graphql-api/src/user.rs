//! Users: who works on cases.

use std::sync::Arc;

use async_graphql::parser::types::Field;
use async_graphql::{Context, ContextSelectionSet, ID, Object, OutputType, Positioned, Result, ServerResult, Value};
use graph_schema::date::Timestamp;
use graph_schema::edge::MemberFields;
use graphql_service::principal::{AnswerUser, Principal, UserAnswers, principal};
use resolvers::explore::{UserSummary, nodes};

use super::at_once::Leaf;
use super::connection::EdgeFields;
use super::object::{graph_node, object_with_links};
use super::walk::{At, Shown};

/// Somebody who works on cases; one who was only named so far has `known: false`.
#[derive(Clone)]
pub struct UserNode(Shown<UserSummary>);

graph_node!(UserNode shows UserSummary);

object_with_links! {
    /// Somebody who works on cases; one who was only named so far has `known: false`.
    UserNode as "User" {
        /// A UUID. One who was only named so far has the id by which others named them.
        pub async fn id(&self) -> ID {
            ID(self.0.at.id().to_owned())
        }

        /// An id that `node` takes, unique across all types.
        pub async fn node_id(&self) -> ID {
            ID(format!("User:{}", self.0.at.id()))
        }

        /// What people know them by.
        async fn name(&self) -> &str {
            self.0.at.name()
        }
    }
    shown {
        /// Whether they were made a user; others have only named them so far when not.
        known: bool = |it| it.known;
        /// No other user has it.
        username: Option<String> = |it| it.username.clone();
        /// The given name; null when none was given.
        first_name: Option<String> = |it| it.first_name.clone();
        /// The family name; null when none was given.
        last_name: Option<String> = |it| it.last_name.clone();
        /// Nobody comes in as a user who is not.
        enabled: Option<bool> = |it| it.enabled;
        /// They give roles, as far as the settings say so.
        groups: Vec<String> = |it| it.groups.clone();
        /// The time at which they were made a user; null while others have only named them.
        created_at: Option<Timestamp> = |it| it.created_at;
    }
    cases {
        /// What is assigned to them, newest first unless `orderBy` says otherwise.
        cases;
    }
}

/// The user that a principal is. What is asked of a user beyond id and name is read when its field asks.
pub fn as_user(principal: &resolvers::Principal) -> Result<Option<UserNode>> {
    let resolvers::Principal { id, name, kind } = principal;
    let user = || UserNode::new(At::captioned(&nodes::USER, Arc::from(id.as_str()), Arc::from(name.as_str())));
    (*kind == resolvers::PrincipalKind::User).then(user).transpose()
}

/// Answers `Principal.user`, a field of the crate below.
struct UserOfPrincipal;

#[async_trait::async_trait]
impl AnswerUser for UserOfPrincipal {
    async fn answer(&self, principal: &resolvers::Principal, context: &ContextSelectionSet<'_>, field: &Positioned<Field>) -> ServerResult<Value> {
        let user = as_user(principal).map_err(|error| error.into_server_error(field.pos))?;
        OutputType::resolve(&user, context, field).await
    }
}

/// What a schema has among its data, so that `Principal.user` is answered.
pub fn user_of_principal() -> UserAnswers {
    Box::new(UserOfPrincipal)
}

/// Since when an actor is in a segmentation group, or until when it was, and by whom.
pub struct MemberEdge(MemberFields);

/// Since when an actor is in a segmentation group, or until when it was, and by whom.
#[Object]
impl MemberEdge {
    /// The time from which the actor has been a member or an owner of the group.
    async fn since(&self) -> Timestamp {
        self.0.since
    }

    /// The name that the user, key or client had that added the actor.
    async fn by(&self) -> &str {
        &self.0.by
    }

    /// The user, key or client that added the actor; null where the service did, and for those who were added before that was kept.
    async fn by_principal(&self, context: &Context<'_>) -> Result<Option<Principal>> {
        principal(context, self.0.by_id.as_deref()).await
    }

    /// The time at which it was ended; null while it goes on. What has ended is shown by `asOf`.
    async fn until(&self) -> Option<Timestamp> {
        self.0.until
    }

    /// The name that the user, key or client had that ended it; null while it goes on.
    async fn ended_by(&self) -> Option<&str> {
        self.0.ended_by.as_deref()
    }

    /// The user, key or client that ended it; null while it goes on, where the service did, and for what was ended before that was kept.
    async fn ended_by_principal(&self, context: &Context<'_>) -> Result<Option<Principal>> {
        principal(context, self.0.ended_by_id.as_deref()).await
    }
}

impl EdgeFields for MemberEdge {
    type Said = MemberFields;

    const LEAVES: &'static [Leaf<MemberFields>] = &[
        Leaf { name: "since", value: |said, selected| selected.value(&said.since) },
        Leaf { name: "by", value: |said, selected| selected.value(&said.by) },
        Leaf { name: "until", value: |said, selected| selected.value(&said.until) },
        Leaf { name: "ended_by", value: |said, selected| selected.value(&said.ended_by) },
    ];

    fn of(said: MemberFields) -> Self {
        Self(said)
    }
}
