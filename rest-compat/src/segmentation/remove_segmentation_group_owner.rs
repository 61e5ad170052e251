//! Remove an owner from a Group: takes a group from one of its owners.

use super::answers::Message;

use crate::{
    answer::{Answer, written},
    fault::Together,
    operation::{Credentials, ErrorBody, Method, Operation},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Remove an owner from a Group",
    method: Method::Delete,
    path: "/api/segmentation/groups/{groupId}/owners/{actorId}",
    success: 200,
    errors: &[400, 404, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// Remove an owner from a Group.
#[utoipa::path(
    delete,
    path = OPERATION.path,
    operation_id = "remove_segmentation_group_owner",
    tag = "segmentation",
    description = "Takes a group from one of its owners.",
    params(
        ("groupId" = String, Path, description = "Id of the group", min_length = 1, max_length = 256),
        ("actorId" = String, Path, description = "Id of the actor", min_length = 1, max_length = 256),
    ),
    responses((status = 200, description = "what was done", body = Message)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let (key, group, actor) = (asked.key_without_query(), asked.id("groupId"), asked.id("actorId")).together()?;
    written(asked.resolvers.remove_segmentation_owner(&caller, &group, &actor, key).await?)
}
