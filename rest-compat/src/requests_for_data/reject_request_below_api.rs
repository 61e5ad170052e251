//! Reject an RFD request, at a path like those of all others.

use graph_schema::request_for_data::{RejectRequestForData, RequestForDataRecord};

use super::reject_request;
use crate::{
    answer::Answer,
    operation::Operation,
    rest_request::{Authenticated, RestRequest},
};

/// The same, at another path.
pub(crate) const OPERATION: Operation = Operation { path: "/api/request_for_data/{id}/reject", ..reject_request::OPERATION };

/// Reject an RFD request.
#[utoipa::path(
    post,
    path = OPERATION.path,
    operation_id = "reject_request_for_data_below_api",
    tag = "request for data",
    description = "The same as `/request_for_data/{id}/reject`.",
    params(("id" = String, Path, description = "Id of the request for data", min_length = 1, max_length = 256)),
    request_body = RejectRequestForData,
    responses((status = 200, description = "the request for data as it is then", body = RequestForDataRecord)),
)]
pub(crate) async fn handle(authenticated: Authenticated, asked: RestRequest) -> Answer {
    reject_request::handle(authenticated, asked).await
}
