//! Users: who works on cases, and how an administrator makes and changes them. And principals: users and others who act.

use std::sync::Arc;

use async_graphql::{Context, Enum, ID, Object, Result, SimpleObject};
use graph_schema::date::Timestamp;
use graph_schema::edge::MemberFields;
use graph_schema::fault::Fault;
use graph_schema::user::{CreateUser, UpdateUser};
use resolvers::explore::{UserSummary, nodes};
use resolvers::{Answered, Conflict, Error};

use super::asking;
use super::at_once::Leaf;
use super::connection::EdgeFields;
use super::object::{graph_node, object_with_links};
use super::refused::{message, refused};
use super::walk::{At, Shown, selected};
use crate::boxed;

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

/// Somebody or something that acts.
pub struct Principal(resolvers::Principal);

/// Somebody or something that acts: a user, a system with an API key, or a system with the token of a client.
#[Object]
impl Principal {
    /// The id of the user, key or client.
    async fn id(&self) -> ID {
        ID(self.0.id.clone())
    }

    /// The name that people know the user, key or client by.
    async fn name(&self) -> &str {
        &self.0.name
    }

    /// Whether it is a user, a key or a client.
    async fn kind(&self) -> PrincipalKind {
        self.0.kind.into()
    }

    /// The user that it is; null for keys and clients.
    async fn user(&self) -> Result<Option<UserNode>> {
        self.as_user()
    }
}

/// Kinds of principals.
#[derive(Enum, Clone, Copy, PartialEq, Eq, Debug)]
#[graphql(remote = "resolvers::PrincipalKind")]
pub enum PrincipalKind {
    /// A person.
    User,
    /// A system with an API key.
    ApiKey,
    /// A system with the token of a client.
    Client,
}

impl Principal {
    /// The user that it is. What is asked of a user beyond id and name is read when its field asks.
    pub fn as_user(&self) -> Result<Option<UserNode>> {
        let resolvers::Principal { id, name, kind } = &self.0;
        let user = || UserNode::new(At::captioned(&nodes::USER, Arc::from(id.as_str()), Arc::from(name.as_str())));
        (*kind == resolvers::PrincipalKind::User).then(user).transpose()
    }
}

/// Whoever has this id, as a record keeps it; null where the service itself acted. Those of a page are one statement.
#[boxed]
pub async fn principal(context: &Context<'_>, id: Option<&str>) -> Result<Option<Principal>> {
    let Some(id) = id else { return Ok(None) };
    let (resolvers, caller) = asking(context)?;
    Ok(resolvers.principal(caller, id).await.map_err(refused)?.map(Principal))
}

/// Since when an actor is in a segmentation group, and by whom.
pub struct MemberEdge(MemberFields);

/// Since when an actor is in a segmentation group, and by whom.
#[Object]
impl MemberEdge {
    /// The time from which the actor has been a member or an owner of the group.
    async fn since(&self) -> Timestamp {
        self.0.since
    }

    /// The credential or user that added the actor, by id.
    #[graphql(deprecation = "use `byPrincipal`")]
    async fn by(&self) -> &str {
        &self.0.by
    }

    /// The user, key or client that added the actor; null where the service did.
    async fn by_principal(&self, context: &Context<'_>) -> Result<Option<Principal>> {
        principal(context, Some(&self.0.by)).await
    }
}

impl EdgeFields for MemberEdge {
    type Said = MemberFields;

    const LEAVES: &'static [Leaf<MemberFields>] = &[
        Leaf { name: "since", value: |said, selected| selected.value(&said.since) },
        Leaf { name: "by", value: |said, selected| selected.value(&said.by) },
    ];

    fn of(said: MemberFields) -> Self {
        Self(said)
    }
}

/// Adds `byPrincipal` to objects that have the id of whoever did it in `by`.
macro_rules! by_principal {
    ($($type:ident)*) => {
        $(
            #[async_graphql::ComplexObject]
            impl $type {
                /// The user, key or client that did it; null where the service did.
                async fn by_principal(&self, context: &async_graphql::Context<'_>) -> async_graphql::Result<Option<crate::user::Principal>> {
                    crate::user::principal(context, Some(&self.by)).await
                }
            }
        )*
    };
}
pub(crate) use by_principal;

/// What became of it.
#[derive(SimpleObject)]
pub struct UserPayload {
    /// The user as it is now; null where there is none.
    user: Option<UserNode>,
    /// Why nothing was done; empty when it was.
    user_errors: Vec<UserUserError>,
}

/// Why something was not done.
#[derive(SimpleObject)]
pub struct UserUserError {
    /// The kind of error, for programs.
    code: UserErrorCode,
    /// The error in a sentence, with the path of the input field where one is wrong.
    message: String,
}

/// Why something was not done.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum UserErrorCode {
    /// There is no such user.
    NotFound,
    /// The input breaks a rule.
    Invalid,
    /// Another user has this name, or this id.
    Taken,
}

#[derive(Default)]
pub struct UserMutation;

#[Object]
impl UserMutation {
    /// Makes a user. For administrators.
    async fn create_user(&self, context: &Context<'_>, input: CreateUser) -> Result<UserPayload> {
        let (resolvers, caller) = asking(context)?;
        payload(context, resolvers.create_user(caller, input).await).await
    }

    /// Changes a user, or shuts them out. For administrators.
    async fn update_user(&self, context: &Context<'_>, input: UpdateUser) -> Result<UserPayload> {
        let (resolvers, caller) = asking(context)?;
        payload(context, resolvers.update_user(caller, input).await).await
    }
}

/// What the one who asked can do something about is a `userError`; all else is an error of the field.
#[boxed]
async fn payload(context: &Context<'_>, done: resolvers::Result<Answered>) -> Result<UserPayload> {
    let user_error = |code, message| UserUserError { code, message };
    let user_errors = match done {
        Ok(answered) => {
            let user = At::find_for(context, selected(context.field(), "user"), &nodes::USER, &answered.text).await?;
            return Ok(UserPayload { user: user.map(UserNode::new).transpose()?, user_errors: Vec::new() });
        }
        Err(error @ Error::NotFound { .. }) => vec![user_error(UserErrorCode::NotFound, message(&error))],
        Err(error @ Error::Conflict(Conflict::UsernameTaken | Conflict::UserExists)) => vec![user_error(UserErrorCode::Taken, message(&error))],
        Err(Error::Invalid(faults)) => faults.iter().map(Fault::to_string).map(|message| user_error(UserErrorCode::Invalid, message)).collect(),
        Err(error) => return Err(refused(error)),
    };
    Ok(UserPayload { user: None, user_errors })
}
