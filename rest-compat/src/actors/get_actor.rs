//! Get Actor: reads an actor as it was given.

use graph_schema::actor::ActorRecord;

use crate::{
    answer::{Answer, verbatim},
    fault::Together,
    operation::{Credentials, ErrorBody, Method, Operation},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Get Actor",
    method: Method::Get,
    path: "/api/actors/{id}",
    success: 200,
    errors: &[400, 404, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// Get Actor.
#[utoipa::path(
    get,
    path = OPERATION.path,
    operation_id = "get_actor",
    tag = "actors",
    description = "Reads an actor as it was given. An actor that others have named but nobody has sent is not found.",
    params(("id" = String, Path, description = "Id of the actor", min_length = 1, max_length = 256)),
    responses((status = 200, description = "the actor", body = ActorRecord)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let ((), id) = (asked.no_query(), asked.id("id")).together()?;
    verbatim(asked.resolvers.actor(&caller, &id).await?)
}
