//! Update a case actor: sets custom properties of one of a case's actors.

use graph_schema::custom_property::CustomProperties;

use crate::{
    answer::{Answer, written_text},
    fault::Together,
    operation::{Credentials, ErrorBody, Method, Operation},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Update a case actor",
    method: Method::Patch,
    path: "/api/cases/{case_id}/actors/{actor_id}",
    success: 200,
    errors: &[400, 404, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// Update a case actor.
#[utoipa::path(
    patch,
    path = OPERATION.path,
    operation_id = "update_case_actor",
    tag = "cases",
    description = "Sets custom properties (`c__…`) of one of a case's actors. Arrays are appended to, all else is replaced.",
    params(
        ("case_id" = String, Path, description = "Id of the case", min_length = 1, max_length = 256),
        ("actor_id" = String, Path, description = "Id of the actor", min_length = 1, max_length = 256),
    ),
    request_body = CustomProperties,
    responses((status = 200, description = "the text `OK`", body = String, content_type = "text/plain")),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let place = (asked.id("case_id"), asked.id("actor_id")).together();
    let (key, (case, actor), given) = (asked.key_without_query(), place, asked.object::<CustomProperties>()).together()?;
    written_text(asked.resolvers.update_case_actor(&caller, &case, &actor, given, key).await?)
}
