//! List webhooks: lists webhooks.

use axum::http::StatusCode;
use graph_schema::webhook::WebhookRecord;

use crate::{
    answer::{Answer, json, unstored},
    operation::{Credentials, ErrorBody, Method, Operation},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "List webhooks",
    method: Method::Get,
    path: "/api/webhooks",
    success: 200,
    errors: &[500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// List webhooks.
#[utoipa::path(
    get,
    path = OPERATION.path,
    operation_id = "list_webhooks",
    tag = "webhooks",
    description = "Lists webhooks, newest first: each with its secret the first time it is listed after it was made or its secret was rotated.",
    params(
        ("limit" = Option<i32>, Query, description = "Most items of the answer; all when neither this nor `offset` is given", minimum = 1, maximum = 1000),
        ("offset" = Option<i32>, Query, description = "Items to pass over", minimum = 0),
    ),
    responses((status = 200, description = "the webhooks", body = Vec<WebhookRecord>)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    // The document has no pages here: who knows of none gets all.
    let mut query = asked.query();
    let page = query.page_if_given();
    let page = query.finish(Some(page))?;
    json(StatusCode::OK, &asked.resolvers.webhooks(&caller, page).await?).map(unstored)
}
