//! An observation as it is read: its record as it came, and what the service knows of it.

use std::{borrow::Cow, sync::Arc};

use async_graphql::{Enum, SimpleObject};
use serde::{Deserialize, Serialize};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, Type, schema::SchemaType},
};

use super::{ObservationActor, ObservationRecord};
use crate::{custom_property::Fields, date::Timestamp, id::CaseId, json_object::with_fields_appended};

/// What an observation refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Enum, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[graphql(name = "ObservationReferenceType")]
pub enum ReferenceType {
    /// A payment that the observation is made of.
    Transaction,
    /// Whom it is about.
    Actor,
    /// One of its associated legal entities.
    LegalEntity,
}

/// Something that an observation names and that has not come.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MissingReference {
    /// What kind of record is missing, and how the observation names it.
    #[serde(rename = "type")]
    #[graphql(name = "type")]
    pub kind: ReferenceType,
    /// The id that the observation names.
    pub id: String,
}

/// What the service knows of an observation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ObservationStanding {
    /// Whom it is about, whoever said so.
    pub actors: Vec<ObservationActor>,
    /// When its record came.
    pub ingest_date: Timestamp,
    /// The service's own id of it.
    pub internal_id: String,
    /// Whether everything it names has come.
    pub finalized: bool,
    /// The case that was raised from it; the latest of several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub case_id: Option<CaseId>,
    /// By whose credential it came.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub submitter_internal_id: Option<String>,
}

/// An observation as it is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredObservation {
    /// As it came.
    pub record: Arc<str>,
    pub standing: ObservationStanding,
}

/// What the stored form calls custom data.
const CUSTOM_DATA: &str = "custom_data";

impl StoredObservation {
    /// Its text: the record's fields as they came, but the score as text and the actors as they are known now; then what the service knows.
    pub fn to_text(&self) -> Result<String, serde_json::Error> {
        let Fields(fields) = serde_json::from_str(&self.record)?;
        let mut text: Vec<(&str, Cow<'_, str>)> = Vec::with_capacity(fields.len() + 1);
        for (name, value) in &fields {
            let value = value.as_str();
            match name.as_str() {
                "actors" => {}
                "score" if value != "null" => text.push((name, Cow::Owned(format!("\"{value}\"")))),
                "customData" => text.extend([(name.as_str(), Cow::Borrowed(value)), (CUSTOM_DATA, Cow::Borrowed(value))]),
                _ => text.push((name, Cow::Borrowed(value))),
            }
        }
        let Fields(standing) = serde_json::from_str(&serde_json::to_string(&self.standing)?)?;
        text.extend(standing.iter().map(|(name, value)| (name.as_str(), Cow::Borrowed(value.as_str()))));
        let text: Vec<(&str, &str)> = text.iter().map(|(name, value)| (*name, &**value)).collect();
        Ok(with_fields_appended("{}", &text))
    }
}

/// The record's schema with the other fields in it, and the score as text.
impl PartialSchema for StoredObservation {
    fn schema() -> RefOr<Schema> {
        let (RefOr::T(Schema::Object(mut whole)), RefOr::T(Schema::Object(standing))) = (ObservationRecord::schema(), ObservationStanding::schema())
        else {
            return ObservationRecord::schema();
        };
        let score = ObjectBuilder::new().schema_type(SchemaType::from_iter([Type::String, Type::Null])).description(Some("From 0 to 1."));
        whole.properties.insert("score".to_owned(), score.into());
        if let Some(custom_data) = whole.properties.get("customData").cloned() {
            whole.properties.insert(CUSTOM_DATA.to_owned(), custom_data);
        }
        whole.properties.extend(standing.properties);
        whole.required.extend(standing.required);
        Schema::Object(whole).into()
    }
}

impl ToSchema for StoredObservation {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        ObservationRecord::schemas(schemas);
        ObservationStanding::schemas(schemas);
    }
}
