//! Update multiple case actors: sets custom properties of several of a case's actors.

use graph_schema::case::CaseActorUpdate;

use crate::{
    answer::{Answer, written_text},
    fault::Together,
    operation::{Credentials, ErrorBody, Method, Operation},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Update multiple case actors",
    method: Method::Patch,
    path: "/api/cases/{id}/actors",
    success: 200,
    errors: &[400, 404, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// Update multiple case actors.
#[utoipa::path(
    patch,
    path = OPERATION.path,
    operation_id = "update_case_actors",
    tag = "cases",
    description = "Sets custom properties (`c__…`) of at most 1000 of a case's actors: all or none. Arrays are appended to, all else is replaced.",
    params(("id" = String, Path, description = "Id of the case", min_length = 1, max_length = 256)),
    request_body = Vec<CaseActorUpdate>,
    responses((status = 200, description = "the text `OK`", body = String, content_type = "text/plain")),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let (key, id, given) = (asked.key_without_query(), asked.id("id"), asked.array::<CaseActorUpdate>()).together()?;
    written_text(asked.resolvers.update_case_actors(&caller, &id, given, key).await?)
}
