//! Create a Segmentation Group: makes a group and answers with its id.

use graph_schema::segmentation::CreateSegmentationGroup;

use super::answers::MadeSegment;

use crate::{
    answer::{Answer, written},
    fault::Together,
    operation::{Credentials, ErrorBody, Method, Operation},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Create a Segmentation Group",
    method: Method::Post,
    path: "/api/segmentation/groups",
    success: 200,
    errors: &[400, 415, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// Create a Segmentation Group.
#[utoipa::path(
    post,
    path = OPERATION.path,
    operation_id = "create_segmentation_group",
    tag = "segmentation",
    description = "Makes a group of a category; its name must be unique there, and is refused with 409 where another has it.",
    request_body = CreateSegmentationGroup,
    responses((status = 200, description = "the group's id", body = MadeSegment)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let (key, given) = (asked.key_without_query(), asked.object::<CreateSegmentationGroup>()).together()?;
    written(asked.resolvers.create_segmentation_group(&caller, given, key).await?)
}
