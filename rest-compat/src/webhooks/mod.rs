//! Webhooks: who is told of events.

mod answers;
mod create_webhook;
mod get_webhook;
mod list_webhooks;
mod remove_webhook;
mod update_webhook;

crate::operation::operations!(list_webhooks, create_webhook, get_webhook, remove_webhook, update_webhook);
