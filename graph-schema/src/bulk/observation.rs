//! Observations of a bulk list.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{BulkReference, each, made};
use crate::{
    date::DateTimeText,
    given::{Given, Input},
    id::{ActorId, ObservationId, TransactionId},
    json_object::JsonObject,
    number::{Number, Plain},
    observation::{ObservationActor, ObservationCondition, ObservationFeatures, ObservationRecord, ObservationRule, ObservationType},
};

/// An observation of a bulk list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BulkObservation {
    pub id: ObservationId,
    #[serde(rename = "type")]
    pub kind: ObservationType,
    /// RFC 3339, with any decimals.
    pub created_at: DateTimeText,
    #[schema(min_length = 1)]
    pub behavior_id: String,
    /// The document has no such field; the title, or `behavior_id`, when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub behavior_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transaction_ids: Option<Vec<TransactionId>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actor_ids: Option<Vec<ActorId>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub behavior_description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub custom_data: Option<JsonObject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data_source: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub features: Option<Vec<ObservationFeatures>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<JsonObject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub references: Option<Vec<BulkReference>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<Vec<BulkObservationRule>>,
    /// From 0 to 1.
    #[schema(value_type = Option<f64>, minimum = 0, maximum = 1)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
}

/// A rule of an observation of a bulk list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BulkObservationRule {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created_at: Option<DateTimeText>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub custom_data: Option<JsonObject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<Plain>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conditions: Option<Vec<ObservationCondition>>,
}

impl Input for BulkObservation {}

impl BulkObservation {
    /// The observation in its single form.
    pub fn into_single(self) -> Given<ObservationRecord> {
        let behavior_name = self.behavior_name.or_else(|| self.title.clone()).unwrap_or_else(|| self.behavior_id.clone());
        let actor = |actor_id| ObservationActor { actor_id, primary: None };
        made(ObservationRecord {
            title: self.title,
            transaction_ids: self.transaction_ids,
            actors: self.actor_ids.map(|ids| ids.into_iter().map(actor).collect()),
            features: self.features,
            rules: each(self.rules),
            behavior_description: self.behavior_description,
            version: self.version,
            score: self.score,
            custom_data: self.custom_data,
            metadata: self.metadata,
            references: each(self.references),
            data_source: self.data_source,
            ..ObservationRecord::new(self.id, self.kind, self.behavior_id, behavior_name, self.created_at.epoch_seconds())
        })
    }
}

impl From<BulkObservationRule> for ObservationRule {
    fn from(bulk: BulkObservationRule) -> Self {
        Self {
            id: bulk.id,
            name: bulk.name,
            status: bulk.status,
            score: bulk.score,
            date: bulk.created_at.map(|at| at.epoch_seconds()),
            custom_data: bulk.custom_data,
            conditions: bulk.conditions,
        }
    }
}
