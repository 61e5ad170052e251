//! Add Actor Exclusion: says whether an actor is monitored, and answers with its id.

use graph_schema::actor::ActorExclusion;

use crate::{
    answer::{Answer, written},
    fault::Together,
    operation::{Credentials, ErrorBody, Method, Operation},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Add Actor Exclusion",
    method: Method::Post,
    path: "/api/actors/{id}/exclusions",
    success: 200,
    errors: &[422, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// Add Actor Exclusion.
#[utoipa::path(
    post,
    path = OPERATION.path,
    operation_id = "add_actor_exclusion",
    tag = "actors",
    description = "Says whether an actor is monitored from some moment on.",
    params(("id" = String, Path, description = "Id of the actor", min_length = 1, max_length = 256)),
    request_body = ActorExclusion,
    responses((status = 200, description = "the actor's id", body = String, content_type = "application/json")),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let (key, id, given) = (asked.key_without_query(), asked.id("id"), asked.object::<ActorExclusion>()).together()?;
    written(asked.resolvers.add_exclusion(&caller, &id, given, key).await?)
}
