//! Add Actors to a Group: puts actors into a group.

use graph_schema::segmentation::SegmentationMember;

use crate::{
    answer::{Answer, written},
    fault::Together,
    operation::{Credentials, ErrorBody, Method, Operation},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Add Actors to a Group",
    method: Method::Post,
    path: "/api/segmentation/groups/{id}/actors",
    success: 200,
    errors: &[400, 404, 415, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// Add Actors to a Group.
#[utoipa::path(
    post,
    path = OPERATION.path,
    operation_id = "add_segmentation_group_actors",
    tag = "segmentation",
    description = "Puts at most 1000 actors into a group. Of each the answer says whether it is in the group now; one that has not been ingested is not.",
    params(
        ("id" = String, Path, description = "Id of the group", min_length = 1, max_length = 256),
    ),
    request_body = Vec<SegmentationMember>,
    responses((status = 200, description = "of each actor whether it is in the group now", body = HashMap<String, bool>)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let (key, id, given) = (asked.key_without_query(), asked.id("id"), asked.array::<SegmentationMember>()).together()?;
    written(asked.resolvers.add_segmentation_members(&caller, &id, given, key).await?)
}
