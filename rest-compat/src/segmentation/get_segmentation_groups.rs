//! Get all Groups under a Category: lists its groups.

use graph_schema::segmentation::SegmentationGroupRecord;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    answer::{Answer, bounded_page},
    fault::Together,
    operation::{Credentials, ErrorBody, Method, Operation},
    query::DEFAULT_LIMIT,
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Get all Groups under a Category",
    method: Method::Get,
    path: "/api/segmentation/categories/{id}/groups",
    success: 200,
    errors: &[400, 404, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// A page of groups.
#[derive(Serialize, ToSchema)]
struct SegmentationGroups {
    groups: Vec<SegmentationGroupRecord>,
    offset: i64,
    limit: i64,
}

/// Get all Groups under a Category.
#[utoipa::path(
    get,
    path = OPERATION.path,
    operation_id = "get_segmentation_groups",
    tag = "segmentation",
    description = "Lists the groups of a category, newest first.",
    params(
        ("id" = String, Path, description = "Id of the category", min_length = 1, max_length = 256),
        ("limit" = Option<i32>, Query, description = "Most items of the answer; 100 when absent", minimum = 1, maximum = 1000),
        ("offset" = Option<i32>, Query, description = "Items to pass over", minimum = 0),
    ),
    responses((status = 200, description = "the groups", body = SegmentationGroups)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let (page, id) = (asked.page(DEFAULT_LIMIT), asked.id("id")).together()?;
    let groups = asked.resolvers.segmentation_groups(&caller, &id, page).await?;
    bounded_page(asked.resolvers.page_bytes(), groups.len(), &SegmentationGroups { groups, offset: page.offset, limit: page.limit })
}
