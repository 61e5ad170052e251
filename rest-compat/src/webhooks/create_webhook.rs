//! Create and register a new Webhook: makes a webhook and answers with its secret.

use axum::http::StatusCode;
use graph_schema::webhook::{CreateWebhook, WebhookRecord};

use super::answers::shown;

use crate::{
    answer::Answer,
    fault::Together,
    operation::{Credentials, ErrorBody, Method, Operation},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Create and register a new Webhook",
    method: Method::Post,
    path: "/api/webhooks",
    success: 201,
    errors: &[400, 422, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// Create and register a new Webhook.
#[utoipa::path(
    post,
    path = OPERATION.path,
    operation_id = "create_webhook",
    tag = "webhooks",
    description = "Makes a webhook. It is `ACTIVE` at once, or `INACTIVE` where `events` is empty. Its address is https and leads to no loopback, private, \
        link-local or reserved address, unless the service is set up otherwise.",
    request_body = CreateWebhook,
    responses((status = 201, description = "the webhook with its secret", body = WebhookRecord)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let (key, given) = (asked.key_without_query(), asked.webhook::<CreateWebhook>()).together()?;
    shown(StatusCode::CREATED, asked.resolvers.create_webhook(&caller, given, key).await?)
}
