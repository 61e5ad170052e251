//! Users: who works on cases, and how an administrator makes and changes them.

use async_graphql::{Context, Enum, ID, Object, Result, SimpleObject};
use graph_schema::date::Timestamp;
use graph_schema::fault::Fault;
use graph_schema::user::{CreateUser, UpdateUser};
use resolvers::explore::{UserSummary, nodes};
use resolvers::{Answered, Conflict, Error};

use super::asking;
use super::object::{graph_node, object_with_links};
use super::refused::{message, refused};
use super::walk::{At, Shown, selected};

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
