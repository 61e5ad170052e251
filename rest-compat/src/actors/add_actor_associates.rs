//! Add Actor Associates: says who stands in what relation to an actor.

use graph_schema::associate::ActorAssociates;

use crate::{
    answer::{Answer, written},
    fault::Together,
    operation::{Credentials, ErrorBody, Method, Operation},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Add Actor Associates",
    method: Method::Post,
    path: "/api/actors/{id}/associates",
    success: 200,
    errors: &[400, 422, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// Add Actor Associates.
#[utoipa::path(
    post,
    path = OPERATION.path,
    operation_id = "add_actor_associates",
    tag = "actors",
    description = "Says who stands in what relation to an actor. Neither need be known yet.",
    params(("id" = String, Path, description = "Id of the actor", min_length = 1, max_length = 256)),
    request_body = ActorAssociates,
    responses((status = 200, description = "the record as it was given", body = ActorAssociates)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let (key, id, given) = (asked.key_without_query(), asked.id("id"), asked.object::<ActorAssociates>()).together()?;
    written(asked.resolvers.add_associates(&caller, &id, given, key).await?)
}
