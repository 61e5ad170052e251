//! Webhooks: addresses that are told of events.

use std::fmt;

use async_graphql::Enum;
use serde::{Deserialize, Serialize};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, SchemaFormat, Type},
};

use crate::{code::NAME_PATTERN, event, given::Input, id::WebhookId, patch};

/// What stands for every event.
pub const EVERY_EVENT: &str = "*";
/// Most characters of an address.
const MAX_URL_CHARS: usize = 2048;

/// Whether a webhook is told of anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum WebhookStatus {
    /// Events that match its subscription are delivered.
    Active,
    /// Nothing is delivered.
    Inactive,
}

impl WebhookStatus {
    /// The other one.
    #[must_use]
    pub fn opposite(self) -> Self {
        match self {
            Self::Active => Self::Inactive,
            Self::Inactive => Self::Active,
        }
    }
}

/// Why the service itself has made a webhook `INACTIVE`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[graphql(name = "WebhookDisabledBecause")]
pub enum DisabledBecause {
    /// Its receiver has answered 410: it wants no more.
    Gone,
    /// For five days nothing was delivered, and all attempts failed.
    OnlyFailures,
}

/// A webhook to be made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateWebhook {
    pub name: WebhookName,
    /// https, without user and fragment.
    pub url: WebhookUrl,
    /// Of what it is told: names of events, or `*` for every one. With none it is `INACTIVE`.
    #[schema(max_items = 13)]
    pub events: Vec<Subscription>,
}

/// A change of a webhook; what is absent stays as it is. None of it can be taken away: null is refused.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdateWebhook {
    #[schema(value_type = WebhookName, required = false)]
    #[serde(default, deserialize_with = "patch::required", skip_serializing_if = "Option::is_none")]
    pub name: Option<WebhookName>,
    /// https, without user and fragment.
    #[schema(value_type = WebhookUrl, required = false)]
    #[serde(default, deserialize_with = "patch::required", skip_serializing_if = "Option::is_none")]
    pub url: Option<WebhookUrl>,
    /// All of them, in place of those before. With none it is `INACTIVE`.
    #[schema(value_type = Vec<Subscription>, required = false, max_items = 13)]
    #[serde(default, deserialize_with = "patch::required", skip_serializing_if = "Option::is_none")]
    pub events: Option<Vec<Subscription>>,
    #[schema(value_type = WebhookStatus, required = false)]
    #[serde(default, deserialize_with = "patch::required", skip_serializing_if = "Option::is_none")]
    pub status: Option<WebhookStatus>,
}

impl Input for CreateWebhook {}
impl Input for UpdateWebhook {}

/// The name of a webhook: 1 to 256 characters that can be seen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct WebhookName(pub String);

impl PartialSchema for WebhookName {
    fn schema() -> RefOr<Schema> {
        let text = ObjectBuilder::new().schema_type(Type::String).min_length(Some(1)).max_length(Some(256));
        text.pattern(Some(NAME_PATTERN)).into()
    }
}

impl ToSchema for WebhookName {}

/// Where a webhook is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct WebhookUrl(pub String);

impl PartialSchema for WebhookUrl {
    fn schema() -> RefOr<Schema> {
        let text = ObjectBuilder::new().schema_type(Type::String).max_length(Some(MAX_URL_CHARS));
        text.format(Some(SchemaFormat::Custom("uri".to_owned()))).into()
    }
}

impl ToSchema for WebhookUrl {}

/// Of what a webhook is told: the name of an event, or `*`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Subscription(pub String);

impl PartialSchema for Subscription {
    fn schema() -> RefOr<Schema> {
        let names = event::NAMES.into_iter().chain([EVERY_EVENT]);
        ObjectBuilder::new().schema_type(Type::String).enum_values(Some(names)).into()
    }
}

impl ToSchema for Subscription {}

/// A webhook as it is read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WebhookRecord {
    #[schema(value_type = String, format = Uuid)]
    pub id: WebhookId,
    pub name: String,
    #[schema(value_type = WebhookUrl)]
    pub url: String,
    #[schema(value_type = Vec<Subscription>)]
    pub events: Vec<String>,
    pub status: WebhookStatus,
    /// What its deliveries are signed with (Standard Webhooks). Returned where it was made or changed, and by the first listing after it was made or rotated.
    #[schema(value_type = Option<String>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secret: Option<ShownSecret>,
    /// Milliseconds since 1970.
    pub created: i64,
    pub tenant: String,
}

/// A secret on its way to whom it is for; nothing else shows it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ShownSecret(pub String);

impl fmt::Debug for ShownSecret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("[secret]")
    }
}
