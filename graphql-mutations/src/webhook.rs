//! What administrators do with webhooks and deliveries.

use std::time::Duration;

use async_graphql::{Context, Enum, InputObject, Object, Result, SimpleObject};
use graph_schema::date::Timestamp;
use graph_schema::id::{DeliveryId, WebhookId};
use graph_schema::webhook::{CreateWebhook, UpdateWebhook, WebhookStatus};
use graphql_api::walk::{At, selected};
use graphql_api::webhook::{DeliveryNode, WebhookNode};
use graphql_http::asking::{asking, boxed, key, with_key};
use graphql_http::user_error::{self, UserErrorOf};
use graphql_service::job::{self, JobPayload};
use resolvers::explore::nodes;
use resolvers::{AnsweredWebhook, Error};
use serde_json::{Map, Value, json};

/// How long a former secret goes on signing when nothing is said: a day, for receivers to learn the new one.
const OVERLAP: Duration = Duration::from_secs(24 * 60 * 60);

/// A webhook to be made.
#[derive(InputObject)]
pub struct CreateWebhookInput {
    /// A name for people: it can be seen, and has no control characters.
    name: String,
    /// https, without user and fragment.
    url: String,
    /// Of what it is told: names of events, or `*` for every one. With none it is `INACTIVE`.
    events: Vec<String>,
    /// The same key and input again make nothing more.
    idempotency_key: Option<String>,
}

/// A change of a webhook; what is absent stays as it is.
#[derive(InputObject)]
pub struct UpdateWebhookInput {
    /// The webhook to change.
    webhook_id: WebhookId,
    /// A new name for people.
    name: Option<String>,
    /// A new address: https, without user and fragment.
    url: Option<String>,
    /// All of them, in place of those before. With none it is `INACTIVE`.
    events: Option<Vec<String>>,
    /// `ACTIVE` starts deliveries, `INACTIVE` stops them.
    status: Option<WebhookStatus>,
    /// The same key and input again change nothing more.
    idempotency_key: Option<String>,
}

/// A webhook to be removed.
#[derive(InputObject)]
pub struct RemoveWebhookInput {
    /// The webhook to remove.
    webhook_id: WebhookId,
    /// The same key and input again are answered as before.
    idempotency_key: Option<String>,
}

/// A webhook that is to have a new secret.
#[derive(InputObject)]
pub struct RotateWebhookSecretInput {
    /// The webhook that gets a new secret.
    webhook_id: WebhookId,
    /// How long deliveries are signed with the former secret too: a day when absent, 30 days at most, 0 for not at all.
    overlap_seconds: Option<i32>,
    /// The same key and input again change nothing more.
    idempotency_key: Option<String>,
}

/// A delivery that is to be sent again.
#[derive(InputObject)]
pub struct ReplayDeliveryInput {
    /// The delivery whose event is sent again.
    delivery_id: DeliveryId,
    /// The same key and input again send nothing more.
    idempotency_key: Option<String>,
}

/// Deliveries that are to be sent again.
#[derive(InputObject)]
pub struct ReplayFailedDeliveriesInput {
    /// The webhook whose failed deliveries are sent again.
    webhook_id: WebhookId,
    /// Those that were given up at this time or later.
    since: Timestamp,
    /// The same key and input again send nothing more. 1 to 250 visible ASCII characters.
    idempotency_key: Option<String>,
}

/// Events that a webhook is to be told of at last.
#[derive(InputObject)]
pub struct ReplayEventsInput {
    /// The webhook that receives the events.
    webhook_id: WebhookId,
    /// Events of this time or later. Events are kept as long as the setting `webhooks.keep_for` says.
    since: Timestamp,
}

/// A webhook that is to be sent all events since a time.
#[derive(InputObject)]
pub struct ReplayAllEventsInput {
    /// The webhook that receives the events.
    webhook_id: WebhookId,
    /// Events of this time or later. Events are kept as long as the setting `webhooks.keep_for` says.
    since: Timestamp,
    /// The same key and input again start nothing more.
    idempotency_key: Option<String>,
}

/// A webhook that is to be tried out.
#[derive(InputObject)]
pub struct SendTestEventInput {
    /// The webhook that receives the test event.
    webhook_id: WebhookId,
    /// The same key and input again send nothing more.
    idempotency_key: Option<String>,
}

/// What became of it.
#[derive(SimpleObject)]
pub struct WebhookPayload {
    /// The webhook as it is now; null where there is none, or none any more.
    webhook: Option<WebhookNode>,
    /// What its deliveries are signed with (Standard Webhooks); null where nothing was done, and of one that was removed.
    secret: Option<String>,
    /// Why nothing was done; empty when it was.
    user_errors: Vec<WebhookUserError>,
}

/// What became of it.
#[derive(SimpleObject)]
pub struct DeliveryPayload {
    /// The delivery as it is now; null where there is none.
    delivery: Option<DeliveryNode>,
    /// Why nothing was done; empty when it was.
    user_errors: Vec<WebhookUserError>,
}

/// What became of it.
#[derive(SimpleObject)]
pub struct ReplayFailedDeliveriesPayload {
    /// How many are sent again.
    replayed: usize,
    /// Whether there may be more: the same again sends the next.
    more: bool,
    /// Why nothing was done; empty when it was.
    user_errors: Vec<WebhookUserError>,
}

/// What became of it.
#[derive(SimpleObject)]
pub struct ReplayEventsPayload {
    /// How many events are sent.
    replayed: usize,
    /// Whether there may be more: the same again sends the next.
    more: bool,
    /// Why nothing was done; empty when it was.
    user_errors: Vec<WebhookUserError>,
}

/// Why something was not done.
pub type WebhookUserError = UserErrorOf<WebhookErrorCode>;

/// Why something was not done.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum WebhookErrorCode {
    /// There is no such webhook or delivery.
    NotFound,
    /// The input breaks a rule.
    Invalid,
}

#[derive(Default)]
pub struct WebhookMutation;

#[Object]
impl WebhookMutation {
    /// Makes a webhook. For administrators.
    async fn create_webhook(&self, context: &Context<'_>, input: CreateWebhookInput) -> Result<WebhookPayload> {
        let (resolvers, caller) = asking(context)?;
        let CreateWebhookInput { name, url, events, idempotency_key } = input;
        let body = json!({"name": name, "url": url, "events": events}).to_string();
        let done = async {
            let given = resolvers.read_webhook::<CreateWebhook>(body.as_bytes())?;
            resolvers.create_webhook(caller, given, key(idempotency_key)?).await
        };
        webhook_payload(context, done.await).await
    }

    /// Changes a webhook. For administrators.
    async fn update_webhook(&self, context: &Context<'_>, input: UpdateWebhookInput) -> Result<WebhookPayload> {
        let (resolvers, caller) = asking(context)?;
        let UpdateWebhookInput { webhook_id, name, url, events, status, idempotency_key } = input;
        let said = [("name", json!(name)), ("url", json!(url)), ("events", json!(events)), ("status", json!(status))];
        let said: Map<String, Value> = said.into_iter().filter(|(_, value)| !value.is_null()).map(|(name, value)| (name.to_owned(), value)).collect();
        let body = Value::Object(said).to_string();
        let done = async {
            let given = resolvers.read_webhook::<UpdateWebhook>(body.as_bytes())?;
            resolvers.update_webhook(caller, &webhook_id, given, key(idempotency_key)?).await
        };
        webhook_payload(context, done.await).await
    }

    /// Removes a webhook: what was still to be delivered to it is not. For administrators.
    async fn remove_webhook(&self, context: &Context<'_>, input: RemoveWebhookInput) -> Result<WebhookPayload> {
        let (resolvers, caller) = asking(context)?;
        let done = async { resolvers.remove_webhook(caller, &input.webhook_id, key(input.idempotency_key)?).await };
        webhook_payload(context, done.await).await
    }

    /// Gives a webhook a new secret. For administrators.
    async fn rotate_webhook_secret(&self, context: &Context<'_>, input: RotateWebhookSecretInput) -> Result<WebhookPayload> {
        let (resolvers, caller) = asking(context)?;
        let RotateWebhookSecretInput { webhook_id, overlap_seconds, idempotency_key } = input;
        let seconds = overlap_seconds.map(u64::try_from).transpose();
        let seconds = seconds.map_err(|_| async_graphql::Error::new("input.overlapSeconds: must not be negative"))?;
        let overlap = seconds.map_or(OVERLAP, Duration::from_secs);
        let done = async { resolvers.rotate_webhook_secret(caller, &webhook_id, overlap, key(idempotency_key)?).await };
        webhook_payload(context, done.await).await
    }

    /// Sends an event again to a webhook, whether it was delivered or not. For administrators.
    async fn replay_delivery(&self, context: &Context<'_>, input: ReplayDeliveryInput) -> Result<DeliveryPayload> {
        let (resolvers, caller) = asking(context)?;
        let ReplayDeliveryInput { delivery_id, idempotency_key } = input;
        let done = async { resolvers.replay_delivery(caller, &delivery_id, key(idempotency_key)?).await };
        let done = done.await.map(|()| delivery_id);
        delivery_payload(context, done).await
    }

    /// Sends again to a webhook what was given up since a time, the oldest first and ten thousand at most. For administrators.
    async fn replay_failed_deliveries(&self, context: &Context<'_>, input: ReplayFailedDeliveriesInput) -> Result<ReplayFailedDeliveriesPayload> {
        let (resolvers, caller) = asking(context)?;
        let ReplayFailedDeliveriesInput { webhook_id, since, idempotency_key } = input;
        match with_key(idempotency_key, |key| resolvers.replay_failed_deliveries(caller, &webhook_id, since, key)).await {
            Ok(done) => Ok(ReplayFailedDeliveriesPayload { replayed: done.replayed, more: done.more, user_errors: Vec::new() }),
            Err(error) => Ok(ReplayFailedDeliveriesPayload { replayed: 0, more: false, user_errors: user_errors(error)? }),
        }
    }

    /// Sends to a webhook the events since a time that match its subscription and that it was never sent, such as events while it was `INACTIVE`. The
    /// oldest come first, ten thousand at most. To a webhook that is `INACTIVE` they are sent when it becomes `ACTIVE`. For administrators.
    async fn replay_events(&self, context: &Context<'_>, input: ReplayEventsInput) -> Result<ReplayEventsPayload> {
        let (resolvers, caller) = asking(context)?;
        match resolvers.replay_events(caller, &input.webhook_id, input.since).await {
            Ok(done) => Ok(ReplayEventsPayload { replayed: done.replayed, more: done.more, user_errors: Vec::new() }),
            Err(error) => Ok(ReplayEventsPayload { replayed: 0, more: false, user_errors: user_errors(error)? }),
        }
    }

    /// Sends to a webhook, by a job, all events since a time that match its subscription and that it was never sent. The same again while the job has not
    /// ended is the same job. For administrators.
    async fn replay_all_events(&self, context: &Context<'_>, input: ReplayAllEventsInput) -> Result<JobPayload> {
        let (resolvers, caller) = asking(context)?;
        let ReplayAllEventsInput { webhook_id, since, idempotency_key } = input;
        let done = async { resolvers.start_replaying_events(caller, &webhook_id, since, key(idempotency_key)?).await };
        let done = done.await.map(|id| id.to_string());
        job::payload(context, done).await
    }

    /// Tells a webhook of an event `webhook.test`, which says nothing but its id. For administrators.
    async fn send_test_event(&self, context: &Context<'_>, input: SendTestEventInput) -> Result<DeliveryPayload> {
        let (resolvers, caller) = asking(context)?;
        let SendTestEventInput { webhook_id, idempotency_key } = input;
        let done = async { resolvers.send_test_event(caller, &webhook_id, key(idempotency_key)?).await };
        delivery_payload(context, done.await).await
    }
}

#[boxed]
async fn webhook_payload(context: &Context<'_>, done: resolvers::Result<AnsweredWebhook>) -> Result<WebhookPayload> {
    let answered = match done {
        Ok(answered) => answered.webhook,
        Err(error) => return Ok(WebhookPayload { webhook: None, secret: None, user_errors: user_errors(error)? }),
    };
    let fields = selected(context.field(), "webhook");
    let webhook = At::find_for(context, fields, &nodes::WEBHOOK, answered.id.as_str()).await?.map(WebhookNode::new).transpose()?;
    Ok(WebhookPayload { webhook, secret: answered.secret.map(|secret| secret.0), user_errors: Vec::new() })
}

#[boxed]
async fn delivery_payload(context: &Context<'_>, done: resolvers::Result<DeliveryId>) -> Result<DeliveryPayload> {
    let id = match done {
        Ok(id) => id,
        Err(error) => return Ok(DeliveryPayload { delivery: None, user_errors: user_errors(error)? }),
    };
    let fields = selected(context.field(), "delivery");
    let delivery = At::find_for(context, fields, &nodes::DELIVERY, id.as_str()).await?.map(DeliveryNode::new).transpose()?;
    Ok(DeliveryPayload { delivery, user_errors: Vec::new() })
}

fn user_errors(error: Error) -> Result<Vec<WebhookUserError>> {
    user_error::user_errors(error, [WebhookErrorCode::NotFound, WebhookErrorCode::Invalid])
}
