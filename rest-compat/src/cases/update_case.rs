//! Update case: sets a case's resolution and custom properties.

use graph_schema::case::UpdateCase;

use crate::{
    answer::{Answer, written_text},
    fault::Together,
    operation::{Credentials, ErrorBody, Method, Operation},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Update case",
    method: Method::Patch,
    path: "/api/cases/{id}",
    success: 200,
    errors: &[400, 404, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// Update case.
#[utoipa::path(
    patch,
    path = OPERATION.path,
    operation_id = "update_case",
    tag = "cases",
    description = "Sets the resolution and custom properties (`c__…`). Arrays are appended to, null takes a field away, all else is replaced; what is not named stays.",
    params(("id" = String, Path, description = "Id of the case", min_length = 1, max_length = 256)),
    request_body = UpdateCase,
    responses((status = 200, description = "the text `OK`", body = String, content_type = "text/plain")),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let (key, id, given) = (asked.key_without_query(), asked.id("id"), asked.object::<UpdateCase>()).together()?;
    written_text(asked.resolvers.update_case(&caller, &id, given, key).await?)
}
