//! Get Groups of an Actor: lists the groups it is in.

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
    name: "Get Groups of an Actor",
    method: Method::Get,
    path: "/api/segmentation/actors/{id}/groups",
    success: 200,
    errors: &[400, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// A page of groups' ids.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct GroupIds {
    group_ids: Vec<String>,
    offset: i64,
    limit: i64,
}

/// Get Groups of an Actor.
#[utoipa::path(
    get,
    path = OPERATION.path,
    operation_id = "get_segmentation_groups_of_actor",
    tag = "segmentation",
    description = "Lists the groups that an actor is in, of all categories; the one it came to last is first.",
    params(
        ("id" = String, Path, description = "Id of the actor", min_length = 1, max_length = 256),
        ("limit" = Option<i32>, Query, description = "Most items of the answer; 100 when absent", minimum = 1, maximum = 1000),
        ("offset" = Option<i32>, Query, description = "Items to pass over", minimum = 0),
    ),
    responses((status = 200, description = "the ids of the groups", body = GroupIds)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let (page, id) = (asked.page(DEFAULT_LIMIT), asked.id("id")).together()?;
    let group_ids = asked.resolvers.segmentation_groups_of_actor(&caller, &id, page).await?;
    bounded_page(asked.resolvers.page_bytes(), group_ids.len(), &GroupIds { group_ids, offset: page.offset, limit: page.limit })
}
