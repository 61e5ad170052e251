//! Get Users: lists the users of the platform.

use graph_schema::user::UserRecord;

use crate::{
    answer::{Answer, bounded_page},
    operation::{Credentials, ErrorBody, Method, Operation},
    query::DEFAULT_LIMIT,
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Get Users",
    method: Method::Get,
    path: "/api/users",
    success: 200,
    errors: &[400, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// Get Users.
#[utoipa::path(
    get,
    path = OPERATION.path,
    operation_id = "get_users",
    tag = "users",
    description = "Lists the users of the platform, newest first.",
    params(
        ("limit" = Option<i32>, Query, description = "Most items of the answer; 100 when absent", minimum = 1, maximum = 1000),
        ("offset" = Option<i32>, Query, description = "Items to pass over", minimum = 0),
    ),
    responses((status = 200, description = "the users", body = Vec<UserRecord>)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let page = asked.page(DEFAULT_LIMIT)?;
    let found = asked.resolvers.users(&caller, page).await?;
    bounded_page(asked.resolvers.page_bytes(), found.len(), &found)
}
