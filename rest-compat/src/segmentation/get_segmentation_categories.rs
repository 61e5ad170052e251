//! Get Segmentation Categories: lists categories.

use graph_schema::segmentation::SegmentationCategoryRecord;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    answer::{Answer, bounded_page},
    operation::{Credentials, ErrorBody, Method, Operation},
    query::DEFAULT_LIMIT,
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Get Segmentation Categories",
    method: Method::Get,
    path: "/api/segmentation/categories",
    success: 200,
    errors: &[400, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// A page of categories.
#[derive(Serialize, ToSchema)]
struct SegmentationCategories {
    categories: Vec<SegmentationCategoryRecord>,
    offset: i64,
    limit: i64,
}

/// Get Segmentation Categories.
#[utoipa::path(
    get,
    path = OPERATION.path,
    operation_id = "get_segmentation_categories",
    tag = "segmentation",
    description = "Lists categories, newest first.",
    params(
        ("limit" = Option<i32>, Query, description = "Most items of the answer; 100 when absent", minimum = 1, maximum = 1000),
        ("offset" = Option<i32>, Query, description = "Items to pass over", minimum = 0),
    ),
    responses((status = 200, description = "the categories", body = SegmentationCategories)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let page = asked.page(DEFAULT_LIMIT)?;
    let categories = asked.resolvers.segmentation_categories(&caller, page).await?;
    bounded_page(asked.resolvers.page_bytes(), categories.len(), &SegmentationCategories { categories, offset: page.offset, limit: page.limit })
}
