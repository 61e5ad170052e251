//! Add Actor to Account: gives actors roles on an account.

use graph_schema::account::AccountActors;

use crate::{
    answer::{Answer, written},
    fault::Together,
    operation::{Credentials, ErrorBody, Method, Operation},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Add Actor to Account",
    method: Method::Post,
    path: "/api/accounts/{id}/actors",
    success: 200,
    errors: &[400, 422, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// Add Actor to Account.
#[utoipa::path(
    post,
    path = OPERATION.path,
    operation_id = "add_actor_to_account",
    tag = "accounts",
    description = "Gives actors roles on an account. Neither need be known yet.",
    params(("id" = String, Path, description = "Id of the account", min_length = 1, max_length = 256)),
    request_body = AccountActors,
    responses((status = 200, description = "the relation as it was given", body = AccountActors)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let (key, id, given) = (asked.key_without_query(), asked.id("id"), asked.object::<AccountActors>()).together()?;
    written(asked.resolvers.add_actors_to_account(&caller, &id, given, key).await?)
}
