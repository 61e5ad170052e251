//! Add Actor: takes an actor, new or known, and echoes it.

use graph_schema::actor::ActorRecord;

use crate::{
    answer::{Answer, written},
    fault::Together,
    operation::{Credentials, ErrorBody, Method, Operation},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Add Actor",
    method: Method::Post,
    path: "/api/actors",
    success: 200,
    errors: &[400, 422, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// Add Actor.
#[utoipa::path(
    post,
    path = OPERATION.path,
    operation_id = "add_actor",
    tag = "actors",
    description = "Takes an actor. An id that is known already is updated; an older `asOfDate` than the stored one is kept as history.",
    request_body = ActorRecord,
    responses((status = 200, description = "the record as it was given", body = ActorRecord)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let (key, given) = (asked.key_without_query(), asked.object::<ActorRecord>()).together()?;
    written(asked.resolvers.add_actor(&caller, given, key).await?)
}
