//! Add Actor Extended Info: takes balances and counts over all of an actor's products.

use graph_schema::risk::{ExtendedInformation, ExtendedInformationRecord};

use crate::{
    answer::{Answer, written},
    fault::Together,
    operation::{Credentials, ErrorBody, Method, Operation},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Add Actor Extended Info",
    method: Method::Post,
    path: "/api/actors/{id}/extendedInfo",
    success: 200,
    errors: &[400, 422, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// Add Actor Extended Info.
#[utoipa::path(
    post,
    path = OPERATION.path,
    operation_id = "add_actor_extended_info",
    tag = "actors",
    description = "Takes balances and counts over all products of an actor.",
    params(("id" = String, Path, description = "Id of the actor", min_length = 1, max_length = 256)),
    request_body = ExtendedInformation,
    responses((status = 200, description = "the record with the actor's id", body = ExtendedInformationRecord)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let (key, id, given) = (asked.key_without_query(), asked.id("id"), asked.object::<ExtendedInformation>()).together()?;
    written(asked.resolvers.add_extended_information(&caller, &id, given, key).await?)
}
