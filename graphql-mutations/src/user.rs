//! How an administrator makes and changes users.

use async_graphql::{Context, Enum, Object, Result, SimpleObject};
use graph_schema::fault::Fault;
use graph_schema::user::{CreateUser, UpdateUser};
use graphql_api::user::UserNode;
use graphql_api::walk::{At, selected};
use graphql_http::asking::{asking, boxed};
use graphql_http::refused::refused;
use graphql_http::user_error::{UserErrorOf, in_camel_case, path_of};
use resolvers::explore::nodes;
use resolvers::{Answered, Conflict, Error};

/// What became of it.
#[derive(SimpleObject)]
pub struct UserPayload {
    /// The user as it is now; null where there is none.
    user: Option<UserNode>,
    /// Why nothing was done; empty when it was.
    user_errors: Vec<UserUserError>,
}

/// Why something was not done.
pub type UserUserError = UserErrorOf<UserErrorCode>;

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
    let user_errors = match done {
        Ok(answered) => {
            let user = At::find_for(context, selected(context.field(), "user"), &nodes::USER, &answered.text).await?;
            return Ok(UserPayload { user: user.map(UserNode::new).transpose()?, user_errors: Vec::new() });
        }
        Err(error @ Error::NotFound { .. }) => vec![UserErrorOf::at(UserErrorCode::NotFound, "userId", &error)],
        Err(error @ Error::Conflict(Conflict::UsernameTaken)) => vec![UserErrorOf::at(UserErrorCode::Taken, "username", &error)],
        Err(error @ Error::Conflict(Conflict::UserExists)) => vec![UserErrorOf::at(UserErrorCode::Taken, "userId", &error)],
        Err(Error::Invalid(faults)) => faults.iter().map(invalid).collect(),
        Err(error) => return Err(refused(error)),
    };
    Ok(UserPayload { user: None, user_errors })
}

/// A fault with its place as the input names it.
fn invalid(fault: &Fault) -> UserUserError {
    UserErrorOf { path: path_of(&in_camel_case(&fault.at)), ..UserErrorOf::of_fault(UserErrorCode::Invalid, fault) }
}
