//! Get all Actors of a Category: lists those who are in one of its groups.

use super::answers::ActorPage;

use crate::{
    answer::{Answer, bounded_page},
    fault::Together,
    operation::{Credentials, ErrorBody, Method, Operation},
    query::DEFAULT_LIMIT,
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Get all Actors of a Category",
    method: Method::Get,
    path: "/api/segmentation/categories/{id}/actors",
    success: 200,
    errors: &[400, 404, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// Get all Actors of a Category.
#[utoipa::path(
    get,
    path = OPERATION.path,
    operation_id = "get_segmentation_category_actors",
    tag = "segmentation",
    description = "Lists the actors that are in a group of a category, each once; who came to one of its groups last is first.",
    params(
        ("id" = String, Path, description = "Id of the category", min_length = 1, max_length = 256),
        ("limit" = Option<i32>, Query, description = "Most items of the answer; 100 when absent", minimum = 1, maximum = 1000),
        ("offset" = Option<i32>, Query, description = "Items to pass over", minimum = 0),
    ),
    responses((status = 200, description = "the ids of the actors", body = ActorPage)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let (page, id) = (asked.page(DEFAULT_LIMIT), asked.id("id")).together()?;
    let actor_ids = asked.resolvers.segmentation_category_actors(&caller, &id, page).await?;
    bounded_page(asked.resolvers.page_bytes(), actor_ids.len(), &ActorPage { actor_ids, offset: page.offset, limit: page.limit })
}
