//! Remove Actors from a Group: takes actors out of a group.

use graph_schema::segmentation::SegmentationMember;

use crate::{
    answer::{Answer, written},
    fault::Together,
    operation::{Credentials, ErrorBody, Method, Operation},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Remove Actors from a Group",
    method: Method::Delete,
    path: "/api/segmentation/groups/{id}/actors",
    success: 200,
    errors: &[400, 404, 415, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// Remove Actors from a Group.
#[utoipa::path(
    delete,
    path = OPERATION.path,
    operation_id = "remove_segmentation_group_actors",
    tag = "segmentation",
    description = "Takes at most 1000 actors out of a group. Who is not in it is passed over.",
    params(
        ("id" = String, Path, description = "Id of the group", min_length = 1, max_length = 256),
    ),
    request_body = Vec<SegmentationMember>,
    responses((status = 200, description = "an empty object", body = Object)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let (key, id, given) = (asked.key_without_query(), asked.id("id"), asked.array::<SegmentationMember>()).together()?;
    written(asked.resolvers.remove_segmentation_members(&caller, &id, given, key).await?)
}
