//! Retrieve a Webhook by Id: reads a webhook.

use axum::http::StatusCode;
use graph_schema::webhook::WebhookRecord;

use crate::{
    answer::{Answer, json},
    fault::Together,
    operation::{Credentials, ErrorBody, Method, Operation},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Retrieve a Webhook by Id",
    method: Method::Get,
    path: "/api/webhooks/{id}",
    success: 200,
    errors: &[404, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// Retrieve a Webhook by Id.
#[utoipa::path(
    get,
    path = OPERATION.path,
    operation_id = "get_webhook",
    tag = "webhooks",
    description = "Reads a webhook, without its secret.",
    params(("id" = String, Path, description = "Id of the webhook", format = Uuid)),
    responses((status = 200, description = "the webhook", body = WebhookRecord)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let ((), id) = (asked.no_query(), asked.uuid("id")).together()?;
    json(StatusCode::OK, &asked.resolvers.webhook(&caller, &id).await?)
}
