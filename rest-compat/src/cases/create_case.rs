//! Create a new Case: makes a case and answers with its id.

use graph_schema::case::CreateCase;
use utoipa::ToSchema;

use crate::{
    answer::{Answer, written},
    fault::Together,
    operation::{Credentials, ErrorBody, Method, Operation},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Create a new Case",
    method: Method::Post,
    path: "/api/cases",
    success: 200,
    errors: &[422, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// The answer's shape; the resolver writes it.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct CreatedCase {
    case_id: String,
}

/// Create a new Case.
#[utoipa::path(
    post,
    path = OPERATION.path,
    operation_id = "create_case",
    tag = "cases",
    description = "Makes a case. The same request again with the same `id` gets the same answer and makes nothing. Actors and observations it names need not be known yet.",
    request_body = CreateCase,
    responses((status = 200, description = "the case's id", body = CreatedCase)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let (key, given) = (asked.key_without_query(), asked.object::<CreateCase>()).together()?;
    written(asked.resolvers.create_case(&caller, given, key).await?)
}
