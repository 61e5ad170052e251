//! Users: who works on cases, and how an administrator makes and changes them.

use async_graphql::{Context, Enum, ID, Object, Result, SimpleObject};
use graph_schema::date::Timestamp;
use graph_schema::fault::Fault;
use graph_schema::user::{CreateUser, UpdateUser};
use resolvers::explore::{UserSummary, nodes};
use resolvers::{Answered, Conflict, Error};

use super::asking;
use super::connection::{graph_node, object_with_links};
use super::refused::{message, refused};
use super::walk::{At, Shown, selected};

/// Somebody who works on cases; one who was only named so far has `known: false`.
#[derive(Clone)]
pub struct UserNode(Shown<UserSummary>);

graph_node!(UserNode shows UserSummary);

object_with_links! {
    /// Somebody who works on cases; one who was only named so far has `known: false`.
    UserNode as "User" {
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

        /// Whether they were made a user; others have only named them so far when not.
        async fn known(&self, context: &Context<'_>) -> Result<bool> {
            Ok(self.0.summary(context).await?.known)
        }

        /// No other user has it.
        async fn username(&self, context: &Context<'_>) -> Result<Option<String>> {
            Ok(self.0.summary(context).await?.username.clone())
        }

        async fn first_name(&self, context: &Context<'_>) -> Result<Option<String>> {
            Ok(self.0.summary(context).await?.first_name.clone())
        }

        async fn last_name(&self, context: &Context<'_>) -> Result<Option<String>> {
            Ok(self.0.summary(context).await?.last_name.clone())
        }

        /// Nobody comes in as a user who is not.
        async fn enabled(&self, context: &Context<'_>) -> Result<Option<bool>> {
            Ok(self.0.summary(context).await?.enabled)
        }

        /// They give roles, as far as the settings say so.
        async fn groups(&self, context: &Context<'_>) -> Result<Vec<String>> {
            Ok(self.0.summary(context).await?.groups.clone())
        }

        async fn created_at(&self, context: &Context<'_>) -> Result<Option<Timestamp>> {
            Ok(self.0.summary(context).await?.created_at)
        }
    }
    links {}
    payments {}
    transfers {}
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
    code: UserErrorCode,
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
