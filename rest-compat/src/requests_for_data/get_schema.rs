//! Retrieve RFD schema by type: reads the shape of requests for data of one type.

use axum::http::StatusCode;
use graph_schema::id::{Id, IdKind};
use graph_schema::request_for_data::RequestForDataSchemaRecord;

use crate::{
    answer::{Answer, json},
    fault::Together,
    operation::{Credentials, ErrorBody, Method, Operation},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Retrieve RFD schema by type",
    method: Method::Get,
    path: "/api/request_for_data/schemas/{type}",
    success: 200,
    errors: &[404, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// Retrieve RFD schema by type.
#[utoipa::path(
    get,
    path = OPERATION.path,
    operation_id = "get_request_for_data_schema",
    tag = "request for data",
    description = "Reads the schema of requests for data of one type.",
    params(("type" = String, Path, description = "The type", min_length = 1, max_length = 256)),
    responses((status = 200, description = "the schema", body = RequestForDataSchemaRecord)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let kind: Result<Id<RequestType>, _> = asked.id("type");
    let ((), kind) = (asked.no_query(), kind).together()?;
    json(StatusCode::OK, &asked.resolvers.request_schema(&caller, kind.as_str()).await?)
}

/// A type is bounded as ids are.
enum RequestType {}

impl IdKind for RequestType {}
