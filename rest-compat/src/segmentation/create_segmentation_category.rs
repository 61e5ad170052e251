//! Create a Segmentation Category: makes a category and answers with its id.

use graph_schema::segmentation::CreateSegmentationCategory;

use super::answers::MadeSegment;

use crate::{
    answer::{Answer, written},
    fault::Together,
    operation::{Credentials, ErrorBody, Method, Operation},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Create a Segmentation Category",
    method: Method::Post,
    path: "/api/segmentation/categories",
    success: 200,
    errors: &[400, 415, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// Create a Segmentation Category.
#[utoipa::path(
    post,
    path = OPERATION.path,
    operation_id = "create_segmentation_category",
    tag = "segmentation",
    description = "Makes a category; its name must be unique, and is refused with 409 where another has it.",
    request_body = CreateSegmentationCategory,
    responses((status = 200, description = "the category's id", body = MadeSegment)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let (key, given) = (asked.key_without_query(), asked.object::<CreateSegmentationCategory>()).together()?;
    written(asked.resolvers.create_segmentation_category(&caller, given, key).await?)
}
