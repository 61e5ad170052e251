//! Remove a Webhook by Id: removes a webhook and answers with it.

use axum::http::StatusCode;
use graph_schema::webhook::WebhookRecord;

use super::answers::shown;

use crate::{
    answer::Answer,
    fault::Together,
    operation::{Credentials, ErrorBody, Method, Operation},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Remove a Webhook by Id",
    method: Method::Delete,
    path: "/api/webhooks/{id}",
    success: 200,
    errors: &[404, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// Remove a Webhook by Id.
#[utoipa::path(
    delete,
    path = OPERATION.path,
    operation_id = "remove_webhook",
    tag = "webhooks",
    description = "Removes a webhook. What was still to be delivered to it is not.",
    params(("id" = String, Path, description = "Id of the webhook", format = Uuid)),
    responses((status = 200, description = "the webhook that was removed, without its secret", body = WebhookRecord)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let (key, id) = (asked.key_without_query(), asked.uuid("id")).together()?;
    shown(StatusCode::OK, asked.resolvers.remove_webhook(&caller, &id, key).await?)
}
