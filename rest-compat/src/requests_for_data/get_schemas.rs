//! Retrieve a list of RFD schemas: lists the shapes of requests for data.

use graph_schema::request_for_data::RequestForDataSchemaRecord;

use crate::{
    answer::{Answer, bounded_page},
    operation::{Credentials, ErrorBody, Method, Operation},
    query::DEFAULT_LIMIT,
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Retrieve a list of RFD schemas",
    method: Method::Get,
    path: "/api/request_for_data/schemas",
    success: 200,
    errors: &[400, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// Retrieve a list of RFD schemas.
#[utoipa::path(
    get,
    path = OPERATION.path,
    operation_id = "get_request_for_data_schemas",
    tag = "request for data",
    description = "Lists the schemas of requests for data, the newest first.",
    params(
        ("limit" = Option<i32>, Query, description = "Most items of the answer; 100 when absent", minimum = 1, maximum = 1000),
        ("offset" = Option<i32>, Query, description = "Items to pass over", minimum = 0),
    ),
    responses((status = 200, description = "the schemas", body = Vec<RequestForDataSchemaRecord>)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let mut query = asked.query();
    let page = query.page(DEFAULT_LIMIT);
    let page = query.finish(Some(page))?;
    let found = asked.resolvers.request_schemas(&caller, page).await?;
    bounded_page(asked.resolvers.page_bytes(), found.len(), &found)
}
