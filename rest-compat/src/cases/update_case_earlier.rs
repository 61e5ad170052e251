//! Update a Case (earlier form): links communications to a case.

use graph_schema::case::EarlierCaseUpdate;
use utoipa::ToSchema;

use crate::{
    answer::{Answer, written},
    fault::Together,
    operation::{Credentials, ErrorBody, Method, Operation},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Update a Case (earlier form)",
    method: Method::Put,
    path: "/api/cases/{id}",
    success: 200,
    errors: &[404, 422, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// The answer's shape; the resolver writes it.
#[derive(ToSchema)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "only its schema is used")]
struct CaseCommunications {
    #[serde(rename = "case_id")]
    case_id: String,
    /// Those that the request named, each once.
    communication_ids: Vec<String>,
}

/// Update a Case (earlier form).
#[utoipa::path(
    put,
    path = OPERATION.path,
    operation_id = "update_case_earlier",
    tag = "cases",
    description = "Links communications to a case, in addition to those it has. A communication that is only named need not be known yet.",
    params(("id" = String, Path, description = "Id of the case", min_length = 1, max_length = 256)),
    request_body = EarlierCaseUpdate,
    responses((status = 200, description = "the case and the communications that were named", body = CaseCommunications)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let (key, id, given) = (asked.key_without_query(), asked.id("id"), asked.object::<EarlierCaseUpdate>()).together()?;
    written(asked.resolvers.update_case_earlier(&caller, &id, given, key).await?)
}
