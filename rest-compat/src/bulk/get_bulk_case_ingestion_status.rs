//! Get Bulk Case Ingestion Status: how a case stands that came in bulk.

use axum::http::StatusCode;
use graph_schema::{bulk::BulkCaseStatus, id};

use crate::{
    answer::{Answer, json},
    fault::Together,
    operation::{Credentials, ErrorBody, Method, Operation},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Get Bulk Case Ingestion Status",
    method: Method::Get,
    path: "/api/bulk/cases/{id}/status",
    success: 200,
    errors: &[404, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// Get Bulk Case Ingestion Status.
#[utoipa::path(
    get,
    path = OPERATION.path,
    operation_id = "get_bulk_case_ingestion_status",
    tag = "bulk",
    description = "How a case stands that came in bulk, the last time that it did. Kept for 30 days.",
    params(("id" = String, Path, description = "Id of the case", min_length = 1, max_length = 256)),
    responses((status = 200, description = "how it stands", body = BulkCaseStatus)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let (case, ()) = (asked.id::<id::Case>("id"), asked.no_query()).together()?;
    json(StatusCode::OK, &asked.resolvers.bulk_case_status(&caller, &case).await?)
}
