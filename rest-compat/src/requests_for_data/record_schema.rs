//! Create or update an RFD schema: keeps the shape of requests for data of one type.

use graph_schema::request_for_data::{RequestForDataSchema, RequestForDataSchemaRecord};
use resolvers::beside;

use crate::{
    answer::{Answer, written},
    fault::Together,
    operation::{Credentials, ErrorBody, Method, Operation},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Create or update an RFD schema",
    method: Method::Post,
    path: "/api/request_for_data/schemas",
    success: 200,
    errors: &[400, 422, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// Create or update an RFD schema.
#[utoipa::path(
    post,
    path = OPERATION.path,
    operation_id = "record_request_for_data_schema",
    tag = "request for data",
    description = "Keeps the JSON Schema of requests for data of one type, in place of the one before. References lead to other parts of the schema, and never back to where they came from.",
    request_body = RequestForDataSchema,
    responses((status = 200, description = "the schema as it is kept", body = RequestForDataSchemaRecord)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let (key, given) = (asked.key_without_query(), beside(|| asked.object::<RequestForDataSchema>())).together()?;
    written(asked.resolvers.record_request_schema(&caller, given, key).await?)
}
