//! Reject an RFD request: says that a request for data will not be answered.

use graph_schema::request_for_data::{RejectRequestForData, RequestForDataRecord};

use crate::{
    answer::{Answer, written},
    fault::Together,
    operation::{Credentials, ErrorBody, Method, Operation},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Reject an RFD request",
    method: Method::Post,
    path: "/request_for_data/{id}/reject",
    success: 200,
    errors: &[400, 404, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// Reject an RFD request.
#[utoipa::path(
    post,
    path = OPERATION.path,
    operation_id = "reject_request_for_data",
    tag = "request for data",
    description = "Says that a request for data will not be answered. Its case goes back to the step it was on before, unless it was moved on or waits for something else. One that is completed can't be rejected; one that is rejected stays as it is.",
    params(("id" = String, Path, description = "Id of the request for data", min_length = 1, max_length = 256)),
    request_body = RejectRequestForData,
    responses((status = 200, description = "the request for data as it is then", body = RequestForDataRecord)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let (key, id, given) = (asked.key_without_query(), asked.id("id"), asked.object::<RejectRequestForData>()).together()?;
    written(asked.resolvers.reject_request_for_data(&caller, &id, given, key).await?)
}
