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

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::{fault::Unacceptable, given::read};

    fn told<T: Input>(body: &Value) -> Vec<String> {
        match read::<T>(body.to_string().as_bytes()) {
            Ok(_) => Vec::new(),
            Err(Unacceptable::Invalid(faults) | Unacceptable::Unreadable(faults)) => faults.iter().map(ToString::to_string).collect(),
        }
    }

    fn webhook(change: Value) -> Value {
        let mut webhook = json!({"name": "Desk", "url": "https://desk.example.com/hooks", "events": ["case.created"]});
        webhook.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        webhook
    }

    #[test]
    fn all_three_fields_are_required_to_make_one_and_none_to_change_it() {
        assert_eq!(told::<CreateWebhook>(&json!({})), ["name: is required", "url: is required", "events: is required"]);
        assert_eq!(told::<UpdateWebhook>(&json!({})), Vec::<String>::new());
        let all: Vec<&str> = event::NAMES.into_iter().chain([EVERY_EVENT]).collect();
        for events in [json!([]), json!(["*"]), json!(all)] {
            assert_eq!(told::<CreateWebhook>(&webhook(json!({"events": events}))), Vec::<String>::new());
        }
    }

    #[test]
    fn names_of_unknown_events_are_refused_with_the_list_of_known_ones() {
        for wrong in ["case.create", "", "CASE.CREATED", "case.*"] {
            let told = told::<CreateWebhook>(&webhook(json!({"events": ["case.closed", wrong]})));
            assert_eq!(told.len(), 1, "{wrong}: {told:?}");
            assert!(told[0].starts_with("events[1]: must be one of case.assigned, case.closed, "), "{told:?}");
            assert!(event::NAMES.iter().all(|name| told[0].contains(name)) && told[0].ends_with(", *"), "{told:?}");
        }
    }

    #[test]
    fn all_faults_are_told() {
        let wrong = json!({"name": " ", "url": "nowhere", "events": "case.created", "secret": "mine"});
        let places: Vec<String> = told::<CreateWebhook>(&wrong).iter().filter_map(|told| told.split(':').next().map(str::to_owned)).collect();
        for place in ["name", "url", "events", "secret"] {
            assert!(places.iter().any(|told| told == place), "{place}: {places:?}");
        }
        let places = told::<UpdateWebhook>(&json!({"name": "n".repeat(257), "url": "u".repeat(2049), "events": [1], "status": "ON"}));
        assert!(places.len() >= 4, "{places:?}");
        let nothing = told::<UpdateWebhook>(&json!({"name": null, "url": null, "events": null, "status": null}));
        assert_eq!(nothing.len(), 4, "nothing of it may be absent: {nothing:?}");
    }

    #[test]
    fn a_secret_does_not_show_by_accident() {
        let record: WebhookRecord = serde_json::from_value(json!({"id": "w", "name": "Desk", "url": "https://x.example", "events": [],
            "status": "INACTIVE", "secret": "whsec_very-secret", "created": 1, "tenant": "default"}))
        .unwrap();
        assert!(!format!("{record:?}").contains("very-secret"));
    }
}
