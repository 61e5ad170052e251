//! List Clients: who may come in by a token client, without what is secret.

use axum::http::StatusCode;

use super::wanted::CredentialListed;
use crate::{
    answer::{Answer, json},
    operation::{Credentials, ErrorBody, Method, Operation},
    rest_request::{Authenticated, RestRequest},
};

/// Not of the document.
pub(crate) const OPERATION: Operation = Operation {
    name: "List Clients",
    method: Method::Get,
    path: "/admin/clients",
    success: 200,
    errors: &[400, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// List Clients.
#[utoipa::path(
    get,
    path = OPERATION.path,
    operation_id = "list_clients",
    tag = "credentials",
    description = "Lists all token clients, newest first, without what is secret. For administrators.",
    responses((status = 200, description = "the token clients", body = Vec<CredentialListed>)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    asked.no_query()?;
    json(StatusCode::OK, &asked.resolvers.list_clients(&caller).await?)
}
