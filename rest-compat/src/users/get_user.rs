//! Get User by ID: reads a user of the platform.

use axum::http::StatusCode;
use graph_schema::user::UserRecord;

use crate::{
    answer::{Answer, json},
    fault::Together,
    operation::{Credentials, ErrorBody, Method, Operation},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Get User by ID",
    method: Method::Get,
    path: "/api/users/{id}",
    success: 200,
    errors: &[404, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// Get User by ID.
#[utoipa::path(
    get,
    path = OPERATION.path,
    operation_id = "get_user",
    tag = "users",
    description = "Reads a user of the platform.",
    params(("id" = String, Path, description = "Id of the user", format = Uuid)),
    responses((status = 200, description = "the user", body = UserRecord)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let ((), id) = (asked.no_query(), asked.uuid("id")).together()?;
    json(StatusCode::OK, &asked.resolvers.user(&caller, &id).await?)
}
