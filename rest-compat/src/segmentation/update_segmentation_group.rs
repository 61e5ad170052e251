//! Update a Group: changes name or description.

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
    name: "Update a Group",
    method: Method::Patch,
    path: "/api/segmentation/groups/{id}",
    success: 200,
    errors: &[400, 404, 415, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// Update a Group.
#[utoipa::path(
    patch,
    path = OPERATION.path,
    operation_id = "update_segmentation_group",
    tag = "segmentation",
    description = "Changes name or description; what is absent stays. A name that another group of the category has is refused with 409.",
    params(
        ("id" = String, Path, description = "Id of the group", min_length = 1, max_length = 256),
    ),
    request_body = SegmentationUpdate,
    responses((status = 200, description = "the group's id", body = MadeSegment)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let (key, id, given) = (asked.key_without_query(), asked.id("id"), asked.object::<SegmentationUpdate>()).together()?;
    written(asked.resolvers.update_segmentation_group(&caller, &id, given, key).await?)
}
