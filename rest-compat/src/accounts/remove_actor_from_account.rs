//! Remove Actor from Account: takes an actor's roles on an account away.

use crate::{
    answer::{Answer, written},
    fault::Together,
    operation::{Credentials, ErrorBody, Method, Operation},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Remove Actor from Account",
    method: Method::Delete,
    path: "/api/accounts/{account_id}/actors/{actor_id}",
    success: 200,
    errors: &[404, 500],
    error_body: ErrorBody::Error,
    credentials: Credentials::Required,
};

/// Remove Actor from Account.
#[utoipa::path(
    delete,
    path = OPERATION.path,
    operation_id = "remove_actor_from_account",
    tag = "accounts",
    description = "Takes the roles of an actor on an account away.",
    params(
        ("account_id" = String, Path, description = "Id of the account", min_length = 1, max_length = 256),
        ("actor_id" = String, Path, description = "Id of the actor", min_length = 1, max_length = 256),
    ),
    responses((status = 200, description = "an empty object", body = Object)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let (key, account, actor) = (asked.key_without_query(), asked.id("account_id"), asked.id("actor_id")).together()?;
    written(asked.resolvers.remove_actor_from_account(&caller, &account, &actor, key).await?)
}
