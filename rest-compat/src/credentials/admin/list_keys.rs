//! List Keys: who may come in by an API key, without what is secret.

use axum::http::StatusCode;

use super::wanted::CredentialListed;
use crate::{
    answer::{Answer, json},
    operation::{Credentials, ErrorBody, Method, Operation},
    rest_request::{Authenticated, RestRequest},
};

/// Not of the document.
pub(crate) const OPERATION: Operation = Operation {
    name: "List Keys",
    method: Method::Get,
    path: "/admin/keys",
    success: 200,
    errors: &[400, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// List Keys.
#[utoipa::path(
    get,
    path = OPERATION.path,
    operation_id = "list_keys",
    tag = "credentials",
    description = "Lists all API keys, newest first, without what is secret. For administrators.",
    responses((status = 200, description = "the API keys", body = Vec<CredentialListed>)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    asked.no_query()?;
    json(StatusCode::OK, &asked.resolvers.list_keys(&caller).await?)
}
