//! Get Actor Extended Info: reads what was last said over all of an actor's products.

use graph_schema::risk::ExtendedInformationRecord;

use crate::{
    answer::{Answer, made},
    fault::Together,
    operation::{Credentials, ErrorBody, Method, Operation},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Get Actor Extended Info",
    method: Method::Get,
    path: "/api/actors/{id}/extendedInfo",
    success: 200,
    errors: &[404, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// Get Actor Extended Info.
#[utoipa::path(
    get,
    path = OPERATION.path,
    operation_id = "get_actor_extended_info",
    tag = "actors",
    description = "Reads balances and counts over all products of an actor.",
    params(("id" = String, Path, description = "Id of the actor", min_length = 1, max_length = 256)),
    responses((status = 200, description = "the record", body = ExtendedInformationRecord)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let ((), id) = (asked.no_query(), asked.id("id")).together()?;
    made(asked.resolvers.extended_information(&caller, &id).await?)
}
