//! Get RFD by Id: reads a request for data.

use axum::http::StatusCode;
use graph_schema::request_for_data::RequestForDataRecord;

use crate::{
    answer::{Answer, json},
    fault::Together,
    operation::{Credentials, ErrorBody, Method, Operation},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Get RFD by Id",
    method: Method::Get,
    path: "/api/request_for_data/{id}",
    success: 200,
    errors: &[404, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// Get RFD by Id.
#[utoipa::path(
    get,
    path = OPERATION.path,
    operation_id = "get_request_for_data",
    tag = "request for data",
    description = "Reads a request for data: what is asked for, on which case, and how far it has come.",
    params(("id" = String, Path, description = "Id of the request for data", min_length = 1, max_length = 256)),
    responses((status = 200, description = "the request for data", body = RequestForDataRecord)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let ((), id) = (asked.no_query(), asked.id("id")).together()?;
    json(StatusCode::OK, &asked.resolvers.request_for_data(&caller, &id).await?)
}
