//! Get all owners for a Group: lists the owners of a group, whoever they are.

use super::answers::OwnerPage;

use crate::{
    answer::{Answer, bounded_page},
    fault::Together,
    operation::{Credentials, ErrorBody, Method, Operation},
    query::DEFAULT_LIMIT,
    rest_request::{Authenticated, RestRequest},
};

/// Not of the document.
pub(crate) const OPERATION: Operation = Operation {
    name: "Get all owners for a Group",
    method: Method::Get,
    path: "/api/segmentation/groups/{groupId}/owners",
    success: 200,
    errors: &[400, 404, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// Get all owners for a Group.
#[utoipa::path(
    get,
    path = OPERATION.path,
    operation_id = "get_all_segmentation_group_owners",
    tag = "segmentation",
    description = "Lists the owners of a group; who came last is first.",
    params(
        ("groupId" = String, Path, description = "Id of the group", min_length = 1, max_length = 256),
        ("limit" = Option<i32>, Query, description = "Most items of the answer; 100 when absent", minimum = 1, maximum = 1000),
        ("offset" = Option<i32>, Query, description = "Items to pass over", minimum = 0),
    ),
    responses((status = 200, description = "the ids of the owners", body = OwnerPage)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let (page, id) = (asked.page(DEFAULT_LIMIT), asked.id("groupId")).together()?;
    let actor_ids = asked.resolvers.segmentation_owners(&caller, &id, page).await?;
    bounded_page(asked.resolvers.page_bytes(), actor_ids.len(), &OwnerPage { actor_ids, offset: page.offset, limit: page.limit })
}
