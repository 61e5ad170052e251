//! Create Key: makes an API key with a role.

use axum::http::StatusCode;
use utoipa::ToSchema;

use super::wanted::{CredentialWanted, RoleName};
use crate::{
    answer::{Answer, json, unstored},
    fault::Together,
    operation::{Credentials, ErrorBody, Method, Operation},
    rest_request::{Authenticated, RestRequest},
};

/// Not of the document.
pub(crate) const OPERATION: Operation = Operation {
    name: "Create Key",
    method: Method::Post,
    path: "/admin/keys",
    success: 201,
    errors: &[400, 422, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// The key itself is shown here and never again.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct NewKey {
    id: String,
    key: String,
    role: RoleName,
}

/// Create Key.
#[utoipa::path(
    post,
    path = OPERATION.path,
    operation_id = "create_key",
    tag = "credentials",
    description = "Makes an API key with a role. For administrators.",
    request_body = CredentialWanted,
    responses((status = 201, description = "made", body = NewKey)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let ((), given) = (asked.no_query(), asked.object::<CredentialWanted>()).together()?;
    let CredentialWanted { role, name } = given.value;
    let created = asked.resolvers.create_key(&caller, role, name).await?;
    Ok(unstored(json(StatusCode::CREATED, &created)?))
}
