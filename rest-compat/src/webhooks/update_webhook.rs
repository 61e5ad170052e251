//! Update Webhook: changes a webhook.

use axum::http::StatusCode;
use graph_schema::webhook::{UpdateWebhook, WebhookRecord};

use super::answers::shown;

use crate::{
    answer::Answer,
    fault::Together,
    operation::{Credentials, ErrorBody, Method, Operation},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Update Webhook",
    method: Method::Patch,
    path: "/api/webhooks/{id}",
    success: 200,
    errors: &[400, 404, 422, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// Update Webhook.
#[utoipa::path(
    patch,
    path = OPERATION.path,
    operation_id = "update_webhook",
    tag = "webhooks",
    description = "Changes a webhook; what is absent stays. With empty `events` it becomes `INACTIVE`. Without any body its status becomes the opposite; `{}` changes \
        nothing. One that has no events can not become `ACTIVE`.",
    params(("id" = String, Path, description = "Id of the webhook", format = Uuid)),
    request_body = Option<UpdateWebhook>,
    responses((status = 200, description = "the webhook with its secret", body = WebhookRecord)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    if asked.body().is_empty() {
        let (key, id) = (asked.key_without_query(), asked.uuid("id")).together()?;
        return shown(StatusCode::OK, asked.resolvers.toggle_webhook(&caller, &id, key).await?);
    }
    let (key, id, given) = (asked.key_without_query(), asked.uuid("id"), asked.webhook::<UpdateWebhook>()).together()?;
    shown(StatusCode::OK, asked.resolvers.update_webhook(&caller, &id, given, key).await?)
}
