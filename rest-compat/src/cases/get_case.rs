//! Get Case: reads a case with its custom properties.

use axum::http::StatusCode;
use graph_schema::case::CaseRecord;

use crate::{
    answer::{Answer, json},
    fault::Together,
    operation::{Credentials, ErrorBody, Method, Operation},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Get Case",
    method: Method::Get,
    path: "/api/cases/{id}",
    success: 200,
    errors: &[404, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// Get Case.
#[utoipa::path(
    get,
    path = OPERATION.path,
    operation_id = "get_case",
    tag = "cases",
    description = "Reads a case: where it stands, whom it is about, what it was raised from, its custom properties.",
    params(("id" = String, Path, description = "Id of the case", min_length = 1, max_length = 256)),
    responses((status = 200, description = "the case", body = CaseRecord)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let ((), id) = (asked.no_query(), asked.id("id")).together()?;
    json(StatusCode::OK, &asked.resolvers.case(&caller, &id).await?)
}
