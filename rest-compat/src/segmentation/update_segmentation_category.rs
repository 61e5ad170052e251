//! Update Segmentation Category: changes name or description.

use graph_schema::segmentation::SegmentationUpdate;

use super::answers::MadeSegment;

use crate::{
    answer::{Answer, written},
    fault::Together,
    operation::{Credentials, ErrorBody, Method, Operation},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Update Segmentation Category",
    method: Method::Patch,
    path: "/api/segmentation/categories/{id}",
    success: 200,
    errors: &[400, 404, 415, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// Update Segmentation Category.
#[utoipa::path(
    patch,
    path = OPERATION.path,
    operation_id = "update_segmentation_category",
    tag = "segmentation",
    description = "Changes name or description; what is absent stays. A name that another category has is refused with 409.",
    params(
        ("id" = String, Path, description = "Id of the category", min_length = 1, max_length = 256),
    ),
    request_body = SegmentationUpdate,
    responses((status = 200, description = "the category's id", body = MadeSegment)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let (key, id, given) = (asked.key_without_query(), asked.id("id"), asked.object::<SegmentationUpdate>()).together()?;
    written(asked.resolvers.update_segmentation_category(&caller, &id, given, key).await?)
}
