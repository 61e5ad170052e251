//! What is opaque by nature: objects whose inside is the sender's own, kept as JSON text byte for byte.

use std::sync::Arc;

use async_graphql::{InputValueError, InputValueResult, Scalar, ScalarType, Value};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
use utoipa::openapi::{
    ObjectBuilder, RefOr, Schema, Type,
    schema::{AdditionalProperties, SchemaType},
};

/// A JSON object as text (`customData`, `metadata`, …). Equality is of texts.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct JsonObject(Arc<str>);

impl JsonObject {
    /// Takes the text of a JSON object, `None` when it is something else.
    pub fn parse(text: &str) -> Option<Self> {
        let raw: &RawValue = serde_json::from_str(text).ok()?;
        Self::from_raw(raw)
    }

    /// The text as it came.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The value of one key, read out.
    pub fn get(&self, key: &str) -> Option<serde_json::Value> {
        let mut object: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&self.0).ok()?;
        object.remove(key)
    }

    /// The same object with one more key, the rest of its text untouched. A key that is there already gets
    /// underscores behind it until it is free, because nothing that came in may be lost.
    pub fn with(&self, key: &str, value: &impl Serialize) -> Result<Self, serde_json::Error> {
        let mut key = key.to_owned();
        while self.get(&key).is_some() {
            key.push('_');
        }
        let value = serde_json::to_string(value)?;
        Ok(Self(Arc::from(with_fields_appended(&self.0, &[(&key, &value)]))))
    }

    fn from_raw(raw: &RawValue) -> Option<Self> {
        raw.get().starts_with('{').then(|| Self(Arc::from(raw.get())))
    }
}

impl Default for JsonObject {
    fn default() -> Self {
        Self(Arc::from("{}"))
    }
}

/// The text of a JSON object with fields added at its end; every other byte of it stays. The values are JSON text.
/// This is how a stored form (`accountId`, `ingestDate`, …) is made from a record without losing its number formats.
pub fn with_fields_appended(object: &str, fields: &[(&str, &str)]) -> String {
    let object = object.trim();
    let mut text = object.strip_suffix('}').unwrap_or(object).trim_end().to_owned();
    for (name, value) in fields {
        if !text.ends_with('{') {
            text.push(',');
        }
        text.push_str(&serde_json::Value::from(*name).to_string());
        text.push(':');
        text.push_str(value);
    }
    text.push('}');
    text
}

impl Serialize for JsonObject {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let raw: &RawValue = serde_json::from_str(&self.0).map_err(serde::ser::Error::custom)?;
        raw.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for JsonObject {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        Self::from_raw(&raw).ok_or_else(|| serde::de::Error::custom("must be an object"))
    }
}

/// A JSON value, as it is and not as text.
#[Scalar(name = "JSON", specified_by_url = "https://www.rfc-editor.org/rfc/rfc8259")]
impl ScalarType for JsonObject {
    fn parse(value: Value) -> InputValueResult<Self> {
        match &value {
            Value::Object(_) => Ok(Self(Arc::from(value.into_json()?.to_string()))),
            _ => Err(InputValueError::expected_type(value)),
        }
    }

    fn to_value(&self) -> Value {
        serde_json::from_str::<serde_json::Value>(&self.0).ok().and_then(|json| Value::from_json(json).ok()).unwrap_or_default()
    }
}

impl utoipa::PartialSchema for JsonObject {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::Object).additional_properties(Some(AdditionalProperties::FreeForm(true))).into()
    }
}

impl utoipa::ToSchema for JsonObject {}

/// The schema of an optional object of named numbers.
pub(crate) fn numbers() -> RefOr<Schema> {
    ObjectBuilder::new()
        .schema_type(SchemaType::from_iter([Type::Object, Type::Null]))
        .additional_properties(Some(ObjectBuilder::new().schema_type(Type::Number)))
        .into()
}
