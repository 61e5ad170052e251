//! What writes of webhooks answer with. No cache is to keep it: there may be a secret in it.

use std::sync::Arc;

use axum::http::StatusCode;
use resolvers::{Answered, AnsweredWebhook};

use crate::{
    answer::{Answer, unstored, written},
    fault::Failure,
};

/// The webhook, secret and all where it has one, and whether that was answered before.
pub(super) fn shown(status: StatusCode, answered: AnsweredWebhook) -> Answer {
    let AnsweredWebhook { webhook, replayed } = answered;
    let text = serde_json::to_string(&webhook).map_err(|error| Failure::Internal(format!("a webhook can't be written: {error}")))?;
    let mut response = written(Answered { text: Arc::from(text), replayed })?;
    *response.status_mut() = status;
    Ok(unstored(response))
}
