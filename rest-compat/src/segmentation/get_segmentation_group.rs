//! Get a single Group: reads a group.

use axum::http::StatusCode;
use graph_schema::segmentation::SegmentationGroupRecord;

use crate::{
    answer::{Answer, json},
    fault::Together,
    operation::{Credentials, ErrorBody, Method, Operation},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Get a single Group",
    method: Method::Get,
    path: "/api/segmentation/groups/{id}",
    success: 200,
    errors: &[404, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// Get a single Group.
#[utoipa::path(
    get,
    path = OPERATION.path,
    operation_id = "get_segmentation_group",
    tag = "segmentation",
    description = "Reads a group.",
    params(
        ("id" = String, Path, description = "Id of the group", min_length = 1, max_length = 256),
    ),
    responses((status = 200, description = "the group", body = SegmentationGroupRecord)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let ((), id) = (asked.no_query(), asked.id("id")).together()?;
    json(StatusCode::OK, &asked.resolvers.segmentation_group(&caller, &id).await?)
}
