//! Get Segmentation Category: reads a category.

use axum::http::StatusCode;
use graph_schema::segmentation::SegmentationCategoryRecord;

use crate::{
    answer::{Answer, json},
    fault::Together,
    operation::{Credentials, ErrorBody, Method, Operation},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Get Segmentation Category",
    method: Method::Get,
    path: "/api/segmentation/categories/{id}",
    success: 200,
    errors: &[404, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// Get Segmentation Category.
#[utoipa::path(
    get,
    path = OPERATION.path,
    operation_id = "get_segmentation_category",
    tag = "segmentation",
    description = "Reads a category.",
    params(
        ("id" = String, Path, description = "Id of the category", min_length = 1, max_length = 256),
    ),
    responses((status = 200, description = "the category", body = SegmentationCategoryRecord)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let ((), id) = (asked.no_query(), asked.id("id")).together()?;
    json(StatusCode::OK, &asked.resolvers.segmentation_category(&caller, &id).await?)
}
