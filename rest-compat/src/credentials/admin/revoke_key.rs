//! Revoke Key: an API key lets nobody in any more, at once on this instance, within 20 ms on others.

use axum::{http::StatusCode, response::IntoResponse};
use graph_schema::id::Id;

use super::wanted::Credential;
use crate::{
    answer::Answer,
    fault::Together,
    operation::{Credentials, ErrorBody, Method, Operation},
    rest_request::{Authenticated, RestRequest},
};

/// Not of the document.
pub(crate) const OPERATION: Operation = Operation {
    name: "Revoke Key",
    method: Method::Delete,
    path: "/admin/keys/{id}",
    success: 204,
    errors: &[400, 404, 409, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// Revoke Key.
#[utoipa::path(
    delete,
    path = OPERATION.path,
    operation_id = "revoke_key",
    tag = "credentials",
    description = "Revokes an API key: at once on the instance that is asked, within 20 ms on others. Not the last credential of an administrator that works (409). For administrators.",
    params(("id" = String, Path, description = "Id of the API key", min_length = 1, max_length = 256)),
    responses((status = 204, description = "revoked")),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let ((), id): (_, Id<Credential>) = (asked.no_query(), asked.id("id")).together()?;
    asked.resolvers.revoke_key(&caller, id.as_str()).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
